import { isTableRow, isTableRule } from '../../core/language/markdown-lines.ts';
import { headerAbove, MAX_HEADER_DISTANCE } from '../../core/language/tables.ts';
import type { Cited } from './cite.ts';
import type { PassageFinder } from './passage-finder.ts';

/** Distance in which the header of most tables is found, in UTF-16 code units. */
const USUAL_HEADER_DISTANCE = 30_000;

/**
 * Returns the header and the rule of the table with the first row of a quote; undefined if the quote doesn't begin with
 * a row, or includes the header.
 */
export async function tableHeader(
  { passage, span }: Cited,
  finder: Pick<PassageFinder, 'at'>,
): Promise<string | undefined> {
  if (passage.format !== 'markdown') return undefined;
  const quote = passage.text.slice(span.start - passage.start, span.end - passage.start);
  const [first = '', second = ''] = quote.split(/\r?\n/);
  if (!isTableRow(first) || isTableRule(second)) return undefined;
  const before = passage.text.slice(0, span.start - passage.start);
  const near = before === '' ? undefined : headerAbove(before, first);
  if (near !== undefined || passage.start === 0) return withPlainBreaks(near?.header);
  for (const distance of [USUAL_HEADER_DISTANCE, MAX_HEADER_DISTANCE]) {
    const start = Math.max(0, passage.start - distance);
    const [above] = await finder.at([{ documentId: passage.documentId, span: { start, end: span.start } }]);
    const table = above && headerAbove(start === 0 ? above.text : fromSecondLine(above.text), first);
    if (table !== undefined || start === 0) return withPlainBreaks(table?.header);
  }
  return undefined;
}

/** Returns a text without its first line, which begins before it. */
function fromSecondLine(text: string): string {
  return text.slice(text.indexOf('\n') + 1);
}

function withPlainBreaks(header: string | undefined): string | undefined {
  return header?.replaceAll('\r\n', '\n').replace(/\n$/, '');
}
