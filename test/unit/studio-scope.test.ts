import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractionRows } from '../../src/features/tables/store/rows.ts';
import { documentVersions } from '../../src/features/artifacts/store/document-versions.ts';
import { involvesSource, partId, readPartId } from '../../src/core/domain/artifact.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { openDatabaseToRead } from '../../src/index/store/database/database.ts';
import { input, origin, openNew } from '../support/opened-notebooks.ts';

test('takes the documents of folders and files in a source', async () => {
  const { folder, index } = await openNew();
  const { id } = await index.addSource('Notes', origin, input('One.', 'a/one.txt'));
  for (const key of ['a/two.txt', 'ab.txt', 'b/three.txt']) await index.putDocument(id, input(key, key));
  const { database } = await openDatabaseToRead(folder);
  const sql = new Statements(database);
  const keyOf = new Map(index.store.documents.ofSource(id).map((document) => [document.id, document.key]));
  const keys = (...sourceIds: readonly string[]): (string | undefined)[] =>
    documentVersions(sql, { sourceIds }).map(({ documentId }) => keyOf.get(documentId));
  assert.deepEqual(keys(partId(id, 'a')), ['a/one.txt', 'a/two.txt']);
  assert.deepEqual(keys(partId(id, 'a/two.txt'), partId(id, 'b')), ['a/two.txt', 'b/three.txt']);
  assert.deepEqual(keys(id).length, 4);
  assert.deepEqual(keys(partId(id, 'ab')), []);
  const rows = extractionRows(sql, { sourceIds: [partId(id, 'a')], rowKind: 'documents' });
  assert.equal(rows.rows.length, 2);
  sql.abandon();
});

test('reads the ID of a part of a source', () => {
  assert.deepEqual(readPartId('s1/a/b.md'), { sourceId: 's1', path: 'a/b.md' });
  assert.deepEqual(readPartId(partId('s1', '')), { sourceId: 's1', path: '' });
  assert.ok(involvesSource({ sourceIds: ['s1/a'] }, 's1'));
  assert.ok(!involvesSource({ sourceIds: ['s1/a'] }, 's2'));
});
