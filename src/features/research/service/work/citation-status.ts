import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import type { Citation } from '../../../../core/domain/answer.ts';
import type { FoundPassage } from '../../../../core/domain/passage.ts';
import type { Product } from '../../model/project.ts';
import type { Source } from '../../../../core/domain/source.ts';

/** Status of the text that products cite: unchanged, changed, or gone. */
export interface CitationStatus {
  /** Passages of unchanged text, without duplicates. */
  readonly passages: readonly FoundPassage[];
  /** Titles of removed sources, and of those that have changed, by their IDs. */
  readonly removed: ReadonlyMap<string, string>;
  readonly changed: ReadonlyMap<string, string>;
}

/** Looks up the current state of the text that products cite. */
export async function findCitationStatus(
  products: readonly Pick<Product, 'citations' | 'statements'>[],
  sources: readonly Source[],
  finder: Pick<PassageFinder, 'at'>,
): Promise<CitationStatus> {
  const passages = new Map<string, FoundPassage>();
  const removed = new Map<string, string>();
  const changed = new Map<string, string>();
  for (const { documentId, passage: span, quote, title, sourceId } of products.flatMap(standingCitations)) {
    const key = `${String(documentId)}:${String(span.start)}-${String(span.end)}`;
    if (passages.get(key)?.text.includes(quote) === true) continue;
    const [passage] = await finder.at([{ documentId, span }]);
    if (passage?.text.includes(quote) === true) passages.set(key, passage);
    else if (passage === undefined && !sources.some(({ id }) => id === sourceId))
      removed.set(sourceId, title);
    else changed.set(sourceId, title);
  }
  return { passages: [...passages.values()], removed, changed };
}

/** Returns the citations that sentences use. */
function standingCitations({ statements, citations }: Pick<Product, 'citations' | 'statements'>): Citation[] {
  const standing = new Set(statements.flatMap((statement) => statement.citations));
  return citations.filter((_, i) => standing.has(i));
}
