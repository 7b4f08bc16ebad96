import type { Line } from './reading-order.ts';

/** The lines of a page and its height. */
export interface PageLines {
  readonly height: number;
  readonly lines: readonly Line[];
}

/** How much of a page's height at its top and at its bottom may hold running headers and footers. */
const margin = 0.12;

/** The pages without the lines that stand at the top or bottom of many of them, and without page numbers. */
export function withoutRepeatedLines(pages: readonly PageLines[]): readonly (readonly Line[])[] {
  const pagesWith = new Map<string, Set<number>>();
  for (const [index, page] of pages.entries()) {
    for (const line of page.lines) {
      const key = keyOf(line, page.height);
      if (key === undefined) continue;
      const known = pagesWith.get(key);
      if (known) known.add(index);
      else pagesWith.set(key, new Set([index]));
    }
  }
  const needed = Math.max(3, 0.2 * pages.length);
  return pages.map((page) =>
    page.lines.filter((line) => {
      const key = keyOf(line, page.height);
      const count = key === undefined ? 0 : (pagesWith.get(key)?.size ?? 0);
      return count < (key !== undefined && isPageNumber(key) ? 2 : needed);
    }),
  );
}

/** The same for lines that repeat each other: their words, whatever the numbers in them, and their height on the page. */
function keyOf(line: Line, pageHeight: number): string | undefined {
  const share = line.baseline / pageHeight;
  if (share > margin && share < 1 - margin) return undefined;
  const text = line.words.map((word) => word.text).join(' ');
  if (text.length > 200) return undefined;
  return `${String(Math.round(share * 60))} ${text.replace(/\d+|\b[ivxlc]+\b/g, '#')}`;
}

function isPageNumber(key: string): boolean {
  return /^\d+ (?:[-–—|]? ?(?:p\.|page|seite|página)? ?# ?(?:(?:of|\/|von|de) ?#)? ?[-–—|]?)$/i.test(key);
}
