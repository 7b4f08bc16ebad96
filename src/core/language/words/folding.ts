const ASCII = /^[\x20-\x7e]*$/;
/**
 * Accents of Latin, Greek, and Cyrillic letters, Hebrew points, Arabic vowels, and spaces in decomposed signs. Marks
 * of other scripts are letters.
 */
const ACCENTS = /[\u00ad\u0640\s]|[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u0655]|\u0670/g;
const LIGATURES: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['þ', 'th'],
]);

/** Exponents and other raised or lowered digits after a digit, which compatibility forms would turn into further digits. */
const RAISED = /(?<=\d)[⁰¹²³⁴-⁹]{1,64}/g;
const LOWERED = /(?<=\d)[₀-₉]{1,64}/g;
const FRACTION = /(?<=\d)(?=[¼-¾⅐-⅞])/g;

/**
 * Folds a lower-cased word for comparison: without accents, ligatures, and soft hyphens. `10⁶` becomes `10^6`, not
 * `106`, and `m²` becomes `m2`.
 */
export function fold(lower: string): string {
  if (ASCII.test(lower)) return lower;
  return lower
    .replace(RAISED, '^$&')
    .replace(LOWERED, '_$&')
    .replace(FRACTION, '+')
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[ßæœøđłıþ]/g, (letter) => LIGATURES.get(letter) ?? letter)
    .normalize('NFC');
}

/**
 * Removes accents and lower-cases, without further folding: `größe` stays. Stored keys depend on it, such as references
 * and their search terms.
 */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}{1,1000}/gu, '')
    .toLowerCase();
}

/** Returns the words of a text for comparison, without punctuation: `Größe, "naïve"` becomes `grosse` and `naive`. */
export function plainWords(text: string): string[] {
  // Process letters in batches, because millions of them at once overflow the stack.
  return (text.toLowerCase().match(/[\p{L}\p{M}\p{N}\u00ad]{1,1000}/gu) ?? [])
    .map(fold)
    .filter((word) => word !== '');
}
