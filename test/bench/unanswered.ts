import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchText } from './asking.ts';
import { ask, withNotebook } from './asking.ts';
import { printTable } from './table.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

interface Asked {
  readonly corpus: string;
  readonly question: string;
}

/** Some questions asked of some documents, which answer them or not. */
interface Run {
  readonly what: string;
  readonly isAnswered: boolean;
  readonly texts: readonly BenchText[];
  readonly questions: readonly string[];
}

/** How often "nothing" is said to questions that the documents answer, and to those that they do not. */
export async function measureUnanswered(asked: readonly Asked[], texts: readonly BenchText[]): Promise<void> {
  const rows: string[][] = [];
  for (const isAnswered of [true, false]) {
    const runs = runsOver(asked, texts).filter((run) => run.isAnswered === isAnswered);
    for (const what of new Set(runs.map((run) => run.what))) {
      const counts = { questions: 0, nothing: 0 };
      for (const run of runs.filter((other) => other.what === what)) {
        counts.questions += run.questions.length;
        counts.nothing += await nothingSaid(run);
      }
      const share = `${((100 * counts.nothing) / counts.questions).toFixed(1)} %`;
      rows.push([what, String(counts.questions), isAnswered ? share : '', isAnswered ? '' : share]);
    }
  }
  printTable(['', 'questions', 'lost (goal: at most 3 %)', 'told as nothing (goal: 75 %)'], rows);
}

function runsOver(asked: readonly Asked[], texts: readonly BenchText[]): Run[] {
  const own = linesOf('answered.txt');
  const everyday = linesOf('everyday.txt');
  const documents = fixtureTexts();
  const byText = texts.flatMap((text): Run[] => {
    const questions = asked.filter(({ corpus }) => corpus === text.title).map(({ question }) => question);
    const others = texts.filter((other) => other !== text);
    return [
      { what: 'asked of their own document', isAnswered: true, texts: [text], questions },
      { what: 'asked of the other documents', isAnswered: false, texts: others, questions },
    ];
  });
  return [
    {
      what: 'asked of all documents',
      isAnswered: true,
      texts,
      questions: asked.map(({ question }) => question),
    },
    ...byText,
    { what: 'short ones, of small documents', isAnswered: true, texts: documents, questions: own },
    { what: 'short ones, of the other documents', isAnswered: false, texts, questions: own },
    { what: 'everyday ones', isAnswered: false, texts, questions: everyday },
    { what: 'everyday ones, of small documents', isAnswered: false, texts: documents, questions: everyday },
  ];
}

async function nothingSaid({ texts, questions }: Run): Promise<number> {
  let nothing = 0;
  await withNotebook(texts, async (index) => {
    for (const question of questions) if ((await ask(index, question))?.kind === 'nothing') nothing++;
  });
  return nothing;
}

function fixtureTexts(): BenchText[] {
  const folder = join(FIXTURES, 'evidence');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') || /^(?:harbour|seagrass)\.txt$/.test(name))
    .filter((name) => name !== 'README.md')
    .map((name) => ({ title: name, text: readFileSync(join(folder, name), 'utf8') }));
}

function linesOf(name: string): string[] {
  return readFileSync(join(FIXTURES, 'questions', name), 'utf8')
    .trim()
    .split('\n');
}
