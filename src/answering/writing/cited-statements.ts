import type { Citation, Statement } from '../../notebook/answer.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { Check } from '../checking/checker.ts';
import type { Span } from '../../language/span.ts';
import { cite, type Cited } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';

/** A checked sentence, and the citations that it brings. */
interface CitedStatement {
  readonly statement: Statement;
  readonly newCitations: readonly Citation[];
}

/**
 * Starts the citations of a text: one for each cited span, one number for each passage, in the order of appearance.
 * What it gives makes a statement of a checked sentence; the next may only be asked for when this one has come.
 */
export function startCitations(
  finder: Pick<PassageFinder, 'cite'>,
): (sentence: Span, check: Check) => Promise<CitedStatement> {
  const numbers = new Map<FoundPassage, number>();
  const indexes = new Map<string, number>();
  return async ({ start, end }, { verdict, supports, missing = [], signals, moved, computed }) => {
    const added = supports.filter((support) => !indexes.has(makeKey(support)));
    for (const support of added) indexes.set(makeKey(support), indexes.size);
    const newCitations = await cite(finder, added, numbers);
    const statement = {
      start,
      end,
      verdict,
      citations: supports.map((support) => indexes.get(makeKey(support)) ?? 0),
      ...(missing.length > 0 && { missing: missing.map((words) => shifted(words, start)) }),
      ...(signals && { signals }),
      ...(moved && { moved }),
      ...(computed !== undefined && { computed }),
    };
    return { statement, newCitations };
  };
}

function shifted(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function makeKey({ passage, span }: Cited): string {
  return `${String(passage.documentId)}:${String(span.start)}-${String(span.end)}`;
}
