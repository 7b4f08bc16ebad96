import { lineText, sameLine } from './lines.ts';
import { greatest, median } from './numbers.ts';
import { partsOfPacks } from '../../core/language/words/pack-words.ts';
import type { ColumnLine } from './column-lines.ts';

/** Lines of a page, and its displayed size in points. */
export interface PageLines {
  readonly width: number;
  readonly height: number;
  readonly lines: readonly ColumnLine[];
}

/** Share of a page's height at its top and bottom that can hold running headers and footers. */
const MARGIN = 0.12;
/** Minimum number and share of pages on which a line repeats: enough for a chapter's title at the top of its pages. */
const MIN_PAGES = 3;
const SHARE_OF_PAGES = 0.2;
/**
 * Maximum distance of adjacent lines of text and of rows of a table, in font sizes. Headers and footers are further
 * away from it.
 */
const MAX_PITCH = 2.2;
const MAX_ROW_PITCH = 3;
/** Maximum distance of lines of tickets and labels, whose text is the same on all pages, in font sizes. */
const MAX_TICKET_PITCH = 4;
/** Share of a page's height at its edges that holds no text of tickets and labels. */
const EDGE = 0.07;
/** Maximum length of a page's text to compare with other pages, in UTF-16 code units. */
const MAX_COMPARED = 200;
/** Minimum size of a title, relative to the text: headers and footers have at most the size of the text. */
const TITLE_SIZE = 1.3;

/** Line that repeats, with other numbers on some pages. */
interface Repetition {
  /** Number of pages with it, and index of the last one. */
  pages: number;
  last: number;
  /** Numbers of pages on which it belongs to the text or table beside it, or is larger than the text. */
  inText: number;
  inTable: number;
  titles: number;
  /** Number of pages on which it can be a line of a ticket or label. */
  onTickets: number;
  /** Numbers in it on the last page. */
  numbers: readonly number[];
  /** `true` if its numbers change, and `true` if one of them is ever smaller than on the page before. */
  varies: boolean;
  falls: boolean;
}

/** Detector of page numbers and of lines that repeat at the top or bottom of many pages. */
export class RepeatedLines {
  readonly #seen = new Map<string, Repetition>();
  /** Numbers of pages by their text between the margins, without its numbers. */
  readonly #texts = new Map<string, number>();
  #pages = 0;
  #isSame: boolean | undefined;

  /** Adds a page. Call it once for each page. */
  add(page: PageLines): void {
    this.#pages++;
    const keys = page.lines.map((line) => makeKey(line, page));
    const inner = page.lines.filter((_, index) => keys[index] === undefined);
    const text = maskNumbers(beginningOf(inner));
    if (text !== '') this.#texts.set(text, (this.#texts.get(text) ?? 0) + 1);
    const textSize = median(inner.map(({ size }) => size));
    const neighbors = new Neighbors(page, keys);
    for (const [index, line] of page.lines.entries()) {
      const key = keys[index];
      if (key === undefined) continue;
      const numbers = (lineText(line).match(/\d+/g) ?? []).map(Number);
      const known = this.#seen.get(key);
      if (known?.last === this.#pages) continue;
      const inward = neighbors.inward(line, MAX_PITCH);
      const counts: Repetition = known ?? {
        pages: 0,
        last: 0,
        inText: 0,
        inTable: 0,
        titles: 0,
        onTickets: 0,
        numbers,
        varies: false,
        falls: false,
      };
      counts.pages++;
      counts.last = this.#pages;
      const isInner = (other: ColumnLine): boolean => neighbors.isInner(other);
      if (inward.some(isInner)) {
        counts.inText++;
        if (inward[0] !== undefined && areRows(line, inward[0])) counts.inTable++;
      }
      if (textSize > 0 && line.size > TITLE_SIZE * textSize) counts.titles++;
      const share = line.baseline / page.height;
      const isInside = share > EDGE && share < 1 - EDGE;
      if (
        isInside ||
        !numbers.includes(this.#pages) ||
        neighbors.inward(line, MAX_TICKET_PITCH).some(isInner)
      )
        counts.onTickets++;
      counts.varies ||= numbers.some((number, at) => number !== counts.numbers[at]);
      counts.falls ||= numbers.some((number, at) => number < (counts.numbers[at] ?? 0));
      counts.numbers = numbers;
      this.#seen.set(key, counts);
    }
  }

  /** Returns a page's lines without page numbers and without running headers and footers. */
  without(page: PageLines): ColumnLine[] {
    return page.lines.filter((line) => {
      const key = makeKey(line, page);
      return key === undefined || !this.#isRunning(key);
    });
  }

  /** Returns a page's lines without page numbers. */
  withoutNumbers(page: PageLines): ColumnLine[] {
    return page.lines.filter((line) => {
      const key = makeKey(line, page);
      return key === undefined || !isPageNumber(key);
    });
  }

  #isRunning(key: string): boolean {
    const repetition = this.#seen.get(key);
    if (repetition === undefined) return false;
    if (isPageNumber(key)) return repetition.pages >= 2;
    if (repetition.pages < Math.max(MIN_PAGES, SHARE_OF_PAGES * this.#pages)) return false;
    const isMostly = (count: number): boolean => 2 * count > repetition.pages;
    if (!repetition.varies) return !isMostly(repetition.inTable);
    // Tickets and forms repeat one text with other numbers.
    if (namesPage(key)) return true;
    const isOnTickets = this.#isSameOnPages() && isMostly(repetition.onTickets);
    return !(repetition.falls || isMostly(repetition.inText) || isMostly(repetition.titles) || isOnTickets);
  }

  /** Reports whether most pages have the same text, except for its numbers. */
  #isSameOnPages(): boolean {
    this.#isSame ??= 2 * greatest([...this.#texts.values()]) > this.#pages;
    return this.#isSame;
  }
}

/** Maximum number of lines of a page whose distances to compare. More are drawings and hostile files. */
const MAX_LINES = 500;

/** Lines of a page by their position, sorted only if a line at the page's edge needs its neighbors. */
class Neighbors {
  readonly #page: PageLines;
  readonly #inner: ReadonlySet<ColumnLine>;
  #downwards: readonly ColumnLine[] | undefined;
  #upwards: readonly ColumnLine[] | undefined;

  /** Takes the keys of the page's lines, in the order of the lines. */
  constructor(page: PageLines, keys: readonly (string | undefined)[]) {
    this.#page = page;
    this.#inner = new Set(page.lines.filter((_, index) => keys[index] === undefined));
  }

  /** Reports whether a line isn't at the top or bottom of the page. */
  isInner(line: ColumnLine): boolean {
    return this.#inner.has(line);
  }

  /** Returns the lines that follow a line towards the middle of its page at the distances of lines of a text. */
  inward(line: ColumnLine, maxPitch: number): ColumnLine[] {
    if (line.way !== 'across' || this.#page.lines.length > MAX_LINES) return [];
    const way = line.baseline < this.#page.height / 2 ? 1 : -1;
    const block: ColumnLine[] = [];
    let edge = line;
    for (const other of this.#sorted(way)) {
      if (!(way * (other.baseline - line.baseline) > 0) || sameLine(edge, other)) continue;
      const pitch = areRows(edge, other) ? Math.max(maxPitch, MAX_ROW_PITCH) : maxPitch;
      if (Math.abs(other.baseline - edge.baseline) > pitch * Math.max(edge.size, other.size)) break;
      block.push(other);
      if (this.isInner(other)) break;
      edge = other;
    }
    return block;
  }

  /** Returns the horizontal lines from the top to the bottom of the page (1), or from the bottom to the top (-1). */
  #sorted(way: 1 | -1): readonly ColumnLine[] {
    const sort = (): readonly ColumnLine[] =>
      this.#page.lines
        // Damaged files have lines without a position.
        .filter(({ way: own, baseline }) => own === 'across' && !Number.isNaN(baseline))
        .sort((a, b) => way * (a.baseline - b.baseline));
    return way === 1 ? (this.#downwards ??= sort()) : (this.#upwards ??= sort());
  }
}

/** Returns the beginning of the text of lines, for comparison with other pages. */
function beginningOf(lines: readonly ColumnLine[]): string {
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (text.length >= MAX_COMPARED) break;
    text += (index === 0 ? '' : '\n') + lineText(line);
  }
  return text.slice(0, MAX_COMPARED);
}

/** Reports whether two lines have cells in the same columns. */
function areRows(a: ColumnLine, b: ColumnLine): boolean {
  const shared = a.segments.filter((cell) =>
    b.segments.some((other) => cell.left < other.right && other.left < cell.right),
  );
  return shared.length >= 2;
}

/** Returns a key that repeated lines share: their words with numbers masked, and their height on the page. */
function makeKey(line: ColumnLine, { width, height }: PageLines): string | undefined {
  const share = line.baseline / (line.way === 'up' || line.way === 'down' ? width : height);
  if (share > MARGIN && share < 1 - MARGIN) return undefined;
  const text = lineText(line);
  if (text.length > 200) return undefined;
  return `${String(Math.round(share * 60))} ${maskNumbers(text)}`;
}

function maskNumbers(text: string): string {
  return text.replace(/\d+|\b[ivxlc]+\b/g, '#');
}

const PAGE = partsOfPacks(({ pageNumbers }) => pageNumbers?.names);
const SHORT_PAGE = partsOfPacks(({ pageNumbers }) => pageNumbers?.abbreviations);
const OF = String.raw`(?:${partsOfPacks(({ pageNumbers }) => pageNumbers?.of)}|\/)`;
const PAGE_NUMBER = new RegExp(
  String.raw`^\d+ (?:[-–—|]? ?(?:${PAGE}|${SHORT_PAGE})? ?# ?(?:${OF} ?#)? ?[-–—|]?)$`,
  'iu',
);
const ENDS_WITH_PAGE = new RegExp(
  String.raw`(?<!\p{L})(?:${PAGE}|${SHORT_PAGE}) ?# ?(?:${OF} ?#)?[-–—|)]?$`,
  'iu',
);
const BEGINS_WITH_PAGE = new RegExp(String.raw`^\d+ (?:${PAGE}) # ?(?:${OF} ?#|[-–—|·:])`, 'iu');
/** Patterns from words of all languages, for tests. */
export const PAGE_PATTERNS: readonly RegExp[] = [PAGE_NUMBER, ENDS_WITH_PAGE, BEGINS_WITH_PAGE];

function isPageNumber(key: string): boolean {
  return PAGE_NUMBER.test(key);
}

/** Reports whether a line begins or ends with the number of its page: "Annual report, page 3 of 9". */
function namesPage(key: string): boolean {
  return ENDS_WITH_PAGE.test(key) || BEGINS_WITH_PAGE.test(key);
}
