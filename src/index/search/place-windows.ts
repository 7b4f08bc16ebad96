// Splits the passages of a document into blocks, and combines blocks into windows.
import { linesIn } from '../../core/language/markdown-lines.ts';
import { sectionHeadings } from '../../core/language/section-headings.ts';
import { firstEnd } from '../../core/language/sentences.ts';
import type { Span } from '../../core/language/span.ts';
import type { TextFormat } from '../../core/language/units.ts';
import type { CountedTerms } from '../../core/language/words/tokenizer.ts';
import { headingSpan } from '../documents/heading-lines.ts';
import { BreakRank, findBreaks } from '../documents/splitter-breaks.ts';
import type { Section } from '../documents/splitter-sections.ts';
import { PLACE_WEIGHTS } from './place-weights.ts';

/** Document text for splitting. */
interface WindowSource {
  readonly format: TextFormat;
  /** Length in UTF-16 code units. */
  readonly length: number;
  slice(start: number, end: number): string;
}

/** Minimum number of links to sections in a table of contents. */
const MIN_CONTENTS_ENTRIES = 3;
export const CONTENTS_TITLE = new RegExp(`^(?:#{1,6} )?(?:${sectionHeadings('contents').join('|')})$`, 'i');

/**
 * Maximum length of a line that introduces the next one, in UTF-16 code units, and maximum number of such lines in a
 * row.
 */
const MAX_LEAD_IN = 90;
const MAX_LEAD_INS = 2;

/** Maximum length of a table row that is never split, in UTF-16 code units. */
const MAX_ROW_LENGTH = 8_000;

/** Range of text with its counts of the question's terms. */
export type Block = CountedTerms &
  Span & {
    /** `true` if it makes no sense without the next block: a heading, a label, `To undo it:`. */
    readonly leadsIn: boolean;
    /** Number of the question's terms in code comments, with repetitions. */
    readonly commented: number;
  };

/** Consecutive blocks of a section, at most as long as an excerpt. */
interface Window<R> extends CountedTerms, Span {
  readonly run: R;
  /** Number of the question's terms in code comments, with repetitions. */
  readonly commented: number;
}

/**
 * Returns paragraphs, and parts of long ones, without the surrounding white space. Short blocks of code and tables stay
 * whole.
 */
export function blocksIn(text: string, format: TextFormat): Span[] {
  const least = format === 'code' ? BreakRank.part : BreakRank.block;
  const { offsets, ranks } = findBreaks(text, format);
  const begins = [...ranks.keys()].filter((i) => i === 0 || (ranks[i] ?? 0) >= least);
  return begins.flatMap((at, i) => {
    const start = i === 0 ? 0 : (offsets[at] ?? 0);
    const end = offsets[begins[i + 1] ?? -1] ?? text.length;
    const isWhole = ranks[at] === BreakRank.whole && end - start <= PLACE_WEIGHTS.longestWhole;
    const parts = isWhole ? [{ start, end }] : cutParagraph(text, start, end);
    return parts.flatMap((part) => trimBlock(text, part, format));
  });
}

/**
 * Removes the surrounding white space. Code keeps the indentation of its first line, which must match the other lines.
 */
function trimBlock(text: string, { start, end }: Span, format: TextFormat): Span[] {
  const words = text.slice(start, end);
  const first = start + words.length - words.trimStart().length;
  const from = format === 'code' ? Math.max(start, text.lastIndexOf('\n', first - 1) + 1) : first;
  const to = start + words.trimEnd().length;
  return from < to ? [{ start: from, end: to }] : [];
}

/** Splits a paragraph at line ends, otherwise after wide table rows or sentences, into parts of about the length of a block. */
function cutParagraph(text: string, start: number, end: number): Span[] {
  const { blockLength, longestBlock } = PLACE_WEIGHTS;
  const parts: Span[] = [];
  let from = start;
  while (end - from > longestBlock * blockLength) {
    const to = cutAfter(text, from, end);
    parts.push({ start: from, end: to });
    from = to;
  }
  return [...parts, { start: from, end }];
}

function cutAfter(text: string, from: number, end: number): number {
  const { blockLength: usual, shortestBlock, longestBlock } = PLACE_WEIGHTS;
  const line = text.lastIndexOf('\n', from + usual);
  if (line > from) return line;
  if (
    text
      .slice(from, from + usual)
      .trimStart()
      .startsWith('|')
  ) {
    const lineEnd = text.indexOf('\n', from + usual);
    const rowEnd = lineEnd < 0 ? end : Math.min(lineEnd, end);
    if (rowEnd - from <= MAX_ROW_LENGTH) return rowEnd;
  }
  const sentence = firstEnd(text, {
    start: from + shortestBlock * usual,
    end: Math.min(end, from + longestBlock * usual),
  });
  if (sentence !== undefined) return sentence;
  const space = text.lastIndexOf(' ', from + usual);
  return space > from ? space : from + usual;
}

/** Returns the longest possible window from each block on. `longest` is in UTF-16 code units. */
export function windowsIn<R extends { readonly blocks: readonly Block[] }>(
  runs: readonly R[],
  longest: number,
): Window<R>[] {
  return runs.flatMap((run) =>
    run.blocks.map((first, from) => {
      let to = from + 1;
      // Always include the block that a lead-in introduces.
      while (run.blocks[to - 1]?.leadsIn === true && to - from <= MAX_LEAD_INS && to < run.blocks.length)
        to++;
      const least = to;
      while ((run.blocks[to]?.end ?? Infinity) - first.start <= longest) to++;
      while (to > least && run.blocks[to - 1]?.leadsIn === true) to--;
      const blocks = run.blocks.slice(from, to);
      const commented = blocks.reduce((sum, block) => sum + block.commented, 0);
      return {
        run,
        start: first.start,
        end: blocks.at(-1)?.end ?? first.end,
        commented,
        ...addCounts(blocks),
      };
    }),
  );
}

/** Adds the counts and lengths of blocks. */
export function addCounts(blocks: readonly Block[]): CountedTerms {
  const counts = new Map<string, number>();
  let length = 0;
  for (const block of blocks) {
    length += block.length;
    for (const [term, count] of block.counts) counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return { counts, length };
}

/**
 * Reports whether a block is a line that needs the next block to make sense: an underlined or bold line, one that ends
 * with a colon, or a few words without an end mark. Commands, rows, and list items don't count.
 */
export function leadsIn(text: string): boolean {
  if (text.length > MAX_LEAD_IN) return false;
  const [line = '', underline, ...others] = text.split('\n');
  if (others.length > 0) return false;
  if (underline !== undefined)
    return !line.includes('|') && line !== '' && underline.length > 2 && isRepeated(underline, '=~^-');
  if (/[:：]$/.test(line)) return !/^[|>]/.test(line);
  if (line.startsWith('**') && line.endsWith('**'))
    return line.length > 4 && !line.slice(2, -2).includes('*');
  return /^[\p{Lu}\p{Lo}\d]/u.test(line) && !/[^\p{L}\p{M}\p{N} ,'’&/()–-]/u.test(line);
}

/** Reports whether a text repeats one of some characters. */
function isRepeated(text: string, characters: string): boolean {
  const [first = ''] = text;
  return characters.includes(first) && text === first.repeat(text.length);
}

/** Reports whether a sentence is only a heading or a line that introduces the next. */
export function isBareTitle(words: string): boolean {
  const line = words.trim();
  return /^#{1,6}[ \t]/.test(line) || leadsIn(line);
}

/** Reports whether most lines of a block belong to a table of contents: `1.1 The R environment . . . . . 2`. */
export function isContentsList(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length >= MIN_CONTENTS_ENTRIES && lines.every(isSectionLink)) return true;
  // Rows of names and numbers may be data, unless a title says that the numbers are pages.
  const [first = '', ...entries] = lines;
  if (CONTENTS_TITLE.test(first.trim()) && entries.length > 0)
    return entries.every((line) => /\d$/.test(line.trimEnd()));
  if (!/(?:\. ?){5}/.test(text)) return false;
  return 2 * lines.filter((line) => /(?:\. ?){5} {0,3}\p{L}?\d{1,4}\s*$/u.test(line)).length >= lines.length;
}

/** Reports whether a line is only a link to a section, as in "- [Pumps](#pumps)". */
function isSectionLink(line: string): boolean {
  return /^(?:[-*+] |\d{1,3}[.)] )?\[[^[\]]{1,160}\]\(#[^()\s]{1,160}\)$/.test(line.trim());
}

/**
 * Returns a span with up to `reach` UTF-16 code units of text before and after it. It begins with a line, so that no
 * excerpt starts within one.
 */
export function around({ start, end }: Span, source: WindowSource, reach: number): Span {
  const from = Math.max(0, start - reach);
  const lineEnd = from === 0 ? -1 : source.slice(from, start).indexOf('\n');
  const stretch = { start: from + lineEnd + 1, end: Math.min(source.length, end + reach) };
  return source.format === 'markdown' ? withWholeRows(stretch, source) : stretch;
}

/** Extends a span that begins or ends within a row of a table to the whole row. */
function withWholeRows({ start, end }: Span, source: WindowSource): Span {
  const before = source.slice(Math.max(0, start - MAX_ROW_LENGTH), start);
  const rowStart = start - (before.length - before.lastIndexOf('\n') - 1);
  const begins = source.slice(rowStart, rowStart + 1) === '|' ? rowStart : start;
  const lastLine = source.slice(Math.max(begins, end - MAX_ROW_LENGTH), end);
  if (!lastLine.startsWith('|', lastLine.lastIndexOf('\n') + 1)) return { start: begins, end };
  const after = source.slice(end, Math.min(source.length, end + MAX_ROW_LENGTH));
  const lineEnd = after.indexOf('\n');
  return { start: begins, end: end + (lineEnd < 0 ? after.length : lineEnd) };
}

/**
 * Returns the start of a section's text after its heading, unless there is no more text. A heading without marks stays,
 * as it may be part of the content, such as the label of an option.
 */
export function afterHeading(source: WindowSource, { start, end, own }: Section): number {
  const heading = own === undefined ? undefined : headingSpan(source, own);
  if (heading === undefined || heading.end >= end) return start;
  if (source.slice(heading.start, heading.end) === own?.title) return start;
  const [line] = linesIn(source.slice(heading.end, Math.min(end, heading.end + 2)));
  return heading.end + (line?.next ?? 0);
}
