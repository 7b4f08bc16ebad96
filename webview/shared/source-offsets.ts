/**
 * Maps each character of a rendered text to its offset in the Markdown source. Skips characters that exist only in the
 * source (markup, escapes, quote marks, indentation).
 * @param value the rendered text
 * @param source the Markdown
 * @param start start of the text in the source, in UTF-16 code units
 * @param end end of the text in the source
 * @param isCode whether backslashes and character references are literal
 * @returns the offset in the source of each UTF-16 code unit of `value`, never descending
 */
export function sourceOffsets(
  value: string,
  source: string,
  start: number,
  end: number,
  isCode: boolean,
): Uint32Array {
  const offsets = new Uint32Array(value.length);
  let at = start;
  for (let i = 0; i < value.length;) {
    const REFERENCE = isCode ? undefined : referenceAt(value, i, source, at);
    if (REFERENCE !== undefined) {
      offsets.fill(at, i, i + REFERENCE.units);
      i += REFERENCE.units;
      at += REFERENCE.length;
      continue;
    }
    const sourceOffset = isCode ? find(value, i, source, at, end) : findText(value, i, source, at, end);
    offsets[i] = Math.min(sourceOffset, end);
    at = Math.min(sourceOffset + 1, end);
    i++;
  }
  return offsets;
}

/** Maximum length of markup between two adjacent characters of a text. */
const MAX_GAP_LENGTH = 80;

/** Finds a character at or after `at`. A character that isn't found was replaced, so its offset is `at`. */
function find(value: string, index: number, source: string, at: number, end: number): number {
  const unit = value.charCodeAt(index);
  const limit = Math.min(end, at + MAX_GAP_LENGTH);
  for (let i = at; i < limit; i++) if (source.charCodeAt(i) === unit) return i;
  return at;
}

function findText(value: string, index: number, source: string, at: number, end: number): number {
  const character = value[index] ?? '';
  if (source[at] === '\\' && source[at + 1] === character && /[!-/:-@[-`{-~]/.test(character)) return at + 1;
  return find(value, index, source, at, end);
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|[a-z][a-z\d]{0,30});/iy;

/** Parses the character reference at `at`: its length in the source, and the number of units of the value. */
function referenceAt(
  value: string,
  index: number,
  source: string,
  at: number,
): { readonly length: number; readonly units: number } | undefined {
  if (source[at] !== '&') return undefined;
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(source);
  if (match === null) return undefined;
  const [written, decimal, hexadecimal] = match;
  const isNamed = decimal === undefined && hexadecimal === undefined;
  if (
    isNamed &&
    value.startsWith(written, index) &&
    value[index + 1] === source[at + 1] &&
    !/^&amp;/i.test(written)
  ) {
    return undefined;
  }
  const units = (value.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return { length: written.length, units };
}
