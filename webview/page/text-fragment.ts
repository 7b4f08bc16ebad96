/** Maximum number of words to include in full. For more words, the first and last few are enough. */
const NAMED_IN_FULL = 8;
const NAMED_AT_ENDS = 4;

/**
 * Returns the address at which a browser opens a page at the given words.
 * @param blocks the marked words, one string for each block of the page that they touch
 */
export function addressAt(url: string, blocks: readonly string[]): string {
  const words = blocks
    .map((block) => block.split(/\s+/).filter((word) => word !== ''))
    .filter(({ length }) => length > 0);
  const first = words[0];
  const last = words.at(-1);
  if (first === undefined || last === undefined) return url;
  const isShort = words.length === 1 && first.length <= NAMED_IN_FULL;
  const ends = isShort ? [first] : [first.slice(0, NAMED_AT_ENDS), last.slice(-NAMED_AT_ENDS)];
  const directive = `:~:text=${ends.map((each) => encodeFragment(each.join(' '))).join(',')}`;
  const [address = url] = url.split(':~:', 1);
  return address.includes('#') ? address + directive : `${address}#${directive}`;
}

/** Encodes words for a text fragment, in which a hyphen has a special meaning. */
function encodeFragment(words: string): string {
  return encodeURIComponent(words).replaceAll('-', '%2D');
}
