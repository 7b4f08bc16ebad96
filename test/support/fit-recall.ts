// Fits the weight of the situation and the minimum similarity for recalling memories of research projects, and measures
// them on held-out sample goals:
//   node test/support/fit-recall.ts [--write]
import { join } from 'node:path';
import { recallMemories } from '../../src/features/research/service/memory/recall.ts';
import { RECALL_WEIGHTS } from '../../src/features/research/service/memory/recall-weights.ts';
import { generated, memories, nowhere } from '../unit/researching-memories.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';
import { root } from './paths.mjs';

const tried: Tried<typeof RECALL_WEIGHTS> = {
  leastAlike: [0.1, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5],
  situation: [0, 0.25, 0.5, 1, 1.5, 2],
};
const folds = 6;
/** Minimum gain; less than one of 42 goals is chance. */
const MIN_GAIN = 0.02;

/** Memory that should come first for a goal, if any, with all its parts or only one. */
interface Case {
  readonly recalled: () => Promise<string | undefined>;
  readonly wanted: string | undefined;
}

const casesOf = (fold: number): Case[] => [
  ...generated.queries
    .filter((_, i) => i % folds === fold)
    .flatMap((asked) =>
      [[asked.goal, ...asked.parts], asked.parts.slice(0, 1)].map((parts) => ({
        wanted: asked.memory,
        recalled: async () => (await recallMemories(parts, asked, memories))[0]?.memory.id,
      })),
    ),
  ...generated.strangers
    .filter((_, i) => i % folds === fold)
    .map(({ goal, parts }) => ({
      wanted: undefined,
      recalled: async () => (await recallMemories([goal, ...parts], nowhere, memories))[0]?.memory.id,
    })),
];
const folded = Array.from({ length: folds }, (_, fold) => casesOf(fold));

/** Returns the share of goals whose expected memory comes first. */
async function measure(cases: readonly Case[]): Promise<number> {
  const first = await Promise.all(cases.map(async ({ recalled, wanted }) => (await recalled()) === wanted));
  return first.filter(Boolean).length / cases.length;
}

const chosenFor = (some: readonly (readonly Case[])[]): Promise<typeof RECALL_WEIGHTS> =>
  chooseWeights(RECALL_WEIGHTS, tried, () => measure(some.flat()), MIN_GAIN);

console.log('as it is:', await measure(folded.flat()));
const unseen = await measureUnseen(RECALL_WEIGHTS, tried, folded, chosenFor, measure);
const share = percent(unseen.reduce((sum, one) => sum + one, 0) / folds);
console.log('not seen:', share);
const chosen = await chosenFor(folded);
console.log('chosen:', await measure(folded.flat()), chosen);
if (process.argv.includes('--write'))
  writeWeights(join(root, 'src/features/research/service/memory/recall-weights.ts'), chosen, {
    RECALL_WEIGHTS: `How memories are recalled. Chosen by test/support/fit-recall.ts on the made goals of test/fixtures/research (there are no public ones), in six folds: of those not seen the right memory, or none, comes first for ${share}.`,
  });
