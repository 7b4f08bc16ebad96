import type { Flaw, SignalParts, WeighedSignals } from '../../notebook/answer.ts';
import { CHECKING_WEIGHTS } from './checking-weights.ts';
import type { Claim } from './claim.ts';
import { EVIDENCE_WEIGHTS } from './evidence-weights.ts';
import type { EvidencePassage } from './evidence.ts';
import { holdsWord } from '../../language/words/words.ts';
import { likelihood, signalParts } from './logistic.ts';
import { measureCoverage, joinCovered, type Match } from './matching.ts';
import { surroundingTerms, type ChosenCandidate } from './relevance.ts';

/** What tells whether a claim was found, and whether it is borne out. */
type FoundFeature = keyof typeof EVIDENCE_WEIGHTS.supported.weights;

/** What these tell of: what is told of a verdict sums them up by it. */
const KINDS: Readonly<Record<keyof SignalParts, readonly FoundFeature[]>> = {
  words: [
    'coverage',
    'context',
    'elsewhere',
    'bestCoverage',
    'underHeading',
    'unknown',
    'heaviestMissing',
    'weakestPart',
    'notQuoted',
  ],
  place: ['likelihood', 'second', 'stretch', 'order'],
  numbers: ['missingNumbers', 'anyNumberMissing', 'numberMissingInOrder'],
  names: [
    'lackingNames',
    'anyNameLacking',
    'nameLackingInOrder',
    'unknownNames',
    'anyNameUnknown',
    'lacksSubject',
    'subjectElsewhere',
    'subjectLackingInOrder',
    'subjectUnknown',
  ],
  extent: ['parts', 'terms', 'units'],
};

/** What of a claim was found in what was chosen for it. */
export interface Found {
  /** How far the chosen units have each term, and how far they have it with what stands around them. */
  readonly covered: Float64Array;
  readonly known: Float64Array;
  readonly coverage: number;
  /** Something that no weighing makes good; a name, a number or the subject of a short claim alone. */
  readonly flaw: Exclude<Flaw, 'swapped'> | undefined;
  /** Whether the passages speak of the claim's subject elsewhere than where they have the rest. */
  readonly isOfAnother: boolean;
  readonly features: Readonly<Record<FoundFeature, number>>;
}

/** What of a claim was found in the chosen units, of the passages that these were chosen from. */
export function measureFound(
  match: Match,
  chosen: readonly ChosenCandidate[],
  sources: readonly EvidencePassage[],
): Found {
  const { claim, weights, credits } = match;
  const { terms, subject } = claim;
  const { there, sameName, leastCovered, leastOfPart, fewTerms, short } = CHECKING_WEIGHTS;
  const covered = joinAll(
    match,
    chosen.map((each) => each.covered),
  );
  const around = new Set(
    chosen.flatMap(({ source, units: [unit] }) =>
      unit === undefined
        ? []
        : [...surroundingTerms(unit), source.units[unit.place - 1]?.terms ?? []].flatMap((all) => [...all]),
    ),
  );
  const known = covered.map((credit, i) => {
    const { term = '', kind = 'word' } = terms[i] ?? {};
    return kind !== 'number' && around.has(term) ? 1 : credit;
  });
  const anywhere = joinAll(match, [
    covered,
    ...sources.flatMap(({ units }) => units.flatMap(({ index }) => credits.get(index) ?? [])),
    ...sources.map(({ context }) => Float64Array.from(terms, ({ term }) => (context.has(term) ? 1 : 0))),
  ]);
  const places = new Map(terms.map(({ term }, i) => [term, i]));
  const isIn = (credit: Float64Array, term: string, least = there): boolean =>
    (credit[places.get(term) ?? -1] ?? 0) >= least;
  const lacking = claim.names.filter(
    ({ term, parts }) =>
      !isIn(known, term, sameName) && !(parts.length > 1 && parts.every((part) => isIn(known, part))),
  );
  const unknownNames = lacking.filter(({ term }) => !isIn(anywhere, term, sameName));
  const isNumberUnknown = terms.some(({ kind }, i) => kind === 'number' && (anywhere[i] ?? 0) < there);
  const sumWeights = (names: typeof lacking): number =>
    names.reduce((sum, { term }) => sum + (weights[places.get(term) ?? -1] ?? 0), 0);
  const addUp = (share: (i: number) => number): number =>
    weights.reduce((sum, weight, i) => sum + weight * share(i), 0);
  const missingNumbers = addUp((i) => (terms[i]?.kind === 'number' && (covered[i] ?? 0) < there ? 1 : 0));
  const best = chosen.toSorted((a, b) => b.coverage - a.coverage)[0];
  const inOrder = (best?.order ?? 0) * (best?.coverageUnderHeading ?? 0);
  const [unit] = best?.units ?? [];
  const lacksSubject =
    subject !== undefined &&
    best !== undefined &&
    unit !== undefined &&
    !isIn(best.covered, subject) &&
    !surroundingTerms(unit).some((all) => all.has(subject));
  const isOfAnother = best !== undefined && speaksOfAnother(claim, best);
  const isShort = claim.sequence.length <= short;
  const isQuoted = claim.quotations.every((words) => sources.some(({ wording }) => wording.includes(words)));
  const coverage = measureCoverage(covered, weights);
  const flaws = [
    ['quoted', !isQuoted],
    ['half', measureCoverage(known, weights) < leastCovered],
    ['part', claim.parts.some((part) => partCoverage(part, known, weights) < leastOfPart)],
    ['name', isShort && unknownNames.length > 0],
    ['number', isShort && isNumberUnknown],
    ['another', isShort && isOfAnother],
  ] as const;
  return {
    covered,
    known,
    coverage,
    flaw: flaws.find(([, isThere]) => isThere)?.[0],
    isOfAnother,
    features: {
      coverage,
      context: measureCoverage(known, weights) - coverage,
      elsewhere: measureCoverage(anywhere, weights) - coverage,
      bestCoverage: best?.coverage ?? 0,
      underHeading: best?.coverageUnderHeading ?? 0,
      likelihood: chosen[0]?.likelihood ?? 0,
      second: chosen[1]?.likelihood ?? 0,
      stretch: best?.stretch ?? 0,
      order: best?.order ?? 0,
      missingNumbers,
      anyNumberMissing: missingNumbers > 0 ? 1 : 0,
      numberMissingInOrder: missingNumbers > 0 ? inOrder : 0,
      lackingNames: sumWeights(lacking),
      anyNameLacking: lacking.length > 0 ? 1 : 0,
      nameLackingInOrder: lacking.length > 0 ? inOrder : 0,
      unknownNames: sumWeights(unknownNames),
      anyNameUnknown: unknownNames.length > 0 ? 1 : 0,
      lacksSubject: lacksSubject ? 1 : 0,
      subjectElsewhere: lacksSubject && isIn(anywhere, subject) ? 1 : 0,
      subjectLackingInOrder: lacksSubject ? inOrder : 0,
      subjectUnknown: subject !== undefined && terms.length <= fewTerms && !isIn(anywhere, subject) ? 1 : 0,
      notQuoted: isQuoted ? 0 : 1,
      unknown: addUp((i) => ((anywhere[i] ?? 0) < there ? 1 : 0)),
      heaviestMissing: weights.reduce(
        (most, weight, i) => Math.max(most, weight * (1 - (covered[i] ?? 0))),
        0,
      ),
      weakestPart: Math.min(1, ...claim.parts.map((part) => partCoverage(part, covered, weights))),
      parts: claim.parts.length,
      terms: Math.log(Math.max(1, terms.length)),
      units: Math.log(
        Math.max(
          1,
          sources.reduce((sum, { units }) => sum + units.length, 0),
        ),
      ),
    },
  };
}

/** Whether the passage has what the claim speaks of, but elsewhere than where it has the rest. */
function speaksOfAnother({ subject, terms }: Claim, { source, units }: ChosenCandidate): boolean {
  const [unit] = units;
  if (unit === undefined || source.passage.format === 'code') return false;
  const isRow = unit.kind === 'row';
  const before = isRow ? undefined : source.units[unit.place - 1];
  const near = [
    ...units.flatMap((each) => [each.terms, each.implied]),
    ...surroundingTerms(unit),
    before?.terms,
  ];
  const lacks = (term: string): boolean =>
    source.terms.has(term) && !near.some((all) => all !== undefined && holdsWord(all, term, source.language));
  // The rows of a table tell of different things.
  return (
    (subject !== undefined && lacks(subject)) ||
    (isRow && terms.some(({ term, kind }) => kind !== 'word' && lacks(term)))
  );
}

function joinAll({ weights }: Match, credits: readonly Float64Array[]): Float64Array {
  return credits.reduce(joinCovered, new Float64Array(weights.length));
}

/** The share of a part's weight that is covered; 1 where it has no terms. */
export function partCoverage(
  { terms }: { readonly terms: readonly number[] },
  covered: Float64Array,
  weights: Float64Array,
): number {
  const all = terms.reduce((sum, term) => sum + (weights[term] ?? 0), 0);
  const found = terms.reduce((sum, term) => sum + (weights[term] ?? 0) * (covered[term] ?? 0), 0);
  return all === 0 ? 1 : found / all;
}

/** What the features of what was found say to whether the claim is found and borne out, by kind. */
export function checkSignals(features: Found['features']): WeighedSignals & { readonly found: number } {
  const { found, supported } = EVIDENCE_WEIGHTS;
  const parts = signalParts(supported, features, KINDS);
  return { likelihood: likelihood(supported, features), found: likelihood(found, features), ...parts };
}

/** What the same features say to whether the claim is found at all, by kind. */
export function foundSignals(features: Found['features']): SignalParts {
  return signalParts(EVIDENCE_WEIGHTS.found, features, KINDS);
}
