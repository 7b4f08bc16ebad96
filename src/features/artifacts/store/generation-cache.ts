import type { PassagePlace } from '../../../core/domain/passage.ts';
import type { DocumentVersion } from '../../../core/domain/artifact.ts';
import type { PartNotes, UnfinishedWriting } from '../../../core/domain/writing.ts';
import {
  storedPartNotes,
  storedPlaces,
  storedWritingWish,
  readJson,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Maximum number of parts with saved notes; the oldest are deleted. */
const MAX_PARTS = 5_000;
/** Maximum number of unfinished writings. */
const MAX_UNFINISHED_WRITINGS = 20;

/** Part of the sources with saved notes. */
interface StoredPart {
  readonly key: string;
  readonly places: readonly PassagePlace[];
}

/** Cache of models' notes on parts of the sources, in a notebook's database. */
export class GenerationCache {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the parts with notes for a task whose documents haven't changed. */
  list(task: string): StoredPart[] {
    return this.#sql
      .all(
        `SELECT key, places FROM made_parts p WHERE task = ? AND places <> '[]' AND NOT EXISTS (
           SELECT 1 FROM made_part_documents m JOIN documents d ON d.id = m.document_id
           WHERE m.part_id = p.id AND substr(d.hash, 1, length(m.hash)) <> m.hash)
         ORDER BY id`,
        task,
      )
      .map((row) => ({ key: String(row['key']), places: readJson(storedPlaces, row['places'], []) }));
  }

  /** Returns the notes on a part for a task; undefined if there are none. */
  find(task: string, key: string): PartNotes | undefined {
    const row = this.#sql.get('SELECT notes FROM made_parts WHERE task = ? AND key = ?', task, key);
    return row && readOptionalJson(storedPartNotes, row['notes']);
  }

  /** Saves notes on a part, unless one of its documents has changed. @throws NotebookError `disk-full` */
  keep(
    task: string,
    {
      key,
      places,
      documents,
      notes,
    }: StoredPart & { readonly documents: readonly DocumentVersion[]; readonly notes: PartNotes },
  ): void {
    this.#sql.transaction(() => {
      const isAsRead = documents.every(({ documentId, hash }) =>
        this.#sql.has(
          'SELECT 1 FROM documents WHERE id = ? AND substr(hash, 1, ?) = ?',
          documentId,
          hash.length,
          hash,
        ),
      );
      if (!isAsRead) return;
      this.#sql.run('DELETE FROM made_parts WHERE task = ? AND key = ?', task, key);
      const row = this.#sql.get(
        'INSERT INTO made_parts (task, key, places, notes) VALUES (?, ?, ?, ?) RETURNING id',
        ...[task, key, JSON.stringify(places), JSON.stringify(notes)],
      );
      const id = Number(row?.['id']);
      for (const { documentId, hash } of documents)
        this.#sql.run('INSERT INTO made_part_documents VALUES (?, ?, ?)', id, documentId, hash);
      this.#sql.run('DELETE FROM made_parts WHERE id <= ? - ?', id, MAX_PARTS);
    });
  }

  /** Deletes the notes for a task. */
  forget(task: string): void {
    this.#sql.write('DELETE FROM made_parts WHERE task = ?', task);
  }

  /** Returns unfinished writings, the latest first. */
  listUnfinished(): UnfinishedWriting[] {
    return this.#sql
      .all('SELECT title, wish, done, total, begun_at FROM unfinished_writings ORDER BY begun_at DESC')
      .flatMap((row) => {
        const wish = readOptionalJson(storedWritingWish, row['wish']);
        const [title, done, total] = [String(row['title']), Number(row['done']), Number(row['total'])];
        return wish === undefined ? [] : [{ ...wish, title, done, total, begunAt: Number(row['begun_at']) }];
      });
  }

  /** Saves the progress of a writing. */
  keepUnfinished({ title, done, total, begunAt, ...wish }: UnfinishedWriting): void {
    this.#sql.transaction(() => {
      this.#sql.put('unfinished_writings', 'title', {
        title,
        wish: JSON.stringify(wish),
        done,
        total,
        begun_at: begunAt,
      });
      this.#sql.run(
        `DELETE FROM unfinished_writings WHERE title NOT IN (
           SELECT title FROM unfinished_writings ORDER BY begun_at DESC LIMIT ?)`,
        MAX_UNFINISHED_WRITINGS,
      );
    });
  }

  /** Deletes an unfinished writing. */
  endUnfinished(title: string): void {
    this.#sql.write('DELETE FROM unfinished_writings WHERE title = ?', title);
  }
}
