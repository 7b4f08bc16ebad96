import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import type { Claim, ClaimTerm } from './claim.ts';
import { kinOfTerm } from './directions.ts';
import type { Evidence, EvidencePassage, EvidenceUnit } from './evidence.ts';
import { bestUnits } from './likelihood.ts';
import { isNumber } from './terms.ts';

/** A span of a passage that says what a claim says, wholly or in part. */
export interface Support {
  readonly passage: FoundPassage;
  /** In the document. */
  readonly span: Span;
}

/** How a claim and a passage go together. */
export interface Alignment {
  readonly source: EvidencePassage;
  /** Best first; never empty. */
  readonly supports: readonly Support[];
  /** The unit that covers most; of code all lines of the best support. */
  readonly top: readonly EvidenceUnit[];
  /** The units of the best support. */
  readonly best: readonly EvidenceUnit[];
  /** The unit before these and the heading that they stand under. */
  readonly around: readonly EvidenceUnit[];
  /** For each term of the claim, how far the supports and what stands above or around them cover it: 0 to 1. */
  readonly covered: Float64Array;
  /** The share of the claim's weight that is covered: 0 to 1. */
  readonly coverage: number;
}

/** What counts for a term that is not there itself. */
const CREDIT = { implied: 0.9, kin: 0.8, similar: 0.8, context: 0.5, elsewhere: 0.35 };
const FACTOR = { name: 1.3, number: 1.6, word: 1 };
/** Every term counts this much beside its rarity among the passages, which are few. */
const WEIGHT_OF_ANY = 0.5;
/** An answer says things in its own words: a common word that no passage has weighs less than its rarity suggests. */
const UNKNOWN_WORD = 0.5;
/** The longest stretch of code taken as one support, in lines, and what each further line has to bring. */
const CODE = { lines: 12, price: 0.03 };

/** How much each term of a claim weighs. */
export function weightsOf(claim: Claim, evidence: Evidence): Float64Array {
  return Float64Array.from(claim.terms, ({ term, kind }) => {
    const isKnown =
      evidence.passages.some((passage) => passage.terms.has(term)) || evidence.similar(term).size > 0;
    return (
      (WEIGHT_OF_ANY + evidence.weight(term)) * FACTOR[kind] * (isKnown || kind !== 'word' ? 1 : UNKNOWN_WORD)
    );
  });
}

/** The share of a claim's weight that is covered. */
export function coverageOf(covered: Float64Array, weights: Float64Array): number {
  let sum = 0;
  let all = 0;
  for (const [i, weight] of weights.entries()) {
    sum += weight * (covered[i] ?? 0);
    all += weight;
  }
  return all === 0 ? 0 : sum / all;
}

/** For each term the greater of two credits. */
export function joinCovered(a: Float64Array, b: Float64Array): Float64Array {
  return a.map((credit, i) => Math.max(credit, b[i] ?? 0));
}

/** The spans of a passage that bear a claim out best; undefined where none has anything of it. */
export function align(
  claim: Claim,
  weights: Float64Array,
  source: EvidencePassage,
  evidence: Evidence,
): Alignment | undefined {
  const exact = findWording(claim, source);
  if (exact !== undefined) {
    const units = source.units.filter(
      (unit) =>
        unit.start < exact.end - source.passage.start && exact.start - source.passage.start < unit.end,
    );
    const covered = new Float64Array(claim.terms.length).fill(1);
    return {
      source,
      supports: [{ passage: source.passage, span: exact }],
      top: units,
      best: units,
      around: [],
      covered,
      coverage: 1,
    };
  }
  const credits = source.units.map((unit) => creditsIn(claim, unit, source, evidence));
  const coverages = credits.map((credit) => coverageOf(credit, weights));
  const chosen =
    source.passage.format === 'code'
      ? bestLines(credits, weights)
      : bestUnits(source.units, coverages, source.passage.format === 'prose');
  const runs = runsOf(chosen);
  const [first] = runs;
  if (first === undefined) return undefined;
  const top = chosen.reduce((best, index) =>
    (coverages[index] ?? 0) > (coverages[best] ?? 0) ? index : best,
  );
  const lines = source.units.slice(first[0], first[1] + 1);
  const around = [
    source.units[first[0] - 1],
    source.units.slice(0, first[0]).findLast(({ kind }) => kind === 'heading'),
  ].filter((unit) => unit !== undefined);
  let covered = contextCredits(claim, source, around);
  for (const index of chosen) covered = joinCovered(covered, credits[index] ?? covered);
  return {
    source,
    supports: runs.flatMap(([from, to]) => {
      const [start, end] = [source.units[from]?.start, source.units[to]?.end];
      if (start === undefined || end === undefined) return [];
      return [{ passage: source.passage, span: shifted({ start, end }, source.passage.start) }];
    }),
    top: source.passage.format === 'code' ? lines : source.units.slice(top, top + 1),
    best: lines,
    around,
    covered,
    coverage: coverageOf(covered, weights),
  };
}

/** Where the whole claim stands word for word, forgiving case, punctuation and line breaks. */
function findWording(
  claim: Claim,
  { passage, wording, words, wordOffsets }: EvidencePassage,
): Span | undefined {
  if (claim.wordCount < 4) return undefined;
  const at = wording.indexOf(claim.wording);
  if (at < 0) return undefined;
  const first = wordOffsets.indexOf(at + 1);
  const start = words[first]?.start;
  const end = words[first + claim.wordCount - 1]?.end;
  if (start === undefined || end === undefined) return undefined;
  return shifted({ start, end }, passage.start);
}

function shifted({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function creditsIn(
  claim: Claim,
  unit: EvidenceUnit,
  source: EvidencePassage,
  evidence: Evidence,
): Float64Array {
  return Float64Array.from(claim.terms, (term) => creditIn(term, unit, source, evidence));
}

function creditIn(
  claimed: ClaimTerm,
  unit: EvidenceUnit,
  source: EvidencePassage,
  evidence: Evidence,
): number {
  const { term, kind } = claimed;
  if (kind === 'number') return hasNumber(claimed, unit, source) ? 1 : 0;
  if (unit.terms.has(term)) return 1;
  if (unit.implied.has(term)) return CREDIT.implied;
  const kin = kinOfTerm(term);
  let credit = kin !== undefined && unit.kin.has(kin) ? CREDIT.kin : 0;
  for (const [other, alike] of evidence.similar(term))
    if (unit.terms.has(other)) credit = Math.max(credit, CREDIT.similar * alike);
  return credit;
}

const POINTS_BACK = /\b(?:it|they|them|these|those|this)\b/i;

/**
 * Whether a unit has the number, exactly or rounded, and of the same: beside what is counted, or else in one sentence
 * with one of the terms beside it, where the passage has these at all.
 */
function hasNumber({ term, near, counted }: ClaimTerm, unit: EvidenceUnit, source: EvidencePassage): boolean {
  const same = unit.numbers.filter((number) => isSameNumber(term, number.term));
  if (same.length === 0) return false;
  if (POINTS_BACK.test(unit.text) || source.passage.format === 'code') return true;
  if (counted !== undefined && isNumber(counted)) return true;
  if (counted !== undefined && unit.kind !== 'row' && source.terms.has(counted))
    return same.some((number) => number.near.includes(counted));
  const known = near.filter((each) => !isNumber(each) && source.terms.has(each));
  return known.length === 0 || known.some((each) => unit.terms.has(each) || unit.implied.has(each));
}

/** Whether a source's number is the claimed one, or becomes it when rounded to as many decimals. */
export function isSameNumber(claimed: string, told: string): boolean {
  if (claimed === told) return true;
  const [a, b] = [claimed, told].map((each) => each.replace(',', '.'));
  if (a === undefined || b === undefined) return false;
  const decimals = (each: string): number => /\.(\d+)$/.exec(each)?.[1]?.length ?? 0;
  if (!/^\d+(?:\.\d+)?$/.test(a) || !/^\d+(?:\.\d+)?$/.test(b)) return false;
  return decimals(a) < decimals(b) ? Number(b).toFixed(decimals(a)) === a : Number(a) === Number(b);
}

/** A sentence of a source leaves out what its heading and its neighbours have said. Numbers must stand in the span itself. */
function contextCredits(
  claim: Claim,
  source: EvidencePassage,
  around: readonly EvidenceUnit[],
): Float64Array {
  return Float64Array.from(claim.terms, ({ term, kind }) => {
    if (kind === 'number') return 0;
    if (source.context.has(term) || around.some((unit) => unit.terms.has(term))) return CREDIT.context;
    return source.terms.has(term) ? CREDIT.elsewhere : 0;
  });
}

/** The stretch of lines that covers most, as indexes. */
function bestLines(credits: readonly Float64Array[], weights: Float64Array): number[] {
  let best: number[] = [];
  let bestScore = 0;
  for (let first = 0; first < credits.length; first++) {
    let covered: Float64Array = new Float64Array(weights.length);
    let before = 0;
    for (let last = first; last < Math.min(first + CODE.lines, credits.length); last++) {
      covered = joinCovered(covered, credits[last] ?? covered);
      const coverage = coverageOf(covered, weights);
      // A stretch never begins or ends with a line that brings nothing.
      if (coverage === before) {
        if (last === first) break;
        continue;
      }
      before = coverage;
      const score = coverage - CODE.price * (last - first);
      if (score > bestScore) {
        bestScore = score;
        best = Array.from({ length: last - first + 1 }, (_, i) => first + i);
      }
    }
  }
  return best;
}

/** Indexes in the order of their worth as runs of neighbours, first and last of each, in the same order. */
function runsOf(indexes: readonly number[]): [number, number][] {
  const runs: [number, number][] = [];
  const left = new Set(indexes);
  for (const index of indexes) {
    if (!left.has(index)) continue;
    let [first, last] = [index, index];
    while (left.has(first - 1)) first--;
    while (left.has(last + 1)) last++;
    for (let i = first; i <= last; i++) left.delete(i);
    runs.push([first, last]);
  }
  return runs;
}
