/** The insides of character classes for Latin letters, lower-case ones and digits. */
export const LATIN_LETTERS = 'A-Za-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f';
const LATIN_LOWER = `a-z\\xb5\\xdf-\\xf6\\xf8-\\xff${extendedLower()}`;
export const LATIN_NUMBERS = '0-9\\xb2\\xb3\\xb9\\xbc-\\xbe';

/**
 * A word or identifier, also one broken by a hyphen at a line's end; `C++`, `C#`, `F#`; a number with its marks and its
 * unit, as in `1.5GB`.
 * `letter`, `lower`, `mark` and `number` are the insides of character classes.
 */
function wordPattern(letter: string, lower: string, mark: string, number: string, flags: string): RegExp {
  const letters = `${letter}${mark}`;
  const inside = `${letters}${number}_$\\u00ad`;
  const word = `(?:[${letter}_]|\\$(?![${number}]))[${inside}]*(?:['’][${letters}]+)*`;
  const broken = `(?<=[${lower}])[-‐]\\r?\\n[ \\t]*[${lower}][${letters}]*`;
  const language = `(?<=(?:^|[^${inside}])[CcFf])#|(?<=(?:^|[^${inside}])[Cc])\\+\\+`;
  return new RegExp(
    `${word}(?:${broken}|${language})?|\\d+(?:[.,]\\d+)+[${inside}]*|[${number}][${inside}]*`,
    flags,
  );
}

/** Words of any script. */
export const ANY_WORD = wordPattern('\\p{L}', '\\p{Ll}', '\\p{M}', '\\p{N}', 'gu');
/** The same for Latin letters alone, without Unicode properties. */
export const LATIN_WORD = wordPattern(LATIN_LETTERS, LATIN_LOWER, '', LATIN_NUMBERS, 'g');
/** Punctuation, arrows, box drawing, and symbols among Latin letters. */
const LATIN_SIGNS = '\\u2010-\\u2046\\u20a0-\\u20bf\\u2190-\\u245f\\u2500-\\u2775\\u2794-\\u2bff';
export const LATIN_SIGN = new RegExp(`[${LATIN_SIGNS}]`);
/** The last of them. */
export const LAST_LATIN_SIGN = 0x2bff;
export const LATIN_TEXT = new RegExp(`^[\\0-\\u024f${LATIN_SIGNS}]*$`);

/** The lower-case letters from U+0100 to U+024F, which alternate with the others. */
function extendedLower(): string {
  const all = Array.from({ length: 0x150 }, (_, i) => String.fromCharCode(0x100 + i));
  return all.filter((letter) => /\p{Ll}/u.test(letter)).join('');
}
