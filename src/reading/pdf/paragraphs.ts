import { joinOverLines } from './letters.ts';
import { kindOfItem, type OpenLists } from './lists.ts';
import type { Line } from './column-lines.ts';

/** What parts a line from the one before it. */
export type LineBreak = 'join' | 'word' | 'line' | 'paragraph';

const SENTENCE_END = /[.!?:;。！？…]["'”’»)\]」』）】》〉]*$/;

/** How the text goes on from one line of a page to the next in reading order. */
export function breakBetween(previous: Line, next: Line, lists: OpenLists): LineBreak {
  if (previous.way !== next.way) return 'paragraph';
  if (Math.abs(previous.size - next.size) > 0.12 * previous.size) return 'paragraph';
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  if (previous.column !== next.column) {
    if (lists.continues(next)) return 'line';
    return !SENTENCE_END.test(ending) && goesOn(beginning) ? joint(previous, next) : 'paragraph';
  }
  const distance = next.baseline - previous.baseline;
  if (isRow(previous) && isRow(next) && distance >= 0 && distance < 3 * next.size) return 'line';
  const pitch = previous.column.pitch || 1.2 * next.size;
  if (distance < 0 || distance > Math.max(1.3 * pitch, 1.5 * next.size)) return 'paragraph';
  if (isRow(previous) || isRow(next) || (previous.monospaced && next.monospaced)) return 'line';
  const width = previous.column.right - previous.column.left;
  const missing = missingWidth(previous);
  if (isHeadingBeside(previous, next)) return 'paragraph';
  const item = kindOfItem(next);
  if (item === 'symbol' || (item !== undefined && lists.continues(next))) return 'line';
  if (missing > 0.1 * width && SENTENCE_END.test(ending)) return 'paragraph';
  if (item !== undefined && !startsInside(previous, next)) return 'line';
  if (startsInside(next, previous) && kindOfItem(previous) === undefined) return 'paragraph';
  if (missing > 0.3 * width && !goesOn(beginning)) return 'line';
  return joint(previous, next);
}

/** How the text goes on from the last line of a page to the first of the next. */
export function breakBetweenPages(previous: Line, next: Line, lists: OpenLists): LineBreak {
  if (previous.way !== next.way) return 'paragraph';
  if (Math.abs(previous.size - next.size) > 0.12 * previous.size) return 'paragraph';
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  if (lists.continues(next)) return 'line';
  return !SENTENCE_END.test(ending) && goesOn(beginning) ? joint(previous, next) : 'paragraph';
}

/** How much a line leaves free at its end. */
function missingWidth({ rightToLeft, left, right, column }: Line): number {
  return rightToLeft ? left - column.left : column.right - right;
}

/** Whether one of two lines is set in a font of its own and is larger or shorter than the text above or below it. */
function isHeadingBeside(previous: Line, next: Line): boolean {
  if (previous.font === undefined || next.font === undefined || previous.font === next.font) return false;
  const standsOut = (line: Line, beside: Line): boolean =>
    line.size > 1.04 * beside.size || missingWidth(line) > 0.3 * (line.column.right - line.column.left);
  const isAbove = standsOut(previous, next) && !/^\p{Ll}/u.test(next.words[0]?.text ?? '');
  return isAbove || (standsOut(next, previous) && SENTENCE_END.test(previous.words.at(-1)?.text ?? ''));
}

/** Whether a line begins further in than another. */
function startsInside(line: Line, other: Line): boolean {
  const inside = line.rightToLeft ? other.right - line.right : line.left - other.left;
  return inside > 0.8 * line.size && inside < 6 * line.size;
}

/** A row of a table or an entry of a table of contents, whose dots lead to its page. */
function isRow(line: Line): boolean {
  return isDotLeader(line) || line.words.some(({ before }) => before === '\t');
}

/** An entry of a table of contents, whose dots lead to its page. */
export function isDotLeader({ words }: Line): boolean {
  return words.some(({ text }) => /\.{5}/.test(text)) || words.filter(({ text }) => text === '.').length > 4;
}

function goesOn(word: string): boolean {
  return /^[\p{Ll}\p{Lo}(]/u.test(word);
}

function joint(previous: Line, next: Line): LineBreak {
  const ending = previous.words.at(-1)?.text ?? '';
  const beginning = next.words[0]?.text ?? '';
  const around = (): string => [...previous.words, ...next.words].map(({ text }) => text).join('');
  return joinOverLines(ending, beginning, around) ? 'join' : 'word';
}
