import type { Line } from './column-lines.ts';

/** Lines of a page, and its displayed size in points. */
export interface PageLines {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

/** Share of a page's height at its top and bottom that can hold running headers and footers. */
const MARGIN = 0.12;
/** Minimum number and share of pages on which a line repeats: enough for a chapter's title at the top of its pages. */
const MIN_PAGES = 3;
const SHARE_OF_PAGES = 0.2;

/** Detector of page numbers and of lines that repeat at the top or bottom of many pages. */
export class RepeatedLines {
  readonly #seen = new Map<string, { pages: number; last: number }>();
  #pages = 0;

  /** Adds a page. Call it once for each page. */
  add(page: PageLines): void {
    this.#pages++;
    for (const line of page.lines) {
      const key = makeKey(line, page);
      if (key === undefined) continue;
      const known = this.#seen.get(key);
      if (known === undefined) this.#seen.set(key, { pages: 1, last: this.#pages });
      else if (known.last !== this.#pages) this.#seen.set(key, { pages: known.pages + 1, last: this.#pages });
    }
  }

  /** Returns a page's lines without those that repeat on the added pages. */
  without(page: PageLines): Line[] {
    const needed = Math.max(MIN_PAGES, SHARE_OF_PAGES * this.#pages);
    return page.lines.filter((line) => {
      const key = makeKey(line, page);
      const count = key === undefined ? 0 : (this.#seen.get(key)?.pages ?? 0);
      return count < (key !== undefined && isPageNumber(key) ? 2 : needed);
    });
  }
}

/** Returns a key that repeated lines share: their words with numbers masked, and their height on the page. */
function makeKey(line: Line, { width, height }: PageLines): string | undefined {
  const share = line.baseline / (line.way === 'up' || line.way === 'down' ? width : height);
  if (share > MARGIN && share < 1 - MARGIN) return undefined;
  const text = line.words.map((word) => word.text).join(' ');
  if (text.length > 200) return undefined;
  return `${String(Math.round(share * 60))} ${text.replace(/\d+|\b[ivxlc]+\b/g, '#')}`;
}

function isPageNumber(key: string): boolean {
  return /^\d+ (?:[-–—|]? ?(?:p\.|page|seite|página)? ?# ?(?:(?:of|\/|von|de) ?#)? ?[-–—|]?)$/i.test(key);
}
