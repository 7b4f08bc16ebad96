import type { Alignment } from './alignment.ts';
import { isSameNumber } from './alignment.ts';
import type { Claim } from './claim.ts';
import { pointsOtherWay } from './directions.ts';
import type { Evidence, EvidencePassage } from './evidence.ts';
import { denies } from './negations.ts';
import { isSwapped } from './order.ts';

/** Names that share this much of their letters are one name in two forms. */
const SAME_NAME = 0.8;
const FEW_TERMS = 4;

/** What a claim says that the passages do not: enough for `partly` at most. */
export function isFlawed(
  claim: Claim,
  covered: Float64Array,
  best: Alignment,
  sources: readonly EvidencePassage[],
  evidence: Evidence,
): boolean {
  return (
    missingNumbers(claim, covered).length > 0 ||
    claim.names.some(({ term, parts }) => !knowsName(term, parts, sources, evidence)) ||
    !quotesExactly(claim, sources) ||
    lacksSubject(claim, sources, evidence) ||
    speaksOfAnother(claim, best)
  );
}

/** The numbers of a claim that are not covered. */
function missingNumbers(claim: Claim, covered: Float64Array): string[] {
  return claim.terms
    .filter(({ kind }, i) => kind === 'number' && (covered[i] ?? 0) < 1)
    .map(({ term }) => term);
}

function knowsName(
  term: string,
  parts: readonly string[],
  sources: readonly EvidencePassage[],
  evidence: Evidence,
): boolean {
  const inOne = ({ terms, context, units }: EvidencePassage, name: string): boolean =>
    terms.has(name) || context.has(name) || units.some(({ implied }) => implied.has(name));
  return sources.some(
    (source) =>
      inOne(source, term) ||
      [...evidence.similar(term)].some(([other, alike]) => alike >= SAME_NAME && inOne(source, other)) ||
      (parts.length > 1 && parts.every((part) => inOne(source, part))),
  );
}

/** Whether a short claim speaks of what no passage speaks of: the little else that it says is soon found. */
function lacksSubject(
  { subject, terms }: Claim,
  sources: readonly EvidencePassage[],
  evidence: Evidence,
): boolean {
  return (
    subject !== undefined &&
    terms.length <= FEW_TERMS &&
    evidence.similar(subject).size === 0 &&
    !knowsName(subject, [], sources, evidence)
  );
}

/** Whether every quotation of a claim stands in one of the passages word for word. */
function quotesExactly(claim: Claim, passages: readonly EvidencePassage[]): boolean {
  return claim.quotations.every((quotation) => passages.some(({ wording }) => wording.includes(quotation)));
}

/** Whether the passage has what the claim speaks of, but elsewhere than where it has the rest. */
function speaksOfAnother({ subject, terms }: Claim, { source, top, best, around }: Alignment): boolean {
  if (source.passage.format === 'code') return false;
  const isRow = top.some(({ kind }) => kind === 'row');
  const units = isRow ? [...top, ...around.filter(({ kind }) => kind !== 'row')] : [...best, ...around];
  const lacks = (term: string): boolean =>
    source.terms.has(term) &&
    !source.context.has(term) &&
    !units.some((unit) => unit.terms.has(term) || unit.implied.has(term));
  if (subject !== undefined && lacks(subject)) return true;
  // The rows of a table tell of different things.
  return (
    best.some(({ kind }) => kind === 'row') && terms.some(({ term, kind }) => kind !== 'word' && lacks(term))
  );
}

/** Whether the words that come nearest to a claim say the opposite: by a negation, a direction, or another number. */
export function isContradicted(claim: Claim, { top, source }: Alignment): boolean {
  const terms = new Set(top.flatMap((unit) => [...unit.terms]));
  const told = top.flatMap(({ negations }) => negations);
  const isDenied = denies(told, claim.negations, claim.termSet) || denies(claim.negations, told, terms);
  const isTurned = pointsOtherWay(
    claim.directions,
    top.flatMap(({ directions }) => directions),
  );
  // Two turns make the same: "did not increase" and "fell".
  if (isDenied !== isTurned) return true;
  const isOtherWay = isSwapped(
    claim.order,
    top.flatMap(({ order }) => order),
  );
  return isOtherWay || (!isDenied && source.passage.format !== 'code' && hasOtherNumber(claim, top));
}

function hasOtherNumber(claim: Claim, units: Alignment['top']): boolean {
  const numbers = units.flatMap((unit) => unit.numbers);
  const claimed = claim.terms.filter(({ kind }) => kind === 'number');
  return claimed.some(
    ({ term, near }) =>
      !numbers.some((number) => isSameNumber(term, number.term)) &&
      numbers.some(
        (number) =>
          !claimed.some((other) => isSameNumber(other.term, number.term)) &&
          number.near.some((each) => near.includes(each)),
      ),
  );
}
