import { CHECKING_WEIGHTS } from './checking-weights.ts';
import type { ClaimPart } from './claim.ts';
import type { EvidencePassage, EvidenceUnit } from './evidence.ts';
import { EVIDENCE_WEIGHTS } from './evidence-weights.ts';
import { measureCoverage, joinCovered, shareOfKind, type Match } from './matching.ts';
import { likelihood } from './logistic.ts';

/** Signal that a unit supports a claim. */
type RelevanceFeature = keyof typeof EVIDENCE_WEIGHTS.weights;

/** Unit, or range of code lines, that may support a claim. */
export interface Candidate {
  readonly source: EvidencePassage;
  /** Never empty. */
  readonly units: readonly EvidenceUnit[];
  /** Degree to which it has each term of the claim, 0 to 1. */
  readonly covered: Float64Array;
  /** Share of the claim's weight that it covers. */
  readonly coverage: number;
  /** Share that it covers together with its titles, heading, and table header. */
  readonly coverageUnderHeading: number;
  readonly features: Readonly<Record<RelevanceFeature, number>>;
}

/** Candidate with its probability to support the claim. */
interface LikelyCandidate extends Candidate {
  readonly likelihood: number;
}

/** Maximum number of nearest units to examine closely. */
const MAX_CANDIDATES = 40;
/**
 * Maximum number of lines in a range of code, and the minimum gain of each further line: a call of five lines is shown
 * whole, but not the function around it.
 */
const CODE = { lines: 12, price: 0.03 };
/** Value of a feature from 0 to 1 that doesn't apply, such as the share of names for a claim without names. */
const NEITHER = 0.5;
/** Maximum number of occurrences of a term in a unit. */
const MAX_PLACES = 20;
/** Number of units on each side that count as context. */
const STRETCH = 2;
/** Maximum distance of adjacent terms: one other can be between them, "rose steadily by" for "rose by". */
const NEIGHBOURS = 2;
/**
 * Weight of the whole claim in the search for each part's best unit: among units with the part, the one that covers
 * more of the claim wins.
 */
const SHARE_OF_WHOLE = 0.1;

interface Scored {
  readonly units: readonly EvidenceUnit[];
  readonly covered: Float64Array;
  readonly coverage: number;
  /** BM25 up to a constant, with shares of terms in place of their counts. */
  readonly nearness: number;
}

/** Returns the units of passages that may support a claim, nearest first. */
export function rankCandidates(match: Match, sources: readonly EvidencePassage[]): Candidate[] {
  const { claim, weights } = match;
  const scored = sources
    .flatMap((source) =>
      source.passage.format === 'code' ? bestLines(match, source) : scoredUnits(match, source),
    )
    .sort((a, b) => b.nearness - a.nearness);
  const total = scored.reduce((sum, { coverage }) => sum + coverage, 0);
  const count = sources.reduce((sum, { units }) => sum + units.length, 0);
  const others = Math.max(1, count - 1);
  const nearest = scored.slice(0, MAX_CANDIDATES);
  const [first] = nearest;
  if (first === undefined) return [];
  const top = nearest.reduce((best, each) => (each.coverage > best.coverage ? each : best));
  const bestForParts = new Set(
    claim.parts.length > 1 ? claim.parts.map((part) => bestFor(part, nearest, weights)) : [top],
  );
  const rarest = weights.indexOf(Math.max(...weights));
  return nearest.flatMap((each, rank): Candidate[] => {
    const { units, covered, coverage, nearness } = each;
    const [unit] = units;
    if (unit === undefined) return [];
    const { source, place } = unit;
    const neighbours = (reach: number): Float64Array[] =>
      source.units
        .slice(Math.max(0, place - reach), place + units.length + reach)
        .filter((other) => !units.includes(other))
        .flatMap((other) => match.credits.get(other.index) ?? []);
    const stretch = measureCoverage(neighbours(STRETCH).reduce(joinCovered, covered), weights);
    const coverageUnderHeading = measureCoverage(underHeading(match, unit, covered), weights);
    const order = orderShare(match, units);
    const likely =
      each === top ? coverage : measureCoverage(joinCovered(top.covered, covered), weights) - top.coverage;
    const length = units.reduce((sum, { wordCount }) => sum + wordCount, 0);
    const features = {
      coverage,
      coverageBesideBest: coverage / top.coverage,
      nearnessBesideBest: nearness / first.nearness,
      lead: coverage - (total - coverage) / others,
      coverageUnderHeading,
      brought: likely,
      order,
      neighbours: Math.max(0, ...neighbours(1).map((other) => measureCoverage(other, weights))),
      stretch,
      bestForPart: bestForParts.has(each) ? 1 : 0,
      names: shareOfKind(match, covered, 'name') ?? NEITHER,
      numbers: shareOfKind(match, covered, 'number') ?? NEITHER,
      rarest: covered[rarest] ?? 0,
      rank: 1 / (1 + rank),
      length: Math.log(length + 1),
      units: Math.log(count),
      heading: unit.kind === 'heading' ? 1 : 0,
      place: source.passage.format === 'prose' ? place / Math.max(1, source.units.length - 1) : NEITHER,
      purpose: unit.tellsPurpose ? 1 : 0,
    };
    return [{ source, units, covered, coverage, coverageUnderHeading, features }];
  });
}

/** Returns candidates with their probability to support the claim, likeliest first. */
export function byLikelihood(
  candidates: readonly Candidate[],
  model: typeof EVIDENCE_WEIGHTS = EVIDENCE_WEIGHTS,
): LikelyCandidate[] {
  return candidates
    .map((each) => ({ ...each, likelihood: likelihood(model, each.features) }))
    .sort((a, b) => b.likelihood - a.likelihood);
}

/** Returns the few candidates that support the claim, likeliest first. */
export function chooseCandidates(
  candidates: readonly Candidate[],
  model: typeof EVIDENCE_WEIGHTS = EVIDENCE_WEIGHTS,
): LikelyCandidate[] {
  const likely = byLikelihood(candidates, model);
  const bestLikelihood = likely[0]?.likelihood ?? 0;
  return likely
    .slice(0, model.most)
    .filter(
      (each, rank) =>
        rank === 0 || each.likelihood >= Math.max(model.least, model.shareOfBest * bestLikelihood),
    );
}

function scoredUnits({ credits, weights, evidence }: Match, { units }: EvidencePassage): Scored[] {
  const { k, b } = CHECKING_WEIGHTS;
  return units.flatMap((unit) => {
    const covered = credits.get(unit.index);
    if (covered === undefined) return [];
    const coverage = measureCoverage(covered, weights);
    const length = unit.wordCount / evidence.usualLength;
    return {
      units: [unit],
      covered,
      coverage,
      nearness: coverage / (1 + k * (1 - b + b * length)),
    };
  });
}

/** Returns the range of lines with the best coverage. */
function bestLines({ credits, weights }: Match, { units }: EvidencePassage): Scored[] {
  let best: Scored | undefined;
  for (let first = 0; first < units.length; first++) {
    let covered: Float64Array | undefined;
    let before = 0;
    for (let last = first; last < Math.min(first + CODE.lines, units.length); last++) {
      const own = credits.get(units[last]?.index ?? -1);
      if (own !== undefined) covered = covered === undefined ? own : joinCovered(covered, own);
      // A range never begins or ends with a line that adds nothing.
      if (covered === undefined) break;
      const coverage = own === undefined ? before : measureCoverage(covered, weights);
      if (coverage === before) {
        if (last === first) break;
        continue;
      }
      before = coverage;
      const nearness = coverage - CODE.price * (last - first);
      if (nearness > (best?.nearness ?? 0))
        best = { units: units.slice(first, last + 1), covered, coverage, nearness };
    }
  }
  return best === undefined ? [] : [{ ...best, nearness: best.coverage / (1 + CHECKING_WEIGHTS.k) }];
}

function bestFor(
  { terms }: ClaimPart,
  candidates: readonly Scored[],
  weights: Float64Array,
): Scored | undefined {
  const worth = ({ covered, coverage }: Scored): number =>
    terms.reduce((sum, term) => sum + (weights[term] ?? 0) * (covered[term] ?? 0), SHARE_OF_WHOLE * coverage);
  return candidates.reduce<Scored | undefined>(
    (best, each) => (best === undefined || worth(each) > worth(best) ? each : best),
    undefined,
  );
}

/** Returns the coverage including the text above the unit. Numbers have to be in the unit itself. */
function underHeading({ claim }: Match, unit: EvidenceUnit, covered: Float64Array): Float64Array {
  const above = surroundingTerms(unit);
  return covered.map((credit, i) => {
    const { term = '', kind = 'word' } = claim.terms[i] ?? {};
    return kind !== 'number' && above.some((terms) => terms.has(term)) ? 1 : credit;
  });
}

/** Returns the terms above a unit that it doesn't need to repeat: titles, its heading, the header of its table. */
function surroundingTerms({ source, place, kind }: EvidenceUnit): ReadonlySet<string>[] {
  const above: ReadonlySet<string>[] = [source.context];
  const heading = source.units.slice(0, place).findLast((unit) => unit.kind === 'heading');
  if (heading !== undefined && kind !== 'heading') above.push(heading.terms);
  if (kind === 'row') {
    let first = place;
    while (source.units[first - 1]?.kind === 'row') first--;
    const header = source.units[first];
    if (header !== undefined) above.push(header.terms);
  }
  return above;
}

/** Returns the share of adjacent terms of the claim that are also adjacent in the units, in the same order. */
function orderShare({ claim: { terms, sequence } }: Match, units: readonly EvidenceUnit[]): number {
  const claimTerms = new Set(sequence.map((index) => terms[index]?.term));
  const places = new Map<string, number[]>();
  let at = 0;
  for (const word of units.flatMap(({ words }) => words)) {
    if (word.terms.length > 0) at++;
    for (const term of word.terms) {
      if (!claimTerms.has(term)) continue;
      const known = places.get(term);
      if (known === undefined) places.set(term, [at]);
      else if (known.length < MAX_PLACES) known.push(at);
    }
  }
  const findPlaces = (index: number | undefined): readonly number[] =>
    places.get(terms[index ?? -1]?.term ?? '') ?? [];
  let near = 0;
  for (let i = 1; i < sequence.length; i++) {
    const behind = findPlaces(sequence[i]);
    if (
      findPlaces(sequence[i - 1]).some((first) =>
        behind.some((next) => next > first && next - first <= NEIGHBOURS),
      )
    )
      near++;
  }
  return near / Math.max(1, sequence.length - 1);
}
