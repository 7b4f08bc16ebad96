import { CHECKING_WEIGHTS } from './checking-weights.ts';
import type { Claim, ClaimTerm } from './claim.ts';
import { oppositeFamily } from '../../core/language/opposites.ts';
import type { Evidence, EvidenceUnit } from './evidence.ts';
import { isNumber } from '../../core/language/words/words.ts';

/** Result of matching a claim with the units of the evidence. */
export interface Match {
  readonly claim: Claim;
  readonly evidence: Evidence;
  /** Weight of each term of the claim; their sum is 1. */
  readonly weights: Float64Array;
  /** Degree to which a unit has each of the terms, 0 to 1, by the unit's index; omits units without any. */
  readonly credits: ReadonlyMap<number, Float64Array>;
}

/**
 * Weight of words up to three letters in languages without a known list of stop words: "og", "på". None of our data has
 * claims in such a language.
 */
const SMALL_WORD = 0.3;

/** Maximum length of a unit sign, which can have other forms: "km", "min", "°C". */
const MAX_UNIT_SIGN_LENGTH = 3;

/** Searches all units of the evidence for the terms of a claim at once. */
export function matchClaim(claim: Claim, evidence: Evidence): Match {
  const { terms } = claim;
  const { implied, kin: ofKin, similar, weightOfAny } = CHECKING_WEIGHTS;
  const credits = new Map<number, Float64Array>();
  const give = (units: readonly number[] | undefined, term: number, credit: number): void => {
    for (const unit of units ?? []) {
      let own = credits.get(unit);
      if (own === undefined) credits.set(unit, (own = new Float64Array(terms.length)));
      if ((own[term] ?? 0) < credit) own[term] = credit;
    }
  };
  for (const [index, claimed] of terms.entries()) {
    const { term, kind } = claimed;
    if (kind === 'number') {
      for (const number of evidence.numbers) {
        if (!isSameNumber(term, number)) continue;
        const units = evidence.holding.get(number) ?? [];
        give(
          units.filter((unit) => hasNumber(claimed, evidence.units[unit], evidence)),
          index,
          1,
        );
      }
      continue;
    }
    give(evidence.holding.get(term), index, 1);
    give(evidence.implying.get(term), index, implied);
    const kin = oppositeFamily(term, claim.language);
    if (kin !== undefined) give(evidence.kin.get(kin), index, ofKin);
    for (const [other, alike] of evidence.similar(term))
      give(evidence.holding.get(other), index, similar * alike);
  }
  const raw = terms.map(
    ({ term, isSmall }) => (weightOfAny + evidence.weight(term)) * (isSmall ? SMALL_WORD : 1),
  );
  const total = raw.reduce((sum, weight) => sum + weight, 0);
  return { claim, evidence, weights: Float64Array.from(raw, (weight) => weight / total), credits };
}

/** Returns the covered share of a claim's weight. */
export function measureCoverage(covered: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (covered[i] ?? 0);
  return sum;
}

/** Returns the covered share of the weight of a claim's names or numbers; undefined if it has none. */
export function shareOfKind(
  { claim, weights }: Match,
  covered: Float64Array,
  kind: ClaimTerm['kind'],
): number | undefined {
  let sum = 0;
  let total = 0;
  for (const [i, term] of claim.terms.entries()) {
    if (term.kind !== kind) continue;
    sum += (weights[i] ?? 0) * (covered[i] ?? 0);
    total += weights[i] ?? 0;
  }
  return total === 0 ? undefined : sum / total;
}

/** Returns the greater of two credits for each term. */
export function joinCovered(a: Float64Array, b: Float64Array): Float64Array {
  const joined = a.slice();
  for (let i = 0; i < joined.length; i++) joined[i] = Math.max(joined[i] ?? 0, b[i] ?? 0);
  return joined;
}

/**
 * Reports whether a unit has the number, exact or rounded, for the same item. The number has to be next to the counted
 * term or else, if the passage contains adjacent terms of the claim, in one sentence with one of them.
 */
function hasNumber(
  { term, near, counted }: ClaimTerm,
  unit: EvidenceUnit | undefined,
  evidence: Evidence,
): boolean {
  if (unit === undefined) return false;
  const same = unit.numbers.filter((number) => isSameNumber(term, number.term));
  if (same.length === 0) return false;
  const { source } = unit;
  if (unit.pointsBack || source.passage.format === 'code') return true;
  if (counted !== undefined && isNumber(counted)) return true;
  const stands = (each: string): boolean => source.terms.has(each);
  if (
    counted !== undefined &&
    counted.length > MAX_UNIT_SIGN_LENGTH &&
    unit.kind !== 'row' &&
    stands(counted)
  )
    return same.some((number) => number.near.includes(counted));
  const known = near.filter((each) => !isNumber(each) && stands(each));
  return (
    known.length === 0 ||
    known.some(
      (each) =>
        unit.terms.has(each) ||
        unit.implied.has(each) ||
        [...evidence.similar(each).keys()].some((other) => unit.terms.has(other)),
    )
  );
}

interface Decimal {
  /** Digits with a decimal point. */
  readonly text: string;
  readonly decimals: number;
  readonly value: number;
}

/** Parsed numbers, because each number of a claim is compared with all those of the evidence; `null` for others. */
const knownDecimals = new Map<string, Decimal | null>();
const MAX_KNOWN_DECIMALS = 10_000;

function parseDecimal(number: string): Decimal | null {
  const known = knownDecimals.get(number);
  if (known !== undefined) return known;
  const text = number.replace(',', '.');
  const match = /^\d+(?:\.(\d+))?$/.exec(text);
  const decimal = match && { text, decimals: match[1]?.length ?? 0, value: Number(text) };
  if (knownDecimals.size >= MAX_KNOWN_DECIMALS) knownDecimals.clear();
  knownDecimals.set(number, decimal);
  return decimal;
}

/** Reports whether a source's number is the claimed one, or equals it when rounded to the same decimals. */
export function isSameNumber(claimed: string, stated: string): boolean {
  if (claimed === stated) return true;
  const [a, b] = [parseDecimal(claimed), parseDecimal(stated)];
  if (a === null || b === null) return false;
  return a.decimals < b.decimals ? b.value.toFixed(a.decimals) === a.text : a.value === b.value;
}
