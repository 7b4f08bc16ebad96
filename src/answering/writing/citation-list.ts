import type { AnswerEvent } from '../../notebook/answer.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { Span } from '../../language/span.ts';
import type { Check } from '../checking/checker.ts';
import type { Cited } from '../retrieving/cite.ts';
import { cite } from '../retrieving/cite.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';

/** Keeps an answer's citations: one for each cited span, one number for each passage, in the order of appearance. */
export interface CitationList {
  /** The event that tells a checked sentence of the answer; the next may only be asked for when this one has come. */
  state(sentence: Span, check: Check): Promise<AnswerEvent>;
}

/** Starts the list of citations of a written answer. */
export function startCitations(finder: PassageFinder): CitationList {
  const numbers = new Map<FoundPassage, number>();
  const indexes = new Map<string, number>();
  return {
    async state({ start, end }, { verdict, supports, missing = [], signals, moved }) {
      const added = supports.filter((support) => !indexes.has(keyOf(support)));
      for (const support of added) indexes.set(keyOf(support), indexes.size);
      const newCitations = await cite(finder, added, numbers);
      const citations = supports.map((support) => indexes.get(keyOf(support)) ?? 0);
      return {
        kind: 'statement',
        statement: {
          start,
          end,
          verdict,
          citations,
          ...(missing.length > 0 && { missing: missing.map((words) => shifted(words, start)) }),
          ...(signals && { signals }),
          ...(moved && { moved }),
        },
        newCitations,
      };
    },
  };
}

function shifted(span: Span, by: number): Span {
  return { start: span.start + by, end: span.end + by };
}

function keyOf({ passage, span }: Cited): string {
  return `${String(passage.documentId)}:${String(span.start)}-${String(span.end)}`;
}
