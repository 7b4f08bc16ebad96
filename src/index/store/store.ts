import { randomUUID } from 'node:crypto';
import type { Handlers } from '../../core/rpc/rpc.ts';
import type { RecordingChapter, SpeakerNames } from '../../core/domain/recordings.ts';
import { plainTitle } from '../../core/domain/plain-title.ts';
import type { PassageSettings } from '../../core/domain/settings.ts';
import {
  listPrivateHosts,
  type SkippedFile,
  type SkipCounts,
  type Source,
  type SourceOrigin,
  type SourceState,
  type RecordingChanges,
} from '../../core/domain/source.ts';
import type { DocumentInput, SourcesApi } from './sources/sources-api.ts';
import { DocumentStore, type Split } from './sources/document-store.ts';
import type { Row } from './database/database.ts';
import {
  storedOrigin,
  storedSkippedFiles,
  storedSkips,
  storedSourceState,
  LOST_ORIGIN,
  NOTHING_SKIPPED,
  readJson,
  readOptionalJson,
} from './database/stored-json.ts';
import type { Statements } from './database/statements.ts';
import { forbidReaders } from './database/team-rights.ts';

/** Time after which a window loses its claim on a source unless it renews it, in milliseconds. */
const CLAIM_TIME = 30_000;

/** Last change of a document. */
export interface DocumentChange {
  readonly documentId: number;
  readonly revision: number;
}

/** Authoritative store of the notebook's sources and their documents, in SQLite. Every change is one transaction. */
export class Store {
  readonly documents: DocumentStore;
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.documents = new DocumentStore(sql);
  }

  /** Returns a number that identifies this notebook's database. */
  identity(): number {
    return this.#sql.number('PRAGMA application_id');
  }

  /** Returns a number that changes with every commit of another connection, and only then. */
  dataVersion(): number {
    return this.#sql.number('PRAGMA data_version');
  }

  /**
   * Returns the number of changes reported to other windows, except those of research projects, which are reported
   * separately.
   */
  reportedChanges(): number {
    return this.#sql.number('SELECT count FROM told_changes');
  }

  /** Returns the number of the last change to a document; 0 in a new notebook. */
  revision(): number {
    return this.#sql.number('SELECT max(revision) AS revision FROM changes');
  }

  /** Returns the documents added, changed, or removed after a revision, oldest change first. */
  changedSince(revision: number): number[] {
    return this.#sql
      .all('SELECT document_id FROM changes WHERE revision > ? ORDER BY revision', revision)
      .map((row) => Number(row['document_id']));
  }

  /** Returns the last change of each document that was added, changed, or removed after a revision, in order. */
  changesSince(revision: number): DocumentChange[] {
    return this.#sql
      .rows('SELECT document_id, revision FROM changes WHERE revision > ? ORDER BY revision', revision)
      .map(([documentId, changeRevision]) => ({
        documentId: Number(documentId),
        revision: Number(changeRevision),
      }));
  }

  /** Returns all sources with their numbers of documents and passages. */
  sources(): Source[] {
    return this.#sql
      .all(
        `SELECT s.*, json_remove(s.skipped, '$.files') AS skipped, count(d.id) AS documents, coalesce(sum(d.passages), 0) AS passages,
         coalesce(sum(CASE WHEN json_valid(d.unrecognised) THEN json_array_length(d.unrecognised) END), 0) AS unrecognised,
         t.added_by AS team_added_by, t.added_at AS team_added_at, t.changed_by AS team_changed_by, t.changed_at AS team_changed_at, t.documents AS team_documents
       FROM sources s LEFT JOIN documents d ON d.source_id = s.id
       LEFT JOIN team_deeds t ON t.kind = 'source' AND t.id = s.id GROUP BY s.id ORDER BY s.added_at, s.rowid`,
      )
      .map(toSource);
  }

  /** Adds a source, with its document if that was already read, split by `split`. */
  addSource(
    title: string,
    origin: SourceOrigin,
    document: DocumentInput | undefined,
    split: Split,
    settings: PassageSettings,
  ): Source {
    const id = randomUUID();
    const now = Date.now();
    const state: SourceState = document === undefined ? { kind: 'queued' } : { kind: 'ready' };
    this.#sql.transaction(() => {
      this.#sql.insert('sources', {
        id,
        title: plainTitle(title),
        origin: JSON.stringify(origin),
        state: JSON.stringify(state),
        added_at: now,
        read_at: document === undefined ? null : now,
        skipped: JSON.stringify(NOTHING_SKIPPED),
      });
      if (document !== undefined) this.documents.writeDocument(id, document, split, settings);
    });
    const added = this.sources().find((source) => source.id === id);
    if (added === undefined) throw new Error('An added source is not there.');
    return added;
  }

  /** Pauses or resumes text recognition for sources. */
  pauseRecognition(sourceIds: readonly string[], isPaused: boolean): void {
    this.#sql.transaction(() => {
      for (const id of sourceIds)
        this.#sql.run('UPDATE sources SET recognition_paused = ? WHERE id = ?', Number(isPaused), id);
    });
  }

  /** Renames a source; the title becomes plain text. */
  renameSource(sourceId: string, title: string): void {
    this.#sql.write('UPDATE sources SET title = ? WHERE id = ?', plainTitle(title), sourceId);
  }

  /**
   * Changes the title and address of a source whose file or folder was renamed or moved. Its documents keep their
   * numbers, so that citations stay valid. Does nothing for a source without an address.
   */
  relocateSource(sourceId: string, title: string, uri: string, within?: string): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
      const origin = row && readJson(storedOrigin, row['origin'], LOST_ORIGIN);
      if (origin === undefined || !('uri' in origin)) return;
      this.#sql.run(
        'UPDATE sources SET title = ?, origin = ? WHERE id = ?',
        title,
        JSON.stringify({ ...origin, uri, ...('within' in origin && within !== undefined && { within }) }),
        sourceId,
      );
      // Assigning `text` logs a change, so that other windows load the new addresses.
      this.#sql.run(
        `UPDATE documents SET uri = ?1 || substr(uri, length(?2) + 1), text = text
         WHERE source_id = ?3 AND (uri = ?2 OR substr(uri, 1, length(?2) + 1) = ?2 || '/')`,
        uri,
        origin.uri,
        sourceId,
      );
    });
  }

  /**
   * Changes the names of the speakers in a source's recordings, which the next reading applies. Does nothing for a source
   * without files.
   */
  nameSpeakers(sourceId: string, speakers: SpeakerNames): void {
    this.#changeRecordings(sourceId, () => ({ speakers }));
  }

  /**
   * Changes the generated chapters of a recording by its key, or removes them if there are none. The next reading applies
   * them. Does nothing for a source without files.
   */
  setChapters(sourceId: string, recording: string, chapters: readonly RecordingChapter[]): void {
    this.#changeRecordings(sourceId, ({ chapters: before = {} }) => {
      const others = Object.entries(before).filter(([key]) => key !== recording);
      return {
        chapters: Object.fromEntries(chapters.length === 0 ? others : [...others, [recording, chapters]]),
      };
    });
  }

  #changeRecordings(sourceId: string, change: (before: RecordingChanges) => RecordingChanges): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
      const origin = row && readJson(storedOrigin, row['origin'], LOST_ORIGIN);
      if (origin?.kind !== 'file' && origin?.kind !== 'folder') return;
      const { speakers, chapters } = { ...origin, ...change(origin) };
      const orUndefined = <T extends object>(values: T | undefined): T | undefined =>
        Object.keys(values ?? {}).length === 0 ? undefined : values;
      const changes = { speakers: orUndefined(speakers), chapters: orUndefined(chapters) };
      const changed = JSON.stringify({ ...origin, ...changes });
      this.#sql.run('UPDATE sources SET origin = ? WHERE id = ?', changed, sourceId);
      // A time that no file has makes the next reading compare the content.
      this.#sql.run(
        `UPDATE documents SET modified_at = -1
         WHERE source_id = ? AND (media_type LIKE 'audio/%' OR media_type LIKE 'video/%')`,
        sourceId,
      );
    });
  }

  /** Allows a page or site to be read from more private hosts. */
  allowPrivateHosts(sourceId: string, hosts: readonly string[]): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
      const origin = row && readJson(storedOrigin, row['origin'], LOST_ORIGIN);
      if (origin?.kind !== 'page' && origin?.kind !== 'site') return;
      const privateHosts = [...new Set([...listPrivateHosts(origin), ...hosts])];
      this.#sql.run(
        'UPDATE sources SET origin = ? WHERE id = ?',
        JSON.stringify({ ...origin, privateHosts }),
        sourceId,
      );
    });
  }

  /** Stops all sources from being read from some private hosts. */
  forbidPrivateHosts(hosts: readonly string[]): void {
    this.#sql.transaction(() => {
      for (const { id, origin } of this.sources()) {
        const before = listPrivateHosts(origin);
        const privateHosts = before.filter((host) => !hosts.includes(host));
        if (privateHosts.length < before.length)
          this.#sql.run(
            'UPDATE sources SET origin = ? WHERE id = ?',
            JSON.stringify({ ...origin, privateHosts }),
            id,
          );
      }
    });
  }

  /** Sets a source's state and renews the window's claim on it. */
  setSourceState(sourceId: string, state: SourceState): void {
    this.#sql.write(
      'UPDATE sources SET state = ?, claimed_at = ? WHERE id = ?',
      JSON.stringify(state),
      Date.now(),
      sourceId,
    );
  }

  /** Saves the outcome of reading a source, and its skipped files. */
  finishSource(
    sourceId: string,
    state: SourceState,
    skipped: SkipCounts,
    skippedFiles: readonly SkippedFile[] = [],
  ): void {
    this.#sql.write(
      'UPDATE sources SET state = ?, skipped = ?, read_at = ?, owner = NULL, claimed_at = NULL WHERE id = ?',
      JSON.stringify(state),
      JSON.stringify({ ...skipped, files: skippedFiles }),
      Date.now(),
      sourceId,
    );
  }

  /** Returns the skipped files of a source, as far as they are listed. */
  skippedFiles(sourceId: string): readonly SkippedFile[] {
    const row = this.#sql.get("SELECT skipped ->> '$.files' AS files FROM sources WHERE id = ?", sourceId);
    return readOptionalJson(storedSkippedFiles, row?.['files']) ?? [];
  }

  /** Claims a source for a window that reads it. Returns `false` if another one has it. */
  claimSource(sourceId: string, owner: string): boolean {
    const now = Date.now();
    return (
      this.#sql.write(
        'UPDATE sources SET owner = ?, claimed_at = ? WHERE id = ? AND (owner IS NULL OR owner = ? OR claimed_at < ?)',
        owner,
        now,
        sourceId,
        owner,
        now - CLAIM_TIME,
      ) > 0
    );
  }

  /** Releases a source that a window claimed but didn't read completely. It waits to be read again. */
  releaseSource(sourceId: string, owner: string): void {
    this.#sql.write(
      'UPDATE sources SET state = ?, owner = NULL, claimed_at = NULL WHERE id = ? AND owner = ?',
      JSON.stringify({ kind: 'queued' } satisfies SourceState),
      sourceId,
      owner,
    );
  }

  /**
   * Removes sources with all their data.
   * @throws NotebookError `forbidden` if one belongs to the team and the user may not remove it
   */
  removeSources(sourceIds: readonly string[]): void {
    this.#sql.transaction(() => {
      forbidReaders(
        this.#sql,
        sourceIds.some((id) =>
          this.#sql.has("SELECT 1 FROM team_deeds WHERE kind = 'source' AND id = ?", id),
        ),
      );
      for (const id of sourceIds) this.#sql.run('DELETE FROM sources WHERE id = ?', id);
    });
  }

  /** Returns the numbers of sources, documents, and passages. */
  counts(): { sources: number; documents: number; passages: number } {
    const row = this.#sql.get(
      'SELECT (SELECT count(*) FROM sources) AS sources, (SELECT count(*) FROM documents) AS documents, (SELECT count(*) FROM passages) AS passages',
    );
    return {
      sources: Number(row?.['sources']),
      documents: Number(row?.['documents']),
      passages: Number(row?.['passages']),
    };
  }
}
function toSource(row: Row): Source {
  return {
    id: String(row['id']),
    title: String(row['title']),
    origin: readJson(storedOrigin, row['origin'], LOST_ORIGIN),
    state: readJson(storedSourceState, row['state'], { kind: 'ready' }),
    addedAt: Number(row['added_at']),
    readAt: row['read_at'] === null ? undefined : Number(row['read_at']),
    documents: Number(row['documents']),
    passages: Number(row['passages']),
    unrecognised: Number(row['unrecognised']),
    isRecognitionPaused: row['recognition_paused'] === 1,
    skipped: readJson(storedSkips, row['skipped'], NOTHING_SKIPPED),
    ...(typeof row['team_added_by'] === 'string' && {
      team: {
        addedBy: row['team_added_by'],
        addedAt: Number(row['team_added_at']),
        changedBy: String(row['team_changed_by']),
        changedAt: Number(row['team_changed_at']),
        documents: typeof row['team_documents'] === 'number' ? row['team_documents'] : undefined,
      },
    }),
  };
}

/** Notebook functions that the handlers for sources need. */
interface NotebookOfSources {
  readonly store: Store;
  change<T>(action: () => T): Promise<T>;
  addSource(title: string, origin: SourceOrigin, document: DocumentInput | undefined): Promise<Source>;
  putDocument(sourceId: string, input: DocumentInput): Promise<number>;
}

/** Returns the index worker's handlers for sources and documents of the open notebook. */
export function sourcesHandlers(notebook: () => NotebookOfSources): Handlers<SourcesApi> {
  const change = (action: (store: Store) => void): Promise<void> => {
    const { store } = notebook();
    return notebook().change(() => action(store));
  };
  return {
    sources: () => notebook().store.sources(),
    documents: ({ sourceId }) => notebook().store.documents.ofSource(sourceId),
    folderEntries: ({ sourceId, path, rules }) =>
      notebook().store.documents.folderEntries(sourceId, path, rules),
    includedDocuments: ({ rules }) => notebook().store.documents.countIncluded(rules),
    documentEntry: ({ documentId }) => notebook().store.documents.document(documentId)?.entry,
    documentsAt: ({ uri }) => notebook().store.documents.at(uri),
    scans: () => notebook().store.documents.scans(),
    stamps: ({ sourceId }) => notebook().store.documents.stamps(sourceId),
    addSource: ({ title, origin, document }) => notebook().addSource(title, origin, document),
    renameSource: ({ sourceId, title }) => notebook().store.renameSource(sourceId, title),
    allowPrivateHosts: ({ sourceId, hosts }) => notebook().store.allowPrivateHosts(sourceId, hosts),
    forbidPrivateHosts: ({ hosts }) => notebook().store.forbidPrivateHosts(hosts),
    relocateSource: ({ sourceId, title, uri, within }) =>
      change((store) => store.relocateSource(sourceId, title, uri, within)),
    nameSpeakers: ({ sourceId, speakers }) => notebook().store.nameSpeakers(sourceId, speakers),
    setChapters: ({ sourceId, recording, chapters }) =>
      notebook().store.setChapters(sourceId, recording, chapters),
    pauseRecognition: ({ sourceIds, isPaused }) => notebook().store.pauseRecognition(sourceIds, isPaused),
    setSourceState: ({ sourceId, state }) => notebook().store.setSourceState(sourceId, state),
    finishSource: ({ sourceId, skipped, skippedFiles, state }) =>
      notebook().store.finishSource(sourceId, state, skipped, skippedFiles),
    skippedFiles: ({ sourceId }) => notebook().store.skippedFiles(sourceId),
    claimSource: ({ sourceId, owner }) => notebook().store.claimSource(sourceId, owner),
    releaseSource: ({ sourceId, owner }) => notebook().store.releaseSource(sourceId, owner),
    removeSources: ({ sourceIds }) => change((store) => store.removeSources(sourceIds)),
    putDocument: ({ sourceId, input }) => notebook().putDocument(sourceId, input),
    touchDocument: ({ documentId, size, modifiedAt }) =>
      notebook().store.documents.touchDocument(documentId, size, modifiedAt),
    moveDocument: (moved) => change((store) => store.documents.moveDocument(moved)),
    removeDocuments: ({ documentIds }) => change((store) => store.documents.removeDocuments(documentIds)),
  };
}
