/** Contents of character classes for Latin letters, lower-case letters, and digits. */
export const LATIN_LETTERS = 'A-Za-z\\xaa\\xb5\\xba\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u024f';
const LATIN_LOWER = `a-z\\xb5\\xdf-\\xf6\\xf8-\\xff${extendedLower()}`;
export const LATIN_NUMBERS = '0-9\\xb2\\xb3\\xb9\\xbc-\\xbe';
/** Scripts written without spaces that are indexed by their characters and pairs of characters. */
export const PAIRED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]/u;

/**
 * Returns the pattern of a word or identifier, including one hyphenated at a line's end, `C++`, `C#`, and `F#`, of a
 * version, as in `v1.2.3`, and of a number with its marks and unit, as in `1.5GB`. The parameters are contents of
 * character classes. Letters of `unspaced` scripts can stand right before a number, as in `为9,100元`.
 */
function wordPattern(
  { letter, lower, mark, number }: Readonly<Record<'letter' | 'lower' | 'mark' | 'number', string>>,
  flags: string,
  unspaced?: RegExp,
): RegExp {
  const letters = `${letter}${mark}`;
  const inside = `${letters}${number}_$\\u00ad`;
  const word = `(?:[${letter}_]|\\$(?![${number}]))[${inside}]*(?:['’][${letters}]+)*`;
  const broken = `(?<=[${lower}])[-‐]\\r?\\n[ \\t]*[${lower}][${letters}]*`;
  const language = `(?<=(?:^|[^${inside}])[CcFf])#|(?<=(?:^|[^${inside}])[Cc])\\+\\+`;
  const version = `(?<=[${number}])(?:\\.\\d+)+[${inside}]*`;
  const grouped =
    unspaced === undefined
      ? ''
      : `|(?<=${unspaced.source}\\d{1,3})(?:,\\d{3})+(?!\\d)(?:\\.\\d+)?[${inside}]*`;
  return new RegExp(
    `${word}(?:${broken}|${language}|${version}${grouped})?|\\d+(?:[.,]\\d+)+[${inside}]*|[${number}][${inside}]*`,
    flags,
  );
}

/** Words of any script. */
export const ANY_WORD = wordPattern(
  { letter: '\\p{L}', lower: '\\p{Ll}', mark: '\\p{M}', number: '\\p{N}' },
  'gu',
  PAIRED,
);
/** Words in Latin letters. Faster than `ANY_WORD`, because it uses no Unicode properties. */
export const LATIN_WORD = wordPattern(
  { letter: LATIN_LETTERS, lower: LATIN_LOWER, mark: '', number: LATIN_NUMBERS },
  'g',
);
/** Punctuation, arrows, box drawing, and symbols among Latin letters. */
const LATIN_SIGNS = '\\u2010-\\u2046\\u20a0-\\u20bf\\u2190-\\u245f\\u2500-\\u2775\\u2794-\\u2bff';
export const LATIN_SIGN = new RegExp(`[${LATIN_SIGNS}]`);
/** Last character of `LATIN_SIGN`. */
export const LAST_LATIN_SIGN = 0x2bff;
export const LATIN_TEXT = new RegExp(`^[\\0-\\u024f${LATIN_SIGNS}]*$`);

/** Returns the lower-case letters from U+0100 to U+024F, which alternate with capitals. */
function extendedLower(): string {
  const letters = Array.from({ length: 0x150 }, (_, i) => String.fromCharCode(0x100 + i));
  return letters.filter((letter) => /\p{Ll}/u.test(letter)).join('');
}
