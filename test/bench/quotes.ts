import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerQuestion } from '../../src/answering/answer-question.ts';
import type { PassageFinder } from '../../src/answering/passage-finder.ts';
import { NotebookIndex } from '../../src/indexing/notebook-index.ts';
import type { Answer } from '../../src/notebook/answer.ts';
import { applyAnswerEvent } from '../../src/notebook/answer.ts';
import type { Span } from '../../src/notebook/span.ts';
import { overlap } from '../../src/notebook/span.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { printTable, quantile } from './table.ts';

interface Question {
  readonly corpus: string;
  readonly question: string;
  readonly spans: readonly (readonly [number, number])[];
}

const SETTINGS = { size: 1_500, overlap: 50 };
const PASSAGES = 8;

/** How often the quotes that answer a question without a model touch the words that answer it, and how long they are. */
export async function measureQuotes(data: string): Promise<void> {
  const file = join(data, 'questions.jsonl');
  if (!existsSync(file)) {
    console.error(`The questions are missing: ${file}. Name their folder with --data.`);
    process.exitCode = 1;
    return;
  }
  const questions = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Question);
  const corpora = [...new Set(questions.map(({ corpus }) => corpus))];
  const directory = mkdtempSync(join(tmpdir(), 'bench-quotes-'));
  const quiet = { changed: () => undefined, indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(directory, SETTINGS, quiet);
  try {
    for (const corpus of corpora)
      await addDocument(index, corpus, readFileSync(join(data, `${corpus}.md`), 'utf8'));
    const times: number[] = [];
    let [unanswered, touching, first, characters] = [0, 0, 0, 0];
    for (const { question, corpus, spans } of questions) {
      const began = performance.now();
      const answer = await ask(index, question);
      times.push(performance.now() - began);
      if (answer?.kind !== 'quotes') {
        unanswered++;
        continue;
      }
      const isTouched = answer.citations.map(({ title, span }) => title === corpus && touches(span, spans));
      if (isTouched.includes(true)) touching++;
      if (isTouched[0] === true) first++;
      characters += answer.citations.reduce((sum, { quote }) => sum + quote.length, 0);
    }
    const share = (count: number): string => `${((100 * count) / questions.length).toFixed(1)} %`;
    console.log(`${String(questions.length)} questions over ${String(corpora.length)} documents`);
    printTable(
      ['', 'a quote touches the answer', 'the first does', 'unanswered', 'characters', 'ms a question'],
      [
        [
          'quotes',
          share(touching),
          share(first),
          share(unanswered),
          (characters / questions.length).toFixed(0),
          quantile(times, 0.5).toFixed(1),
        ],
      ],
    );
  } finally {
    await index.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function addDocument(index: NotebookIndex, title: string, text: string): Promise<void> {
  const uri = `file:///${title}.md`;
  await index.addSource(
    title,
    { kind: 'file', uri },
    { key: '', uri, hash: title, size: text.length, modifiedAt: 1, document: readMarkdown(text) },
  );
}

async function ask(index: NotebookIndex, question: string): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  const passages: PassageFinder = {
    find: (words, limit) => index.search(words, limit),
    at: (places) => Promise.resolve(index.passagesAt(places)),
    cite: (requests) =>
      Promise.resolve(
        index.cite(
          requests.map(({ number, passage, span }) => ({
            number,
            documentId: passage.documentId,
            passage: { start: passage.start, end: passage.end },
            span,
            quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
          })),
        ),
      ),
  };
  await answerQuestion({
    question,
    history: [],
    passages,
    limit: PASSAGES,
    model: undefined,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => {
      answer = applyAnswerEvent(answer, event);
    },
  });
  return answer;
}

function touches(span: Span, answers: Question['spans']): boolean {
  return answers.some(([start, end]) => overlap(span, { start, end }) > 0);
}
