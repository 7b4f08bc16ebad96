import { NOTE_ARTIFACTS, type GeneratedNote } from '../../../core/domain/artifact.ts';
import type { Row } from '../../../index/store/database/database.ts';
import {
  storedDocumentVersions,
  storedTexts,
  storedWritingWish,
  readOptionalJson,
} from '../../../index/store/database/stored-json.ts';
import { Notes } from './notes.ts';
import { type Statements, optionalJson } from '../../../index/store/database/statements.ts';

const COLUMNS = 'm.thing, m.source_ids, m.made_of, m.text, m.made_at, m.template';

/** Generated notes in a notebook's database: their sources and original texts. */
export class GeneratedNotes {
  readonly #sql: Statements;
  readonly #notes: Notes;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#notes = new Notes(sql);
  }

  /** @throws NotebookError `not-found` */
  keep(title: string, generated: GeneratedNote): void {
    const { kind, sourceIds, documents, text, generatedAt } = generated;
    const template =
      generated.kind === 'template' ? { template: generated.template, since: generated.since } : undefined;
    this.#sql.transaction(() => {
      this.#sql.put('made_notes', 'note_id', {
        note_id: this.#notes.open(title).id,
        thing: kind,
        source_ids: optionalJson(sourceIds),
        made_of: JSON.stringify(documents),
        text,
        made_at: generatedAt,
        template: optionalJson(template),
      });
    });
  }

  /**
   * Returns the record of a generated note by its title; undefined if the note wasn't generated, or a newer version
   * generated it.
   */
  find(title: string): GeneratedNote | undefined {
    const row = this.#sql.get(
      `SELECT ${COLUMNS} FROM made_notes m JOIN notes n ON n.id = m.note_id WHERE n.title = ?`,
      title,
    );
    return row && toGeneratedNote(row);
  }

  /** Returns all generated notes with their titles. */
  list(): (GeneratedNote & { readonly title: string })[] {
    return this.#sql
      .all(`SELECT n.title, ${COLUMNS} FROM made_notes m JOIN notes n ON n.id = m.note_id ORDER BY n.title`)
      .flatMap((row) => {
        const generated = toGeneratedNote(row);
        return generated === undefined ? [] : [{ ...generated, title: String(row['title']) }];
      });
  }
}

/** Converts a row to a generated note; undefined if a newer version wrote unknown values. */
function toGeneratedNote(row: Row): GeneratedNote | undefined {
  const documents = readOptionalJson(storedDocumentVersions, row['made_of']);
  if (documents === undefined) return undefined;
  const sourceIds = readOptionalJson(storedTexts, row['source_ids']);
  const generated = { sourceIds, documents, text: String(row['text']), generatedAt: Number(row['made_at']) };
  if (row['thing'] === 'template') {
    const wish = readOptionalJson(storedWritingWish, row['template']);
    return wish && { kind: 'template', template: wish.template, since: wish.since, ...generated };
  }
  const kind = NOTE_ARTIFACTS.find((candidate) => candidate === row['thing']);
  return kind && { kind, ...generated };
}
