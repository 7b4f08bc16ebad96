import { documentLine } from '../../../index/library/exporting.ts';
import { readDocumentLine } from '../../../index/library/importing.ts';
import { splitForWindows } from '../../../index/documents/splitter.ts';
import { LOST_ORIGIN, readJson, storedOrigin } from '../../../index/store/database/stored-json.ts';
import { awaitVectors } from '../../../index/search/vectors/embeddings.ts';
import { placeAnnotations, sendAnnotations } from '../../sync.ts';
import { markSent } from './outbox.ts';
import { hashBytes, MAX_TEXT_BYTES, pack, unpack } from './packed.ts';
import { applyRows, type Replica } from './replica.ts';
import { isWaiting } from './synced-entity.ts';

export interface DocumentRow {
  readonly sourceId: string;
  readonly key: string;
  readonly revision: number;
  readonly content:
    | { readonly head: Uint8Array; readonly hash: Uint8Array; readonly bytes: Uint8Array }
    | undefined;
}

/** Reports whether this machine has the team's version of a document. */
export function hasCurrentDocument(replica: Replica, id: string, stamp: string): boolean {
  const [sourceId, key] = splitId(id);
  return (
    replica.sql.has('SELECT 1 FROM team_documents WHERE id = ? AND stamp = ?', id, stamp) &&
    findDocumentNumber(replica, sourceId, key) > 0
  );
}

/** Reports whether a document of a source is on this machine. */
export function hasDocument(replica: Replica, sourceId: string, key: string): boolean {
  return findDocumentNumber(replica, sourceId, key) > 0;
}

/**
 * Returns a document for upload, with its text separately, because the notebook stores each text once by its hash.
 * Returns 'removed' if only the document was deleted, and undefined if there is nothing to send.
 */
export function packDocument(
  replica: Replica,
  id: string,
):
  | {
      readonly sourceId: string;
      readonly key: string;
      readonly content: DocumentRow['content'] | 'removed';
    }
  | undefined {
  const [sourceId, key] = splitId(id);
  if (!replica.sql.has('SELECT 1 FROM sources WHERE id = ?', sourceId)) return undefined;
  const row = replica.sql.get(
    'SELECT id, hash, size, modified_at FROM documents WHERE source_id = ? AND key = ?',
    sourceId,
    key,
  );
  if (row === undefined) return { sourceId, key, content: 'removed' };
  const line = documentLine(replica.store, {
    id: Number(row['id']),
    hash: String(row['hash']),
    size: Number(row['size']),
    modifiedAt: Number(row['modified_at']),
  }) as Record<string, unknown> | undefined;
  if (line === undefined) return undefined;
  const { text, map, headings, format, languageId, mediaType, library, ...head } = line;
  const { salt } = replica;
  const bytes = pack({ salt, text, map, headings, format, languageId, mediaType, library });
  // The number is only valid on this machine.
  return { sourceId, key, content: { head: pack({ ...head, id: 0 }), hash: hashBytes(bytes), bytes } };
}

/** Records the uploaded versions of documents as the team's current ones. */
export function markDocumentsSent(
  replica: Replica,
  numbers: readonly number[],
  documents: readonly { readonly id: string; readonly stamp: string }[],
): void {
  replica.sql.transaction(() => {
    markSent(replica, numbers);
    for (const { id, stamp } of documents) {
      saveStamp(replica, id, stamp);
      // Keep a document that changed here, because only this machine may have it.
      const sent = findDocumentNumber(replica, ...splitId(id));
      replica.sql.run('DELETE FROM team_brought WHERE document_id = ?', sent);
      replica.sql.run('DELETE FROM team_awaited WHERE document_id = ?', sent);
      sendAnnotations(replica, id);
    }
  });
}

/**
 * Saves downloaded changes of documents. `usedAt` is set for prefetched documents: the time of the question, in
 * milliseconds since 1970.
 */
export function applyDocuments(replica: Replica, rows: readonly DocumentRow[], usedAt?: number): number {
  return applyRows(replica, 'documents', rows, ({ sourceId, key, content }) => {
    if (isWaiting(replica, 'document', `${sourceId}\n${key}`)) return;
    const source = replica.sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
    if (source === undefined) return;
    if (content === undefined) {
      replica.sql.run('DELETE FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
      return;
    }
    if (!hashBytes(content.bytes).equals(content.hash)) throw new Error('A text of another hash.');
    const json = { ...unpack(content.head), ...unpack(content.bytes, MAX_TEXT_BYTES), type: 'document' };
    const { input, line } = readDocumentLine(json, readJson(storedOrigin, source['origin'], LOST_ORIGIN));
    if (input.key !== key) throw new Error('A document of another name.');
    const before = replica.sql.get(
      'SELECT uri, hash FROM documents WHERE source_id = ? AND key = ?',
      sourceId,
      key,
    );
    const isOfFile = input.uri === '' || input.uri.startsWith('file:');
    // The row doesn't contain the path on this machine. The file is found by its content.
    const storedUri = before?.['hash'] === input.hash ? String(before['uri']) : '';
    const uri = isOfFile ? storedUri : input.uri;
    replica.store.documents.writeDocument(sourceId, { ...input, uri }, splitForWindows, replica.passages);
    saveStamp(replica, `${sourceId}\n${key}`, documentStamp(content));
    const written = findDocumentNumber(replica, sourceId, key);
    awaitVectors(replica.sql, written, Date.now());
    if (usedAt !== undefined) replica.sql.replace('team_brought', { document_id: written, used_at: usedAt });
    if (uri === '') replica.unplaced.add(written);
    else if (before?.['uri'] !== uri) placeAnnotations(replica, `${sourceId}\n${key}`);
    replica.sql.run('UPDATE documents SET read_at = ? WHERE id = ?', line.readAt, written);
    const { references } = replica.store.documents;
    if (line.editedBibliography !== undefined || references.of(written)?.edited !== undefined)
      references.edit(written, line.editedBibliography);
    if (line.citationKey !== undefined) references.setKey(written, line.citationKey);
  });
}

function saveStamp(replica: Replica, id: string, stamp: string): void {
  replica.sql.replace('team_documents', { id, stamp });
}

function findDocumentNumber(replica: Replica, sourceId: string, key: string): number {
  return replica.sql.number('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
}

/** Returns a stamp that is equal for equal documents. */
export function documentStamp({
  head,
  hash,
}: {
  readonly head: Uint8Array;
  readonly hash: Uint8Array;
}): string {
  return `${Buffer.from(hash).toString('base64')} ${hashBytes(head).toString('base64')}`;
}

function splitId(id: string): [sourceId: string, key: string] {
  const at = id.indexOf('\n');
  return [id.slice(0, at), id.slice(at + 1)];
}
