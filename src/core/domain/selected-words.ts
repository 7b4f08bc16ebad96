import type { Span } from '../language/span.ts';

/** Returns Markdown that shows a text as it is. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>$#|~]/g, String.raw`\$&`);
}

/** Matches characters to ignore between letters: spaces, line breaks, and hyphens at line ends. */
const BETWEEN = /[\s\u00AD\u2010-]/;

/**
 * Returns the occurrence of words in a text that is nearest to an offset, ignoring spaces, line breaks, and hyphens
 * between letters. Undefined if there is none.
 */
export function findWords(text: string, words: string, near: number): Span | undefined {
  const letters = (of: string): { readonly joined: string; readonly offsets: Uint32Array } => {
    const offsets = new Uint32Array(of.length);
    let joined = '';
    let length = 0;
    let from = 0;
    for (let at = 0; at <= of.length; at++) {
      if (at < of.length && !BETWEEN.test(of.charAt(at))) {
        offsets[length++] = at;
        continue;
      }
      if (at > from) joined += of.slice(from, at);
      from = at + 1;
    }
    return { joined, offsets };
  };
  const searchedText = letters(words).joined;
  if (searchedText === '') return undefined;
  const { joined, offsets } = letters(text);
  let best: Span | undefined;
  for (
    let at = joined.indexOf(searchedText);
    at >= 0;
    at = joined.indexOf(searchedText, at + searchedText.length)
  ) {
    const start = offsets[at] ?? 0;
    const end = (offsets[at + searchedText.length - 1] ?? 0) + 1;
    if (best !== undefined && Math.abs(start - near) >= Math.abs(best.start - near)) break;
    best = { start, end };
  }
  return best;
}
