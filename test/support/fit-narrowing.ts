// Fits the weights that narrow passages to the sentences that answer a question, and measures them on held-out texts:
//   node test/support/fit-narrowing.ts [FOLDER] [--write]
// FOLDER contains passages/, the questions of that suite and their texts.
import { join } from 'node:path';
import { NARROWING_WEIGHTS } from '../../src/index/search/narrowing-weights.ts';
import {
  indexCorpora,
  meanScore,
  readPassagesSet,
  type PassagesScore,
  type Question,
} from '../bench/passages.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, measureUnseen, percent, writeWeights, type Tried } from './choose-weights.ts';

const tried: Tried<typeof NARROWING_WEIGHTS> = {
  k: [0.9, 1.2, 1.5, 2],
  b: [0.5, 0.7, 0.85],
  window: [0.6, 0.7, 0.8, 1],
  context: [0.3, 0.45, 0.6, 0.8],
  cut: [0.55, 0.6, 0.635, 0.67, 0.72],
  cutLess: [0, 0.05, 0.1, 0.15],
  cutOfNew: [0.3, 0.4, 0.5],
  partOfNew: [0.3, 0.4, 0.55],
};

/** Sizes of passages: the default, and longer ones. */
const SIZES = [1_500, 2_600];
const LIMIT = 5;
/**
 * Weight of missed text relative to superfluous text: a reader skips an extra sentence, but a missed one is the answer.
 */
const RECALL = 3;
/** Minimum gain; less than the whole answer to one of the 319 questions is chance. */
const MIN_GAIN = 0.0025;

type Retrieve = Awaited<ReturnType<typeof indexCorpora>>;

/** Length of the retrieved passages. */
const sizes = new Map<Retrieve, number>();

/** Questions of one text. */
interface Part {
  readonly name: string;
  readonly questions: readonly Question[];
}

if (import.meta.main) {
  const folder = benchmarksFor(process.argv, ['passages']);
  const { questions, corpora } = readPassagesSet(join(folder, 'passages'));
  const retrieving = await Promise.all(
    SIZES.map(async (size) => {
      const retrieve = await indexCorpora(corpora, { size, overlap: 50, limit: LIMIT });
      sizes.set(retrieve, size);
      return retrieve;
    }),
  );
  const parts = Array.from(
    Map.groupBy(questions, ({ corpus }) => corpus),
    ([name, own]): Part => ({ name, questions: own }),
  );
  const describeScore = (name: string, { recall, precision, iou }: PassagesScore): string =>
    `${name}: recall ${percent(recall)}, precision ${percent(precision)}, IoU ${percent(iou)}`;
  const [usual] = retrieving;
  if (usual === undefined) throw new Error('No size is measured.');

  const unseen = await measureUnseen(
    NARROWING_WEIGHTS,
    tried,
    parts,
    (others) => chosenFor(others, retrieving),
    (part) => scorePart(part, usual),
  );
  for (const [i, score] of unseen.entries())
    console.log(describeScore(`${parts[i]?.name ?? ''}, not seen`, score));
  const chosen = await chosenFor(parts, retrieving);
  for (const part of parts) console.log(describeScore(part.name, await scorePart(part, usual)));
  console.log(chosen);
  if (process.argv.includes('--write'))
    writeWeights(join(import.meta.dirname, '../../src/index/search/narrowing-weights.ts'), chosen, {
      NARROWING_WEIGHTS: `Chosen by test/support/fit-narrowing.ts on the questions of chunking_evaluation (public: ${parts.map(({ name }) => name).join(', ')}), where recall counts ${String(RECALL)} times as much as intersection over union, as a sentence that is missed costs a reader more than one too many. One text is held back at a time: of those not seen a recall of ${mean(unseen, 'recall')}, an intersection over union of ${mean(unseen, 'iou')}. Shares are of the best window's score, of the question, or of the greatest length of a passage.`,
    });
}

function mean(scores: readonly PassagesScore[], value: keyof PassagesScore): string {
  return percent(scores.reduce((sum, score) => sum + score[value], 0) / scores.length);
}

function chosenFor(
  parts: readonly Part[],
  retrieving: readonly Retrieve[],
): Promise<typeof NARROWING_WEIGHTS> {
  const measure = async (): Promise<number> => {
    let sum = 0;
    for (const retrieve of retrieving)
      for (const part of parts) {
        const { recall, iou } = await scorePart(part, retrieve);
        sum += (RECALL * recall + iou) / (RECALL + 1);
      }
    return sum / retrieving.length / parts.length;
  };
  return chooseWeights(NARROWING_WEIGHTS, tried, measure, MIN_GAIN);
}

/** Caches scores, because most settings are tried again when a text is left out. */
const measured = new Map<string, Promise<PassagesScore>>();

function scorePart({ name, questions }: Part, retrieve: Retrieve): Promise<PassagesScore> {
  const key = JSON.stringify([name, sizes.get(retrieve), NARROWING_WEIGHTS]);
  const score = measured.get(key) ?? meanScore(questions, (question) => retrieve(question, LIMIT));
  measured.set(key, score);
  return score;
}
