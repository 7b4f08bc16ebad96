// Fits the weight of similarity relative to keywords if both find passages, and measures it on held-out passages:
//   node test/support/fit-fusion.ts [--write]
// The passages are those of `npm run bench -- vectors` with other seeds.
import { join } from 'node:path';
import { FUSION_WEIGHTS } from '../../src/index/search/vectors/fusion-weights.ts';
import { findBySides, fusedHere, scoreFusing, type FoundBySides } from '../bench/fusion.ts';
import { chooseWeights, measureUnseen, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';

const tried: Tried<typeof FUSION_WEIGHTS> = { meaning: [0.35, 0.5, 0.7, 0.85, 1, 1.2, 1.4, 2] };
const SEEDS = [1, 2, 3, 4];
const PASSAGES = 3_000;
/** Minimum gain in the mean reciprocal rank; less is chance, as seeds differ by some .02. */
const MIN_GAIN = 0.005;

/** Returns the mean reciprocal rank of the answers. */
const measure = (part: readonly FoundBySides[]): number => scoreFusing(part, fusedHere).reciprocalRank;
const chosenFor = (parts: readonly (readonly FoundBySides[])[]): Promise<typeof FUSION_WEIGHTS> =>
  chooseWeights(FUSION_WEIGHTS, tried, () => measure(parts.flat()), MIN_GAIN);

const parts = await Promise.all(SEEDS.map((seed) => findBySides(PASSAGES, seed)));
for (const part of parts) console.log('as it is:', measure(part).toFixed(3));
const unseen = await measureUnseen(FUSION_WEIGHTS, tried, parts, chosenFor, measure);
for (const score of unseen) console.log('not seen:', score.toFixed(3));
const chosen = await chosenFor(parts);
for (const part of parts) console.log('chosen:', measure(part).toFixed(3));
console.log(chosen);
if (process.argv.includes('--write'))
  writeWeights(join(root, 'src/index/search/vectors/fusion-weights.ts'), chosen, {
    FUSION_WEIGHTS: `Chosen by test/support/fit-fusion.ts on the made meanings of \`npm run bench -- vectors\`, of other seeds (there are no public questions with vectors here), one held back at a time: of those not seen a mean reciprocal rank of ${(unseen.reduce((sum, one) => sum + one, 0) / unseen.length).toFixed(3)}.`,
  });
