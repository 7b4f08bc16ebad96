import type { Span } from '../../core/language/span.ts';
import { pointsBack } from '../../core/language/statement-words.ts';
import { estimateTokens } from '../../core/language/tokens.ts';
import { prepareClaim } from './claim.ts';
import type { Evidence, EvidencePassage, EvidenceUnit } from './evidence.ts';
import { joinCovered, matchClaim, measureCoverage, type Match } from './matching.ts';
import { byLikelihood, rankCandidates } from './relevance.ts';

/** Span of a passage that may be evidence for a statement. */
export interface EvidencePlace {
  readonly source: EvidencePassage;
  readonly span: Span;
}

/** Consecutive units of a passage for a model to read; `span` is the cited text, or the text that was nearest. */
export interface EvidenceRange extends EvidencePlace {
  /** Indexes of the first and the last unit. */
  readonly first: number;
  readonly last: number;
}

/**
 * Maximum size of the evidence for a statement, in tokens; cited text is always included. With 500 tokens, it has all
 * sentences that decide for 83 % of the true claims of WiCE, which are about whole pages, with 700 or 1,000 for 93 %:
 * see `bench evidence`.
 */
const MAX_TOKENS = 700;
/** Minimum share of a statement's words in text of a passage that the statement doesn't cite. */
const MIN_OTHER_COVERAGE = 0.3;
/**
 * Weight of the statement's words that no earlier evidence has, beside the likelihood of a sentence to be evidence.
 * Values from 0.3 to 2 find about the same.
 */
const NEW_WORDS_WEIGHT = 1;
/** Number of neighbors on each side of a sentence. */
const NEIGHBORS = 1;
/** Maximum number of sentences added before a range whose first sentences refer back. */
const MAX_SENTENCES_BEFORE = 3;

/**
 * Chooses the text that a model gets to check a statement: the cited places with their neighbors, or the only cited
 * passage as a whole if it fits, then the likeliest sentences of all passages, as long as there is room. Places that
 * touch become one range.
 * @param cited places to include in any case; the other text of their passages counts as cited, too
 * @param more places to include after these
 */
export function chooseEvidence(
  sentence: string,
  evidence: Evidence,
  cited: readonly EvidencePlace[],
  more: readonly EvidencePlace[] = [],
): readonly EvidenceRange[] {
  const match = matchClaim(prepareClaim(sentence, evidence), evidence);
  const isCited = (source: EvidencePassage): boolean => cited.some((place) => place.source === source);
  const [only] = cited;
  const isWhole =
    only !== undefined && cited.length === 1 && estimateTokens(only.source.passage.text) <= MAX_TOKENS;
  let ranges: readonly EvidenceRange[] = isWhole ? [wholeRange(only)] : [];
  for (const place of [...cited, ...more]) ranges = addRange(ranges, rangeAround(place));
  const remaining = new Set(
    byLikelihood(rankCandidates(match, evidence.passages)).filter(
      ({ source, coverageUnderHeading }) => isCited(source) || coverageUnderHeading >= MIN_OTHER_COVERAGE,
    ),
  );
  while (remaining.size > 0) {
    const covered = coveredBy(match, ranges);
    const known = measureCoverage(covered, match.weights);
    const worth = (each: { readonly covered: Float64Array; readonly likelihood: number }): number =>
      each.likelihood +
      NEW_WORDS_WEIGHT * (measureCoverage(joinCovered(covered, each.covered), match.weights) - known);
    const best = [...remaining].reduce((a, b) => (worth(b) > worth(a) ? b : a));
    remaining.delete(best);
    const { source, units } = best;
    const start = source.passage.start + (units[0]?.start ?? 0);
    const end = source.passage.start + (units.at(-1)?.end ?? 0);
    const longer = addRange(ranges, rangeAround({ source, span: { start, end } }));
    // Continue, because a shorter sentence may still fit.
    if (ranges.length === 0 || countTokens(longer) <= MAX_TOKENS) ranges = longer;
  }
  return ranges;
}

/** Returns the degree to which ranges have each term of the statement. */
function coveredBy({ credits, weights }: Match, ranges: readonly EvidenceRange[]): Float64Array {
  let covered: Float64Array = new Float64Array(weights.length);
  for (const { source, first, last } of ranges)
    for (const unit of source.units.slice(first, last + 1)) {
      const own = credits.get(unit.index);
      if (own !== undefined) covered = joinCovered(covered, own);
    }
  return covered;
}

/** Cache of the tokens of units, which are compared with the limit for every statement of an answer. */
const knownTokens = new WeakMap<EvidenceUnit, number>();

function countTokens(ranges: readonly EvidenceRange[]): number {
  let tokens = 0;
  for (const { source, first, last } of ranges)
    for (const unit of source.units.slice(first, last + 1)) {
      const own = knownTokens.get(unit) ?? estimateTokens(unit.text);
      knownTokens.set(unit, own);
      tokens += own;
    }
  return tokens;
}

/** Returns the span of a range within its passage. */
export function rangeSpan({ source: { passage, units }, first, last }: EvidenceRange): Span {
  return { start: units[first]?.start ?? 0, end: units[last]?.end ?? passage.text.length };
}

function wholeRange({ source, span }: EvidencePlace): EvidenceRange {
  return { source, span, first: 0, last: source.units.length - 1 };
}

/** Returns the units at a place with their neighbors. */
function rangeAround({ source, span }: EvidencePlace): EvidenceRange {
  const { passage, units, language } = source;
  const own = { start: span.start - passage.start, end: span.end - passage.start };
  const touched = units.flatMap((unit, place) =>
    unit.start < own.end && own.start < unit.end ? [place] : [],
  );
  let first = Math.max(0, (touched[0] ?? 0) - NEIGHBORS);
  for (let more = 0; more < MAX_SENTENCES_BEFORE && first > 0; more++) {
    const { kind, text } = units[first] ?? {};
    if (kind === 'row' || !pointsBack(text ?? '', language)) break;
    first--;
  }
  return { source, span, first, last: Math.min(units.length - 1, (touched.at(-1) ?? 0) + NEIGHBORS) };
}

/** Adds a range, joined with the ranges that it touches, at the place of the first of them. */
function addRange(ranges: readonly EvidenceRange[], added: EvidenceRange): readonly EvidenceRange[] {
  const touches = (each: EvidenceRange): boolean =>
    each.source === added.source && each.first <= added.last + 1 && added.first <= each.last + 1;
  const [joined, ...others] = ranges.filter(touches);
  if (joined === undefined) return [...ranges, added];
  const mergedRanges = [joined, ...others, added];
  const union = {
    ...joined,
    first: Math.min(...mergedRanges.map(({ first }) => first)),
    last: Math.max(...mergedRanges.map(({ last }) => last)),
  };
  return ranges.flatMap((each) => (each === joined ? [union] : touches(each) ? [] : [each]));
}
