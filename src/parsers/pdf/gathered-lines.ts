import type { PageIndex } from '../../core/domain/page-number.ts';
import { deserialize, serialize } from 'node:v8';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Body } from './headings.ts';
import { lineLength } from './lines.ts';
import type { ColumnLine } from './column-lines.ts';
import { RepeatedLines, type PageLines } from './repeated-lines.ts';
import { letters, type DocumentSpellings } from '../../core/language/line-end-hyphens.ts';

/**
 * Maximum number of pages to hold uncompressed. In longer documents, all pages are compressed, which needs ten times
 * less memory.
 */
const MAX_UNPACKED = 100;

/**
 * Minimum share of a page for a font of the body text. If no font reaches it, fonts are too fragmented to be useful.
 */
const MIN_BODY_RATIO = 0.3;

/** Minimum length of a word that a line end splits, and maximum number of words to collect from a document. */
const MIN_SPLIT_LENGTH = 4;
const MAX_SPELLINGS = 50_000;

/** Lines of a document's pages, and the statistics of all pages that are needed before writing the first. */
export class GatheredLines {
  readonly #isLong: boolean;
  readonly #pages: (PageLines | Uint8Array)[] = [];
  readonly #blank = new Set<number>();
  readonly #repeated = new RepeatedLines();
  readonly #sizes = new Map<number, number>();
  readonly #fonts: ReadonlyMap<string, number>[] = [];
  /** Words that were added already, as written. */
  readonly #added = new Set<string>();
  readonly #hyphenated = new Set<string>();
  readonly #whole = new Set<string>();
  #length = 0;

  /** Creates an empty collection for a document with `pages` pages. */
  constructor(pages: number) {
    this.#isLong = pages > MAX_UNPACKED;
  }

  /** Adds the lines of the next page. */
  add(page: PageLines): void {
    if (page.lines.length === 0) this.#blank.add(this.#pages.length);
    this.#repeated.add(page);
    this.#fonts.push(this.#findSetting(page.lines));
    for (const { words } of page.lines) for (const { text } of words) this.#addSpelling(text);
    this.#pages.push(this.#isLong ? deflateRawSync(serialize(page), { level: 1 }) : page);
  }

  /** Number of pages. */
  get count(): number {
    return this.#pages.length;
  }

  /** Length of the text of all pages, in UTF-16 code units. */
  get length(): number {
    return this.#length;
  }

  /** Spellings of the words inside lines. */
  get spellings(): DocumentSpellings {
    return { hyphenated: this.#hyphenated, whole: this.#whole };
  }

  /** Font size of most of the text, and the fonts of each page. */
  get body(): Body {
    const [size] = [...this.#sizes].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0]);
    return { size, fonts: this.#fonts };
  }

  /** Reports whether a page has no lines at all, not even repeated ones. */
  isBlank(page: PageIndex): boolean {
    return this.#blank.has(page);
  }

  /**
   * Yields the lines of each page in reading order, without page numbers, and without running headers and footers
   * unless `withRunning`.
   */
  *pages(withRunning = false): Generator<readonly ColumnLine[]> {
    for (const packed of this.#pages) {
      // The data was compressed above and never left this process, so it is safe to deserialize.
      const page = packed instanceof Uint8Array ? (deserialize(inflateRawSync(packed)) as PageLines) : packed;
      yield withRunning ? this.#repeated.withoutNumbers(page) : this.#repeated.without(page);
    }
  }

  #addSpelling(text: string): void {
    // Most words of a document recur.
    if (this.#added.has(text)) return;
    if (this.#added.size < MAX_SPELLINGS) this.#added.add(text);
    if (/\p{L}[-\u2010\u2011]\p{L}/u.test(text)) this.#hyphenated.add(letters(text));
    else if (text.length > MIN_SPLIT_LENGTH && !/[-\u00ad\u2010\u2011]/.test(text)) {
      if (this.#whole.size < MAX_SPELLINGS) this.#whole.add(letters(text));
    }
  }

  /**
   * Returns the share of each font in a page's letters; empty if fonts aren't useful. Also counts font sizes in half
   * points.
   */
  #findSetting(lines: readonly ColumnLine[]): ReadonlyMap<string, number> {
    const shares = new Map<string, number>();
    let totalLength = 0;
    for (const { words, size, font } of lines) {
      const length = lineLength(words);
      const rounded = Math.round(2 * size) / 2;
      this.#sizes.set(rounded, (this.#sizes.get(rounded) ?? 0) + length);
      if (font !== undefined) shares.set(font, (shares.get(font) ?? 0) + length);
      totalLength += length;
    }
    this.#length += totalLength;
    for (const [font, length] of shares) shares.set(font, length / totalLength);
    return Math.max(0, ...shares.values()) < MIN_BODY_RATIO ? new Map() : shares;
  }
}
