// Chooses the weights by which places are ranked, and says how well they do on notebooks that they were not chosen on:
//   node test/support/fit-places.ts [FOLDER] [--write]
// FOLDER holds everyday/ and passages/. Each weight in turn takes the value that does best, until none does better.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paginate } from '../../src/answering/places/places.ts';
import { placeWeights } from '../../src/indexing/search/place-weights.ts';
import {
  documentNames,
  markdownDocument,
  placeIn,
  withNotebook,
  type BenchDocument,
} from '../bench/asking.ts';
import { documentsOf, held, type Question } from '../bench/everyday.ts';
import { readJsonLines } from '../bench/json-lines.ts';
import { chooseWeights, measureUnseen, writeWeights, type Tried } from './choose-weights.ts';
import type { NotebookIndex } from '../../src/indexing/worker/notebook-index.ts';

/** What is tried for each. */
const tried: Tried<typeof placeWeights> = {
  rarity: [0.15, 0.25, 0.35, 0.5, 1],
  blockK: [0.6, 1, 1.4],
  blockB: [0.3, 0.5, 0.7],
  sectionK: [0.8, 1.2, 2],
  sectionB: [0.3, 0.5, 0.75],
  section: [0.4, 0.7, 1],
  heading: [0.5, 1, 1.5],
  blockLength: [200, 300, 400],
  longestFirst: [1_000, 1_200, 1_400],
  longestOther: [220, 280, 400],
};

/** Half of an answer has to be shown. */
const SHOWN = 0.5;
/** What the first place counts beside all of them, and questions in the documents' own words beside others. */
const FIRST = 0.6;
const OWN_WORDS = 0.3;
/** Less than a question more is chance. */
const LEAST_GAIN = 0.005;
/** Of the passages suite every so manieth question, so that it takes no longer than the rest. */
const EVERY = 4;

interface Notebook {
  readonly name: string;
  readonly weight: number;
  readonly index: NotebookIndex;
  readonly questions: readonly Question[];
}

interface Score {
  readonly hold: number;
  readonly first: number;
}

async function scoreOf({ index, questions }: Notebook): Promise<Score> {
  const names = documentNames(index);
  let [hold, first] = [0, 0];
  for (const question of questions) {
    const [page = []] = paginate(await index.places({ words: question.question }));
    const shown = page.flat().map(({ passage }) => placeIn(passage.documentId, passage, names));
    hold += held(question, shown, SHOWN);
    first += held(question, shown.slice(0, 1), SHOWN);
  }
  return { hold: hold / questions.length, first: first / questions.length };
}

async function valueOf(notebooks: readonly Notebook[]): Promise<number> {
  let [sum, all] = [0, 0];
  for (const notebook of notebooks) {
    const { hold, first } = await scoreOf(notebook);
    sum += notebook.weight * (hold + FIRST * first);
    all += notebook.weight;
  }
  return sum / all;
}

/** The weights that do best on some notebooks, from those that stand now. */
function chosenFor(notebooks: readonly Notebook[]): Promise<typeof placeWeights> {
  return chooseWeights(placeWeights, tried, () => valueOf(notebooks), LEAST_GAIN);
}

async function withAll(
  groups: readonly {
    readonly name: string;
    readonly documents: readonly BenchDocument[];
    readonly questions: readonly Question[];
    readonly weight: number;
  }[],
  work: (notebooks: readonly Notebook[]) => Promise<void>,
  opened: readonly Notebook[] = [],
): Promise<void> {
  const [next, ...others] = groups;
  if (next === undefined) {
    await work(opened);
    return;
  }
  await withNotebook(next.documents, async (index) => {
    await withAll(others, work, [...opened, { ...next, index }]);
  });
}

if (import.meta.main) {
  const [folder = join(import.meta.dirname, '../../../shared/benchmarks')] = process.argv
    .slice(2)
    .filter((argument) => !argument.startsWith('--'));
  const everyday = join(folder, 'everyday');
  const asked = readJsonLines<Question>(join(everyday, 'questions.jsonl'));
  const groups = await Promise.all(
    Array.from(
      Map.groupBy(
        asked.filter(({ spans }) => spans.length > 0),
        ({ group }) => group,
      ),
      async ([name, questions]) => ({
        name,
        questions,
        weight: 1,
        documents: await documentsOf(everyday, name),
      }),
    ),
  );
  const own = readJsonLines<{ corpus: string; question: string; spans: [number, number][] }>(
    join(folder, 'passages', 'questions.jsonl'),
  );
  const corpora = [...new Set(own.map(({ corpus }) => corpus))];
  groups.push({
    name: 'passages',
    weight: OWN_WORDS,
    documents: corpora.map((title) =>
      markdownDocument(title, readFileSync(join(folder, 'passages', `${title}.md`), 'utf8')),
    ),
    questions: own
      .filter((_, i) => i % EVERY === 0)
      .map(({ corpus, question, spans }) => ({
        group: 'passages',
        question,
        searches: [],
        answers: spans.map(() => ({})),
        spans: spans.map(([start, end]) => ({ document: corpus, start, end })),
      })),
  });
  await withAll(groups, async (notebooks) => {
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    const unseen = await measureUnseen(placeWeights, notebooks, chosenFor, scoreOf);
    for (const [i, { hold, first }] of unseen.entries())
      console.log(
        `${notebooks[i]?.name ?? ''}, not seen: ${percent(hold)} held, the first ${percent(first)}`,
      );
    const chosen = await chosenFor(notebooks);
    for (const notebook of notebooks) {
      const { hold, first } = await scoreOf(notebook);
      console.log(`${notebook.name}: ${percent(hold)} held, the first ${percent(first)}`);
    }
    console.log(chosen);
    if (!process.argv.includes('--write')) return;
    writeWeights(join(import.meta.dirname, '../../src/indexing/search/place-weights.ts'), chosen);
  });
}
