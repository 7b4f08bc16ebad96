import type { OpposedSignals, Opposite, OppositionParts } from '../../notebook/answer.ts';
import { CHECKING_WEIGHTS } from './checking-weights.ts';
import type { Claim } from './claim.ts';
import { isComment } from '../../language/code-lines.ts';
import { directionsIn, oppositeFamily, pointsOtherWay } from '../../language/opposites.ts';
import type { EvidenceUnit } from './evidence.ts';
import { EVIDENCE_WEIGHTS } from './evidence-weights.ts';
import { likelihood, signalParts } from './logistic.ts';
import { isSameNumber } from './matching.ts';
import { denies, negationsIn } from '../../language/negations.ts';
import { isSwapped, orderIn } from './order.ts';
import { isNumber } from '../../language/words/words.ts';
import type { Candidate } from './relevance.ts';

/** So many terms beside opposing words tell that they are said of the same: "the gate *opens* at nine", "at nine the gate *closes*". */
const REACH = 3;

const OPPOSITES: readonly Opposite[] = ['denied', 'turned', 'swapped', 'otherNumber'];

/** What tells whether words that seem to say the opposite of a claim do. */
type OppositionFeature = keyof typeof EVIDENCE_WEIGHTS.contradicted.weights;

/** What these tell of: what is told of a contradiction sums them up by it. */
const KINDS: Readonly<Record<keyof OppositionParts, readonly OppositionFeature[]>> = {
  words: ['coverage', 'coverageUnderHeading', 'lead', 'lacksSubject', 'sameThing'],
  order: ['order'],
  opposite: ['denied', 'turned', 'swapped', 'otherNumber'],
  extent: ['parts', 'length'],
};

/**
 * By what the words that come nearest to a claim seem to say the opposite: by a negation, a direction, an order, or
 * another number. Undefined where by nothing.
 */
export function oppositionIn(
  claim: Claim,
  { source, units, covered, coverage, coverageUnderHeading, order, features }: Candidate,
): Readonly<Record<OppositionFeature, number>> | undefined {
  const isCode = source.passage.format === 'code';
  // Code says "not" and "before" in its comments only.
  const prose = isCode ? units.filter(({ text }) => isComment(text)) : units;
  const terms = new Set(units.flatMap((unit) => [...unit.terms]));
  const told = prose.flatMap(({ words }) => negationsIn(words, source.passage.text, source.language));
  const isDenied = denies(told, claim.negations, claim.termSet) || denies(claim.negations, told, terms);
  const isTurned = pointsOtherWay(
    claim.directions,
    prose.flatMap(({ words }) => directionsIn(words, source.language)),
  );
  const isSwappedRound = isSwapped(
    claim.order,
    prose.flatMap(({ words }) => orderIn(words, source.language)),
  );
  const isOtherNumber = !isDenied && !isCode && hasOtherNumber(claim, units);
  // Two turns make the same: "did not increase" and "fell".
  if (isDenied === isTurned && !isSwappedRound && !isOtherNumber) return undefined;
  // How much of what stands beside the opposing words is the same in both.
  const shared = Math.max(
    0,
    ...(isDenied
      ? [
          ...told.map(({ scope }) => countIn(scope, claim.termSet)),
          ...claim.negations.map(({ scope }) => countIn(scope, terms)),
        ]
      : []),
    ...(isTurned ? claim.directions.map(({ near }) => countIn(near, terms)) : []),
    ...(isSwappedRound
      ? claim.order.map(({ before, behind }) => countIn([...before, ...behind], terms))
      : []),
    ...(isOtherNumber
      ? claim.terms.map(({ kind, near }) => (kind === 'number' ? countIn(near, terms) : 0))
      : []),
  );
  const subject = claim.terms.findIndex(({ term }) => term === claim.subject);
  return {
    coverage,
    coverageUnderHeading,
    order,
    lead: features.lead,
    lacksSubject: subject >= 0 && (covered[subject] ?? 0) < CHECKING_WEIGHTS.there ? 1 : 0,
    sameThing: Math.min(1, shared / REACH),
    denied: isDenied && !isTurned ? 1 : 0,
    turned: isTurned && !isDenied ? 1 : 0,
    swapped: isSwappedRound ? 1 : 0,
    otherNumber: isOtherNumber ? 1 : 0,
    parts: claim.parts.length,
    length: features.length,
  };
}

/** How likely it is that the words that come nearest to a claim say the opposite; undefined where nothing seems to. */
export function measureOpposition(claim: Claim, nearest: Candidate): OpposedSignals | undefined {
  const features = oppositionIn(claim, nearest);
  if (features === undefined) return undefined;
  const model = EVIDENCE_WEIGHTS.contradicted;
  const likely = likelihood(model, features);
  return {
    likelihood: likely,
    by: OPPOSITES.filter((name) => features[name] > 0),
    ...(likely >= model.least && { parts: signalParts(model, features, KINDS) }),
  };
}

/** Whether the units have another number in place of one of the claim's: of the same thing, by what stands beside it. */
function hasOtherNumber(claim: Claim, units: readonly EvidenceUnit[]): boolean {
  const numbers = units.flatMap((unit) => unit.numbers);
  const claimed = claim.terms.filter(({ kind }) => kind === 'number');
  const unclaimed = numbers.filter(({ term }) => !claimed.some((other) => isSameNumber(other.term, term)));
  return claimed.some(
    ({ term, near, counted }) =>
      !numbers.some((number) => isSameNumber(term, number.term)) &&
      unclaimed.some(
        (number) =>
          (counted === undefined || isNumber(counted) || number.near.includes(counted)) &&
          number.near.some((each) => near.includes(each) || isOfKin(each, near, claim.language)),
      ),
  );
}

function isOfKin(term: string, others: readonly string[], language: number): boolean {
  const kin = oppositeFamily(term, language);
  return kin !== undefined && others.some((other) => oppositeFamily(other, language) === kin);
}

function countIn(terms: Iterable<string>, others: ReadonlySet<string>): number {
  let count = 0;
  for (const term of terms) if (others.has(term)) count++;
  return count;
}
