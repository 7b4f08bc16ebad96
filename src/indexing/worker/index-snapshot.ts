import { readFile, rm } from 'node:fs/promises';
import { PassageIndex } from '../search/lexical/passage-index.ts';
import type { Statements } from '../store/statements.ts';
import type { Store } from '../store/store.ts';

/** An index as a snapshot held it, fitted to the store, and the revision from which it has to catch up. */
export interface IndexFromSnapshot {
  readonly index: PassageIndex;
  readonly passagesOf: Map<number, readonly number[]>;
  readonly revision: number;
}

/**
 * Undefined where the snapshot is missing, damaged, of another version or of another state: the index is made anew. One
 * of another state is removed, unless it is another process that keeps it (`readOnly`).
 */
export async function readIndexSnapshot(
  path: string,
  sql: Statements,
  store: Store,
  readOnly: boolean,
): Promise<IndexFromSnapshot | undefined> {
  try {
    const { index, revision } = PassageIndex.read(await readFile(path));
    const { last, changed, passages } = sql.reading(() => ({
      last: store.revision(),
      changed: new Set(store.changedSince(revision)),
      passages: store.documents.passageOwners(),
    }));
    if (revision > last) {
      // The database was put back to an earlier state, and will come to this revision again with other content.
      if (!readOnly) await rm(path, { force: true });
      return undefined;
    }
    const passagesOf = new Map<number, number[]>();
    const known = new Set<number>();
    for (const { id, documentId } of passages) {
      if (!index.has(id)) {
        // Passages of changed documents come with the catching up; any other missing one means a wrong snapshot.
        if (changed.has(documentId)) continue;
        return undefined;
      }
      known.add(id);
      const ids = passagesOf.get(documentId);
      if (ids === undefined) passagesOf.set(documentId, [id]);
      else ids.push(id);
    }
    await index.remove(index.ids().filter((id) => !known.has(id)));
    return { index, passagesOf, revision };
  } catch {
    return undefined;
  }
}
