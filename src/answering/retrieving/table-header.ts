import { isTableRow, isTableRule } from '../../language/markdown-lines.ts';
import { FARTHEST_HEADER, headerAbove } from '../../language/tables.ts';
import type { Cited } from './cite.ts';
import type { PassageFinder } from './passage-finder.ts';

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
  const [above] = await finder.at([
    {
      documentId: passage.documentId,
      span: { start: Math.max(0, passage.start - FARTHEST_HEADER), end: span.start },
    },
  ]);
  return above && withPlainBreaks(headerAbove(above.text, first)?.header);
}

function withPlainBreaks(header: string | undefined): string | undefined {
  return header?.replaceAll('\r\n', '\n').replace(/\n$/, '');
}
