import { headingOfLine, kindOfLine, linesIn, openedFence } from './markdown-lines.ts';
import { cutBlocks, sentencesOfBlock, trimSpan, type Block } from './sentences.ts';
import type { Span } from './span.ts';

/** Format of a document's canonical text, which decides how it is split and shown. */
export type TextFormat = 'code' | 'markdown' | 'prose';

/** Kind of a unit that is quoted and cited as a whole. `fence` is a complete code block in Markdown. */
export type UnitKind = 'fence' | 'heading' | 'item' | 'line' | 'row' | 'sentence';

export interface Unit extends Span {
  readonly kind: UnitKind;
}

/** Maximum length of a list item with several sentences that is one unit, in UTF-16 code units. */
const MAX_ITEM_LENGTH = 400;

/**
 * Returns the units of a text in order, without surrounding white space: lines of code, or else sentences, items,
 * rows, blocks, and headings. `headings` are the spans of its headings, in order.
 */
export function cutUnits(text: string, format: TextFormat, headings: readonly Span[]): Unit[] {
  if (format === 'code')
    return Array.from(linesIn(text)).flatMap(({ start, end }): Unit[] => {
      const line = trimSpan(text, start, end);
      return line === undefined ? [] : [{ ...line, kind: 'line' }];
    });
  const units: Unit[] = [];
  const fenceEnd = format === 'markdown' ? endOfOpenFence(text) : 0;
  if (fenceEnd > 0) units.push({ start: text.search(/\S/), end: fenceEnd, kind: 'fence' });
  let from = fenceEnd;
  for (const heading of headings) {
    addUnits(units, text, format, { start: from, end: heading.start });
    units.push({ ...heading, kind: 'heading' });
    from = heading.end;
  }
  addUnits(units, text, format, { start: from, end: text.length });
  return units;
}

function addUnits(units: Unit[], text: string, format: TextFormat, span: Span): void {
  for (const block of cutBlocks(text, span))
    for (const { start, end } of sentencesOfBlock(text, block)) {
      const kind = format === 'markdown' ? toKind(block, text.slice(start, end)) : 'sentence';
      const last = units.at(-1);
      const continuesItem =
        kind === 'sentence' &&
        last?.kind === 'item' &&
        end - last.start <= MAX_ITEM_LENGTH &&
        /^[ \t]*(?:\r?\n[ \t]+)?$/.test(text.slice(last.end, start));
      if (continuesItem) units[units.length - 1] = { start: last.start, end, kind: 'item' };
      else if (/[\p{L}\p{N}]/u.test(text.slice(start, end))) units.push({ start, end, kind });
    }
}

/**
 * Returns the end of a code block if a part of a longer text begins inside of one; else 0. A fence without a language
 * closes a block if it follows code, and a blank line or nothing comes after it.
 */
function endOfOpenFence(text: string): number {
  for (const { start, end, next } of linesIn(text)) {
    const fence = openedFence(text.slice(start, end));
    if (fence === undefined) continue;
    if (fence.info !== '' || fence.isInItem) return 0;
    const before = text.slice(0, start);
    const after = text.slice(next);
    const followsCode = before.trim() === '' || /[^\s][ \t]*\r?\n$/.test(before);
    const [line] = linesIn(after);
    const first = after.slice(0, line?.end);
    const leadsNowhere = first.trim() === '' || headingOfLine(first) !== undefined;
    return followsCode && leadsNowhere ? start + text.slice(start, end).trimEnd().length : 0;
  }
  return 0;
}

/**
 * Returns the kind of a unit by its beginning, because a text without line breaks has items and rows in one block.
 */
function toKind(block: Block, unit: string): UnitKind {
  if (block.kind === 'code') return 'fence';
  const kind = kindOfLine(unit);
  if (kind === 'item') return kind;
  return kind === 'row' || kind === 'rule' ? 'row' : 'sentence';
}
