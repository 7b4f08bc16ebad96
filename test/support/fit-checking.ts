// Chooses by what a claim is matched with what stands in sources, and from where on something of it is lacking, and says how
// well that does on pages that neither this nor the models were fitted on:
//   node test/support/fit-checking.ts [FOLDER] [--write]
// FOLDER holds claims/ and evidence/, as for fit-evidence.ts, which is to be run after this. Each value is judged by models
// that are fitted anew without the page of a claim.
import { join } from 'node:path';
import { CHECKING_WEIGHTS } from '../../src/answering/checking/checking-weights.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, writeWeights, type Tried } from './choose-weights.ts';
import {
  chooseUnseen,
  FOLDS,
  judgeUnseen,
  matchClaims,
  readClaims,
  scoreVerdicts,
  tellVerdicts,
  type JudgedClaim,
} from './fit-evidence.ts';
import { root } from './paths.mjs';

/** 0, and a length that none has, are for what would be no rule. */
const tried: Tried<typeof CHECKING_WEIGHTS> = {
  there: [0.4, 0.5, 0.6, 0.7],
  sameName: [0.6, 0.7, 0.8],
  implied: [0.8, 0.9, 1],
  kin: [0.4, 0.6, 0.8, 1],
  similar: [0.8, 0.9, 1],
  weightOfAny: [0.25, 0.5, 0.75, 1],
  k: [0.9, 1.2, 1.5],
  b: [0.5, 0.75, 0.9],
  leastCovered: [0, 0.3, 0.4, 0.5],
  leastOfPart: [0, 0.15, 0.25, 0.35],
  fewTerms: [0, 3, 4, 5],
  short: [0, 7, 10, 14, 100],
};
/** Those that the candidates hang on, which are chosen and fitted anew with each. */
const MATCHING = ['implied', 'kin', 'similar', 'weightOfAny', 'k', 'b'] as const;
/**
 * Less of the mean of these five figures is chance: of `short` it goes up and down by as much from one value to the next (7 is
 * better than 10 by .006, and so is 14 by .003, which are neighbours).
 */
const LEAST_GAIN = 0.007;

/**
 * So much a sentence that is not called supported though it is counts beside one that is called so though it is not: who
 * reads `supported` looks no further, who reads `partly` does. It is the beta of an F-measure.
 */
const BETA = 0.5;

/** What claims are judged by: which sentences are picked, and of which claims `supported` is told. */
function score(results: readonly JudgedClaim[]): Readonly<Record<string, number>> {
  const figures = scoreVerdicts(results);
  const supportedIn = (set: JudgedClaim['each']['set']): number => {
    const own = results.filter(({ each }) => each.set === set);
    const called = own.filter(({ verdict }) => verdict === 'supported');
    const right = called.filter(({ each }) => each.isSupported).length;
    const all = own.filter(({ each }) => each.isSupported).length;
    return ((1 + BETA ** 2) * right) / Math.max(1, called.length + BETA ** 2 * all);
  };
  return {
    'pages, sentences': figures['pages, evidence F1'] ?? 0,
    'abstracts, sentences': figures['abstracts, F1'] ?? 0,
    'pages, supported': supportedIn('pages'),
    'abstracts, supported': supportedIn('abstracts'),
    'altered, supported': supportedIn('altered'),
  };
}

function mean(results: readonly JudgedClaim[]): number {
  const figures = Object.values(score(results));
  return figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

const tell = (name: string, results: readonly JudgedClaim[]): void => {
  const figures = Object.entries(score(results)).map(([of, figure]) => `${of} ${figure.toFixed(3)}`);
  console.log(`${name}: ${mean(results).toFixed(4)} (${figures.join(', ')})`);
};

const claims = readClaims(benchmarksFor(process.argv, ['claims', 'evidence']));
const matched = new Map<
  string,
  { readonly all: ReturnType<typeof matchClaims>; readonly chosen: ReturnType<typeof chooseUnseen> }
>();
const judged = new Map<string, readonly JudgedClaim[]>();

/** What is said of all claims by the weights that stand. */
function judgeAll(): readonly JudgedClaim[] {
  const key = JSON.stringify(CHECKING_WEIGHTS);
  const known = judged.get(key);
  if (known !== undefined) return known;
  const keyOfMatching = JSON.stringify(MATCHING.map((name) => CHECKING_WEIGHTS[name]));
  let own = matched.get(keyOfMatching);
  if (own === undefined) {
    const all = matchClaims(claims);
    own = { all, chosen: chooseUnseen(all) };
    // Of what was matched the last alone is kept, which is large.
    matched.clear();
    matched.set(keyOfMatching, own);
  }
  const results = tellVerdicts(own.all, judgeUnseen(own.all, own.chosen)).map(({ each, ...said }) => {
    const { altered, case: ofCase, isSupported, page, set } = each;
    return {
      ...said,
      each: {
        isSupported,
        page,
        set,
        ...(altered !== undefined && { altered }),
        ...(ofCase && { case: ofCase }),
      },
    };
  });
  judged.set(key, results);
  return results;
}

const before = judgeAll();
tell('as it is', before);
const standing = JSON.stringify(CHECKING_WEIGHTS);
const chosen = await chooseWeights(CHECKING_WEIGHTS, tried, () => mean(judgeAll()), LEAST_GAIN);
tell('chosen', judgeAll());
console.log(chosen);

// Of all that was tried, what is chosen without a fold, on that fold.
const pages = [...new Set(claims.map(({ page }) => page))];
const isIn =
  (fold: number) =>
  ({ each }: JudgedClaim): boolean =>
    pages.indexOf(each.page) % FOLDS === fold;
const unseen = Array.from({ length: FOLDS }, (_, fold) => {
  const others = (results: readonly JudgedClaim[]): number => mean(results.filter((one) => !isIn(fold)(one)));
  const ranked = [...judged].sort(([, a], [, b]) => others(b) - others(a));
  const [key, results] = ranked[0] ?? [standing, before];
  const isBetter = others(results) > others(before) + LEAST_GAIN;
  if (isBetter) console.log(`without fold ${String(fold)}: ${key}`);
  return (isBetter ? results : before).filter(isIn(fold));
}).flat();
tell('not seen', unseen);
if (process.argv.includes('--write')) {
  const figures = score(unseen);
  const figure = (name: string): string => (figures[name] ?? 0).toFixed(2);
  writeWeights(join(root, 'src/answering/checking/checking-weights.ts'), chosen, {
    CHECKING_WEIGHTS: `How what a claim says is matched with what stands in sources, before the models of evidence-weights.ts weigh it, and what they never make good. Chosen by test/support/fit-checking.ts on 150 sentences of Wikipedia with the pages they cite (WiCE), 814 claims with abstracts (SciFact) and altered sentences of ours, in five folds by page. Of those not seen the sentences that bear claims out are found with an F1 of ${figure('pages, sentences')} in pages and ${figure('abstracts, sentences')} in abstracts; \`supported\` is told with an F${String(BETA)}, as a sentence that is called so and is not costs more than one that is called less, of ${figure('pages, supported')} of pages, ${figure('abstracts, supported')} of abstracts and ${figure('altered, supported')} of altered sentences.`,
  });
}
