import { sentencesOf } from './sentences.ts';
import type { Span } from './span.ts';

/** How a document's canonical text is written, which decides how it is split and shown. */
export type TextFormat = 'code' | 'markdown' | 'prose';

/** What a stretch of text is that is read, quoted and cited as one. `fence` is a whole block of code in Markdown. */
export type UnitKind = 'fence' | 'heading' | 'item' | 'line' | 'row' | 'sentence';

export interface Unit extends Span {
  readonly kind: UnitKind;
}

const FENCE = /^(?:`{3}|~{3})/;
const HEADING = /^#{1,6}\s/;
const ITEM = /^(?:[-*+•]|\d{1,3}[.)])[ \t]/;

/** A list item of several sentences is one unit up to this length. */
const LONGEST_ITEM = 400;

/** The units of a text in their order, without the white space around them: lines of code, else sentences, items, rows and blocks. */
export function unitsOf(text: string, format: TextFormat): Unit[] {
  if (format === 'code') return linesOf(text).flatMap((line) => lineUnit(text, line));
  const units: Unit[] = [];
  const fenceEnd = format === 'markdown' ? endOfOpenFence(text) : 0;
  if (fenceEnd > 0) units.push({ start: text.search(/\S/), end: fenceEnd, kind: 'fence' });
  for (const { start, end } of sentencesOf(text, { start: fenceEnd, end: text.length })) {
    const kind = format === 'markdown' ? kindOf(text.slice(start, end)) : 'sentence';
    const last = units.at(-1);
    const continuesItem =
      kind === 'sentence' &&
      last?.kind === 'item' &&
      end - last.start <= LONGEST_ITEM &&
      /^[ \t]*(?:\r?\n[ \t]+)?$/.test(text.slice(last.end, start));
    if (continuesItem) units[units.length - 1] = { start: last.start, end, kind: 'item' };
    else if (/[\p{L}\p{N}]/u.test(text.slice(start, end))) units.push({ start, end, kind });
  }
  return units;
}

/**
 * Where the block of code ends that a part of a longer text begins in the middle of; 0 where it begins in none. A mark
 * without a language closes one where it follows code and a blank line or nothing follows it.
 */
function endOfOpenFence(text: string): number {
  const mark = /^[ \t]*(`{3,}|~{3,})([^\n]*)(?:\n|$)/m.exec(text);
  if (mark === null || (mark[2] ?? '').trim() !== '') return 0;
  const before = text.slice(0, mark.index);
  const after = text.slice(mark.index + mark[0].length);
  const followsCode = before.trim() === '' || /[^\s][ \t]*\r?\n$/.test(before);
  const leadsNowhere = after.trim() === '' || /^[ \t]*(?:\r?\n|#{1,6}\s)/.test(after);
  return followsCode && leadsNowhere ? mark.index + mark[0].trimEnd().length : 0;
}

/** The lines of a text, without their ends. */
export function linesOf(text: string): Span[] {
  const lines: Span[] = [];
  for (let start = 0; start <= text.length;) {
    const newline = text.indexOf('\n', start);
    const next = newline < 0 ? text.length : newline;
    const end = text[next - 1] === '\r' && next > start ? next - 1 : next;
    lines.push({ start, end });
    start = next + 1;
  }
  return lines;
}

function lineUnit(text: string, line: Span): Unit[] {
  const words = text.slice(line.start, line.end);
  const start = line.start + words.length - words.trimStart().length;
  const end = line.start + words.trimEnd().length;
  return start < end ? [{ start, end, kind: 'line' }] : [];
}

function kindOf(unit: string): UnitKind {
  if (FENCE.test(unit)) return 'fence';
  if (HEADING.test(unit)) return 'heading';
  if (unit.startsWith('|')) return 'row';
  return ITEM.test(unit) ? 'item' : 'sentence';
}
