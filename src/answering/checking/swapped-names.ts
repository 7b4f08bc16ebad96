import type { Span } from '../../language/span.ts';
import { isNumber, type Word } from '../../language/words/words.ts';
import type { EvidencePassage, EvidenceUnit } from './evidence.ts';
import { CHECKING_WEIGHTS } from './checking-weights.ts';
import type { Match } from './matching.ts';
import { surroundingTerms, type Candidate } from './relevance.ts';

/** A name is looked for in so many words. */
const LONGEST = 3;
/** So many words beside a name are the same in both: of 434 true sentences that are borne out one is told so. */
const LEAST_BESIDE = 2;
const CAPITAL = /^\p{Lu}/u;

/**
 * The name in a claim that stands in the place of another one in the source: "Willow Mill sold 57 carts" where that has
 * "Birch Mill sold 57 carts". A name that is found elsewhere may stand so, too, where the words have one of the claim's
 * numbers that no others have. `known` is how far each term of the claim was found at all.
 */
export function swappedName(
  { claim, credits }: Match,
  known: ArrayLike<number>,
  chosen: readonly Candidate[],
): Span | undefined {
  const { terms, sequence, capitals, termSet } = claim;
  const claimed = sequence.map((index) => terms[index]?.term);
  const all = chosen.flatMap(({ units }) => units);
  const has = (unit: EvidenceUnit, index: number, least = Number.MIN_VALUE): boolean =>
    (credits.get(unit.index)?.[index] ?? 0) >= least;
  for (const unit of all) {
    const { words, source } = unit;
    const isOnlyOne = terms.some(
      ({ kind }, i) =>
        kind === 'number' && has(unit, i) && !all.some((each) => each !== unit && has(each, i)),
    );
    const around = [...surroundingTerms(unit), source.units[unit.place - 1]?.terms];
    const isFound = (index: number): boolean =>
      isOnlyOne
        ? has(unit, index, CHECKING_WEIGHTS.sameName) ||
          around.some((some) => some?.has(terms[index]?.term ?? '') === true)
        : (known[index] ?? 0) > 0;
    const names = runs(
      sequence,
      (index, i) => capitals[i] === true && terms[index]?.kind !== 'number' && !isFound(index),
    );
    if (names.length === 0) continue;
    const telling = words.filter((word) => word.terms.length > 0);
    const told = telling.map((word) => word.terms[0]);
    const others = runs(
      telling,
      ({ raw, terms: [term = ''] }) => CAPITAL.test(raw) && !isNumber(term) && !termSet.has(term),
    );
    const isInPlace = (name: Span, other: Span): boolean => {
      const before = alike(claimed, name.start - 1, told, other.start - 1, -1);
      const behind = alike(claimed, name.end, told, other.end, 1);
      // Names that share a word: "Willow Mill" and "Birch Mill".
      const isPart = capitals[name.end] === true || capitals[name.start - 1] === true;
      if (before + behind < (isOnlyOne && isPart ? 1 : LEAST_BESIDE)) return false;
      // Any word has a capital where a sentence begins: "Doctors" for "Physicians".
      return name.start > 0 || name.end > 1 || capitals[1] === true || isNamed(telling[other.start], source);
    };
    const name = names.find((each) => others.some((other) => isInPlace(each, other)));
    if (name === undefined) continue;
    const places = sequence.slice(name.start, name.end).flatMap((index) => terms[index]?.places[0] ?? []);
    return { start: places[0]?.start ?? 0, end: places.at(-1)?.end ?? 0 };
  }
  return undefined;
}

/** Whether a passage has a word within a sentence, too, and with a capital. */
function isNamed(word: Word | undefined, { units }: EvidencePassage): boolean {
  const places = units.flatMap(({ words }) => words.slice(1).filter(({ folded }) => folded === word?.folded));
  return places.length > 0 && places.every(({ raw }) => CAPITAL.test(raw));
}

/** The stretches of a list, up to the longest, that hold nothing but what is of a kind. */
function runs<T>(all: readonly T[], belongs: (one: T, index: number) => boolean): Span[] {
  const fits = all.map(belongs);
  return all.flatMap((_, start) =>
    Array.from({ length: LONGEST }, (_each, i) => start + i + 1)
      .filter((end) => end <= all.length && !fits.slice(start, end).includes(false))
      .map((end) => ({ start, end })),
  );
}

/** How many words are the same from two places on, two at most; where a claim begins or ends none has to be. */
function alike(
  claimed: readonly (string | undefined)[],
  from: number,
  told: readonly (string | undefined)[],
  place: number,
  step: -1 | 1,
): number {
  if (claimed[from] === undefined) return 0;
  if (claimed[from] !== told[place]) return -Infinity;
  const next = claimed[from + step];
  return next !== undefined && next === told[place + step] ? 2 : 1;
}
