import type { Citation } from '../../core/domain/answer.ts';
import type { FoundPassage } from '../../core/domain/passage.ts';
import type { Span } from '../../core/language/span.ts';
import type { PassageFinder } from './passage-finder.ts';

/** Span of a document within a passage, to be cited. */
export interface Cited {
  readonly passage: FoundPassage;
  readonly span: Span;
}

/** Returns the citations of spans, with passages numbered in the order of their first occurrence. */
export async function cite(
  finder: Pick<PassageFinder, 'cite'>,
  cited: readonly Cited[],
  numbers = new Map<FoundPassage, number>(),
): Promise<readonly Citation[]> {
  if (cited.length === 0) return [];
  const requests = cited.map(({ passage, span }) => {
    const number = numbers.get(passage) ?? numbers.size + 1;
    numbers.set(passage, number);
    return { number, passage, span };
  });
  return await finder.cite(requests);
}
