import type { Answer } from '../../core/domain/answer.ts';
import { cite, type Cited } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { tableHeader } from '../retrieving/table-header.ts';

/** Returns an answer of excerpts; `introduction` gets the number of their sources. */
export async function answerInQuotes(
  quotes: readonly Cited[],
  introduction: (sources: number) => string,
  passages: PassageFinder,
): Promise<Answer> {
  const [citations, headers] = await Promise.all([
    cite(passages, quotes),
    Promise.all(quotes.map((quote) => tableHeader(quote, passages))),
  ]);
  return {
    kind: 'quotes',
    text: introduction(new Set(quotes.map(({ passage }) => passage.sourceId)).size),
    quotes: quotes.map(({ passage: { format, languageId } }, citation) => {
      const header = headers[citation];
      return { citation, format, languageId, ...(header !== undefined && { header }) };
    }),
    citations,
  };
}
