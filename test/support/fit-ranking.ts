// Fits the parameters of BM25 that rank passages, and measures them on held-out claims:
//   node test/support/fit-ranking.ts [FOLDER] [--write]
// FOLDER contains evidence/claims.jsonl.
import { join } from 'node:path';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { RANKING_WEIGHTS } from '../../src/index/search/lexical/ranking-weights.ts';
import { rankScores, type JudgedQuestion } from '../bench/documents.ts';
import { judgedClaims } from '../bench/team-quality.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, measureUnseen, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';

const tried: Tried<typeof RANKING_WEIGHTS> = {
  k: [0.6, 0.9, 1.2, 1.5, 1.8, 2.4],
  b: [0.3, 0.5, 0.75, 0.9, 1],
};
const folds = 5;
const FOUND = 10;
/** Minimum gain in the mean nDCG@10; less is chance, some two claims of five hundred. */
const MIN_GAIN = 0.004;

const folder = benchmarksFor(process.argv, ['evidence']);
const { documents, questions } = judgedClaims(join(folder, 'evidence', 'claims.jsonl'));
const index = PassageIndex.create();
await index.add(
  documents.map(({ title, text }, i) => ({ id: i + 1, sourceId: 's', terms: `${title}\n\n${text}` })),
);
// Claims of one abstract are in one fold.
const titles = documents.map(({ id }) => id);
const foldOf = ({ relevance }: JudgedQuestion): number =>
  titles.indexOf([...relevance.keys()][0] ?? '') % folds;
const parts = Array.from({ length: folds }, (_, fold) => questions.filter((one) => foldOf(one) === fold));

/** Returns the mean nDCG@10. */
async function measure(part: readonly JudgedQuestion[]): Promise<number> {
  let sum = 0;
  for (const { text, relevance } of part) {
    const hits = await index.search(text, { limit: FOUND });
    const [gain = 0] = rankScores(
      hits.flatMap(({ id }) => titles[id - 1] ?? []),
      relevance,
    );
    sum += gain;
  }
  return sum / part.length;
}

const chosenFor = (some: readonly (readonly JudgedQuestion[])[]): Promise<typeof RANKING_WEIGHTS> =>
  chooseWeights(RANKING_WEIGHTS, tried, () => measure(some.flat()), MIN_GAIN);
const mean = (scores: readonly number[]): string =>
  (scores.reduce((sum, one) => sum + one, 0) / scores.length).toFixed(3);

console.log('as it is:', await measure(questions));
const unseen = await measureUnseen(RANKING_WEIGHTS, tried, parts, chosenFor, measure);
console.log('not seen:', mean(unseen));
const chosen = await chosenFor(parts);
console.log('chosen:', await measure(questions), chosen);
if (process.argv.includes('--write'))
  writeWeights(join(root, 'src/index/search/lexical/ranking-weights.ts'), chosen, {
    RANKING_WEIGHTS: `The parameters of BM25. Chosen by test/support/fit-ranking.ts on ${String(questions.length)} claims of SciFact over ${String(documents.length)} abstracts, in five folds by abstract: of those not seen an nDCG@10 of ${mean(unseen)}.`,
  });
