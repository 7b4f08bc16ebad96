import { withoutLineMark } from '../../../core/language/markdown-lines.ts';
import { shownVerdict, type Answer, type Verdict } from '../../../core/domain/answer.ts';
import type { Span } from '../../../core/language/span.ts';
import type { ExtractionCell } from './extraction-table.ts';

/** Part of a cell's text: plain text, the verdict to show, and indexes of the answer's citations. */
export interface CellPiece {
  readonly text: string;
  readonly verdict: Verdict;
  readonly citations: readonly number[];
  /** Numbers, names, and units in the text that the row doesn't have, as spans of the text. */
  readonly missing?: readonly Span[];
}

/** Returns the plain text of an answer in a cell. */
export function cellPieces(answer: Answer): CellPiece[] {
  switch (answer.kind) {
    case 'nothing':
      return [{ text: answer.text, verdict: 'none', citations: [] }];
    case 'quotes':
      return answer.quotes.map(({ citation, around }) => ({
        text: (answer.citations[citation]?.quote ?? around?.text ?? '').replaceAll(/\s+/g, ' ').trim(),
        verdict: 'supported',
        citations: [...new Set([citation, ...(around?.citations ?? [])])],
      }));
    case 'written': {
      const pieces: CellPiece[] = [];
      let from = 0;
      for (const statement of answer.statements.toSorted((a, b) => a.start - b.start)) {
        const { start, end, citations, missing } = statement;
        if (start < from) continue;
        const lengthUntil = (offset: number): number => plain(answer.text.slice(start, offset)).length;
        pieces.push(
          { text: plain(answer.text.slice(from, start)), verdict: 'none', citations: [] },
          {
            ...{ text: plain(answer.text.slice(start, end)), verdict: shownVerdict(statement), citations },
            ...(missing && {
              missing: missing.map((span) => ({
                start: lengthUntil(span.start),
                end: lengthUntil(span.end),
              })),
            }),
          },
        );
        from = end;
      }
      pieces.push({ text: plain(answer.text.slice(from)), verdict: 'none', citations: [] });
      return pieces.filter(({ text }) => text !== '');
    }
  }
}

/** Reports whether a cell has an answer with a statement that no model has checked. */
export function isUncheckedCell({ answer, edited, state }: ExtractionCell): boolean {
  if (answer === undefined || edited !== undefined || state !== 'resting') return false;
  return cellPieces(answer).some(({ verdict }) => verdict === 'unchecked');
}

/** Returns the whole text of a cell. */
export function cellText(answer: Answer): string {
  return cellPieces(answer)
    .map(({ text }) => text)
    .join('')
    .trim();
}

/** Removes the Markdown of bold text, code, headings, and list items. */
function plain(markdown: string): string {
  return markdown
    .split('\n')
    .map(withoutLineMark)
    .join('\n')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/\s+/g, ' ');
}
