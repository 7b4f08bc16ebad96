import { isOneEdit } from '../notebook/one-edit.ts';

/** Shorter words have too many neighbours, and numbers and codes are never meant otherwise than they are typed. */
const SHORTEST = 4;
const CORRECTABLE = new RegExp(`^\\p{L}{${String(SHORTEST)},}$`, 'u');
/** Two forms of a word begin alike for at least this share of the longer one, and one of at least so many letters. */
const SHARED = 0.7;
const SHORTEST_FORM = 5;
/** Two words that one edit parts are taken for as alike as this. */
const ONE_EDIT = 0.8;

/**
 * The terms of a question as a text has them: one that it lacks is that of its terms which is meant, misspelt or in
 * another form ("Katze" of "Katzen"); without such a one it stays.
 */
export function asSpelled(asked: readonly string[], vocabulary: ReadonlySet<string>): string[] {
  return [...new Set(asked.map((term) => (vocabulary.has(term) ? term : (meant(term, vocabulary) ?? term))))];
}

function meant(term: string, vocabulary: ReadonlySet<string>): string | undefined {
  if (!CORRECTABLE.test(term)) return undefined;
  let best: string | undefined;
  let most = 0;
  for (const other of vocabulary) {
    if (other.charCodeAt(0) !== term.charCodeAt(0) || !CORRECTABLE.test(other)) continue;
    const alike = Math.max(sharedBeginning(term, other), isMisspelt(term, other) ? ONE_EDIT : 0);
    if (alike > most) [best, most] = [other, alike];
  }
  return most >= SHARED ? best : undefined;
}

/** Words of four letters are too often others with one letter changed. */
function isMisspelt(a: string, b: string): boolean {
  return (a.length > SHORTEST || a.length !== b.length) && isOneEdit(a, b);
}

/** The share of the longer of two words that both begin with. */
function sharedBeginning(a: string, b: string): number {
  const longest = Math.max(a.length, b.length);
  if (longest < SHORTEST_FORM) return 0;
  let same = 0;
  while (same < Math.min(a.length, b.length) && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  return same / longest;
}
