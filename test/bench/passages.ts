import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Narrowing } from '../../src/index/search/narrowing.ts';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { splitDocument, splitForWindows } from '../../src/index/documents/splitter.ts';
import { overlap, type Span } from '../../src/core/language/span.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { benchmarkFile } from '../support/benchmarks.ts';
import { readJsonLines } from './json-lines.ts';
import { printTable } from './table.ts';

export interface Question {
  readonly corpus: string;
  readonly question: string;
  readonly spans: readonly (readonly [number, number])[];
}

interface Retrieved extends Span {
  readonly document: string;
  readonly score: number;
}

interface Setting {
  readonly size: number;
  readonly overlap: number;
  readonly limit: number;
  /** `true` for whole passages, `false` for passages narrowed to the sentences that match the question. */
  readonly whole?: boolean;
}

const OURS: Setting = { size: 1_500, overlap: 50, limit: 5 };
const SETTINGS: readonly Setting[] = [
  OURS,
  ...[500, 800, 1_000, 2_000, 2_600, 3_000].map((size) => ({ size, overlap: 50, limit: 5 })),
  ...[1, 3].map((limit) => ({ ...OURS, limit })),
  ...[300, 800, 1_500, 2_500].map((size) => ({ size, overlap: 50, limit: 5, whole: true })),
];
const PASSAGES_NARROWED = 20;

/**
 * Measures recall, precision, and intersection over union of the characters that answer the benchmark's questions.
 */
export async function measurePassages(data: string, out: string | undefined): Promise<void> {
  if (benchmarkFile(data, 'questions.jsonl') === undefined) return;
  const { questions, corpora } = readPassagesSet(data);
  const rows: string[][] = [];
  for (const settings of SETTINGS) {
    const retrieve = await indexCorpora(corpora, settings);
    const lines: string[] = [];
    const mean = await meanScore(
      questions,
      (question) => retrieve(question, settings.limit),
      (line) => lines.push(line),
    );
    const isOurs = settings === OURS;
    if (isOurs && out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    const percent = (share: number): string => (100 * share).toFixed(1);
    rows.push([
      `${settings.whole ? 'whole' : 'narrowed'}, ${String(settings.size)} characters${isOurs ? ' (default)' : ''}`,
      String(settings.limit),
      percent(mean.recall),
      percent(mean.precision),
      percent(mean.iou),
    ]);
  }
  console.log(`${String(questions.length)} questions over ${String(corpora.size)} documents`);
  printTable(['passages', 'retrieved', 'recall', 'precision', 'IoU'], rows);
}

/** Reads the questions of a folder with their texts, by name. */
export function readPassagesSet(data: string): {
  readonly questions: readonly Question[];
  readonly corpora: ReadonlyMap<string, string>;
} {
  const questions = readJsonLines<Question>(join(data, 'questions.jsonl'));
  const names = [...new Set(questions.map(({ corpus }) => corpus))];
  return {
    questions,
    corpora: new Map(names.map((name) => [name, readFileSync(join(data, `${name}.md`), 'utf8')])),
  };
}

/** Agreement of the retrieved text with the answers, 0 to 1. */
export interface PassagesScore {
  readonly recall: number;
  readonly precision: number;
  readonly iou: number;
}

/** Returns the mean over questions. `note` gets a line of JSON for each. */
export async function meanScore(
  questions: readonly Question[],
  retrieve: (question: string) => Promise<readonly Retrieved[]>,
  note: (line: string) => void = () => undefined,
): Promise<PassagesScore> {
  const sums = { recall: 0, precision: 0, iou: 0 };
  for (const { corpus, question, spans } of questions) {
    const retrieved = await retrieve(question);
    const { recall, precision, iou } = score(
      retrieved.filter(({ document }) => document === corpus),
      retrieved.reduce((sum, { start, end }) => sum + end - start, 0),
      spans.map(([start, end]) => ({ start, end })),
    );
    sums.recall += recall;
    sums.precision += precision;
    sums.iou += iou;
    note(JSON.stringify({ question, retrieved }));
  }
  const { length } = questions;
  return { recall: sums.recall / length, precision: sums.precision / length, iou: sums.iou / length };
}

/** Returns a function that retrieves from an index of texts, by a question and a maximum amount. */
export async function indexCorpora(
  corpora: ReadonlyMap<string, string>,
  settings: Setting,
): Promise<(question: string, limit: number) => Promise<Retrieved[]>> {
  const index = PassageIndex.create();
  const passages: Omit<Retrieved, 'score'>[] = [];
  const split = settings.whole ? splitDocument : splitForWindows;
  for (const [document, text] of corpora) {
    for (const { start, end, headings: path } of split(readMarkdown(text), settings)) {
      passages.push({ document, start, end });
      const terms = [document, ...path, text.slice(start, end)].join('\n');
      await index.add([{ id: passages.length, sourceId: document, terms }]);
    }
  }
  const narrowing = new Narrowing();
  const names = [...corpora.keys()];
  return async (question, limit) => {
    const hits = await index.search(question, { limit: settings.whole ? limit : PASSAGES_NARROWED });
    const foundPassages = hits.flatMap(({ id, score }) => {
      const passage = passages[id - 1];
      if (passage === undefined) return [];
      return [{ ...passage, documentId: names.indexOf(passage.document), passageId: id, score }];
    });
    const narrowed = settings.whole
      ? foundPassages
      : narrowing.narrow(
          foundPassages,
          index.weighTerms(question),
          (document, { start, end }) => ({
            text: corpora.get(names[document] ?? '')?.slice(start, end) ?? '',
            format: 'markdown',
          }),
          { size: settings.size, limit },
        );
    return narrowed.map(({ documentId, start, end, score }) => ({
      document: names[documentId] ?? '',
      start,
      end,
      score,
    }));
  };
}

/** Returns the score of a result. `retrieved` are the spans of the right document, `length` the characters of all. */
function score(retrieved: readonly Span[], length: number, spans: readonly Span[]): PassagesScore {
  const wanted = merged(spans);
  const hit = merged(retrieved)
    .flatMap((passage) => wanted.map((span) => overlap(passage, span)))
    .reduce((sum, shared) => sum + shared, 0);
  const total = wanted.reduce((sum, { start, end }) => sum + end - start, 0);
  return {
    recall: hit / total,
    precision: length === 0 ? 0 : hit / length,
    iou: hit / (length + total - hit),
  };
}

function merged(spans: readonly Span[]): Span[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}
