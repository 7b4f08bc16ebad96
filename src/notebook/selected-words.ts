import type { Span } from '../language/span.ts';

/** Text as Markdown that looks as it is written. */
export function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>$#|~]/g, String.raw`\$&`);
}

/** What stands between the letters of words that are the same: blanks, line breaks, and hyphens where lines end. */
const BETWEEN = /[\s\u00AD\u2010-]/;

/**
 * Where words stand in a text, whatever blanks, line breaks and hyphens stand between their letters: the occurrence
 * nearest to an offset. Undefined where they stand nowhere.
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
  const wanted = letters(words).joined;
  if (wanted === '') return undefined;
  const { joined, offsets } = letters(text);
  let best: Span | undefined;
  for (let at = joined.indexOf(wanted); at >= 0; at = joined.indexOf(wanted, at + wanted.length)) {
    const start = offsets[at] ?? 0;
    const end = (offsets[at + wanted.length - 1] ?? 0) + 1;
    if (best !== undefined && Math.abs(start - near) >= Math.abs(best.start - near)) break;
    best = { start, end };
  }
  return best;
}
