import { SOURCE_TABLES } from '../../features/store.ts';
import type { SourceState } from '../../core/domain/source.ts';
import { endpointAlias } from '../search/vectors/endpoint-alias.ts';
import type { Row } from '../store/database/database.ts';
import { storedOrigin, storedSourceState, LOST_ORIGIN, readJson } from '../store/database/stored-json.ts';
import type { Statements } from '../store/database/statements.ts';
import type { CopiedSources, DocumentNumbers, LibraryProgress } from './library-api.ts';

/**
 * Copies sources to another notebook with their documents, passages, embeddings, and rows of features, in one
 * transaction there. Skips sources whose ID or origin already exists. `numbers` are preferred document numbers, used if
 * free.
 */
export function copySources(
  origin: Statements,
  target: Statements,
  {
    sourceIds,
    numbers,
  }: { readonly sourceIds: readonly string[]; readonly numbers: DocumentNumbers | undefined },
  report: (progress: LibraryProgress) => void,
): CopiedSources {
  return origin.reading(() =>
    target.transaction(() => {
      const matchedSources = matchSources(origin, target);
      const sources = origin.all(
        'SELECT * FROM sources WHERE id IN (SELECT value FROM json_each(?)) ORDER BY added_at, rowid',
        JSON.stringify(sourceIds),
      );
      const copied = sources.filter(({ id }) => !matchedSources.has(String(id)));
      const hadPassages = target.has('SELECT 1 FROM passages LIMIT 1');
      const total = copied.reduce((sum, { id }) => sum + listDocuments(origin, String(id)).length, 0);
      let done = 0;
      const hashes = new Set<string>();
      const newIds = new Map<number, number>();
      for (const source of copied) {
        target.copyRow('sources', { ...source, state: restingState(source), owner: null, claimed_at: null });
        const sourceId = String(source['id']);
        for (const documentId of listDocuments(origin, sourceId)) {
          const number = copyDocument(origin, target, documentId, {
            hashes,
            preferredId: numbers?.get(documentId),
          });
          if (number !== undefined) newIds.set(documentId, number);
          report({ done: ++done, total });
        }
        for (const table of SOURCE_TABLES)
          for (const row of origin.all(`SELECT * FROM ${table} WHERE source_id = ?`, sourceId))
            target.copyRow(table, row);
      }
      copyVectors(origin, target, hashes, hadPassages);
      return {
        copied: copied.map(({ id }) => String(id)),
        there: sources.length - copied.length,
        numbers: newIds,
      };
    }),
  );
}

/** Removes sources with all their data. */
export function removeSources(sql: Statements, sourceIds: readonly string[]): void {
  sql.transaction(() => {
    for (const id of sourceIds) sql.run('DELETE FROM sources WHERE id = ?', id);
  });
}

/** Returns the sources that another notebook also has, by ID or origin, with their IDs there. */
export function matchSources(origin: Statements, target: Statements): ReadonlyMap<string, string> {
  const targetRows = target.all('SELECT id, origin FROM sources ORDER BY added_at DESC, rowid DESC');
  const byPlace = new Map(targetRows.map((row) => [describePlace(row), String(row['id'])]));
  const ids = new Set(targetRows.map(({ id }) => String(id)));
  const known = new Map<string, string>();
  for (const row of origin.all('SELECT id, origin FROM sources')) {
    const id = String(row['id']);
    const place = describePlace(row);
    const other = ids.has(id) ? id : place && byPlace.get(place);
    if (other !== undefined) known.set(id, other);
  }
  return known;
}

/** Returns the origin of a source as a single string; undefined if the source exists only in its notebook. */
function describePlace(row: Row): string | undefined {
  const origin = readJson(storedOrigin, row['origin'], LOST_ORIGIN);
  switch (origin.kind) {
    case 'file':
    case 'folder':
      return JSON.stringify([origin.kind, origin.uri]);
    case 'page':
      return JSON.stringify([origin.kind, origin.url]);
    case 'site': {
      // The user's consent to read private hosts is only valid in one of the notebooks.
      const { kind, starts, depth, limit, include, exclude } = origin;
      return JSON.stringify([kind, starts, depth, limit, include, exclude]);
    }
    case 'selection':
    case 'text':
    case 'copy':
      return undefined;
  }
}

/** Returns the state of a copied source. If it was being read, the other notebook reads it again. */
function restingState(source: Row): string {
  const state = readJson(storedSourceState, source['state'], { kind: 'ready' });
  return JSON.stringify(state.kind === 'reading' ? ({ kind: 'queued' } satisfies SourceState) : state);
}

function listDocuments(origin: Statements, sourceId: string): number[] {
  return origin
    .all('SELECT id FROM documents WHERE source_id = ? ORDER BY id', sourceId)
    .map(({ id }) => Number(id));
}

/** Copies a document and returns its number: the preferred one if it's free. */
function copyDocument(
  origin: Statements,
  target: Statements,
  documentId: number,
  { hashes, preferredId }: { readonly hashes: Set<string>; readonly preferredId: number | undefined },
): number | undefined {
  const document = origin.get('SELECT * FROM documents WHERE id = ?', documentId);
  if (document === undefined) return undefined;
  const isFree =
    preferredId !== undefined && !target.has('SELECT 1 FROM documents WHERE id = ?', preferredId);
  const newId = target.copyRow('documents', {
    ...without(document, 'id'),
    ...(isFree && { id: preferredId }),
  });
  for (const passage of origin.all('SELECT * FROM passages WHERE document_id = ? ORDER BY id', documentId)) {
    target.copyRow('passages', { ...without(passage, 'id'), document_id: newId });
    if (typeof passage['embedded'] === 'string') hashes.add(passage['embedded']);
  }
  for (const table of ['bibliographies', 'library_entries'])
    for (const row of origin.all(`SELECT * FROM ${table} WHERE document_id = ?`, documentId))
      target.copyRow(table, { ...row, document_id: newId });
  return newId;
}

/** Copies the embeddings of texts by hash, if the other notebook uses the same model or has none. */
function copyVectors(
  origin: Statements,
  target: Statements,
  hashes: ReadonlySet<string>,
  hadPassages: boolean,
): void {
  if (hashes.size === 0) return;
  const isEmbedded = target.has('SELECT 1 FROM embedding_sets LIMIT 1');
  for (const set of origin.all('SELECT * FROM embedding_sets WHERE dimension IS NOT NULL ORDER BY id')) {
    const same = target
      .all(
        'SELECT id, base_url FROM embedding_sets WHERE model = ? AND dimension = ? ORDER BY id DESC',
        String(set['model']),
        Number(set['dimension']),
      )
      .find(
        (candidate) =>
          endpointAlias(String(candidate['base_url'])) === endpointAlias(String(set['base_url'])),
      );
    if (same === undefined && isEmbedded) continue;
    const setId =
      same === undefined
        ? target.copyRow('embedding_sets', {
            ...without(set, 'id'),
            is_complete: hadPassages ? 0 : Number(set['is_complete']),
            owner: null,
            claimed_at: null,
          })
        : Number(same['id']);
    for (const hash of hashes) {
      const existing = origin.get(
        'SELECT vector FROM vectors WHERE set_id = ? AND hash = ?',
        Number(set['id']),
        hash,
      );
      if (existing === undefined) continue;
      const vector = existing['vector'] instanceof Uint8Array ? existing['vector'] : null;
      target.run(
        'INSERT OR IGNORE INTO vectors (set_id, hash, vector) VALUES (?, ?, ?)',
        setId,
        hash,
        vector,
      );
    }
  }
}

function without(row: Row, column: string): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => name !== column));
}
