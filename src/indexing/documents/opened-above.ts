import { LineScanner, isTableRow, isTableRule, linesIn } from '../../language/markdown-lines.ts';

/** How far above a row its table's header is looked for, in UTF-16 code units. */
const FARTHEST = 30_000;

/**
 * The lines that Markdown needs before a cut, so that what follows it looks as it does in the whole text: the header of
 * a table that is cut, or the line that opens a block of code. Empty where it needs none.
 *
 * @param start the cut, at the beginning of a line
 */
export function openedAbove(text: string, start: number): string {
  return openFence(text.slice(0, start)) ?? tableHeader(text, start) ?? '';
}

/** Where the row of a table begins that an offset is in; the offset itself where it is in none. */
export function rowStart(text: string, offset: number): number {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return isTableRow(text.slice(start, offset)) ? start : offset;
}

function openFence(before: string): string | undefined {
  const scanner = new LineScanner();
  for (const { start, end } of linesIn(before)) scanner.take(before.slice(start, end));
  return scanner.fence && `${scanner.fence.mark}${scanner.fence.info}\n`;
}

function tableHeader(text: string, start: number): string | undefined {
  const end = text.indexOf('\n', start);
  const row = text.slice(start, end < 0 ? undefined : end);
  if (!isTableRow(row)) return undefined;
  const above = text
    .slice(Math.max(0, start - FARTHEST), start)
    .split('\n')
    .slice(0, -1);
  const first = above.findLastIndex((line) => !isTableRow(line)) + 1;
  const [header, rule] = above.slice(first, first + 2);
  if (header === undefined || !isTableRule(rule ?? row)) return undefined;
  return rule === undefined ? `${header}\n` : `${header}\n${rule}\n`;
}
