import { ENGLISH } from '../../language/words/word-terms.ts';
import type { Word } from '../../language/words/words.ts';

/** A word that sets two things in an order, with the terms before and behind it. */
export interface Order {
  readonly word: string;
  readonly before: ReadonlySet<string>;
  readonly behind: ReadonlySet<string>;
}

/** "A is larger than B", "A is replaced by B", "A ends before B": other languages say it by other means than a word between. */
const ORDERING = /^(?:than|by|before|after)$/;
/** So many telling words to either side belong to what is set in an order; farther ones are of another clause. */
const REACH = 6;

/** What a text sets in an order: "A is faster than B", "A is replaced by B". Nothing in other languages than English. */
export function orderIn(words: readonly Word[], language: number): Order[] {
  if (language !== ENGLISH) return [];
  return words.flatMap((word, index) => {
    if (!ORDERING.test(word.folded)) return [];
    const before = telling(words.slice(0, index)).slice(-REACH);
    const behind = telling(words.slice(index + 1)).slice(0, REACH);
    const [first, second] = [new Set(before.flat()), new Set(behind.flat())];
    return [{ word: word.folded, before: without(first, second), behind: without(second, first) }];
  });
}

function without(terms: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...terms].filter((term) => !others.has(term)));
}

function telling(words: readonly Word[]): (readonly string[])[] {
  return words.map((word) => word.terms).filter((terms) => terms.length > 0);
}

/** Whether one text has the other way round what another sets in an order. */
export function isSwapped(claimed: readonly Order[], told: readonly Order[]): boolean {
  return claimed.some((one) => {
    const same = told.filter(({ word }) => word === one.word);
    const isTurned = same.some((other) => share(one.before, other.behind) && share(one.behind, other.before));
    return isTurned && !same.some((other) => share(one.behind, other.behind));
  });
}

function share(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].some((term) => b.has(term));
}
