import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkOrder, checkRows, isNotebookId } from '../../src/features/team/service/checked-rows.ts';

const id = 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11';

test('accepts the requested columns of a row, and ignores the others', () => {
  const row = { revision: '12', passages: 3, title: 'Garden', added_at: new Date(), content: Buffer.of(1) };
  checkRows([
    row,
    { ...row, removed_at: null, nearness: 0.5, team_id: id, bytes: '7' },
    { bytes: row.content },
  ]);
  checkRows([{ oid: {} }]);
});

test('rejects values that don’t match their column', () => {
  const others: unknown[] = [
    null,
    'row',
    { revision: '12; DROP' },
    { revision: '9'.repeat(16) },
    { revision: 1.5 },
    { title: 'x'.repeat(4_001) },
    { title: 7 },
    { title: null },
    { id: undefined },
    { channel: 'open_notebook' },
    { added_at: '2026-11-24' },
    { changed_at: new Date(Number.NaN) },
    { content: 'text' },
    { nearness: Number.POSITIVE_INFINITY },
    { team_id: '../evil' },
    { bytes: 'many' },
  ];
  for (const other of others)
    assert.throws(
      () => {
        checkRows([other]);
      },
      { code: 'damaged' },
    );
});

test('rejects revisions that don’t ascend, or that were read before', () => {
  checkOrder([{ revision: '3' }, { revision: '3' }, { revision: '5' }], 2);
  checkOrder([], 2);
  for (const revisions of [['2'], ['1', '3'], ['4', '3']])
    assert.throws(
      () => {
        checkOrder(
          revisions.map((revision) => ({ revision })),
          2,
        );
      },
      { code: 'damaged' },
    );
});

test('accepts only a UUID as the ID of a notebook', () => {
  assert.ok(isNotebookId(id));
  for (const other of ['', '../evil', `${id}0`, id.toUpperCase()]) assert.equal(isNotebookId(other), false);
});
