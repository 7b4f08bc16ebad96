import {
  LineScanner,
  cellSpans,
  endOfMarks,
  isLineUntold,
  kindOfLine,
  linesIn,
  openedFence,
  type MarkdownLine,
} from './markdown-lines.ts';
import { BlockScanner, findCuts, isCutSure, trimSpan, type Block, type Cut } from './sentences.ts';
import type { Span } from './span.ts';

/** Sentence, table row or cell, heading, or code block of a reply, with the passages that it cites. */
export interface MarkedSentence extends Span {
  readonly numbers: readonly number[];
  /** Set for a row of a table, or for one of its cells if cells other than the last have citations. */
  readonly isInTable?: true;
  /** Set for the first sentence of a list item, which can be a single word. */
  readonly isItem?: true;
}

interface SentenceStream {
  append(text: string): void;
  /** Records the numbers of a citation mark at the current position. */
  mark(numbers: readonly number[]): void;
  /** Returns the sentences completed since the last call. A sentence is complete once the text after it is known. */
  take(ended: boolean): MarkedSentence[];
}

/**
 * Maximum length of an incomplete paragraph that is split while it streams, in UTF-16 code units, because each new word
 * splits it again.
 */
const MAX_PENDING_LENGTH = 5000;

/**
 * Splits a growing Markdown text into sentences with the same result as `cutSentences`, whatever its chunks. Omits
 * marks of items and quotes, the header of a table, and text without letters and digits.
 */
export function streamedSentences(): SentenceStream {
  const scanner = new LineScanner();
  const blocks = new BlockScanner();
  let text = '';
  let marks: { readonly at: number; readonly numbers: readonly number[] }[] = [];
  /** Start of the first incomplete line. */
  let lineStart = 0;
  /** End of the last reported sentence. */
  let last: Cut = { end: 0, from: 0 };
  /** Row that may be the header of a table. */
  let row: Block | undefined;
  let completed: MarkedSentence[] = [];

  const emitSentence = (start: number, end: number, isInTable = false): void => {
    const sentence = trimSpan(text, start, end);
    if (sentence === undefined) return;
    const words = text.slice(sentence.start, sentence.end);
    if (!/[\p{L}\p{N}]/u.test(words)) return;
    const numbers = new Set(marks.flatMap(({ at, numbers }) => (at <= sentence.end ? numbers : [])));
    marks = marks.filter(({ at }) => at > sentence.end);
    const markEnd = endOfMarks(words);
    const isItem = /[^\s>]/.test(words.slice(0, markEnd));
    completed.push({
      start: sentence.start + markEnd,
      end: sentence.end,
      numbers: [...numbers],
      ...(isInTable && { isInTable }),
      ...(isItem && { isItem }),
    });
  };

  /**
   * Reports a row cell by cell, so that each cell keeps its own citations. Reports a row as a whole if only its end has
   * citations. Citations of a cell without words belong to the cell before it, or else to the next.
   */
  const emitRow = (start: number, end: number): void => {
    const cells = cellSpans(text.slice(start, end)).map((cell) => ({
      start: start + cell.start,
      end: start + cell.end,
    }));
    const own = marks.filter(({ at }) => at <= end);
    const placeOf = (at: number): number => {
      const place = cells.findIndex((cell) => at <= cell.end);
      return place < 0 ? cells.length - 1 : place;
    };
    if (own.every(({ at }) => placeOf(at) === cells.length - 1)) {
      emitSentence(start, end, true);
      return;
    }
    marks = marks.filter(({ at }) => at > end);
    const worded = cells.flatMap((cell, place) => {
      const span = trimSpan(text, cell.start, cell.end);
      const hasWords = span !== undefined && /[\p{L}\p{N}]/u.test(text.slice(span.start, span.end));
      return hasWords ? [{ ...span, place, numbers: new Set<number>() }] : [];
    });
    for (const { at, numbers } of own) {
      const place = placeOf(at);
      const cell = worded.findLast((each) => each.place <= place) ?? worded[0];
      for (const number of numbers) cell?.numbers.add(number);
    }
    for (const { start: from, end: to, place, numbers } of worded)
      // The first cell names the row, so it isn't a statement unless it has a citation.
      if (place > 0 || numbers.size > 0)
        completed.push({ start: from, end: to, numbers: [...numbers], isInTable: true });
  };

  const emitParagraph = (start: number, end: number, isOpen: boolean): void => {
    if (last.end < start) last = { end: start, from: start };
    if (last.end >= end || (isOpen && end - last.end > MAX_PENDING_LENGTH)) return;
    for (const cut of findCuts(text, last, end, isOpen)) {
      if (isOpen && !isCutSure(text, last.end, cut.end, end)) return;
      emitSentence(last.end, cut.end);
      last = cut;
    }
    if (isOpen) return;
    emitSentence(last.end, end);
    last = { end, from: end };
  };

  const emitBlock = (block: Block): void => {
    if (block.kind === 'row') row = block;
    else if (block.kind === 'paragraph' || block.kind === 'item')
      emitParagraph(block.start, block.end, false);
    else emitSentence(block.start, block.end);
  };

  /** Reports a row once the next line is known. */
  const endRow = (isHeader: boolean): void => {
    if (row !== undefined && !isHeader) emitRow(row.start, row.end);
    row = undefined;
  };

  const takeLine = (line: MarkdownLine): void => {
    endRow(line.kind === 'rule');
    for (const block of blocks.take(line)) emitBlock(block);
    lineStart = line.next;
  };

  /** Reports the sentences that the beginning of a line completes. */
  const takeBeginning = (): void => {
    const line = text.slice(lineStart);
    if (blocks.open?.kind === 'code') return;
    const paragraph = blocks.open?.start;
    if (isLineUntold(line)) {
      if (paragraph !== undefined) emitParagraph(paragraph, lineStart, true);
      return;
    }
    const kind = openedFence(line) === undefined ? kindOfLine(line) : 'opening';
    endRow(kind === 'rule');
    if (kind === 'text') emitParagraph(paragraph ?? lineStart, text.length, true);
    else {
      if (paragraph !== undefined) emitParagraph(paragraph, lineStart, false);
      if (kind === 'item') emitParagraph(lineStart, text.length, true);
    }
  };

  return {
    append(more) {
      text += more;
    },
    mark(numbers) {
      if (numbers.length > 0) marks.push({ at: text.length, numbers });
    },
    take(ended) {
      completed = [];
      for (const { start, end, next } of linesIn(text, { start: lineStart, end: text.length })) {
        // A carriage return at the end may be the first half of a line break.
        const isWhole = end < next && (next < text.length || text[next - 1] === '\n');
        if (ended || isWhole) takeLine({ start, end, next, kind: scanner.take(text.slice(start, end)) });
      }
      if (ended) {
        for (const block of blocks.end(text.length)) emitBlock(block);
        endRow(false);
      } else takeBeginning();
      return completed;
    },
  };
}
