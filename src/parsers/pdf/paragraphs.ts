import { endsWithMark } from '../../core/language/sentences.ts';
import { joinOverLines } from './letters.ts';
import { kindOfItem, type OpenLists } from './lists.ts';
import type { ColumnLine } from './column-lines.ts';

/** Separator between a line and the one before it. */
export type LineBreak = 'join' | 'word' | 'line' | 'paragraph';

/** Maximum difference in size between lines of a paragraph: 9 points below 12 is another paragraph. */
const OTHER_SIZE = 0.12;
/** Assumed line distance in a column with a single line, in font sizes. */
const USUAL_PITCH = 1.2;
/** Minimum distance of paragraphs, as a multiple of the line distance, and in font sizes. */
const PARAGRAPH_PITCH = 1.3;
const PARAGRAPH_SIZES = 1.5;
/** Maximum distance of rows of one table, in font sizes: that of a row with three lines. */
const ROW_SIZES = 3;
/**
 * Free share of a line above which a sentence at its end also ends the paragraph: the next word would usually have fit.
 */
const ENDS_EARLY = 0.1;
/** Free share of a line above which the line ends on purpose: in an address, a verse, or a heading. */
const ENDS_SHORT = 0.3;
/** Minimum size of a heading in its own font, relative to the text: 10.5 points above 10. */
const LARGER = 1.04;
/**
 * Minimum and maximum indentation of a paragraph's first line, in font sizes: less is an uneven edge, more is a
 * centered line.
 */
const MIN_INDENT = 0.8;
const MAX_INDENT = 6;

/** Matches the end of text that introduces the next or separates a clause. */
const CLAUSE_END = /[:;]["'”’»)\]」』）】》〉]*$/;

/** Returns the break between two lines of a page in reading order. */
export function breakBetween(previous: ColumnLine, next: ColumnLine, lists: OpenLists): LineBreak {
  if (previous.way !== next.way) return 'paragraph';
  if (isOfOtherSize(previous, next)) return 'paragraph';
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  if (previous.column !== next.column) {
    if (lists.continues(next)) return 'line';
    return !isComplete(ending) && isContinued(ending, beginning) ? joint(previous, next) : 'paragraph';
  }
  const distance = next.baseline - previous.baseline;
  const isBehindRow = isRow(previous);
  const isBeforeRow = isRow(next);
  if (isBehindRow && isBeforeRow && distance >= 0 && distance < ROW_SIZES * next.size) return 'line';
  const pitch = previous.column.pitch || USUAL_PITCH * next.size;
  if (distance < 0 || distance > Math.max(PARAGRAPH_PITCH * pitch, PARAGRAPH_SIZES * next.size))
    return 'paragraph';
  if (isBehindRow || isBeforeRow || (previous.monospaced && next.monospaced)) return 'line';
  const width = previous.column.right - previous.column.left;
  const missing = missingWidth(previous);
  if (isHeadingBeside(previous, next)) return 'paragraph';
  const item = kindOfItem(next);
  if (item === 'symbol' || (item !== undefined && lists.continues(next))) return 'line';
  if (missing > ENDS_EARLY * width && isComplete(ending)) return 'paragraph';
  if (item !== undefined && !startsInside(previous, next)) return 'line';
  if (startsInside(next, previous) && kindOfItem(previous) === undefined) return 'paragraph';
  if (missing > ENDS_SHORT * width && !isContinued(ending, beginning)) return 'line';
  return joint(previous, next);
}

/** Returns the break between the last line of a page and the first of the next. */
export function breakBetweenPages(previous: ColumnLine, next: ColumnLine, lists: OpenLists): LineBreak {
  if (previous.way !== next.way) return 'paragraph';
  if (isOfOtherSize(previous, next)) return 'paragraph';
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  if (lists.continues(next)) return 'line';
  return !isComplete(ending) && isContinued(ending, beginning) ? joint(previous, next) : 'paragraph';
}

/** Reports whether the last word of a line ends a sentence or an independent clause. */
function isComplete(ending: string): boolean {
  return endsWithMark(ending) || CLAUSE_END.test(ending);
}

function isOfOtherSize(previous: ColumnLine, next: ColumnLine): boolean {
  return Math.abs(previous.size - next.size) > OTHER_SIZE * previous.size;
}

/** Returns the free width at the end of a line. */
function missingWidth({ rightToLeft, left, right, column }: ColumnLine): number {
  return rightToLeft ? left - column.left : column.right - right;
}

/** Reports whether one of two lines has a font of its own and is larger or shorter than the adjacent text. */
function isHeadingBeside(previous: ColumnLine, next: ColumnLine): boolean {
  if (previous.font === undefined || next.font === undefined || previous.font === next.font) return false;
  const standsOut = (line: ColumnLine, beside: ColumnLine): boolean =>
    line.size > LARGER * beside.size ||
    missingWidth(line) > ENDS_SHORT * (line.column.right - line.column.left);
  const isAbove = standsOut(previous, next) && !/^\p{Ll}/u.test(next.words[0]?.text ?? '');
  return isAbove || (standsOut(next, previous) && isComplete(previous.words.at(-1)?.text ?? ''));
}

/** Reports whether a line is indented relative to another. */
function startsInside(line: ColumnLine, other: ColumnLine): boolean {
  const inside = line.rightToLeft ? other.right - line.right : line.left - other.left;
  return inside > MIN_INDENT * line.size && inside < MAX_INDENT * line.size;
}

/** Reports whether a line is a row of a table, or an entry of a table of contents with dots before its page number. */
function isRow(line: ColumnLine): boolean {
  return isDotLeader(line) || line.words.some(({ before }) => before === '\t');
}

/** Reports whether a line is an entry of a table of contents with dots before its page number. */
export function isDotLeader({ words }: ColumnLine): boolean {
  let dots = 0;
  for (const { text } of words) {
    if (text === '.') dots++;
    if (dots > 4 || text.includes('.....')) return true;
  }
  return false;
}

/** Reports whether a word continues a sentence, or a word that the previous line's end splits. */
function isContinued(ending: string, beginning: string): boolean {
  return (
    /^[\p{Ll}\p{Lo}(]/u.test(beginning) ||
    (/[\p{L}\p{N}]{2}[-\u2010]$/u.test(ending) && /^[\p{L}\p{N}]/u.test(beginning))
  );
}

function joint(previous: ColumnLine, next: ColumnLine): LineBreak {
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  const around = (): string => [...previous.words, ...next.words].map(({ text }) => text).join('');
  return joinOverLines(ending, beginning, around) ? 'join' : 'word';
}
