// Compares how much text around the retrieved passages is read to rank excerpts, by the answers that these contain:
//   node test/support/fit-reading.ts [FOLDER]
// FOLDER contains everyday/. Its questions are asked of the mixed notebook, and the others of generated annual reports
// whose seeds no benchmark measures.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paginate } from '../../src/answers/places/places.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import type * as Asking from '../bench/asking.ts';
import { documentNames, placeIn, type BenchDocument } from '../bench/asking.ts';
import { held, readMixedNotebook, type Question } from '../bench/everyday.ts';
import { readJsonLines } from '../bench/json-lines.ts';
import { printTable } from '../bench/table.ts';
import { judge, readReports } from '../bench/tables.ts';
import { benchmarksFor } from './benchmarks.ts';
import { importWith } from './import-with.ts';

/** Numbers of passages that are read with all text that can be shown. */
const WIDELY_READ = [0, 10, 20, 30, 40, 60, 80, 1_000];
/** Minimum share of an answer that must be shown. */
const SHOWN = 0.5;
const SEEDS = [1, 2];
const FIRST = 5;

const everyday = join(benchmarksFor(process.argv, ['everyday']), 'everyday');
const questions = readJsonLines<Question>(join(everyday, 'questions.jsonl')).filter(
  ({ spans }) => spans.length > 0,
);
const mixed = await readMixedNotebook(everyday, [...new Set(questions.map(({ group }) => group))]);
if (mixed === undefined) process.exit(1);
setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));
const reports = await Promise.all(SEEDS.map((seed) => readReports(seed, 4, 2)));

/** Measures with a number of passages. Times are the processor's, in milliseconds for each question. */
async function measure(widelyRead: number): Promise<readonly string[]> {
  const { withNotebook } = await importWith<typeof Asking>('test/bench/asking.ts', {
    WIDELY_READ: widelyRead,
  });
  let [milliseconds, asked] = [0, 0];
  const timed = async <T>(search: () => Promise<T>): Promise<T> => {
    const began = process.cpuUsage();
    const result = await search();
    const { user, system } = process.cpuUsage(began);
    milliseconds += (user + system) / 1_000;
    asked++;
    return result;
  };
  let [hold, first] = [0, 0];
  await withNotebook(mixed as readonly BenchDocument[], async (index) => {
    const names = documentNames(index);
    for (const question of questions) {
      const excerpts = await timed(() => index.passageSearch.places({ words: question.question }));
      const [page = []] = paginate(excerpts);
      const shown = page.flat().map(({ passage }) => placeIn(passage.documentId, passage, names));
      hold += held(question, shown, SHOWN);
      first += held(question, shown.slice(0, 1), SHOWN);
    }
  });
  const ofMixed = milliseconds / asked;
  [milliseconds, asked] = [0, 0];
  let pages = 0;
  for (const some of reports)
    await withNotebook(some, async (index) => {
      const names = documentNames(index);
      for (const report of some)
        for (const question of report.questions) {
          const excerpts = await timed(() => index.passageSearch.places({ words: question.question }));
          const places = excerpts.slice(0, FIRST).map(({ passage: { documentId, start, end } }) => ({
            ...{ document: names.get(documentId) ?? '', start, end },
          }));
          pages += Number(judge(places, report, question).page);
        }
    });
  const share = (count: number, of: number): string => (count / of).toFixed(3);
  const time = (value: number): string => `${value.toFixed(1)} ms`;
  return [
    share(hold, questions.length),
    share(first, questions.length),
    time(ofMixed),
    share(pages, asked),
    time(milliseconds / asked),
  ];
}

const rows: string[][] = [];
for (const widelyRead of WIDELY_READ) rows.push([String(widelyRead), ...(await measure(widelyRead))]);
printTable(['WIDELY_READ', 'answers', 'in the first', 'time', 'pages of reports', 'time'], rows);
