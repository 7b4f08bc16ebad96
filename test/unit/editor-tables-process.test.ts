// The process that asks tables: queries that do not end are ended, and take no other along.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { TablesProcess } from '../../src/editor/research/tables-process.ts';

const silentLog = { error: () => undefined } as unknown as LogOutputChannel;
const path = fileURLToPath(new URL('../../src/researching/skills/tables/tables-worker.ts', import.meta.url));
const never = new AbortController().signal;
const documents = [{ id: 1, text: `| n | word |\n| --- | --- |\n${'| 7 | a |\n'.repeat(2_000)}` }];
const count = 'SELECT count(*) FROM t1_1';

const tables = await impatient();
after(() => tables.end());

/** One that waits far longer than this machine takes to start it and to answer, and no longer than it must. */
async function impatient(): Promise<TablesProcess> {
  const patient = new TablesProcess(path, silentLog, 3_600_000);
  const start = performance.now();
  await patient.query(documents, count, never);
  const took = performance.now() - start;
  await patient.end();
  return new TablesProcess(path, silentLog, 1_000 + 5 * took);
}

test('tables are described and asked in a process of their own', async () => {
  const [table] = await tables.describe(documents, never);
  assert.equal(table?.rows, 2_000);
  assert.deepEqual((await tables.query(documents, count, never)).rows, [[2_000]]);
  await assert.rejects(tables.query(documents, 'SELECT x FROM t1_1', never), {
    name: 'NotebookError',
    message: /no such column: x/,
  });
});

for (const [what, sql] of [
  [
    'a recursion',
    'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r, t1_1',
  ],
  ['a join of all with all', 'SELECT count(*) FROM t1_1 a, t1_1 b, t1_1 c, t1_1 d'],
  [
    'a text without an end',
    'WITH RECURSIVE r(t) AS (SELECT word FROM t1_1 UNION ALL SELECT t || t FROM r) SELECT max(length(t)) FROM r',
  ],
  ['memory', 'SELECT length(group_concat(hex(zeroblob(40000000)))) FROM t1_1'],
] as const)
  test(`${what} is ended, and the query behind it is answered`, async () => {
    const [first, second] = await Promise.allSettled([
      tables.query(documents, sql, never),
      tables.query(documents, count, never),
    ]);
    assert.equal(first.status, 'rejected');
    assert.match(String(first.reason), /NotebookError: (?:The query took too long|The query can't be run)/);
    // Where the machine is so busy that this one, too, took too long, the next is answered.
    const { rows } =
      second.status === 'fulfilled' ? second.value : await tables.query(documents, count, never);
    assert.deepEqual(rows, [[2_000]]);
  });

test('a query that is stopped ends at once', async () => {
  const controller = new AbortController();
  const endless = tables.query(
    documents,
    'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r',
    controller.signal,
  );
  setTimeout(() => {
    controller.abort();
  }, 200);
  await assert.rejects(endless, { code: 'cancelled' });
  assert.deepEqual((await tables.query(documents, count, never)).rows, [[2_000]]);
});
