import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { Postings } from '../../src/index/search/lexical/postings.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { overlap, type Span } from '../../src/core/language/span.ts';
import { WordTokenizer } from '../../src/core/language/words/tokenizer.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { generateReports, type ReportQuestion } from '../support/generate-reports.ts';
import { documentNames, readFileBytes, withNotebook, type BenchDocument } from './asking.ts';
import { printTable } from './table.ts';

/** Seeds of the measured reports. The rules were developed with other seeds. */
const SEEDS = [101, 102, 103];
const COMPANIES = 4;
const YEARS = 2;
const FIRST = 5;

export interface Report extends BenchDocument {
  readonly questions: readonly ReportQuestion[];
}

interface FoundSpan extends Span {
  readonly document: string;
}

type Engine = (
  index: NotebookIndex,
  reports: readonly Report[],
) => (question: string) => Promise<readonly FoundSpan[]>;

/** Ways to search in reports, by name. */
export const engines: Readonly<Record<string, Engine>> = {
  'passages, narrowed': (index) => {
    const names = documentNames(index);
    return async (question) =>
      (await index.passageSearch.search(question, FIRST)).map(({ documentId, start, end }) => ({
        document: names.get(documentId) ?? '',
        start,
        end,
      }));
  },
  'passages, whole': (index) => {
    const names = documentNames(index);
    return async (question) => {
      const { passages } = await index.passageSearch.gather({
        searches: [{ words: question }],
        tokens: 8_000,
      });
      return passages
        .slice(0, FIRST)
        .map(({ documentId, start, end }) => ({ document: names.get(documentId) ?? '', start, end }));
    };
  },
  places: (index) => {
    const names = documentNames(index);
    return async (question) =>
      (await index.passageSearch.places({ words: question }))
        .slice(0, FIRST)
        .map(({ passage: { documentId, start, end } }) => ({
          document: names.get(documentId) ?? '',
          start,
          end,
        }));
  },
  'BM25 of passages, same tokens': (_, reports) => {
    const tokenizer = new WordTokenizer();
    const postings = new Postings();
    const passages: FoundSpan[] = [];
    for (const { key, document } of reports)
      for (const { start, end } of splitForWindows(document, { size: 1_500, overlap: 50 })) {
        passages.push({ document: key, start, end });
        const text = document.text.slice(start, end);
        postings.add(passages.length, tokenizer.numbersOfPassage(text, postings.vocabulary));
      }
    return (question) =>
      Promise.resolve(
        postings
          .search(tokenizer.termsOfQuestion(question), { k: 1.5, b: 0.75 })
          .slice(0, FIRST)
          .flatMap(([slot]) => passages[slot - 1] ?? []),
      );
  },
};

/** Result for a question: whether its page and its row are among the first places. */
interface Outcome {
  readonly engine: string;
  readonly among: 'one' | 'all';
  readonly kind: ReportQuestion['kind'];
  readonly page: boolean;
  /** Undefined if no single row has the answer. */
  readonly row: boolean | undefined;
}

/**
 * Measures how often the right page of a generated annual report, and the right row on it, is among the first five
 * places, within the report and among all. With `out`, writes one line of JSON per question.
 */
export async function measureTables(
  out: string | undefined,
  seeds: readonly number[] = SEEDS,
): Promise<void> {
  setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));
  const outcomes: Outcome[] = [];
  const lines: string[] = [];
  for (const seed of seeds) {
    const reports = await readReports(seed, COMPANIES, YEARS);
    const ask = (among: Outcome['among'], some: readonly Report[]): Promise<void> =>
      withNotebook(some, async (index) => {
        for (const [engine, make] of Object.entries(engines)) {
          const search = make(index, some);
          for (const report of some)
            for (const question of report.questions) {
              const foundSpans = await search(question.question);
              const outcome = { engine, among, kind: question.kind, ...judge(foundSpans, report, question) };
              outcomes.push(outcome);
              lines.push(JSON.stringify({ report: report.key, ...question, ...outcome, found: foundSpans }));
            }
        }
      });
    for (const report of reports) await ask('one', [report]);
    await ask('all', reports);
  }
  if (out !== undefined) writeFileSync(out, `${lines.join('\n')}\n`);
  print(outcomes);
}

/** Returns generated reports as a notebook reads them. Call `setPdfResources` before. */
export async function readReports(seed: number, companies: number, years: number): Promise<Report[]> {
  const reports: Report[] = [];
  for (const { name, bytes, questions } of generateReports(seed, companies, years))
    reports.push({ title: name, key: name, document: await readFileBytes(name, bytes), questions });
  return reports;
}

/** Reports whether a result contains the right page, and the right row on it. */
export function judge(
  found: readonly FoundSpan[],
  { key, document }: Report,
  { pages, row }: ReportQuestion,
): Pick<Outcome, 'page' | 'row'> {
  if (document.map.kind !== 'pdf') throw new Error(`${key} is no PDF.`);
  const { pages: starts } = document.map;
  const answers = pages.map((page) => ({
    start: starts[page]?.start ?? 0,
    end: starts[page + 1]?.start ?? document.text.length,
  }));
  const own = found.filter((place) => place.document === key);
  const on = own.filter((place) => answers.some((page) => overlap(page, place) > 0));
  const holdsRow = (place: Span): boolean =>
    document.text
      .slice(place.start, place.end)
      .split('\n')
      .some((line) => row?.every((cell) => line.includes(cell)));
  return { page: on.length > 0, row: row && on.some(holdsRow) };
}

function print(outcomes: readonly Outcome[]): void {
  const share = (some: readonly (boolean | undefined)[]): string => {
    const answered = some.filter((one) => one !== undefined);
    return answered.length === 0 ? '' : (answered.filter(Boolean).length / answered.length).toFixed(3);
  };
  const kinds = [...new Set(outcomes.map(({ kind }) => kind))];
  for (const among of ['one', 'all'] as const) {
    const outcomesAmong = outcomes.filter((outcome) => outcome.among === among);
    const rows = [...Map.groupBy(outcomesAmong, ({ engine }) => engine)].map(([engine, some]) => [
      engine,
      share(some.map(({ page }) => page)),
      share(some.map(({ row }) => row)),
      ...kinds.map((kind) => share(some.filter((one) => one.kind === kind).map(({ page }) => page))),
    ]);
    const count = outcomesAmong.length / Object.keys(engines).length;
    printTable(
      [
        `${String(count)} questions, ${among === 'one' ? 'within the report' : 'among all reports'}`,
        'page',
        'row',
        ...kinds,
      ],
      rows,
    );
  }
}
