/** Contents of character classes for Latin letters, lower-case letters, and digits. */
export const LATIN_LETTERS = 'A-Za-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f';
const LATIN_LOWER = `a-z\\xb5\\xdf-\\xf6\\xf8-\\xff${extendedLower()}`;
export const LATIN_NUMBERS = '0-9\\xb2\\xb3\\xb9\\xbc-\\xbe';

/**
 * Returns the pattern of a word or identifier, including one hyphenated at a line's end, `C++`, `C#`, and `F#`, of a
 * version, as in `v1.2.3`, and of a number with its marks and unit, as in `1.5GB`. The parameters are contents of
 * character classes.
 */
function wordPattern(letter: string, lower: string, mark: string, number: string, flags: string): RegExp {
  const letters = `${letter}${mark}`;
  const inside = `${letters}${number}_$\\u00ad`;
  const word = `(?:[${letter}_]|\\$(?![${number}]))[${inside}]*(?:['’][${letters}]+)*`;
  const broken = `(?<=[${lower}])[-‐]\\r?\\n[ \\t]*[${lower}][${letters}]*`;
  const language = `(?<=(?:^|[^${inside}])[CcFf])#|(?<=(?:^|[^${inside}])[Cc])\\+\\+`;
  const version = `(?<=[${number}])(?:\\.\\d+)+[${inside}]*`;
  return new RegExp(
    `${word}(?:${broken}|${language}|${version})?|\\d+(?:[.,]\\d+)+[${inside}]*|[${number}][${inside}]*`,
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
/** The last of these signs. */
export const LAST_LATIN_SIGN = 0x2bff;
export const LATIN_TEXT = new RegExp(`^[\\0-\\u024f${LATIN_SIGNS}]*$`);

/** Returns the lower-case letters from U+0100 to U+024F, which alternate with capitals. */
function extendedLower(): string {
  const all = Array.from({ length: 0x150 }, (_, i) => String.fromCharCode(0x100 + i));
  return all.filter((letter) => /\p{Ll}/u.test(letter)).join('');
}
