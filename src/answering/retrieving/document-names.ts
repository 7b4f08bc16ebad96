import { createHash } from 'node:crypto';
import type { FoundPassage } from '../../notebook/passage.ts';

/**
 * How a document is named to models, such as `12-0fa41c7e`: by its number, and by what tells it from the document that
 * has this number in another notebook.
 */
export function documentName({
  documentId,
  sourceId,
  documentKey,
}: Pick<FoundPassage, 'documentId' | 'documentKey' | 'sourceId'>): string {
  const mark = createHash('sha256').update(`${sourceId}\n${documentKey}`).digest('hex').slice(0, 8);
  return `${String(documentId)}-${mark}`;
}

/** The number in a document's name; undefined where it is no such name. */
export function numberIn(name: string): number | undefined {
  const [, digits] = /^(\d{1,15})-[\da-f]{8}$/.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
