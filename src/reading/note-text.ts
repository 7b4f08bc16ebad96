import type { OffsetMap } from '../notebook/document.ts';
import type { CitationLink } from '../notebook/citation-links.ts';
import { LineRuns } from './line-runs.ts';

/** A note's text without the links of its citations, which say nothing themselves, and the way back to its lines. */
export function withoutCitationLinks(
  original: string,
  links: readonly CitationLink[],
): { readonly text: string; readonly map: OffsetMap } {
  const runs = new LineRuns(original);
  let text = '';
  const take = (from: number, to: number): void => {
    for (const line of original.slice(from, to).matchAll(/[^\r\n]+/g))
      runs.add(text.length + line.index, line[0].length, from + line.index);
    text += original.slice(from, to);
  };
  let from = 0;
  for (const { start, end } of links) {
    // The blank before a link goes with it.
    const kept = original.slice(from, start).replace(/(?<![ \t])[ \t]+$/, '').length;
    take(from, from + kept);
    from = end;
  }
  take(from, original.length);
  return { text, map: runs.aligned() };
}
