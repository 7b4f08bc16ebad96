import * as v from 'valibot';
import { renumberOrigin } from '../../index/library/portable-origins.ts';
import type { ImportedPlaces } from '../../index/library/read-citations.ts';
import { mergeBoth } from '../../core/language/merged-lines.ts';
import type { GeneratedNote } from '../../core/domain/artifact.ts';
import { freeTitle, noteTitle } from '../../core/domain/note.ts';
import { sanitizeMarkdown } from '../../core/domain/sanitize-markdown.ts';
import { pack, unpack } from '../team/service/packed.ts';
import {
  applyRows,
  saveAuthorship,
  type Authorship,
  type Replica,
  type SentNote,
} from '../team/service/replica.ts';
import { dropPendingChange, isWaiting, localNumbers, namedDocuments } from '../team/service/synced-entity.ts';
import { GeneratedNotes } from './store/generated-notes.ts';
import { Notes, saveNoteCitation } from './store/notes.ts';
import {
  exportedGeneratedNote,
  noteLine,
  portableGeneratedNote,
  readNoteCitation,
} from './store/portable-notes.ts';

interface NoteRow extends Authorship {
  readonly id: string;
  readonly revision: number;
  readonly content: { readonly title: string; readonly value: Uint8Array } | undefined;
}

/** Limits the time, or a note from a clock that is days ahead would be the latest one for days. */
const timeOfNote = v.pipe(
  v.number(),
  v.safeInteger(),
  v.transform((time) => Math.min(time, Date.now())),
);

const sharedNote = v.pipe(
  v.object({
    text: v.string(),
    createdAt: timeOfNote,
    changedAt: timeOfNote,
    citations: v.array(v.unknown()),
    documents: v.array(v.unknown()),
    made: exportedGeneratedNote,
  }),
  v.transform(({ made: generated, ...note }) => ({ ...note, generated })),
);

/** Columns with citations as JSON, as pairs of table and column. */
export const CITING_COLUMNS = [['note_citations', 'citation']] as const;

/** SQL queries for the kind and ID of each note, to send a whole notebook. */
export const OUTBOX_ROWS = ["SELECT 'note', id FROM notes"];

/** Reports whether a note exists here. */
export function hasNote(replica: Replica, id: string): boolean {
  return replica.sql.has('SELECT 1 FROM notes WHERE id = ?', id);
}

/** Returns a note for upload; undefined if it was deleted. */
export function packNote(replica: Replica, id: string): SentNote | undefined {
  const row = replica.sql.get('SELECT title FROM notes WHERE id = ?', id);
  if (row === undefined) return undefined;
  const title = String(row['title']);
  const notes = new Notes(replica.sql);
  const { text, citations } = notes.open(title);
  const generated = new GeneratedNotes(replica.sql).find(title);
  const documents = namedDocuments(replica, [
    ...citations.map(({ citation }) => citation.documentId),
    ...(generated?.documents ?? []).map(({ documentId }) => documentId),
  ]);
  const line = noteLine(notes, { title }, replica.roots);
  const value = pack({ ...line, made: generated && portableGeneratedNote(generated), documents });
  const note = { base: findNoteBase(replica, id), title, text, value };
  replica.sentNotes.set(id, note);
  return note;
}

/** Returns the team's revision that a local note is based on; 0 if the team doesn't have the note. */
export function findNoteBase(replica: Replica, id: string): number {
  return replica.sql.number('SELECT revision FROM team_notes WHERE note_id = ?', id);
}

/** Records an upload of a note, or of its deletion if `note` is undefined. */
export function markNoteSent(
  replica: Replica,
  number: number,
  id: string,
  revision: number,
  note: SentNote | undefined,
): void {
  replica.sql.transaction(() => {
    replica.sql.run('DELETE FROM team_outbox WHERE number = ?', number);
    if (note === undefined) replica.sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
    else saveNoteBase(replica, id, revision, note.title, note.text);
  });
  replica.sentNotes.delete(id);
}

/** Renames a note if another member's note has the same title. */
export function renameDuplicateNote(replica: Replica, id: string): void {
  replica.sql.transaction(() => {
    const row = replica.sql.get('SELECT title FROM notes WHERE id = ?', id);
    if (row !== undefined) renameNote(replica, id, findFreeTitle(replica, String(row['title']), undefined));
  });
}

/** Saves downloaded changes of notes. Merges them with local changes. */
export function applyNotes(replica: Replica, rows: readonly NoteRow[]): number {
  return applyRows(replica, 'notes', rows, (row) => {
    const { id, revision, content } = row;
    const isPending = isWaiting(replica, 'note', id);
    const noteRow = replica.sql.get('SELECT title, text, changed_at FROM notes WHERE id = ?', id);
    const base = replica.sql.get('SELECT revision, title, text FROM team_notes WHERE note_id = ?', id);
    if (content !== undefined) saveAuthorship(replica, 'note', row);
    // This machine sent the row itself.
    if (base !== undefined && Number(base['revision']) >= revision) return;
    if (content === undefined) {
      replica.sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
      // If the note was changed here meanwhile, it is sent again.
      if (!isPending) replica.sql.run('DELETE FROM notes WHERE id = ?', id);
      return;
    }
    const line = readNote(content.value);
    const sent = replica.sentNotes.get(id);
    const isOwn = sent?.value.equals(content.value) === true;
    const theirs = {
      title: noteTitle(content.title) || 'Note',
      text: isOwn ? sent.text : sanitizeMarkdown(line.text),
    };
    if (noteRow === undefined) {
      replica.sql.insert('notes', {
        id,
        title: reserveTitle(replica, theirs.title, id),
        text: theirs.text,
        created_at: line.createdAt,
        changed_at: line.changedAt,
      });
      if (isPending) dropPendingChange(replica, 'note', id);
    } else {
      const ours = { title: String(noteRow['title']), text: String(noteRow['text']) };
      const from = isOwn ? sent : base && { title: String(base['title']), text: String(base['text']) };
      const text = isPending ? mergeNotes(from?.text ?? '', theirs.text, ours.text, row) : theirs.text;
      const title = isPending && ours.title !== from?.title ? ours.title : theirs.title;
      if (text !== ours.text)
        replica.sql.run(
          'UPDATE notes SET text = ?, changed_at = ? WHERE id = ?',
          text,
          Math.max(line.changedAt, Number(noteRow['changed_at']) + 1),
          id,
        );
      if (title !== ours.title) renameNote(replica, id, reserveTitle(replica, title, id));
      const isGeneratedLocally =
        (findGenerationTime(replica, id) ?? -Infinity) > (line.generated?.generatedAt ?? -Infinity);
      if (isPending && text === theirs.text && title === theirs.title && !isGeneratedLocally)
        dropPendingChange(replica, 'note', id);
    }
    const places = localNumbers(replica, line.documents);
    saveCitations(replica, id, line.citations, places);
    saveGenerated(replica, id, line.generated && renumberOrigin(line.generated, places.documentIds));
    saveNoteBase(replica, id, revision, content.title, theirs.text);
  });
}

/** Returns the titles of notes that contain both versions of a text. */
export function listConflicts(replica: Replica): string[] {
  // CROSS JOIN makes SQLite start with the few notes that have conflicts.
  return replica.sql.texts(
    'SELECT title FROM torn_notes CROSS JOIN notes ON id = note_id ORDER BY title LIMIT 100',
  );
}

function saveNoteBase(replica: Replica, id: string, revision: number, title: string, text: string): void {
  replica.sql.replace('team_notes', { note_id: id, revision, title, text });
}

/** Returns when a note was generated here, in milliseconds since 1970; undefined for other notes. */
function findGenerationTime(replica: Replica, noteId: string): number | undefined {
  const row = replica.sql.get('SELECT made_at FROM made_notes WHERE note_id = ?', noteId);
  return row && Number(row['made_at']);
}

/** Saves the latest source versions of a generated note. */
function saveGenerated(replica: Replica, noteId: string, generated: GeneratedNote | undefined): void {
  const title = replica.sql.get('SELECT title FROM notes WHERE id = ?', noteId)?.['title'];
  if (generated === undefined || generated.generatedAt <= (findGenerationTime(replica, noteId) ?? -Infinity))
    return;
  new GeneratedNotes(replica.sql).keep(String(title), generated);
}

/** Saves a note's citations with the local numbers of their documents. */
function saveCitations(
  replica: Replica,
  noteId: string,
  citations: readonly unknown[],
  places: ImportedPlaces,
): void {
  for (const json of citations) saveNoteCitation(replica.sql, noteId, readNoteCitation(json, places));
}

/** Frees a title for a note of the team: adds a number to the title of another local note that has it. */
function reserveTitle(replica: Replica, title: string, id: string): string {
  const other = replica.sql.get('SELECT id FROM notes WHERE title = ? AND id <> ?', title, id);
  if (other !== undefined) renameNote(replica, String(other['id']), findFreeTitle(replica, title, title));
  return title;
}

function findFreeTitle(replica: Replica, title: string, without: string | undefined): string {
  return freeTitle(
    title,
    (candidate) => candidate === without || replica.sql.has('SELECT 1 FROM notes WHERE title = ?', candidate),
  );
}

function renameNote(replica: Replica, id: string, title: string): void {
  replica.sql.run('UPDATE notes SET title = ?, changed_at = changed_at + 1 WHERE id = ?', title, id);
}

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
