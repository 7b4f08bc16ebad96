import { foldedName, noteLinks, noteTags } from '../../../core/domain/note-links.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Links and tags of notes, cached from their texts. Each query updates the cache first. */
export class NoteMarks {
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Returns the titles of the notes that link to a title, the last changed first. */
  linkingTo(title: string): string[] {
    this.#follow();
    return this.#sql.texts(
      `SELECT n.title FROM note_marks m JOIN notes n ON n.id = m.note_id
         WHERE m.kind = 'link' AND m.name = ? GROUP BY n.id ORDER BY n.changed_at DESC, n.rowid DESC`,
      foldedName(title),
    );
  }

  /** Returns the folded link targets with the number of notes that link to each. */
  countLinks(): ReadonlyMap<string, number> {
    this.#follow();
    return this.#counts('link');
  }

  /** Returns all tags with the number of notes that have each, the most used first. */
  tags(): { readonly name: string; readonly count: number }[] {
    this.#follow();
    return Array.from(this.#counts('tag'), ([name, count]) => ({ name, count }));
  }

  /** Returns the IDs of the notes with a tag or a nested one: `garden` includes `garden/herbs`. */
  findTagged(tag: string): ReadonlySet<string> {
    this.#follow();
    const name = foldedName(tag);
    return new Set(
      this.#sql.texts(
        `SELECT DISTINCT note_id FROM note_marks WHERE kind = 'tag' AND (name = ?1 OR substr(name, 1, length(?1) + 1) = ?1 || '/')`,
        name,
      ),
    );
  }

  #counts(kind: 'link' | 'tag'): Map<string, number> {
    return new Map(
      this.#sql
        .all(
          'SELECT name, count(DISTINCT note_id) AS count FROM note_marks WHERE kind = ? GROUP BY name ORDER BY count DESC, name',
          kind,
        )
        .map((row) => [String(row['name']), Number(row['count'])]),
    );
  }

  /** Updates the cache for notes changed since the last call. */
  #follow(): void {
    const changed = this.#sql.all(
      `SELECT n.id, n.text, n.changed_at FROM notes n LEFT JOIN note_scans s ON s.note_id = n.id
       WHERE s.changed_at IS NOT n.changed_at`,
    );
    if (changed.length === 0) return;
    this.#sql.transaction(() => {
      for (const row of changed) {
        const id = String(row['id']);
        const text = String(row['text']);
        this.#sql.run('DELETE FROM note_marks WHERE note_id = ?', id);
        const marks = [
          ...noteLinks(text).map(({ title }) => ['link', foldedName(title)] as const),
          ...noteTags(text).map(({ name }) => ['tag', foldedName(name)] as const),
        ];
        for (const [kind, name] of marks) this.#sql.insert('note_marks', { note_id: id, kind, name });
        this.#sql.put('note_scans', 'note_id', { note_id: id, changed_at: Number(row['changed_at']) });
      }
    });
  }
}
