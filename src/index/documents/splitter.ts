import { firstIndex } from '../../core/language/first-index.ts';
import type { ReadDocument } from '../../core/domain/document.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { Passage } from '../../core/domain/passage.ts';
import { cutSentences, firstBeginning } from '../../core/language/sentences.ts';
import type { PassageSettings } from '../../core/domain/settings.ts';
import { BreakRank, findBreaks, type Breaks } from './splitter-breaks.ts';
import { Sections } from './splitter-sections.ts';
import { findTables, type Table } from '../../core/language/tables.ts';
import type { Span } from '../../core/language/span.ts';

/**
 * Splits a document into passages: spans of at most `size` UTF-16 code units, in order, without surrounding white
 * space. They start at headings (small sections are joined to the next), otherwise at paragraphs, declarations,
 * sentences, or lines. Code blocks and tables stay whole if they fit. Passages of one section overlap by up to
 * `overlap` units. Together they cover all text except white space.
 */
export function splitDocument(
  document: Pick<ReadDocument, 'text' | 'format' | 'headings'>,
  settings: PassageSettings,
): Passage[] {
  const { text, format } = document;
  const size = Math.max(2, settings.size);
  const small = Math.floor(SMALL_SHARE * size);
  const cutter = new Cutter(text, format, size);
  const sections = new Sections(document.headings, text.length);
  const tables =
    format === 'markdown' ? findTables(text, new Set(document.headings.map(({ offset }) => offset))) : [];
  const passages: Passage[] = [];
  let isWithinSection = false;
  let shared = 0;
  for (let covered = afterBlanks(text, 0); covered < text.length;) {
    const start = isWithinSection ? shared : covered;
    let sectionEnd = sections.endAfter(covered, isWithinSection ? 0 : small);
    // Don't join a small section to a declaration if that would split the declaration.
    if (format === 'code' && sectionEnd - start > size)
      sectionEnd = sections.lastStart(covered, sectionEnd, size) ?? sectionEnd;
    const cut = cutter.cut(start, covered, sectionEnd);
    const end = beforeBlanks(text, cut);
    const context = findContext(tables, { start, end });
    passages.push({
      start,
      end,
      headings: sections.headingPath({ start: covered, end }),
      ...(context.length > 0 && { context }),
    });
    covered = afterBlanks(text, cut);
    const from = Math.max(start + 1, end - Math.min(settings.overlap, small));
    shared = overlapStart(text, format, from, end) ?? covered;
    if (covered - shared > small) shared = covered;
    isWithinSection = covered < sectionEnd;
  }
  return passages;
}

/** Small passages of prose are split larger, because a sentence needs its surroundings to be distinguished. */
const MIN_CONTEXT_LENGTH = 2_000;
const SIZE_ALONE = 1_500;
/** Maximum length of a part relative to even parts, so that it can end with a paragraph: 1,100 if three make 3,000. */
const EVEN_ROOM = 1.15;

/**
 * Splits a document for searches that return windows of sentences within passages. The windows have at most `size`
 * UTF-16 code units. If that is small, passages of prose are larger. See `npm run bench -- passages`.
 */
export function splitForWindows(
  document: Pick<ReadDocument, 'text' | 'format' | 'headings'>,
  settings: PassageSettings,
): Passage[] {
  const isSmall = document.format !== 'code' && settings.size < SIZE_ALONE;
  return splitDocument(document, isSmall ? { ...settings, size: MIN_CONTEXT_LENGTH } : settings);
}

/**
 * Share of the passage size below which a passage is too small on its own. "## License" with "MIT" below it is joined
 * to the next section, and no passage is made this short for a better break.
 */
const SMALL_SHARE = 0.25;

/** Finder of passage ends, from the start of a text to its end. */
class Cutter {
  readonly #text: string;
  readonly #format: TextFormat;
  readonly #size: number;
  readonly #breaks: Breaks;
  readonly #wholeRank: number;
  #next = 0;
  #sentences: { readonly block: number; readonly starts: readonly number[] } | undefined;

  constructor(text: string, format: TextFormat, size: number) {
    this.#text = text;
    this.#format = format;
    this.#size = size;
    this.#breaks = findBreaks(text, format);
    // Like tables, declarations stay whole.
    this.#wholeRank = format === 'code' ? BreakRank.block : BreakRank.whole;
  }

  /** Returns the end of a passage from `start`, after the `covered` text and within its section. */
  cut(start: number, covered: number, sectionEnd: number): number {
    const length = sectionEnd - start;
    if (length <= this.#size) return sectionEnd;
    // Split evenly, so that all parts have about the same length.
    const even = Math.ceil((length / Math.ceil(length / this.#size)) * EVEN_ROOM);
    const { offsets, ranks } = this.#breaks;
    while ((offsets[this.#next] ?? Infinity) <= covered) this.#next++;
    const own = this.#wholeBlockEnd(this.#next - 1, start, covered);
    const limit = Math.max(own, start + Math.min(this.#size, even));
    const minEnd = Math.max(own, start + Math.floor(SMALL_SHARE * this.#size), covered + 1);
    let best = -1;
    let bestRank = 0;
    let whole = -1;
    let i = this.#next;
    for (; (offsets[i] ?? Infinity) <= limit; i++) {
      const offset = offsets[i] ?? 0;
      const rank = Math.min(ranks[i] ?? 0, BreakRank.block);
      if (offset >= minEnd && rank >= bestRank) {
        best = offset;
        bestRank = rank;
      } else if ((ranks[i] ?? 0) >= this.#wholeRank && this.#blockEnd(i) - offset <= this.#size)
        whole = offset;
    }
    if (bestRank === BreakRank.block) return best;
    const later = this.#format === 'code' ? this.#blockStart(i, start + this.#size) : undefined;
    if (later !== undefined) return later;
    if (whole > covered) return whole;
    if (bestRank > 0) return best;
    return this.#sentenceStart(i - 1, minEnd, limit) ?? this.#findBreak(minEnd, limit);
  }

  /** Returns the first block at or before a limit, from a break on. */
  #blockStart(index: number, limit: number): number | undefined {
    const { offsets, ranks } = this.#breaks;
    for (let i = index; (offsets[i] ?? Infinity) <= limit; i++)
      if ((ranks[i] ?? 0) >= BreakRank.block) return offsets[i];
    return undefined;
  }

  /** Returns the end of the block at a break if it must stay whole and fits; otherwise 0. */
  #wholeBlockEnd(index: number, start: number, covered: number): number {
    const { offsets, ranks } = this.#breaks;
    if (offsets[index] !== covered || ranks[index] !== BreakRank.whole) return 0;
    const end = this.#blockEnd(index);
    return end - start <= this.#size ? end : 0;
  }

  #blockEnd(index: number): number {
    const { offsets, ranks } = this.#breaks;
    const from = offsets[index] ?? 0;
    for (let i = index + 1; i < offsets.length; i++) {
      const offset = offsets[i] ?? 0;
      if ((ranks[i] ?? 0) >= BreakRank.block || offset - from > this.#size) return offset;
    }
    return this.#text.length;
  }

  /** Returns the last sentence start within the limits, in the block at a break. */
  #sentenceStart(block: number, minEnd: number, limit: number): number | undefined {
    if (this.#format === 'code') return undefined;
    if (this.#sentences?.block !== block) {
      const { offsets } = this.#breaks;
      const span = { start: offsets[block] ?? 0, end: offsets[block + 1] ?? this.#text.length };
      this.#sentences = { block, starts: cutSentences(this.#text, span).map(({ start }) => start) };
    }
    const { starts } = this.#sentences;
    const start = starts[firstIndex(starts.length, (index) => (starts[index] ?? 0) > limit) - 1];
    return start !== undefined && start >= minEnd ? start : undefined;
  }

  /**
   * Returns the position after the last line end or white space within the limits, otherwise the limit itself, but
   * never between two surrogates.
   */
  #findBreak(minEnd: number, limit: number): number {
    const words = this.#text.slice(minEnd, limit);
    const line = words.lastIndexOf('\n');
    const at = line > words.length / 2 ? line : words.search(/\s\S*$/);
    if (at >= 0) return minEnd + at + 1;
    const code = this.#text.charCodeAt(limit);
    return code >= 0xdc00 && code < 0xe000 && limit - 1 >= minEnd ? limit - 1 : limit;
  }
}

/** Returns the start of the first sentence or line within the limits. */
function overlapStart(text: string, format: TextFormat, from: number, to: number): number | undefined {
  if (from >= to) return undefined;
  // The character before may end a sentence, so include it.
  const before = { start: from - 1, end: to };
  const beginning =
    format === 'code' ? text.slice(from - 1, to).indexOf('\n') + from : firstBeginning(text, before);
  if (beginning === undefined || beginning < from) return undefined;
  const start = afterBlanks(text, beginning);
  return start < to ? start : undefined;
}

function afterBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && isBlank(text, at)) at++;
  return at;
}

function beforeBlanks(text: string, to: number): number {
  let at = to;
  while (at > 0 && isBlank(text, at - 1)) at--;
  return at;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)));
}

/** Maximum length of the context indexed with a passage, in UTF-16 code units. */
const MAX_CONTEXT_LENGTH = 800;

/**
 * Returns the context that a passage needs from elsewhere: captions, header rows, and group rows of the tables that
 * reach into it. Leaves out those within the passage. Spans are in document order.
 */
export function findContext(tables: readonly Table[], passage: Span): Span[] {
  const spans = new Map<number, Span>();
  let remainingLength = MAX_CONTEXT_LENGTH;
  const first = firstIndex(tables.length, (index) => (tables[index]?.end ?? Infinity) > passage.start);
  for (let at = first; at < tables.length; at++) {
    const table = tables[at];
    if (table === undefined || table.start >= passage.end) break;
    const under = table.rows.find(({ end }) => end > passage.start)?.under;
    for (const span of [...table.header, ...table.caption, ...(under === undefined ? [] : [under])]) {
      const isInside = span.start >= passage.start && span.end <= passage.end;
      if (isInside || spans.has(span.start) || span.end - span.start > remainingLength) continue;
      remainingLength -= span.end - span.start;
      spans.set(span.start, span);
    }
  }
  return [...spans.values()].sort((a, b) => a.start - b.start);
}
