import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { PackedText } from '../../src/index/store/sources/packing.ts';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { readVersion, versionText, versionWord } from './durability-notes.ts';
import type { DocumentVersions } from './durability-steps.ts';
import { TIMEOUT_MS } from './until.ts';

/**
 * Reads a notebook's database like another program, in one transaction, and checks that it is consistent: no row
 * without its parent, and every document split completely with the declared settings. Returns its contents, without the
 * source `except`, and all its passages.
 */
export function checkDatabase(
  folder: string,
  except = '',
): {
  readonly held: DocumentVersions;
  readonly passages: readonly number[];
} {
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'), { timeout: TIMEOUT_MS });
  try {
    database.exec('BEGIN');
    const rows = (sql: string): Record<string, unknown>[] => database.prepare(sql).all();
    const none = (sql: string, what: string): void => {
      assert.deepEqual(rows(sql), [], what);
    };
    none('PRAGMA foreign_key_check', 'rows without the one they belong to');
    none('SELECT id FROM documents WHERE source_id NOT IN (SELECT id FROM sources)', 'documents, no source');
    none(
      'SELECT id FROM passages WHERE document_id NOT IN (SELECT id FROM documents)',
      'passages, no document',
    );
    none(
      'SELECT id FROM documents WHERE id NOT IN (SELECT document_id FROM changes)',
      'documents that no change tells of',
    );
    none(
      "SELECT revision FROM changes WHERE revision > (SELECT seq FROM sqlite_sequence WHERE name = 'changes')",
      'changes later than the last',
    );
    const checkedRows: Record<string, Record<string, number>> = {};
    for (const { title } of rows('SELECT title FROM sources'))
      if (title !== except) checkedRows[String(title)] = {};
    const passages = rows('SELECT id FROM passages').map(({ id }) => Number(id));
    for (const row of database
      .prepare(
        'SELECT d.*, s.title AS source FROM documents d JOIN sources s ON s.id = d.source_id WHERE s.title <> ?',
      )
      .all(except)) {
      const text = new PackedText(row.text as Uint8Array).readWhole();
      const version = readVersion(text);
      assert.equal(text, versionText(version));
      const [size = 0, overlap = 0] = String(row.split).split(':').map(Number);
      const storedRows = rows(
        `SELECT id, start, "end" FROM passages WHERE document_id = ${String(row.id)} ORDER BY start`,
      );
      assert.deepEqual(
        storedRows.map(({ start, end }) => ({ start, end })),
        splitForWindows({ text, format: 'prose', headings: [] }, { size, overlap }).map(({ start, end }) => ({
          start,
          end,
        })),
        'passages that are not those of the document',
      );
      assert.equal(row.passages, storedRows.length);
      const source = checkedRows[String(row.source)];
      assert.ok(source);
      source[String(row.key)] = version;
    }
    database.exec('COMMIT');
    return { held: checkedRows, passages };
  } finally {
    database.close();
  }
}

/** @throws AssertionError where SQLite finds the file damaged. */
export function checkIntegrity(folder: string): void {
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'), { timeout: TIMEOUT_MS });
  try {
    assert.equal(database.prepare('PRAGMA integrity_check').get()?.integrity_check, 'ok');
  } finally {
    database.close();
  }
}

/** Checks that every document is found by its own word, and that no result contains a word of `gone`. */
export async function checkAnswers(
  index: NotebookIndex,
  expectedRows: DocumentVersions,
  removed: readonly number[],
): Promise<void> {
  for (const [title, documents] of Object.entries(expectedRows))
    for (const [key, version] of Object.entries(documents)) {
      const [found] = await index.passageSearch.search(versionWord(version), 1);
      assert.ok(found, `${title}, ${key}: ${versionWord(version)} is not found`);
      assert.ok(found.text.includes(versionWord(version)));
      assert.equal(found.sourceTitle, title);
      assert.equal(found.documentKey, key);
    }
  for (const version of removed)
    for (const { text } of await index.passageSearch.search(versionWord(version), 3))
      assert.ok(!text.includes(versionWord(version)), `${versionWord(version)} was removed and is found`);
}

/**
 * Checks that every document is found by its own word at once, also while the index is being rebuilt, unless the search
 * reports that it may miss passages.
 */
export async function checkAnswersNow(index: NotebookIndex, expectedRows: DocumentVersions): Promise<void> {
  for (const [title, documents] of Object.entries(expectedRows))
    for (const [key, version] of Object.entries(documents)) {
      const reports: string[] = [];
      const [place] = await index.passageSearch.places({ words: versionWord(version) }, () =>
        reports.push('incomplete'),
      );
      if (reports.length === 0) assert.equal(place?.passage.documentKey, key, `${title}, ${key}`);
    }
}

/** Checks that the snapshot of the index contains exactly the passages of the database. */
export async function checkSnapshot(index: NotebookIndex, folder: string, except = ''): Promise<void> {
  await index.rebuilt();
  await index.catchUp();
  await index.writeSnapshot();
  const { passages } = checkDatabase(folder, except);
  const name = readdirSync(folder).find((file) => file.endsWith('.snapshot'));
  if (name === undefined) {
    assert.equal(passages.length, 0);
    return;
  }
  const { index: written } = PassageIndex.read(readFileSync(join(folder, name)));
  assert.deepEqual(
    written.ids().toSorted((a, b) => a - b),
    passages.toSorted((a, b) => a - b),
  );
}
