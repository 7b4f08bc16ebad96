import { statSync } from 'node:fs';
import * as v from 'valibot';
import { documentLine, noteLine, sourceLine } from '../../../index/library/exporting.ts';
import { importedOrigin, readDocumentLine, readSourceLine } from '../../../index/library/importing.ts';
import { exportedMade, renumberMade, portableMade } from '../../../index/library/portable-origins.ts';
import { readNoteCitation, type ImportedPlaces } from '../../../index/library/read-citations.ts';
import { splitForWindows } from '../../../index/documents/splitter.ts';
import { storedOrigin, LOST_ORIGIN, readJson } from '../../../index/store/database/stored-json.ts';
import { awaitVectors } from '../../../index/search/vectors/embeddings.ts';
import { GeneratedNotes } from '../../../index/store/notes/generated-notes.ts';
import { Notes } from '../../../index/store/notes/notes.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { Store } from '../../../index/store/store.ts';
import { mergeBoth } from '../../../core/language/merged-lines.ts';
import { sanitizeMarkdown } from '../../../core/domain/sanitize-markdown.ts';
import { freeTitle, noteTitle } from '../../../core/domain/note.ts';
import type { GeneratedNote } from '../../../core/domain/artifact.ts';
import type { FeatureLimits } from '../../types.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import { listPrivateHosts, recordingChanges, type SourceOrigin } from '../../../core/domain/source.ts';
import { placeAnnotations, sendAnnotations } from './annotation-sync.ts';
import { findSameFile, type FileHashes, type NamedFile } from './local-files.ts';
import { hashBytes, MAX_TEXT_BYTES, pack, unpack } from './packed.ts';
import {
  findBase,
  dropBase,
  keepBase,
  namedDocuments,
  localNumbers,
  type RemovedEntity,
  type SentEntity,
  type EntityKind,
  type EntityRow,
  type LocalContext,
} from './synced-entity.ts';
import { FEATURE_CITING_COLUMNS, NO_LIMITS, showClaims, type RemoteClaim } from '../../sync.ts';
import { isEntityKind, entitySyncs } from './entity-syncs.ts';

/** Time after which another window can take over the sync, in milliseconds. */
const CLAIM_TIME = 15_000;

/** Columns with citations as JSON. Citations of answers are stored complete with them. */
const CITING = [['note_citations', 'citation'], ...FEATURE_CITING_COLUMNS] as const;

const SQLITE_CONSTRAINT = 19;

/** Maximum duration of one search for files before other work continues. */
const FINDING_FILES_MS = 500;

/** Prefetched documents above the limit are reduced to this ratio of it, so that eviction is rare. */
const MAX_LEFT_RATIO = 0.9;

export type Kind = 'documents' | 'notes' | 'sources' | 'things';

/** Authors of an entity. Times are milliseconds since 1970 by the database's clock. */
export interface Authorship {
  readonly addedBy: string;
  readonly addedAt: number;
  readonly changedBy: string;
  readonly changedAt: number;
}

/** Rows of a team's database. Deleted ones have no value. */
interface SourceRow extends Authorship {
  readonly id: string;
  readonly revision: number;
  readonly value: Uint8Array | undefined;
}
export interface DocumentRow {
  readonly sourceId: string;
  readonly key: string;
  readonly revision: number;
  readonly content:
    | { readonly head: Uint8Array; readonly hash: Uint8Array; readonly bytes: Uint8Array }
    | undefined;
}
interface NoteRow extends Authorship {
  readonly id: string;
  readonly revision: number;
  readonly content: { readonly title: string; readonly value: Uint8Array } | undefined;
}

/** Pending change. The number differs if the entity changed again. */
export interface Waiting {
  readonly number: number;
  readonly kind: 'document' | 'note' | 'source' | EntityKind;
  readonly id: string;
}

/** Note for upload. `base` is the revision that it is based on, 0 for a new note. */
interface SentNote {
  readonly base: number;
  readonly title: string;
  readonly text: string;
  readonly value: Buffer;
}

/**
 * Local copy of a team notebook in its own database. Downloaded rows are written without being recorded as changes.
 * They are validated like an imported notebook, and invalid rows are skipped.
 */
export class Replica {
  readonly #sql: Statements;
  readonly #store: Store;
  readonly #notes: Notes;
  readonly #made: GeneratedNotes;
  readonly #roots: readonly string[];
  readonly #passages: PassageSettings;
  readonly #here: LocalContext;
  /** Name of the notebook in the team; undefined until the first request. */
  name: string | undefined;
  /** Notification channel of the database; undefined until the first request. */
  channel: string | undefined;
  /** Secret that is packed with the notebook's texts; undefined until the first request. */
  salt: string | undefined;
  /**
   * Last uploaded versions of notes whose upload isn't confirmed yet. If the team returns the same version, it is the
   * user's own change.
   */
  readonly #onTheWay = new Map<string, SentNote>();
  readonly #thingsOnTheWay = new Map<string, Buffer>();
  /** Documents whose files on this machine haven't been searched for yet. */
  readonly #unplaced = new Set<number>();
  readonly #fileHashes: FileHashes = new Map();

  /** `limits` are needed only to download research projects. */
  constructor(
    sql: Statements,
    roots: readonly string[],
    passages: PassageSettings,
    limits: FeatureLimits = NO_LIMITS,
  ) {
    this.#sql = sql;
    this.#store = new Store(sql);
    this.#notes = new Notes(sql);
    this.#made = new GeneratedNotes(sql);
    this.#roots = roots;
    this.#passages = passages;
    this.#here = { sql, roots, limits };
  }

  /** Returns the team and notebook that it syncs with; undefined for a personal notebook. */
  get followed(): { readonly teamId: string; readonly notebookId: string } | undefined {
    const row = this.#sql.get('SELECT team_id, notebook_id FROM team');
    return row && { teamId: String(row['team_id']), notebookId: String(row['notebook_id']) };
  }

  /** Claims the sync for one window. Returns false if another window has it. */
  claim(owner: string): boolean {
    const now = Date.now();
    return (
      this.#sql.write(
        'UPDATE team SET owner = ?, claimed_at = ? WHERE owner IS NULL OR owner = ? OR claimed_at < ? OR claimed_at > ?',
        owner,
        now,
        owner,
        now - CLAIM_TIME,
        // A later claim means that the clock was set back.
        now + CLAIM_TIME,
      ) > 0
    );
  }

  /** Releases the sync, so that another window can claim it. */
  release(owner: string): void {
    this.#sql.write('UPDATE team SET owner = NULL, claimed_at = NULL WHERE owner = ?', owner);
  }

  /** Returns the last downloaded revision of a kind. */
  revision(kind: Kind): number {
    return this.#sql.number(`SELECT ${kind}_revision AS revision FROM team`);
  }

  /**
   * Saves the user's right in the team notebook, from 1 (view) to 3 (manage). With a higher right, retries rejected
   * changes.
   */
  setRight(level: number): void {
    const before = this.#sql.number('SELECT level FROM team');
    if (level === before) return;
    this.#sql.write('UPDATE team SET level = ?', level);
    if (level > before) this.tryRefused();
  }

  /** Records that everything up to a revision was downloaded. */
  passed(kind: Kind, revision: number): void {
    if (revision > this.revision(kind)) this.#sql.write(`UPDATE team SET ${kind}_revision = ?`, revision);
  }

  /** Returns a number that changes with every commit of another connection. */
  dataVersion(): number {
    return this.#store.dataVersion();
  }

  /** Returns the pending changes in an order in which they can be sent, without rejected ones. */
  waiting(): Waiting[] {
    return this.#sql
      .all(
        `SELECT number, kind, id FROM team_outbox WHERE refused IS NULL
         ORDER BY CASE kind WHEN 'source' THEN 0 WHEN 'document' THEN 1 WHEN 'turn' THEN 3 WHEN 'step' THEN 3 WHEN 'cell' THEN 3 WHEN 'card' THEN 3 ELSE 2 END, number`,
      )
      .flatMap((row) => {
        const kind = String(row['kind']);
        return isSharedKind(kind) ? [{ number: Number(row['number']), kind, id: String(row['id']) }] : [];
      });
  }

  /** Returns the number of pending changes, and the reason if some were rejected. */
  outbox(): { readonly waiting: number; readonly refused: string | undefined } {
    const row = this.#sql.get('SELECT count(*) AS waiting, max(refused) AS refused FROM team_outbox');
    const refused = row?.['refused'];
    return { waiting: Number(row?.['waiting']), refused: typeof refused === 'string' ? refused : undefined };
  }

  /** Removes sent changes from the outbox, unless the entity changed again. */
  sent(numbers: readonly number[]): void {
    this.#sql.write(
      'DELETE FROM team_outbox WHERE number IN (SELECT value FROM json_each(?))',
      JSON.stringify(numbers),
    );
  }

  /** Saves the reason why the database rejected a change. The change isn't sent again. */
  refuse(number: number, reason: string): void {
    this.#sql.write('UPDATE team_outbox SET refused = ? WHERE number = ?', reason, number);
  }

  /** Reports whether a pending change is a deletion. */
  isRemoved({ kind, id }: Waiting): boolean {
    switch (kind) {
      case 'document':
        return false;
      case 'source':
      case 'note':
        return !this.#sql.has(`SELECT 1 FROM ${kind}s WHERE id = ?`, id);
      default: {
        const entity = entitySyncs[kind].toSend(this.#here, id);
        return entity !== undefined && entity.value === undefined;
      }
    }
  }

  /** Restores an entity that was deleted here from the team: downloads all entities of its kind again. */
  restoreDeleted({ number, kind, id }: Waiting): void {
    this.#sql.transaction(() => {
      this.#sql.run('DELETE FROM team_outbox WHERE number = ?', number);
      switch (kind) {
        case 'document':
        case 'source':
          this.#sql.run('UPDATE team SET sources_revision = 0, documents_revision = 0');
          break;
        case 'note':
          this.#sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
          this.#sql.run('UPDATE team SET notes_revision = 0');
          break;
        default:
          dropBase(this.#here, kind, entitySyncs[kind].toSend(this.#here, id)?.id ?? id);
          this.#sql.run("DELETE FROM team_things WHERE kind = 'turn' AND id NOT IN (SELECT id FROM turns)");
          this.#sql.run('UPDATE team SET things_revision = 0');
      }
    });
  }

  /** Retries rejected changes, because rights and free space may have changed. */
  tryRefused(): void {
    this.#sql.write('UPDATE team_outbox SET refused = NULL WHERE refused IS NOT NULL');
  }

  /** Returns a source for upload; undefined if it was deleted. */
  sourceToSend(id: string): Buffer | undefined {
    const source = this.#store.sources().find((one) => one.id === id);
    if (source === undefined) return undefined;
    const { origin } = source;
    const line = sourceLine(source, this.#roots);
    if (origin.kind !== 'copy' || (origin.of !== 'file' && origin.of !== 'folder')) return pack(line);
    // Sends the path of the original files again, because other members may have them too.
    const path = this.#sql.get('SELECT path FROM team_places WHERE source_id = ?', id)?.['path'];
    return pack(
      path === undefined ? line : { ...line, origin: { kind: origin.of, path, ...recordingChanges(origin) } },
    );
  }

  /** Reports whether this machine has the team's version of a document. */
  hasDocument(id: string, stamp: string): boolean {
    const [sourceId, key] = splitId(id);
    return (
      this.#sql.has('SELECT 1 FROM team_documents WHERE id = ? AND stamp = ?', id, stamp) &&
      this.#documentNumber(sourceId, key) > 0
    );
  }

  /** Reports whether a document of a source is on this machine. */
  holdsDocument(sourceId: string, key: string): boolean {
    return this.#documentNumber(sourceId, key) > 0;
  }

  /** Returns the number of stored passages. */
  held(): number {
    return this.#sql.number('SELECT sum(passages) AS held FROM documents');
  }

  /** Reports whether the document counts of the team's sources are saved. */
  get areCounted(): boolean {
    return this.#sql.has('SELECT 1 FROM team_deeds WHERE documents IS NOT NULL');
  }

  /** Saves the team's document count of each source, by source ID. */
  keepCounts(counts: ReadonlyMap<string, number>): void {
    this.#applying(() => {
      for (const row of this.#sql.all("SELECT id FROM team_deeds WHERE kind = 'source'")) {
        const id = String(row['id']);
        this.#sql.run(
          "UPDATE team_deeds SET documents = ? WHERE kind = 'source' AND id = ?",
          counts.get(id) ?? 0,
          id,
        );
      }
    });
  }

  /** Records that a question used documents, in milliseconds since 1970. Affects only prefetched documents. */
  used(documents: readonly { readonly sourceId: string; readonly key: string }[], usedAt: number): void {
    this.#sql.transaction(() => {
      for (const { sourceId, key } of documents)
        this.#sql.run(
          `UPDATE team_brought SET used_at = ?
           WHERE document_id = (SELECT id FROM documents WHERE source_id = ? AND key = ?)`,
          usedAt,
          sourceId,
          key,
        );
    });
  }

  /**
   * Deletes prefetched documents above a maximum number of passages, least recently used first. Keeps those used
   * since a time, and those that are cited, annotated, or changed here. They stay in the team's database.
   */
  evict(limit: number, usedBefore: number): void {
    this.#applying(() => {
      const prefetched = this.#sql.all(
        `SELECT d.id, d.source_id, d.key, d.passages, t.used_at FROM team_brought t JOIN documents d ON d.id = t.document_id
         ORDER BY t.used_at, d.id`,
      );
      let passageCount = prefetched.reduce((sum, row) => sum + Number(row['passages']), 0);
      if (passageCount <= limit) return;
      const needed = neededDocuments(this.#sql);
      for (const row of prefetched) {
        if (passageCount <= MAX_LEFT_RATIO * limit || Number(row['used_at']) >= usedBefore) break;
        const id = Number(row['id']);
        if (needed.has(id)) continue;
        this.#sql.run('DELETE FROM documents WHERE id = ?', id);
        this.#sql.run(
          'DELETE FROM team_documents WHERE id = ?',
          `${String(row['source_id'])}\n${String(row['key'])}`,
        );
        passageCount -= Number(row['passages']);
      }
    });
  }

  /** Records the uploaded versions of documents as the team's current ones. */
  documentsSent(
    numbers: readonly number[],
    documents: readonly { readonly id: string; readonly stamp: string }[],
  ): void {
    this.#sql.transaction(() => {
      this.sent(numbers);
      for (const { id, stamp } of documents) {
        this.#keepStamp(id, stamp);
        // Keep a document that changed here, because only this machine may have it.
        const sent = this.#documentNumber(...splitId(id));
        this.#sql.run('DELETE FROM team_brought WHERE document_id = ?', sent);
        this.#sql.run('DELETE FROM team_awaited WHERE document_id = ?', sent);
        sendAnnotations(this.#here, id);
      }
    });
  }

  /**
   * Returns a document for upload, with its text separately, because the notebook stores each text once by its hash.
   * Returns 'removed' if only the document was deleted, and undefined if there is nothing to send.
   */
  documentToSend(id: string):
    | {
        readonly sourceId: string;
        readonly key: string;
        readonly content: DocumentRow['content'] | 'removed';
      }
    | undefined {
    const [sourceId, key] = splitId(id);
    if (!this.#sql.has('SELECT 1 FROM sources WHERE id = ?', sourceId)) return undefined;
    const row = this.#sql.get(
      'SELECT id, hash, size, modified_at FROM documents WHERE source_id = ? AND key = ?',
      sourceId,
      key,
    );
    if (row === undefined) return { sourceId, key, content: 'removed' };
    const line = documentLine(this.#store, {
      id: Number(row['id']),
      hash: String(row['hash']),
      size: Number(row['size']),
      modifiedAt: Number(row['modified_at']),
    }) as Record<string, unknown> | undefined;
    if (line === undefined) return undefined;
    const { text, map, headings, format, languageId, mediaType, library, ...head } = line;
    const { salt } = this;
    const bytes = pack({ salt, text, map, headings, format, languageId, mediaType, library });
    // The number is only valid on this machine.
    return { sourceId, key, content: { head: pack({ ...head, id: 0 }), hash: hashBytes(bytes), bytes } };
  }

  /** Returns a note for upload; undefined if it was deleted. */
  noteToSend(id: string): SentNote | undefined {
    const row = this.#sql.get('SELECT title FROM notes WHERE id = ?', id);
    if (row === undefined) return undefined;
    const title = String(row['title']);
    const { text, citations } = this.#notes.open(title);
    const generated = this.#made.find(title);
    const documents = namedDocuments(this.#here, [
      ...citations.map(({ citation }) => citation.documentId),
      ...(generated?.madeOf ?? []).map(({ documentId }) => documentId),
    ]);
    const line = noteLine(this.#notes, { title }, this.#roots);
    const value = pack({ ...line, made: generated && portableMade(generated), documents });
    const note = { base: this.noteBase(id), title, text, value };
    this.#onTheWay.set(id, note);
    return note;
  }

  /** Returns the team's revision that a local note is based on; 0 if the team doesn't have the note. */
  noteBase(id: string): number {
    return this.#sql.number('SELECT revision FROM team_notes WHERE note_id = ?', id);
  }

  /** Records an upload of a note, or of its deletion if `note` is undefined. */
  noteSent(number: number, id: string, revision: number, note: SentNote | undefined): void {
    this.#sql.transaction(() => {
      this.#sql.run('DELETE FROM team_outbox WHERE number = ?', number);
      if (note === undefined) this.#sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
      else this.#keepBase(id, revision, note.title, note.text);
    });
    this.#onTheWay.delete(id);
  }

  /** Returns an entity for upload; see `Thing`. */
  entityToSend(kind: EntityKind, id: string): RemovedEntity | SentEntity | undefined {
    const entity = entitySyncs[kind].toSend(this.#here, id);
    if (entity?.value !== undefined) this.#thingsOnTheWay.set(`${kind} ${entity.id}`, entity.value);
    return entity;
  }

  /** Records entities as sent. A deleted entity has no revision. */
  markEntitiesSent(
    all: readonly {
      readonly number: number;
      readonly kind: EntityKind;
      readonly thing: RemovedEntity | SentEntity;
      readonly revision: number;
    }[],
  ): void {
    this.#applying(() => {
      for (const { number, kind, thing: entity, revision } of all) {
        this.#sql.run('DELETE FROM team_outbox WHERE number = ?', number);
        if (entity.value === undefined) dropBase(this.#here, kind, entity.id);
        else keepBase(this.#here, kind, entity.id, { revision, value: entity.value });
      }
      for (const { kind, thing: entity } of all)
        if (entity.value !== undefined) entitySyncs[kind].afterSent?.(this.#here, entity.id);
    });
    for (const { kind, thing: entity } of all) this.#thingsOnTheWay.delete(`${kind} ${entity.id}`);
  }

  /** Renames a note if another member's note has the same title. */
  renameTaken(id: string): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT title FROM notes WHERE id = ?', id);
      if (row !== undefined) this.#rename(id, this.#freeTitle(String(row['title']), undefined));
    });
  }

  /** Saves downloaded changes of sources. Returns the number of unreadable rows. */
  takeSources(rows: readonly SourceRow[]): number {
    return this.#apply('sources', rows, (row) => {
      if (row.value !== undefined) this.#keepDeeds('source', row);
      const isWaiting = this.#isWaiting('source', row.id);
      if (row.value === undefined) {
        if (!isWaiting) this.#sql.run('DELETE FROM sources WHERE id = ?', row.id);
        return;
      }
      const line = readSourceLine(unpack(row.value));
      if (line.id !== row.id) throw new Error('A source of another name.');
      // A copy has no location.
      if (line.origin.kind !== 'copy')
        this.#keepPlace(row.id, 'path' in line.origin ? line.origin.path : undefined);
      if (isWaiting) return;
      const sourceRow = this.#sql.get('SELECT origin FROM sources WHERE id = ?', row.id);
      const from = importedOrigin(line.origin, new Map());
      const before = sourceRow && readJson(storedOrigin, sourceRow['origin'], LOST_ORIGIN);
      this.#sql.run(
        `INSERT INTO sources (id, title, origin, state, added_at, read_at, skipped) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET title = excluded.title, origin = excluded.origin`,
        row.id,
        line.title,
        JSON.stringify(before === undefined ? from : followedOrigin(before, from)),
        JSON.stringify({ kind: 'ready' }),
        line.addedAt,
        line.readAt ?? null,
        JSON.stringify(line.skipped),
      );
    });
  }

  /**
   * Saves downloaded changes of documents. `usedAt` is set for prefetched documents: the time of the question, in
   * milliseconds since 1970.
   */
  takeDocuments(rows: readonly DocumentRow[], usedAt?: number): number {
    return this.#apply('documents', rows, ({ sourceId, key, content }) => {
      if (this.#isWaiting('document', `${sourceId}\n${key}`)) return;
      const source = this.#sql.get('SELECT origin FROM sources WHERE id = ?', sourceId);
      if (source === undefined) return;
      if (content === undefined) {
        this.#sql.run('DELETE FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
        return;
      }
      if (!hashBytes(content.bytes).equals(content.hash)) throw new Error('A text of another hash.');
      const json = { ...unpack(content.head), ...unpack(content.bytes, MAX_TEXT_BYTES), type: 'document' };
      const { input, line } = readDocumentLine(json, readJson(storedOrigin, source['origin'], LOST_ORIGIN));
      if (input.key !== key) throw new Error('A document of another name.');
      const before = this.#sql.get(
        'SELECT uri, hash FROM documents WHERE source_id = ? AND key = ?',
        sourceId,
        key,
      );
      const isOfFile = input.uri === '' || input.uri.startsWith('file:');
      // The row doesn't contain the path on this machine. The file is found by its content.
      const storedUri = before?.['hash'] === input.hash ? String(before['uri']) : '';
      const uri = isOfFile ? storedUri : input.uri;
      this.#store.documents.writeDocument(sourceId, { ...input, uri }, splitForWindows, this.#passages);
      this.#keepStamp(`${sourceId}\n${key}`, documentStamp(content));
      const written = this.#documentNumber(sourceId, key);
      awaitVectors(this.#sql, written, Date.now());
      if (usedAt !== undefined) this.#sql.replace('team_brought', { document_id: written, used_at: usedAt });
      if (uri === '') this.#unplaced.add(written);
      else if (before?.['uri'] !== uri) placeAnnotations(this.#here, `${sourceId}\n${key}`);
      this.#sql.run('UPDATE documents SET read_at = ? WHERE id = ?', line.readAt, written);
      const { references } = this.#store.documents;
      if (line.editedBibliography !== undefined || references.of(written)?.edited !== undefined)
        references.edit(written, line.editedBibliography);
      if (line.citationKey !== undefined) references.setKey(written, line.citationKey);
    });
  }

  /** Saves downloaded changes of notes. Merges them with local changes. */
  takeNotes(rows: readonly NoteRow[]): number {
    return this.#apply('notes', rows, (row) => {
      const { id, revision, content } = row;
      const isWaiting = this.#isWaiting('note', id);
      const noteRow = this.#sql.get('SELECT title, text, changed_at FROM notes WHERE id = ?', id);
      const base = this.#sql.get('SELECT revision, title, text FROM team_notes WHERE note_id = ?', id);
      if (content !== undefined) this.#keepDeeds('note', row);
      // This machine sent the row itself.
      if (base !== undefined && Number(base['revision']) >= revision) return;
      if (content === undefined) {
        this.#sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
        // If the note was changed here meanwhile, it is sent again.
        if (!isWaiting) this.#sql.run('DELETE FROM notes WHERE id = ?', id);
        return;
      }
      const line = readNote(content.value);
      const sent = this.#onTheWay.get(id);
      const isOwn = sent?.value.equals(content.value) === true;
      const theirs = {
        title: noteTitle(content.title) || 'Note',
        text: isOwn ? sent.text : sanitizeMarkdown(line.text),
      };
      if (noteRow === undefined) {
        this.#sql.insert('notes', {
          id,
          title: this.#makeRoom(theirs.title, id),
          text: theirs.text,
          created_at: line.createdAt,
          changed_at: line.changedAt,
        });
        if (isWaiting) this.#noLongerWaiting('note', id);
      } else {
        const ours = { title: String(noteRow['title']), text: String(noteRow['text']) };
        const from = isOwn ? sent : base && { title: String(base['title']), text: String(base['text']) };
        const text = isWaiting ? mergeNotes(from?.text ?? '', theirs.text, ours.text, row) : theirs.text;
        const title = isWaiting && ours.title !== from?.title ? ours.title : theirs.title;
        if (text !== ours.text)
          this.#sql.run(
            'UPDATE notes SET text = ?, changed_at = ? WHERE id = ?',
            text,
            Math.max(line.changedAt, Number(noteRow['changed_at']) + 1),
            id,
          );
        if (title !== ours.title) this.#rename(id, this.#makeRoom(title, id));
        const isGeneratedLocally = (this.#madeAt(id) ?? -Infinity) > (line.made?.madeAt ?? -Infinity);
        if (isWaiting && text === theirs.text && title === theirs.title && !isGeneratedLocally)
          this.#noLongerWaiting('note', id);
      }
      const places = localNumbers(this.#here, line.documents);
      this.#keepCitations(id, line.citations, places);
      this.#saveGenerated(id, line.made && renumberMade(line.made, places.documentIds));
      this.#keepBase(id, revision, content.title, theirs.text);
    });
  }

  /** Saves downloaded changes of all other entities. */
  applyEntities(rows: readonly EntityRow[]): number {
    // Apply deletions of one revision from the outer entity to the inner ones.
    const ordered = rows.toSorted(
      (a, b) => a.revision - b.revision || Number(a.within !== '') - Number(b.within !== ''),
    );
    return this.#apply('things', ordered, (row) => {
      const { kind, id, revision, value } = row;
      // This machine sent the row itself.
      if ((findBase(this.#here, kind, id)?.revision ?? 0) >= revision) return;
      // If the confirmation of a sent row was lost, the row is also the base of later changes on this machine.
      const sent = this.#thingsOnTheWay.get(`${kind} ${id}`);
      if (value !== undefined && sent?.equals(value)) keepBase(this.#here, kind, id, { revision, value });
      const { take, outboxId } = entitySyncs[kind];
      const waitingId = outboxId === undefined ? id : outboxId(this.#here, row);
      const isWaiting = waitingId !== undefined && this.#isWaiting(kind, waitingId);
      if (take(this.#here, row, isWaiting) && isWaiting) this.#noLongerWaiting(kind, waitingId);
    });
  }

  /** Shows which steps of research projects are assigned on other machines. */
  takeClaims(claims: readonly RemoteClaim[]): void {
    this.#applying(() => showClaims(this.#here, claims, Date.now()));
  }

  /** Queues all documents without a file, or whose file is missing or changed, for `findFiles`. */
  lookForFiles(): void {
    this.#applying(() => {
      for (const row of this.#sql.all(
        `SELECT d.id, d.uri, d.size FROM documents d JOIN team_places p ON p.source_id = d.source_id
         JOIN sources s ON s.id = d.source_id AND json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy'`,
      )) {
        const [id, uri] = [Number(row['id']), String(row['uri'])];
        if (uri === '' || !isFileOfSize(uri, Number(row['size']))) this.#displace(id);
      }
    });
  }

  /**
   * Searches for local files with the same content as documents of the team, for citations to open. Returns whether
   * there is more to search.
   */
  async findFiles(): Promise<boolean> {
    const until = Date.now() + FINDING_FILES_MS;
    for (const number of this.#unplaced) {
      this.#unplaced.delete(number);
      await this.#findFile(number);
      if (Date.now() >= until) break;
    }
    return this.#unplaced.size > 0;
  }

  /** Returns the titles of notes that contain both versions of a text. */
  conflicts(): string[] {
    // CROSS JOIN makes SQLite start with the few notes that have conflicts.
    return this.#sql.texts(
      'SELECT title FROM torn_notes CROSS JOIN notes ON id = note_id ORDER BY title LIMIT 100',
    );
  }

  #apply<Row extends { readonly revision: number }>(
    kind: Kind,
    rows: readonly Row[],
    take: (row: Row) => void,
  ): number {
    let unread = 0;
    this.#applying(() => {
      for (const row of rows) {
        this.#sql.run('SAVEPOINT one_row');
        try {
          take(row);
        } catch (error) {
          this.#sql.run('ROLLBACK TO one_row');
          // Errors of the disk or the database aren't errors of the row.
          if (!isFaultOfRow(error)) throw error;
          unread++;
        }
        this.#sql.run('RELEASE one_row');
      }
      const last = rows.at(-1)?.revision ?? this.revision(kind);
      this.#sql.run(`UPDATE team SET ${kind}_revision = max(${kind}_revision, ?)`, last);
    });
    return unread;
  }

  /** Runs an action whose writes aren't recorded as local changes. */
  #applying(action: () => void): void {
    this.#sql.transaction(() => {
      this.#sql.run('UPDATE team SET applying = 1');
      action();
      this.#sql.run('UPDATE team SET applying = 0');
    });
  }

  #keepDeeds(
    kind: 'note' | 'source',
    { id, addedBy, addedAt, changedBy, changedAt }: Authorship & { readonly id: string },
  ): void {
    this.#sql.put('team_deeds', 'kind, id', {
      ...{ kind, id, added_by: addedBy, added_at: addedAt },
      ...{ changed_by: changedBy, changed_at: changedAt },
    });
  }

  #keepPlace(sourceId: string, path: string | undefined): void {
    const before = this.#sql.get('SELECT path FROM team_places WHERE source_id = ?', sourceId)?.['path'];
    if (before === path) return;
    this.#sql.run('DELETE FROM team_places WHERE source_id = ?', sourceId);
    if (path === undefined) return;
    this.#sql.insert('team_places', { source_id: sourceId, path });
    for (const row of this.#sql.all(
      `SELECT d.id FROM documents d JOIN sources s ON s.id = d.source_id
       WHERE s.id = ? AND json_valid(s.origin) AND s.origin ->> '$.kind' = 'copy'`,
      sourceId,
    ))
      this.#displace(Number(row['id']));
  }

  /** Unlinks a document from its file until a file with the same content is found. */
  #displace(number: number): void {
    // Assigning `text` makes the index follow.
    this.#sql.run("UPDATE documents SET uri = '', text = text WHERE id = ? AND uri <> ''", number);
    this.#unplaced.add(number);
  }

  async #findFile(number: number): Promise<void> {
    const row = this.#sql.get(
      `SELECT d.source_id, d.key, d.hash, d.size, s.origin, p.path FROM documents d JOIN sources s ON s.id = d.source_id
       LEFT JOIN team_places p ON p.source_id = s.id WHERE d.id = ? AND d.uri = ''`,
      number,
    );
    if (row === undefined) return;
    const [key, hash] = [String(row['key']), String(row['hash'])];
    const named = this.#nameFile(readJson(storedOrigin, row['origin'], LOST_ORIGIN), key, row['path']);
    const content = { hash, size: Number(row['size']) };
    const uri = named && (await findSameFile(named, content, this.#fileHashes));
    if (uri === undefined) return;
    this.#applying(() => {
      const isPlaced = this.#sql.run(
        "UPDATE documents SET uri = ?, text = text WHERE id = ? AND hash = ? AND uri = ''",
        ...[uri, number, hash],
      );
      if (isPlaced > 0) placeAnnotations(this.#here, `${String(row['source_id'])}\n${key}`);
    });
  }

  /** Returns where a document's file may be; undefined if it has none. */
  #nameFile(origin: SourceOrigin, key: string, path: unknown): NamedFile | undefined {
    switch (origin.kind) {
      case 'folder':
        return { path: key, roots: [origin.uri] };
      case 'file': {
        const [folder, name] = splitUri(origin.uri);
        return { path: name, roots: [folder] };
      }
      case 'copy':
        if (typeof path !== 'string') return undefined;
        return { path: key === '' ? path : path === '.' ? key : `${path}/${key}`, roots: this.#roots };
      default:
        return undefined;
    }
  }

  #isWaiting(kind: Waiting['kind'], id: string): boolean {
    return this.#sql.has('SELECT 1 FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
  }

  #noLongerWaiting(kind: Waiting['kind'], id: string): void {
    this.#sql.run('DELETE FROM team_outbox WHERE kind = ? AND id = ?', kind, id);
  }

  #keepBase(id: string, revision: number, title: string, text: string): void {
    this.#sql.replace('team_notes', { note_id: id, revision, title, text });
  }

  #keepStamp(id: string, stamp: string): void {
    this.#sql.replace('team_documents', { id, stamp });
  }

  #documentNumber(sourceId: string, key: string): number {
    return this.#sql.number('SELECT id FROM documents WHERE source_id = ? AND key = ?', sourceId, key);
  }

  /** Returns when a note was generated here, in milliseconds since 1970; undefined for other notes. */
  #madeAt(noteId: string): number | undefined {
    const row = this.#sql.get('SELECT made_at FROM made_notes WHERE note_id = ?', noteId);
    return row && Number(row['made_at']);
  }

  /** Saves the latest source versions of a generated note. */
  #saveGenerated(noteId: string, generated: GeneratedNote | undefined): void {
    const title = this.#sql.get('SELECT title FROM notes WHERE id = ?', noteId)?.['title'];
    if (generated === undefined || generated.madeAt <= (this.#madeAt(noteId) ?? -Infinity)) return;
    this.#made.keep(String(title), generated);
  }

  /** Saves a note's citations with the local numbers of their documents. */
  #keepCitations(noteId: string, citations: readonly unknown[], places: ImportedPlaces): void {
    for (const json of citations) {
      const { id, citation } = readNoteCitation(json, places);
      this.#sql.insert(
        'note_citations',
        { note_id: noteId, id, citation: JSON.stringify(citation) },
        'ON CONFLICT DO NOTHING',
      );
    }
  }

  /** Frees a title for a note of the team: adds a number to the title of another local note that has it. */
  #makeRoom(title: string, id: string): string {
    const other = this.#sql.get('SELECT id FROM notes WHERE title = ? AND id <> ?', title, id);
    if (other !== undefined) this.#rename(String(other['id']), this.#freeTitle(title, title));
    return title;
  }

  #freeTitle(title: string, without: string | undefined): string {
    return freeTitle(
      title,
      (one) => one === without || this.#sql.has('SELECT 1 FROM notes WHERE title = ?', one),
    );
  }

  #rename(id: string, title: string): void {
    this.#sql.run('UPDATE notes SET title = ?, changed_at = changed_at + 1 WHERE id = ?', title, id);
  }
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

/**
 * Returns the origin of an existing source with the team's changes. The location of its files and the consent to
 * private hosts stay as they are on this machine.
 */
function followedOrigin(before: SourceOrigin, from: SourceOrigin): SourceOrigin {
  if ((before.kind === 'file' || before.kind === 'folder' || before.kind === 'copy') && from.kind === 'copy')
    return { ...before, speakers: from.speakers, chapters: from.chapters };
  if (before.kind !== from.kind) return before;
  if (from.kind !== 'page' && from.kind !== 'site') return before;
  const privateHosts = listPrivateHosts(before);
  return from.kind === 'site' || privateHosts.length > 0 ? { ...from, privateHosts } : from;
}

function isFaultOfRow(error: unknown): boolean {
  if (!(error instanceof Error) || !('errcode' in error)) return true;
  return typeof error.errcode === 'number' && (error.errcode & 0xff) === SQLITE_CONSTRAINT;
}

function isFileOfSize(uri: string, size: number): boolean {
  return statSync(new URL(uri), { throwIfNoEntry: false })?.size === size;
}

function splitUri(uri: string): [folder: string, name: string] {
  const at = uri.lastIndexOf('/');
  return [uri.slice(0, at), decodeURIComponent(uri.slice(at + 1))];
}

function splitId(id: string): [sourceId: string, key: string] {
  const at = id.indexOf('\n');
  return [id.slice(0, at), id.slice(at + 1)];
}

/** Limits the time, or a note from a clock that is days ahead would be the latest one for days. */
const timeOfNote = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((time) => Math.min(time, Date.now())),
);
const sharedNote = v.object({
  text: v.string(),
  createdAt: timeOfNote,
  changedAt: timeOfNote,
  citations: v.array(v.unknown()),
  documents: v.array(v.unknown()),
  made: exportedMade,
});

/**
 * Merges a note that two members changed. Sanitizes the result again, because lines of both versions can form new
 * paragraphs.
 */
function mergeNotes(base: string, theirs: string, ours: string, { changedBy }: NoteRow): string {
  const from = sanitizeMarkdown(base);
  return theirs === base || theirs === from
    ? ours
    : sanitizeMarkdown(mergeBoth(from, theirs, ours, changedBy));
}

function readNote(value: Uint8Array): v.InferOutput<typeof sharedNote> {
  return v.parse(sharedNote, unpack(value));
}

/** Reports whether teams share entities of this kind. */
function isSharedKind(kind: string): kind is Waiting['kind'] {
  return kind === 'document' || kind === 'note' || kind === 'source' || isEntityKind(kind);
}

/** Returns the numbers of the local documents that are cited, annotated, or not sent yet. */
function neededDocuments(sql: Statements): Set<number> {
  const cited = CITING.map(
    ([table, column]) =>
      `SELECT j.value AS id FROM ${table} t, json_tree(CASE WHEN json_valid(t.${column}) THEN t.${column} ELSE 'null' END) j
       WHERE j.key = 'documentId' AND j.type = 'integer'`,
  );
  const rows = sql.all(
    `${cited.join(' UNION ')}
     UNION SELECT d.id FROM documents d JOIN file_annotations a ON a.uri = d.uri WHERE d.uri <> ''
     UNION SELECT d.id FROM documents d JOIN team_things a ON a.kind = 'annotations' AND a.id = d.source_id || char(10) || d.key
     UNION SELECT d.id FROM documents d JOIN team_outbox o ON o.kind = 'document' AND o.id = d.source_id || char(10) || d.key`,
  );
  return new Set(rows.map(({ id }) => Number(id)));
}
