import { detect } from 'chardet';
import iconv from 'iconv-lite';
import { ALL_LANGUAGES } from '../core/language/words/languages.ts';

/** Length of the part of a file that determines its encoding, in bytes. */
const SAMPLE_LENGTH = 64 * 1024;

/** Maximum length of an incomplete last line to leave out, in bytes. */
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Decodes bytes to text without a byte order mark, with line ends unchanged. A byte order mark determines the encoding,
 * else `charset` (from an HTTP header or a meta element), else the bytes themselves.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const marked = encodingOfMark(bytes);
  if (marked) return new TextDecoder(marked).decode(bytes);
  const named = encodingNamed(charset);
  if (named !== undefined) return decodeAs(bytes, named);
  const wide = utf16WithoutMark(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  // Databases end a text at a zero.
  return decodeUnmarked(bytes).replaceAll('\0', ' ');
}

/** The escape sequences of Japanese in seven bits. */
const ESCAPES: readonly string[] = ['\u001b$@', '\u001b$B', '\u001b(J'];

function decodeUnmarked(bytes: Uint8Array): string {
  const sample = Buffer.from(bytes.subarray(0, SAMPLE_LENGTH));
  if (ESCAPES.some((sequence) => sample.includes(sequence))) return decodeAs(bytes, 'iso-2022-jp');
  return isMostlyUtf8(bytes) ? new TextDecoder().decode(bytes) : decodeAs(bytes, legacyEncoding(bytes));
}

/**
 * Maximum share of invalid sequences among the non-ASCII characters of UTF-8, and in the whole text. In other encodings,
 * bytes are rarely valid sequences of UTF-8 by chance.
 */
const MAX_INVALID_SHARE = 0.5;
const MAX_INVALID_RATIO = 0.01;
const MAX_INVALID_IN_SHORT_TEXT = 2;

/** Reports whether bytes are UTF-8, except for a few invalid ones: a cut character, or text that was pasted in. */
export function isMostlyUtf8(bytes: Uint8Array): boolean {
  let [valid, invalid] = [0, 0];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length =
      first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    let end = at + 1;
    while (end < at + length && ((bytes[end] ?? 0) & 0xc0) === 0x80) end++;
    if (length === 0 || end < at + length) invalid++;
    else if (length > 1) valid++;
    at = end;
  }
  return (
    invalid === 0 ||
    (invalid <= MAX_INVALID_SHARE * (valid + invalid) &&
      invalid <= Math.max(MAX_INVALID_IN_SHORT_TEXT, MAX_INVALID_RATIO * bytes.length))
  );
}

/**
 * Returns the encoding of a label as browsers interpret it, for example windows-1252 for `latin1` and `gbk` for
 * `gb2312`; undefined for an unknown label.
 */
export function encodingNamed(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    // The label is unknown.
    return undefined;
  }
}

/** Reports whether bytes are UTF-16, by a byte order mark or by zeros in every other byte. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (encodingOfMark(bytes) ?? utf16WithoutMark(bytes) ?? '').startsWith('utf-16');
}

/** Returns the beginning of a text without its incomplete last line, or at least without an incomplete character. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf16(bytes.subarray(0, SAMPLE_LENGTH))) {
    const even = bytes.length - (bytes.length % 2);
    for (let at = even - 2; at > even - MAX_LINE_LENGTH && at >= 2; at -= 2)
      if (buffer.readUInt16LE(at) === 0x000a || buffer.readUInt16BE(at) === 0x000a)
        return bytes.subarray(0, at + 2);
    return bytes.subarray(0, even);
  }
  const line = buffer.lastIndexOf(0x0a);
  if (line >= 0 && line > bytes.length - MAX_LINE_LENGTH) return bytes.subarray(0, line + 1);
  let end = bytes.length;
  // Continuation bytes in UTF-8 start with the bits 10.
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  // Some versions of Node decode windows-1252 as ISO 8859-1, with control characters for quotes and dashes.
  return encoding === 'windows-1252' || encodingNamed(encoding) === undefined
    ? iconv.decode(Buffer.from(bytes), encoding)
    : new TextDecoder(encoding).decode(bytes);
}

function encodingOfMark(bytes: Uint8Array): string | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * Detects UTF-16: Western text and most markup have a zero in nearly every other byte, and none in the bytes between.
 */
function utf16WithoutMark(bytes: Uint8Array): string | undefined {
  if (bytes.length < 4 || bytes.length % 2 === 1) return undefined;
  const length = Math.min(bytes.length, SAMPLE_LENGTH);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let i = 0; i < length; i += 2) {
    if (bytes[i] === 0) evenZeros++;
    if (bytes[i + 1] === 0) oddZeros++;
  }
  const pairs = length / 2;
  if (oddZeros > 0.4 * pairs && evenZeros < 0.02 * pairs) return 'utf-16le';
  if (evenZeros > 0.4 * pairs && oddZeros < 0.02 * pairs) return 'utf-16be';
  return undefined;
}

/** Code pages with one byte per character that are compared by the words they make. */
const CODE_PAGES = [
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'iso-8859-2',
  'koi8-u',
  'cp850',
  'cp437',
  'cp852',
  'ibm866',
  'cp737',
  'cp857',
  'cp862',
  'macintosh',
  'windows-874',
] as const;
/** Minimum advantage of another code page over the detected one, in points of `scoreText`. */
const MIN_ADVANTAGE = 0.3;

/** Returns the most likely encoding of bytes that aren't UTF-8. */
export function legacyEncoding(bytes: Uint8Array): string {
  const guess = detectedEncoding(bytes);
  const sample = bytes.subarray(0, SAMPLE_LENGTH);
  // Encodings of several bytes per character have rules that other text breaks.
  const isWide = !/^(?:windows|iso-8859|koi8|macintosh|ibm|x-mac)/i.test(guess);
  if (isWide && !decodeAs(wholeLines(sample), guess).includes('\uFFFD')) return guess;
  let [best, most] = [guess, scoreText(decodeAs(sample, guess)) + MIN_ADVANTAGE];
  for (const page of CODE_PAGES) {
    const score = scoreText(decodeAs(sample, page));
    if (score > most) [best, most] = [page, score];
  }
  return best;
}

/** Frequent letters of languages written with an alphabet, in lower case. */
const COMMON_LETTERS = new Set(
  'äöüßéèêëàâîïôûùçñáíóúåøæãõőűąęćłńśźżěščřžýůďťňœðþğışţėįųūāēīģķļņабвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґαβγδεζηθικλμνξοπρςστυφχψωάέήίόύώϊϋ',
);
const ALPHABETS = ALL_LANGUAGES.flatMap(({ alphabet }) =>
  alphabet === undefined ? [] : [new Set(alphabet)],
);
/** Penalty for a text whose letters no language has together, such as `è`, `î`, and `Ü`. */
const MIXED_ALPHABET_PENALTY = 1.5;
/** Letters that are so frequent in their script that another code page rarely has them by chance. */
const FREQUENT_LETTERS = new Set('оеаинтсрвлαοιετσνρκπיוהלאתרמנשاليمونرتبعةı');
/** Scripts without capitals, whose letters all count as common. */
const WITHOUT_CAPITALS = /[\p{sc=Hebrew}\p{sc=Arabic}]/u;
const THAI = /\p{sc=Thai}/u;
const LETTER = /[\p{L}\p{M}]/u;
const LATIN = /\p{sc=Latin}/u;

/** Returns how much the non-ASCII characters of a text look like words: 1 is likely, below 0 is unlikely. */
function scoreText(text: string): number {
  let [score, count] = [0, 0];
  const latin = new Map<string, number>();
  for (let i = 0; i < text.length; i++) {
    const sign = text.charAt(i);
    if (sign < '\x80') continue;
    count++;
    if (LATIN.test(sign)) latin.set(sign.toLowerCase(), (latin.get(sign.toLowerCase()) ?? 0) + 1);
    const [before, after] = [text.charAt(i - 1), text.charAt(i + 1)];
    if (THAI.test(sign)) score += scoreThai(before, after);
    else if (LETTER.test(sign)) score += scoreLetter(sign, before, after);
    else if (sign < '\xa0' || sign === '\uFFFD') score -= 3;
    else if (LETTER.test(before) && LETTER.test(after) && !/[’‘–—·\xad]/.test(sign)) score -= 2;
    else if (!/[“”„’‘–—…«»€£§°·•¿¡½¼¾\xa0]/.test(sign)) score -= 1;
  }
  return count === 0 ? 0 : score / count - MIXED_ALPHABET_PENALTY * shareOutsideAlphabet(latin, count);
}

/** Returns the share of the characters that aren't in the alphabet that has the most of these letters. */
function shareOutsideAlphabet(letters: ReadonlyMap<string, number>, count: number): number {
  let [all, most] = [0, 0];
  for (const times of letters.values()) all += times;
  for (const alphabet of ALPHABETS) {
    let own = 0;
    for (const [letter, times] of letters) if (alphabet.has(letter)) own += times;
    most = Math.max(most, own);
  }
  return (all - most) / count;
}

function scoreThai(before: string, after: string): number {
  if (LATIN.test(before) || LATIN.test(after)) return -2;
  return THAI.test(before) || THAI.test(after) ? 1 : -1;
}

function scoreLetter(sign: string, before: string, after: string): number {
  const lower = sign.toLowerCase();
  const isLower = lower === sign;
  const isMixed = [before, after].some(
    (neighbor) => LETTER.test(neighbor) && LATIN.test(neighbor) !== LATIN.test(sign),
  );
  if (isMixed) return -2;
  // A capital inside a word.
  if (!isLower && LETTER.test(before) && before === before.toLowerCase()) return -3;
  // A letter that is a word by itself.
  if (!LETTER.test(before) && !LETTER.test(after))
    return (LATIN.test(sign) && !isLower) || WITHOUT_CAPITALS.test(sign) ? -1 : 0;
  if (FREQUENT_LETTERS.has(sign)) return 1.3;
  if (!COMMON_LETTERS.has(lower) && !WITHOUT_CAPITALS.test(sign)) return -1;
  return isLower || !LETTER.test(before) ? 1 : 0.3;
}

function detectedEncoding(bytes: Uint8Array): string {
  const guess = detect(bytes.subarray(0, SAMPLE_LENGTH));
  // The bytes aren't valid UTF-8, whatever their beginning suggests. Western Windows encoding is the most common
  // alternative.
  const usable = guess !== null && !/^(UTF-8|ASCII|UTF-32)/i.test(guess) ? encodingNamed(guess) : undefined;
  // KOI8-U has the Russian letters of KOI8-R at the same positions, and also the Ukrainian letters.
  if (usable === 'koi8-r') return 'koi8-u';
  return usable ?? 'windows-1252';
}
