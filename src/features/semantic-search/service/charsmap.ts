/** Bits of a unit of the double array (darts-clone, as written by SentencePiece). */
const LEAF = 1 << 8;
const VALUE = 2 ** 31 - 1;
const LABEL = 0x800000ff;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Cache limits: most texts consist of short stretches that repeat. */
const MAX_CACHED_ENTRIES = 20_000;
const MAX_STORED_LENGTH = 8;

const ASCII = Array.from({ length: 0x7f - 0x20 }, (_, at) => String.fromCharCode(0x20 + at));

/**
 * Reads SentencePiece's `precompiled_charsmap`, which maps character sequences to replacements. It's a trie of UTF-8
 * bytes whose values point into a block of zero-terminated texts. The longest match at each position wins.
 * @throws RangeError if its lengths don't match the block
 */
export function readCharsmap(base64: string): (text: string) => string {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const view = new DataView(bytes.buffer);
  const trieBytes = view.getUint32(0, true);
  if (trieBytes % 4 !== 0 || 4 + trieBytes > bytes.length)
    throw new RangeError('The trie does not end where it says.');
  const units = new Uint32Array(trieBytes / 4);
  for (let at = 0; at < units.length; at++) units[at] = view.getUint32(4 + 4 * at, true);
  const texts = bytes.subarray(4 + trieBytes);
  const cache = new Map<string, string>();

  const replaced = (text: string): string => {
    const key = encoder.encode(text);
    let result = '';
    let unchangedFrom = 0;
    for (let at = 0; at < key.length;) {
      const { length, value } = longestPrefix(units, key, at);
      if (length === 0) {
        at++;
        continue;
      }
      const end = texts.indexOf(0, value);
      result += decoder.decode(key.subarray(unchangedFrom, at));
      result += decoder.decode(texts.subarray(value, end < 0 ? texts.length : end));
      at += length;
      unchangedFrom = at;
    }
    return unchangedFrom === 0 ? text : result + decoder.decode(key.subarray(unchangedFrom));
  };

  const replacedOnce = (stretch: string): string => {
    const known = cache.get(stretch);
    if (known !== undefined) return known;
    const normalized = replaced(stretch);
    if (stretch.length <= MAX_STORED_LENGTH) {
      if (cache.size >= MAX_CACHED_ENTRIES) cache.clear();
      cache.set(stretch, normalized);
    }
    return normalized;
  };
  // Most maps change printable ASCII only in combination with the next character, but those that fold capitals also
  // change it alone.
  const folds = ASCII.some((character) => longestPrefix(units, encoder.encode(character), 0).length > 0);
  return folds ? replaced : (text) => text.replace(/[ -~]?[^ -~]+/gu, replacedOnce);
}

function longestPrefix(
  units: Uint32Array,
  key: Uint8Array,
  from: number,
): { readonly length: number; readonly value: number } {
  let longest = { length: 0, value: 0 };
  let node = unitOffset(units[0] ?? 0);
  for (let at = from; at < key.length; at++) {
    const byte = key[at] ?? 0;
    if (byte === 0) break;
    node ^= byte;
    const unit = units[node] ?? 0;
    if ((unit & LABEL) >>> 0 !== byte) break;
    node ^= unitOffset(unit);
    if ((unit & LEAF) !== 0) longest = { length: at + 1 - from, value: (units[node] ?? 0) & VALUE };
  }
  return longest;
}

function unitOffset(unit: number): number {
  return (unit >>> 10) << ((unit & (1 << 9)) >>> 6);
}
