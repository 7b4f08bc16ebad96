// Fits how far table rows that a question names rise in the ranking, and measures it on held-out reports:
//   node test/support/fit-tables.ts [--write]
// The reports are generated with other seeds than those of `npm run bench -- tables`.
import { join } from 'node:path';
import { TABLE_WEIGHTS } from '../../src/index/search/table-weights.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { judge } from '../bench/tables.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';
import { withReportNotebooks, type ReportNotebook } from './report-notebooks.ts';

const tried: Tried<typeof TABLE_WEIGHTS> = {
  row: [1, 1.5, 2, 3],
  place: [1, 2, 3, 4],
};
const SEEDS = [1, 2, 3];
const ENGINES = ['passages, narrowed', 'places'];
const MIN_GAIN = 0.002;

/** Shares of questions whose page is among the first results, for prose and for rows. */
interface Score {
  readonly prose: number;
  readonly rows: number;
}

const measured = new Map<string, Promise<Score>>();

function scorePart(part: ReportNotebook, name: number): Promise<Score> {
  const key = JSON.stringify([name, TABLE_WEIGHTS]);
  const score = measured.get(key) ?? measure(part);
  measured.set(key, score);
  return score;
}

async function measure({ reports, searches }: ReportNotebook): Promise<Score> {
  const counts = { prose: [0, 0], rows: [0, 0] } satisfies Record<keyof Score, [number, number]>;
  for (const report of reports)
    for (const question of report.questions)
      for (const search of searches) {
        const of = question.kind === 'prose' ? counts.prose : counts.rows;
        of[0] += Number(judge(await search(question.question), report, question).page);
        of[1]++;
      }
  return { prose: counts.prose[0] / counts.prose[1], rows: counts.rows[0] / counts.rows[1] };
}

function mean(scores: readonly Score[], value: keyof Score): string {
  return percent(scores.reduce((sum, score) => sum + score[value], 0) / scores.length);
}

if (import.meta.main) {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  await withReportNotebooks(SEEDS, ENGINES, async (parts) => {
    const describeScore = ({ prose, rows }: Score): string =>
      `rows ${rows.toFixed(3)}, prose ${prose.toFixed(3)}`;
    const score = (part: ReportNotebook): Promise<Score> => scorePart(part, parts.indexOf(part));
    const chosenFor = (some: readonly ReportNotebook[]): Promise<typeof TABLE_WEIGHTS> =>
      chooseWeights(
        TABLE_WEIGHTS,
        tried,
        async () => {
          const scores = await Promise.all(some.map(score));
          return scores.reduce((sum, { prose, rows }) => sum + prose + rows, 0) / (2 * scores.length);
        },
        MIN_GAIN,
      );
    for (const part of parts) console.log('as it is:', describeScore(await score(part)));
    const unseen = await measureUnseen(TABLE_WEIGHTS, tried, parts, chosenFor, score);
    for (const score of unseen) console.log('not seen:', describeScore(score));
    const chosen = await chosenFor(parts);
    for (const part of parts) console.log('chosen:', describeScore(await score(part)));
    console.log(chosen);
    if (process.argv.includes('--write'))
      writeWeights(join(root, 'src/index/search/table-weights.ts'), chosen, {
        TABLE_WEIGHTS: `Chosen by test/support/fit-tables.ts on made annual reports of other seeds than those of \`npm run bench -- tables\`, where questions whose answer is a sentence of prose with a year in it weigh against larger ones. On three seeds, each not seen, the right page is among the first for ${mean(unseen, 'rows')} of rows and ${mean(unseen, 'prose')} of prose.`,
      });
  });
}
