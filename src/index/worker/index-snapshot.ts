import { readFile, rm, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../core/domain/write-file.ts';
import { PassageIndex } from '../search/lexical/passage-index.ts';
import type { Statements } from '../store/database/statements.ts';
import { summarizePassages } from '../store/sources/document-store.ts';
import type { Store } from '../store/store.ts';

/** Index from a snapshot, and the revision from which it must catch up. */
interface IndexFromSnapshot {
  readonly index: PassageIndex;
  readonly revision: number;
}

/**
 * Returns undefined if the snapshot is missing, damaged, or from another version or state of the database, so that the
 * index must be rebuilt. Removes a snapshot of another state, unless it belongs to another process (`readOnly`).
 */
export async function readIndexSnapshot(
  path: string,
  sql: Statements,
  store: Store,
  readOnly: boolean,
): Promise<IndexFromSnapshot | undefined> {
  try {
    const { index, revision } = PassageIndex.read(await readFile(path), (documentIds) =>
      store.documents.hasProse(documentIds),
    );
    const { last, changed, summaries } = sql.reading(() => ({
      last: store.revision(),
      changed: new Set(store.changedSince(revision)),
      summaries: store.documents.passageSummaries(),
    }));
    if (revision > last) {
      // The database was restored to an earlier state and will reach this revision again with other content.
      if (!readOnly) await rm(path, { force: true });
      return undefined;
    }
    // The catch-up replaces the passages of changed documents. Any other difference means that the snapshot is wrong.
    for (const documentId of index.documentIds()) {
      const isSame = summarizePassages(index.idsOfDocument(documentId)) === summaries.get(documentId);
      if (!isSame && !changed.has(documentId)) return undefined;
      summaries.delete(documentId);
    }
    for (const documentId of summaries.keys()) if (!changed.has(documentId)) return undefined;
    return { index, revision };
  } catch {
    // The caller builds the index without a snapshot.
    return undefined;
  }
}

const SNAPSHOT = /^index-[0-9a-f]+\.snapshot(?:\.(\d+))?$/;

/**
 * Writes a snapshot atomically: readers find the previous or the new one, never an incomplete file.
 * @throws Error of the file system, without leaving files
 */
export async function writeSnapshotFile(path: string, bytes: Uint8Array): Promise<void> {
  await replaceFile(path, bytes, { unfinished: `${path}.${String(process.pid)}` });
}

/** Deletes incomplete snapshots of killed processes, and snapshots of databases that no longer exist. */
export async function removeStraySnapshots(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    const match = SNAPSHOT.exec(name);
    const file = join(dirname(path), name);
    if (match === null || file === path || isAlive(match[1])) continue;
    await rm(file, { force: true });
  }
}

function isAlive(pid: string | undefined): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
