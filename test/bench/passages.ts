import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Narrowing } from '../../src/indexing/search/narrowing.ts';
import { PassageIndex } from '../../src/indexing/search/lexical/passage-index.ts';
import { splitDocument, splitForWindows } from '../../src/indexing/documents/splitter.ts';
import { overlap } from '../../src/language/span.ts';
import type { Span } from '../../src/language/span.ts';
import { readMarkdown } from '../../src/reading/markdown.ts';
import { printTable } from './table.ts';

interface Question {
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
  /** Whether passages are given as they are, or narrowed to the sentences that carry the question. */
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

/** Recall, precision and intersection over union of the characters that answer the benchmark's questions. */
export async function measurePassages(data: string, out: string | undefined): Promise<void> {
  const file = join(data, 'questions.jsonl');
  if (!existsSync(file)) {
    console.error(
      `The questions are missing: ${file}. Name their folder with --data or OPEN_NOTEBOOK_BENCHMARKS.`,
    );
    process.exitCode = 1;
    return;
  }
  const questions = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Question);
  const corpora = new Map(
    [...new Set(questions.map(({ corpus }) => corpus))].map((corpus) => [
      corpus,
      readFileSync(join(data, `${corpus}.md`), 'utf8'),
    ]),
  );
  const rows: string[][] = [];
  for (const settings of SETTINGS) {
    const retrieve = await indexCorpora(corpora, settings);
    const sums = { recall: 0, precision: 0, iou: 0 };
    const lines: string[] = [];
    for (const { corpus, question, spans } of questions) {
      const retrieved = await retrieve(question, settings.limit);
      const { recall, precision, iou } = score(
        retrieved.filter(({ document }) => document === corpus),
        retrieved.reduce((sum, { start, end }) => sum + end - start, 0),
        spans.map(([start, end]) => ({ start, end })),
      );
      sums.recall += recall;
      sums.precision += precision;
      sums.iou += iou;
      lines.push(JSON.stringify({ question, retrieved }));
    }
    const isOurs = settings === OURS;
    if (isOurs && out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
    const mean = (sum: number): string => ((100 * sum) / questions.length).toFixed(1);
    rows.push([
      `${settings.whole ? 'whole' : 'narrowed'}, ${String(settings.size)} characters${isOurs ? ' (default)' : ''}`,
      String(settings.limit),
      mean(sums.recall),
      mean(sums.precision),
      mean(sums.iou),
    ]);
  }
  console.log(`${String(questions.length)} questions over ${String(corpora.size)} documents`);
  printTable(['passages', 'retrieved', 'recall', 'precision', 'IoU'], rows);
}

async function indexCorpora(
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
    const found = hits.flatMap(({ id, score }) => {
      const passage = passages[id - 1];
      if (passage === undefined) return [];
      return [{ ...passage, documentId: names.indexOf(passage.document), passageId: id, score }];
    });
    const narrowed = settings.whole
      ? found
      : narrowing.narrow(
          found,
          index.weightsOf(question),
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

/** `retrieved` are those of the right document, `length` the characters of all. */
function score(
  retrieved: readonly Span[],
  length: number,
  spans: readonly Span[],
): { recall: number; precision: number; iou: number } {
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
