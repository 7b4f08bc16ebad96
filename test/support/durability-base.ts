// A source of many passages, which stays the same while others change: for durability tests of large notebooks.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { streamPassages } from '../bench/made-passages.ts';
import { makeInput, versionWord } from './durability-notes.ts';
import { TIMEOUT_MS } from './until.ts';

export const BASE_TITLE = 'Base';
/** Settings with which each paragraph of the base is a passage. Other settings would split all of it again. */
export const BASE_SETTINGS = { size: 1_500, overlap: 20 };

const PASSAGES_PER_DOCUMENT = 50;
/** Number of documents that are added at once. */
const BATCH = 32;

/** Creates a notebook with the base in a folder, with about this number of passages. */
export async function makeBase(folder: string, passages: number): Promise<void> {
  const silent = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(folder, BASE_SETTINGS, silent);
  const { id } = await index.addSource(BASE_TITLE, { kind: 'folder', uri: 'file:///base' }, undefined);
  const { next } = streamPassages(passages);
  const documents = Math.ceil(passages / PASSAGES_PER_DOCUMENT);
  for (let first = 0; first < documents; first += BATCH)
    await Promise.all(
      Array.from({ length: Math.min(BATCH, documents - first) }, (_, i) =>
        index.putDocument(
          id,
          makeInput(
            [baseWord(first + i), ...next(PASSAGES_PER_DOCUMENT)].join('\n\n'),
            `${String(first + i)}.txt`,
          ),
        ),
      ),
    );
  await index.close();
}

/** Returns the word that only one document of the base has. */
function baseWord(document: number): string {
  return versionWord(900_000 + document);
}

/** Checks that the rows of the base are the same as in the first round, and finds some of its documents. */
export async function checkBase(index: NotebookIndex, folder: string, passages: number): Promise<void> {
  const database = new DatabaseSync(join(folder, 'notebook.sqlite'), { timeout: TIMEOUT_MS });
  const documents = Math.ceil(passages / PASSAGES_PER_DOCUMENT);
  try {
    const row = database
      .prepare(
        `SELECT count(*) AS documents, sum(passages) AS passages,
           (SELECT count(*) FROM passages WHERE document_id IN (SELECT id FROM documents WHERE source_id = s.id)) AS stored
         FROM documents d JOIN sources s ON s.id = d.source_id WHERE s.title = ?`,
      )
      .get(BASE_TITLE);
    assert.equal(row?.documents, documents);
    assert.equal(row.stored, row.passages);
    assert.ok(Number(row.passages) >= passages);
  } finally {
    database.close();
  }
  for (const document of [0, Math.floor(documents / 2), documents - 1]) {
    const [found] = await index.passageSearch.search(baseWord(document), 1);
    assert.equal(found?.documentKey, `${String(document)}.txt`);
  }
}
