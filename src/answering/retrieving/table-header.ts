import { isTableRow, isTableRule } from '../../language/markdown-lines.ts';
import type { Cited } from './cite.ts';
import type { PassageFinder } from './passage-finder.ts';

/** How far a header may stand before a row, in UTF-16 code units. */
const FARTHEST = 30_000;

/** The header and the rule of the table whose rows a quote begins with; undefined where it begins with none, or with the header itself. */
export async function tableHeader(
  { passage, span }: Cited,
  finder: PassageFinder,
): Promise<string | undefined> {
  if (passage.format !== 'markdown') return undefined;
  const quote = passage.text.slice(span.start - passage.start, span.end - passage.start);
  const [first = '', second = ''] = quote.split(/\r?\n/);
  if (!isTableRow(first) || isTableRule(second)) return undefined;
  const before = passage.text.slice(0, span.start - passage.start);
  const near = headerIn(before);
  if (near !== undefined || passage.start === 0) return near?.header;
  const [above] = await finder.at([
    {
      documentId: passage.documentId,
      span: { start: Math.max(0, passage.start - FARTHEST), end: span.start },
    },
  ]);
  return above && headerIn(above.text)?.header;
}

/** The header of the table that a text ends in; undefined where the table begins before the text. */
function headerIn(text: string): { readonly header: string | undefined } | undefined {
  const lines = text.replace(/\r?\n[ \t]*$/, '').split(/\r?\n/);
  const above = lines.findLastIndex((line) => !isTableRow(line));
  const [header, rule] = lines.slice(above + 1);
  if (header !== undefined && rule !== undefined && isTableRule(rule))
    return { header: `${header}\n${rule}` };
  return above < 0 ? undefined : { header: undefined };
}
