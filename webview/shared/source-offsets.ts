/**
 * Where each character of a rendered text stands in its Markdown source.
 * Characters that exist in the source alone (markup, escapes, quote marks, indentation) are passed over.
 *
 * @param value the rendered text
 * @param source the Markdown
 * @param start where in the source the text begins, in UTF-16 code units
 * @param end where it ends
 * @param isCode whether backslashes and character references stand for themselves
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
    const found = isCode ? find(value, i, source, at, end) : findText(value, i, source, at, end);
    offsets[i] = Math.min(found, end);
    at = Math.min(found + 1, end);
    i++;
  }
  return offsets;
}

/** No markup between two neighbouring characters of one text is longer than this. */
const LONGEST_GAP = 80;

/** Where the character stands at or after `at`; one that is not found was replaced, and stands at `at` itself. */
function find(value: string, index: number, source: string, at: number, end: number): number {
  const unit = value.charCodeAt(index);
  const limit = Math.min(end, at + LONGEST_GAP);
  for (let i = at; i < limit; i++) if (source.charCodeAt(i) === unit) return i;
  return at;
}

function findText(value: string, index: number, source: string, at: number, end: number): number {
  const character = value[index] ?? '';
  if (source[at] === '\\' && source[at + 1] === character && /[!-/:-@[-`{-~]/.test(character)) return at + 1;
  return find(value, index, source, at, end);
}

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|[a-z][a-z\d]{0,30});/iy;

/** The character reference that begins at `at`: how long it is written, and how many units of the value it became. */
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
