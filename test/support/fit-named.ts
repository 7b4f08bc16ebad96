// Fits how much the documents that a question names count, and measures it on held-out reports:
//   node test/support/fit-named.ts [--write]
// The reports are generated with other seeds than those of `npm run bench -- tables`. Each notebook has reports of
// several companies, which the questions name.
import { join } from 'node:path';
import { NAMED_WEIGHTS } from '../../src/index/search/lexical/named-weights.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { judge } from '../bench/tables.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';
import { withReportNotebooks, type ReportNotebook } from './report-notebooks.ts';

const tried: Tried<typeof NAMED_WEIGHTS> = { others: [0, 0.25, 1], names: [0, 0.25, 1] };
const SEEDS = [1, 2, 3];
const ENGINES = ['passages, whole', 'places'];
/** Uses every nth question, so that it takes minutes. */
const EVERY = 4;
const MIN_GAIN = 0.01;

const measured = new Map<string, Promise<number>>();

/** Returns the share of questions whose page is among the first results. */
function scorePart(part: ReportNotebook): Promise<number> {
  const key = JSON.stringify([part.seed, NAMED_WEIGHTS]);
  const score = measured.get(key) ?? measure(part);
  measured.set(key, score);
  return score;
}

async function measure({ reports, searches }: ReportNotebook): Promise<number> {
  let [hits, count] = [0, 0];
  for (const report of reports)
    for (const question of report.questions.filter((_, i) => i % EVERY === 0))
      for (const search of searches) {
        hits += Number(judge(await search(question.question), report, question).page);
        count++;
      }
  return hits / count;
}

/** Measures parts one after the other, because all read the weights while they search. */
async function meanScore(parts: readonly ReportNotebook[]): Promise<number> {
  let sum = 0;
  for (const part of parts) sum += await scorePart(part);
  return sum / parts.length;
}

if (import.meta.main) {
  setPdfResources(join(root, 'node_modules/pdfjs-dist'));
  await withReportNotebooks(SEEDS, ENGINES, async (parts) => {
    const current = { ...NAMED_WEIGHTS };
    for (const others of tried.others)
      for (const names of tried.names) {
        Object.assign(NAMED_WEIGHTS, { others, names });
        console.log(`others ${String(others)}, names ${String(names)}: ${percent(await meanScore(parts))}`);
      }
    Object.assign(NAMED_WEIGHTS, current);
    const chosenFor = (some: readonly ReportNotebook[]): Promise<typeof NAMED_WEIGHTS> =>
      chooseWeights(NAMED_WEIGHTS, tried, () => meanScore(some), MIN_GAIN);
    const unseen = await measureUnseen(NAMED_WEIGHTS, tried, parts, chosenFor, scorePart);
    for (const score of unseen) console.log(`not seen: ${percent(score)}`);
    const chosen = await chosenFor(parts);
    console.log(chosen);
    if (!process.argv.includes('--write')) return;
    const heldOut = percent(unseen.reduce((sum, score) => sum + score, 0) / unseen.length);
    writeWeights(join(root, 'src/index/search/lexical/named-weights.ts'), chosen, {
      NAMED_WEIGHTS: `Weights if a question names documents: of passages in other documents, and of the names themselves, which don't distinguish passages within their documents. Chosen by test/support/fit-named.ts on generated annual reports of several companies, with other seeds than those of \`npm run bench -- tables\`. On three held-out seeds, the right page is among the first for ${heldOut} of questions.`,
    });
  });
}
