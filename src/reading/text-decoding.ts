import { detect } from 'chardet';
import iconv from 'iconv-lite';

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
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs(bytes, legacyEncoding(bytes));
  }
}

/**
 * Returns the encoding of a label as browsers interpret it, for example windows-1252 for `latin1` and `gbk` for
 * `gb2312`; undefined for an unknown label.
 */
export function encodingNamed(label: string | undefined): string | undefined {
  try {
    return label === undefined ? undefined : new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Reports whether bytes are UTF-16, by a byte order mark or by zeros in every other byte. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (encodingOfMark(bytes) ?? utf16WithoutMark(bytes) ?? '').startsWith('utf-16');
}

/** Returns the beginning of a text without its incomplete last line, or at least without an incomplete character. */
export function wholeLines(bytes: Uint8Array): Uint8Array {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (isUtf16(bytes.subarray(0, SAMPLE_LENGTH))) {
    const even = bytes.length - (bytes.length % 2);
    for (let at = even - 2; at > even - MAX_LINE_LENGTH && at >= 2; at -= 2)
      if (all.readUInt16LE(at) === 0x000a || all.readUInt16BE(at) === 0x000a)
        return bytes.subarray(0, at + 2);
    return bytes.subarray(0, even);
  }
  const line = all.lastIndexOf(0x0a);
  if (line >= 0 && line > bytes.length - MAX_LINE_LENGTH) return bytes.subarray(0, line + 1);
  let end = bytes.length;
  // Continuation bytes in UTF-8 start with the bits 10.
  while (end > 0 && bytes.length - end < 3 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end--;
  return ((bytes[end - 1] ?? 0) & 0xc0) === 0xc0 ? bytes.subarray(0, end - 1) : bytes;
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  // Some versions of Node decode windows-1252 as ISO 8859-1, with control characters for quotes and dashes.
  return encoding === 'windows-1252'
    ? iconv.decode(bytes, encoding)
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

function legacyEncoding(bytes: Uint8Array): string {
  const guess = detect(bytes.subarray(0, SAMPLE_LENGTH));
  // The bytes aren't valid UTF-8, whatever their beginning suggests. Western Windows encoding is the most common
  // alternative.
  const usable = guess !== null && !/^(UTF-8|ASCII|UTF-32)/i.test(guess) ? encodingNamed(guess) : undefined;
  return usable ?? 'windows-1252';
}
