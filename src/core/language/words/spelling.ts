/** Words that can be corrected. Shorter ones have too many neighbors, and numbers and codes are meant as typed. */
const CORRECTABLE = /^\p{L}{4,}$/u;
/** Maximum numbers of corrected words in a question, and of replacements for all of them. */
const MAX_WORDS = 8;
const MAX_SIMILAR_TERMS = 16;
/** Minimum length of a correctable word if other words of the question exist. */
const MIN_LENGTH_WITH_OTHERS = 5;
/**
 * Maximum number of compared pairs of words, at some ten nanoseconds each, so that the limit doesn't depend on the
 * machine.
 */
const MAX_COMPARED = 2_000_000;

/** Reports whether a word may be proposed as the correction of a misspelled word. */
export function isCorrectable(word: string): boolean {
  return CORRECTABLE.test(word);
}

/** Returns the search terms that don't exist in any form, for which `similarWords` may find replacements. */
export function lackingTerms(terms: readonly string[], isThere: (term: string) => boolean): string[] {
  const presentTerms = new Set(terms.filter((term) => isThere(term)));
  const beginnings = new Set(Array.from(presentTerms, firstLetters));
  return terms.filter(
    (term) =>
      !presentTerms.has(term) &&
      !beginnings.has(firstLetters(term)) &&
      (presentTerms.size === 0 || term.length >= MIN_LENGTH_WITH_OTHERS),
  );
}

/**
 * Returns the words of a vocabulary at an edit distance of one from some words: a letter inserted, deleted, or
 * replaced, or two swapped.
 */
export function similarWords(words: readonly string[], vocabulary: Iterable<string>): string[] {
  const typed = words.filter((word) => CORRECTABLE.test(word)).slice(0, MAX_WORDS);
  const corrections: string[] = [];
  if (typed.length === 0) return corrections;
  let remainingComparisons = MAX_COMPARED;
  for (const word of vocabulary) {
    remainingComparisons -= typed.length;
    if (remainingComparisons < 0) break;
    for (const other of typed) {
      if (!mayBeNear(other, word) || !isOneEdit(other, word) || !CORRECTABLE.test(word)) continue;
      corrections.push(word);
      break;
    }
    if (corrections.length === MAX_SIMILAR_TERMS) break;
  }
  return corrections;
}

/** Returns the common prefix of a word's stems in several languages. */
function firstLetters(term: string): string {
  return term.slice(0, 4);
}

/**
 * Reports whether two words can be at an edit distance of one. An edit keeps the first or the last letter, but most
 * pairs of words share neither.
 */
function mayBeNear(a: string, b: string): boolean {
  const { length } = b;
  const longer = a.length - length;
  return (
    longer >= -1 &&
    longer <= 1 &&
    (a.charCodeAt(0) === b.charCodeAt(0) || a.charCodeAt(a.length - 1) === b.charCodeAt(length - 1))
  );
}

/** Reports whether two words differ by one edit: an inserted, deleted, or replaced letter, or two swapped ones. */
function isOneEdit(a: string, b: string): boolean {
  const shortest = Math.min(a.length, b.length);
  const longest = Math.max(a.length, b.length);
  if (longest - shortest > 1) return false;
  let same = 0;
  while (same < shortest && a.charCodeAt(same) === b.charCodeAt(same)) same++;
  let end = 1;
  while (end <= shortest - same && a.charCodeAt(a.length - end) === b.charCodeAt(b.length - end)) end++;
  const other = longest - same - (end - 1);
  return (
    other === 1 ||
    (other === 2 && a.length === b.length && a[same] === b[same + 1] && a[same + 1] === b[same])
  );
}
