import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import { citationLinks } from '../../../core/domain/citation-links.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { freeTitle, type StoredCitation, type Note, type NoteEntry } from '../../../core/domain/note.ts';
import { withEvidence } from '../../../core/domain/note-markdown.ts';
import type { NewNote, NotesApi } from './notes-api.ts';
import type { Row } from '../../../index/store/database/database.ts';
import { NoteMarks } from './note-marks.ts';
import { withLinksTo } from '../../../core/domain/note-links.ts';
import { storedCitation, readOptionalJson } from '../../../index/store/database/stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';
import { forbidReaders } from '../../../index/store/database/team-rights.ts';

const ENTRY_COLUMNS = `id, title, octet_length(text) AS size, created_at, changed_at,
  (SELECT changed_by FROM team_deeds d WHERE d.kind = 'note' AND d.id = notes.id) AS changed_by,
  EXISTS (SELECT 1 FROM team) AND EXISTS (SELECT 1 FROM torn_notes t WHERE t.note_id = notes.id) AS is_torn`;

/** Options of a write for notes that don't exist, and for those that do. */
interface WriteOptions {
  readonly create: boolean;
  readonly overwrite: boolean;
}

/** Notes of a notebook with their citations, in its database. Every change is one transaction. */
export class Notes {
  readonly marks: NoteMarks;
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.marks = new NoteMarks(sql);
  }

  /** Returns all notes, the last changed first. */
  list(): NoteEntry[] {
    return this.#sql
      .all(`SELECT ${ENTRY_COLUMNS} FROM notes ORDER BY changed_at DESC, created_at DESC, rowid DESC`)
      .map(toEntry);
  }

  /** @throws NotebookError `not-found` */
  open(title: string): Note {
    return this.#sql.reading(() => {
      const row = this.#sql.get(`SELECT ${ENTRY_COLUMNS}, text FROM notes WHERE title = ?`, title);
      if (row === undefined) throw notFound(title);
      const citations = this.#sql
        .all('SELECT id, citation FROM note_citations WHERE note_id = ? ORDER BY rowid', String(row['id']))
        .flatMap(toStoredCitations);
      return { ...toEntry(row), text: String(row['text']), citations };
    });
  }

  /** Saves a note's text unchanged. @throws NotebookError `not-found`, `exists` */
  write(title: string, text: string, { create, overwrite }: WriteOptions): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT id, changed_at FROM notes WHERE title = ?', title);
      if (row === undefined) {
        if (!create) throw notFound(title);
        this.#insert({ title, text, citations: [] });
        return;
      }
      if (create && !overwrite) throw exists(title);
      const id = String(row['id']);
      // Two changes within a millisecond, or after the clock was set back, must differ.
      const changedAt = Math.max(Date.now(), Number(row['changed_at']) + 1);
      this.#sql.run('UPDATE notes SET text = ?, changed_at = ? WHERE id = ?', text, changedAt, id);
      this.#adopt(id, text);
    });
  }

  /** Adds a note. Appends a number if its title is in use. */
  add(note: NewNote): NoteEntry {
    return this.#sql.transaction(() => {
      const isTaken = (title: string): boolean => this.#sql.has('SELECT 1 FROM notes WHERE title = ?', title);
      return this.#insert({ ...note, title: freeTitle(note.title, isTaken) });
    });
  }

  /**
   * Renames a note and updates the links to it.
   * @throws NotebookError `not-found`, and `exists` unless it may replace another note
   */
  rename(from: string, to: string, overwrite: boolean): void {
    const linking = from === to ? [] : this.marks.linkingTo(from);
    this.#sql.transaction(() => {
      if (!this.#sql.has('SELECT 1 FROM notes WHERE title = ?', from)) throw notFound(from);
      if (from === to) return;
      if (!overwrite && this.#sql.has('SELECT 1 FROM notes WHERE title = ?', to)) throw exists(to);
      this.#sql.run('DELETE FROM notes WHERE title = ?', to);
      this.#sql.run('UPDATE notes SET title = ? WHERE title = ?', to, from);
      for (const title of linking) this.#relink(title === from ? to : title, from, to);
    });
  }

  /** @throws NotebookError `not-found`, `forbidden` if it belongs to a team and the user can only view it */
  remove(title: string): void {
    this.#sql.transaction(() => {
      const known = this.#sql.get(
        'SELECT 1 FROM notes n JOIN team_notes t ON t.note_id = n.id WHERE n.title = ?',
        title,
      );
      forbidReaders(this.#sql, known !== undefined);
      if (this.#sql.run('DELETE FROM notes WHERE title = ?', title) === 0) throw notFound(title);
    });
  }

  /** Saves citations before a note refers to them. @throws NotebookError `not-found` */
  keepCitations(title: string, citations: readonly StoredCitation[]): void {
    this.#sql.transaction(() => {
      const row = this.#sql.get('SELECT id FROM notes WHERE title = ?', title);
      if (row === undefined) throw notFound(title);
      this.#keep(String(row['id']), citations);
    });
  }

  /** Returns the citations with these IDs from the notes of the notebook. */
  citations(ids: readonly string[]): StoredCitation[] {
    const byId = new Map<string, Citation>();
    const rows = this.#sql.all(
      'SELECT id, citation FROM note_citations WHERE id IN (SELECT value FROM json_each(?)) ORDER BY rowid',
      JSON.stringify(ids),
    );
    // Several notes can have the same citation with evidence for different statements.
    for (const { id, citation } of rows.flatMap(toStoredCitations))
      byId.set(id, withEvidence(byId.get(id) ?? citation, citation.evidence));
    return Array.from(byId, ([id, citation]) => ({ id, citation }));
  }

  #relink(title: string, from: string, to: string): void {
    const row = this.#sql.get('SELECT text FROM notes WHERE title = ?', title);
    if (row === undefined) return;
    const text = withLinksTo(String(row['text']), from, to);
    this.write(title, text, { create: false, overwrite: true });
  }

  #insert({ title, text, citations, createdAt = Date.now(), changedAt = createdAt }: NewNote): NoteEntry {
    const id = randomUUID();
    this.#sql.insert('notes', { id, title, text, created_at: createdAt, changed_at: changedAt });
    this.#keep(id, citations);
    this.#adopt(id, text);
    return { id, title, size: Buffer.byteLength(text), createdAt, changedAt };
  }

  #keep(noteId: string, citations: readonly StoredCitation[]): void {
    for (const citation of citations) saveNoteCitation(this.#sql, noteId, citation);
  }

  /** Copies citations of links that were copied from another note, so that they outlive that note. */
  #adopt(noteId: string, text: string): void {
    const ids = [...new Set(citationLinks(text).map(({ id }) => id))];
    this.#sql.run(
      `INSERT INTO note_citations (note_id, id, citation)
       SELECT ?, id, citation FROM note_citations WHERE id IN (SELECT value FROM json_each(?)) GROUP BY id
       ON CONFLICT DO NOTHING`,
      noteId,
      JSON.stringify(ids),
    );
  }
}

/** Saves a citation of a note. If the note already has the citation, only adds its evidence. */
export function saveNoteCitation(sql: Statements, noteId: string, { id, citation }: StoredCitation): void {
  const row = { note_id: noteId, id, citation: JSON.stringify(citation) };
  const isNew = sql.insert('note_citations', row, 'ON CONFLICT DO NOTHING') > 0;
  if (isNew || citation.evidence === undefined) return;
  const where = 'WHERE note_id = ? AND id = ?';
  const earlier = sql.get(`SELECT id, citation FROM note_citations ${where}`, noteId, id);
  for (const { citation: saved } of earlier === undefined ? [] : toStoredCitations(earlier)) {
    const merged = JSON.stringify(withEvidence(saved, citation.evidence));
    sql.run(`UPDATE note_citations SET citation = ? ${where}`, merged, noteId, id);
  }
}

function notFound(title: string): NotebookError {
  return new NotebookError('not-found', t('The note “{0}” no longer exists.', title));
}

function exists(title: string): NotebookError {
  return new NotebookError('exists', t('A note named “{0}” already exists. Choose another title.', title));
}

function toEntry(row: Row): NoteEntry {
  return {
    id: String(row['id']),
    title: String(row['title']),
    size: Number(row['size']),
    createdAt: Number(row['created_at']),
    changedAt: Number(row['changed_at']),
    ...(typeof row['changed_by'] === 'string' && { changedBy: row['changed_by'] }),
    ...(row['is_torn'] === 1 && { isTorn: true }),
  };
}

/** Returns nothing if a newer version wrote unknown values. */
function toStoredCitations(row: Row): StoredCitation[] {
  const citation = readOptionalJson(storedCitation, row['citation']);
  return citation === undefined ? [] : [{ id: String(row['id']), citation }];
}

/** Returns the number of notes in a notebook. */
export function countNotes(sql: Statements): number {
  return Number(sql.get('SELECT count(*) AS count FROM notes')?.['count']);
}

/** Returns the index worker's handlers for notes of the open notebook. */
export function notesHandlers(notebook: () => { readonly notes: Notes }): Handlers<NotesApi> {
  return {
    notes: () => notebook().notes.list(),
    taggedNotes({ tag }) {
      const { notes } = notebook();
      const ids = notes.marks.findTagged(tag);
      return notes.list().filter(({ id }) => ids.has(id));
    },
    noteMarks() {
      const { marks } = notebook().notes;
      return { linked: marks.countLinks(), tags: marks.tags() };
    },
    backlinks({ title }) {
      const { notes } = notebook();
      const titles = new Set(notes.marks.linkingTo(title));
      return notes.list().filter((entry) => titles.has(entry.title));
    },
    note: ({ title }) => notebook().notes.open(title),
    writeNote: ({ title, text, create, overwrite }) =>
      notebook().notes.write(title, text, { create, overwrite }),
    addNote: (note) => notebook().notes.add(note),
    renameNote: ({ from, to, overwrite }) => notebook().notes.rename(from, to, overwrite),
    removeNote: ({ title }) => notebook().notes.remove(title),
    keepCitations: ({ title, citations }) => notebook().notes.keepCitations(title, citations),
    noteCitations: ({ ids }) => notebook().notes.citations(ids),
  };
}
