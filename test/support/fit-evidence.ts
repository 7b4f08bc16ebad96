// Fits the model that picks evidence for claims, and measures it on pages that it hasn't seen:
//   node test/support/fit-evidence.ts [FOLDER] [--write]
// FOLDER contains claims/claims.jsonl and evidence/claims.jsonl.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareClaim } from '../../src/answers/checking/claim.ts';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { EVIDENCE_WEIGHTS } from '../../src/answers/checking/evidence-weights.ts';
import { matchClaim } from '../../src/answers/checking/matching.ts';
import { rankCandidates, chooseCandidates, type Candidate } from '../../src/answers/checking/relevance.ts';
import { scoreAbstracts, scorePages, sentencesIn, joinSentences, type Case } from '../bench/claims.ts';
import { readJsonLines } from '../bench/json-lines.ts';
import { benchmarksFor } from './benchmarks.ts';
import { chooseWeights, docComment, type Tried } from './choose-weights.ts';
import { fitLogistic } from './fit-logistic.ts';

/** Claim with its possible evidence. */
interface Labeled {
  readonly case: Case;
  readonly isOfPage: boolean;
  /** Page of the claim. Claims about one page are in one fold, so that its peculiarities don't help. */
  readonly page: string;
  readonly candidates: readonly Candidate[];
  /** Indexes of the case's sentences in each candidate. */
  readonly sentences: ReadonlyMap<Candidate['units'], readonly number[]>;
}

type Model = typeof EVIDENCE_WEIGHTS;

/** Thresholds that choose candidates, and the values to try: see `chooseCandidates`. */
const { least, shareOfBest, most } = EVIDENCE_WEIGHTS;
const cuts = { least, shareOfBest, most };
const triedCuts: Tried<typeof cuts> = {
  least: [0.14, 0.18, 0.22, 0.26, 0.3],
  shareOfBest: [0.25, 0.3, 0.35, 0.4, 0.5],
  most: [2, 3, 4],
};
/** Minimum gain in the F1 of pages and abstracts together; less is chance. */
const MIN_GAIN = 0.004;
const FOLDS = 5;
const RIDGE = 10;
/** Weight of pages, which have many more sentences each than abstracts. */
const WEIGHT_OF_PAGES = 0.3;

/** Reads the claims of both public sets from the folder of the sets. */
function readClaims(folder: string): Labeled[] {
  const files = ['claims', 'evidence'].map((name) => join(folder, name, 'claims.jsonl'));
  return files.flatMap((file) => readJsonLines<Case>(file).map(label));
}

function label(each: Case): Labeled {
  const { passages, spans } = joinSentences(each);
  const evidence = prepareEvidence(passages);
  const match = matchClaim(prepareClaim(each.claim, evidence), evidence);
  const candidates = rankCandidates(match, evidence.passages);
  const sentences = new Map(
    candidates.map(({ source: { passage }, units }) => {
      const [start, end] = [units[0]?.start ?? 0, units.at(-1)?.end ?? 0];
      const span = { start: passage.start + start, end: passage.start + end };
      return [units, sentencesIn(span, spans)];
    }),
  );
  const page = each.sentences.slice(0, 3).join(' ');
  return { case: each, isOfPage: each.wice !== undefined, page, candidates, sentences };
}

function fitRelevance(all: readonly Labeled[]): Model {
  const examples = all.flatMap(({ isOfPage, case: own, candidates, sentences }) => {
    if (own.label === 'NONE') return [];
    const sets = own.sets ?? [own.evidence];
    // A sentence counts as evidence by its share of the sufficient sets.
    const shareOf = (sentence: number): number =>
      sets.filter((each) => each.includes(sentence)).length / sets.length;
    return candidates.map(({ units, features }) => ({
      features,
      target: Math.max(0, ...(sentences.get(units) ?? []).map(shareOf)),
      weight: isOfPage ? WEIGHT_OF_PAGES : 1,
    }));
  });
  return { ...cuts, ...fitLogistic(examples, RIDGE) };
}

function pick({ candidates, sentences }: Labeled, model: Model): readonly number[] {
  return [...new Set(chooseCandidates(candidates, model).flatMap(({ units }) => sentences.get(units) ?? []))];
}

/** Picks evidence for each claim with a model that was fitted without its page. */
function pickUnseen(all: readonly Labeled[]): ReadonlyMap<Labeled, readonly number[]> {
  const pages = [...new Set(all.map(({ page }) => page))];
  const foldOf = ({ page }: Labeled): number => pages.indexOf(page) % FOLDS;
  return new Map(
    Array.from({ length: FOLDS }, (_, fold) => {
      const model = fitRelevance(all.filter((each) => foldOf(each) !== fold));
      return all
        .filter((each) => foldOf(each) === fold)
        .map((each): [Labeled, readonly number[]] => [each, pick(each, model)]);
    }).flat(),
  );
}

/** Returns the F1 of the evidence from pages and from abstracts. */
function measure(
  all: readonly Labeled[],
  picks: ReadonlyMap<Labeled, readonly number[]>,
): { readonly pages: number; readonly abstracts: number } {
  const f1 = (isOfPage: boolean): number => {
    const own = all.filter((each) => each.isOfPage === isOfPage);
    const score = isOfPage ? scorePages : scoreAbstracts;
    const figures = score(
      own.map((each) => each.case),
      own.map((each) => picks.get(each) ?? []),
    );
    return figures.F1;
  };
  return { pages: f1(true), abstracts: f1(false) };
}

const all = readClaims(benchmarksFor(process.argv, ['claims', 'evidence']));
const measurePicks = (): number => {
  const { pages, abstracts } = measure(all, pickUnseen(all));
  return pages + abstracts;
};
console.log('taken', await chooseWeights(cuts, triedCuts, measurePicks, MIN_GAIN));
const notSeen = measure(all, pickUnseen(all));
const model = fitRelevance(all);
const fitted = measure(all, new Map(all.map((each) => [each, pick(each, model)])));
console.log('not seen', notSeen, 'fitted', fitted);
if (process.argv.includes('--write')) {
  const words = JSON.stringify(
    model,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
    2,
  );
  const head = docComment(
    `Made by test/support/fit-evidence.ts from 150 sentences of Wikipedia with the pages they cite (WiCE) and 814 claims with abstracts (SciFact). On pages not seen the sentences that support claims are found with an F1 of ${notSeen.pages.toFixed(2)}, those of abstracts with one of ${notSeen.abstracts.toFixed(2)}. How many candidates are taken (\`least\`, \`shareOfBest\`, \`most\`) was chosen on all of them.`,
  );
  const file = join(import.meta.dirname, '../../src/answers/checking/evidence-weights.ts');
  const code = words.replaceAll(/"(\w+)":/g, '$1:').replaceAll(/(?<=[\d}])(?=\n +})|(?<=})(?=\n})/g, ',');
  writeFileSync(file, `${head}export const EVIDENCE_WEIGHTS = ${code};\n`);
}
