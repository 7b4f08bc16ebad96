// Runs in a process of its own: it replaces timers.
// The process that queries tables: queries that do not end are ended, and take no other along.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { after, mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { TablesProcess } from '../../src/features/research/editor/tables-process.ts';

const silentLog = { error: () => undefined } as unknown as LogOutputChannel;
const path = fileURLToPath(
  new URL('../../src/features/research/service/skills/tables/tables-worker.ts', import.meta.url),
);
const never = new AbortController().signal;
const documents = [{ id: 1, text: `| n | word |\n| --- | --- |\n${'| 7 | a |\n'.repeat(2_000)}` }];
const count = 'SELECT count(*) FROM t1_1';

const TIMEOUT_MS = 10_000;
const tables = new TablesProcess(path, silentLog);
// Time passes only when a test says so, so that slow machines don't time out.
mock.timers.enable({ apis: ['setTimeout'] });
after(async () => {
  await tables.end();
  mock.timers.reset();
});

/** Waits for a turn of the event loop, after which a request has reached the running process. */
async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('describes and queries tables in their own process', async () => {
  const [table] = await tables.describe(documents, never);
  assert.equal(table?.rows, 2_000);
  assert.deepEqual((await tables.query(documents, count, never)).rows, [[2_000]]);
  await assert.rejects(tables.query(documents, 'SELECT x FROM t1_1', never), {
    name: 'NotebookError',
    message: /no such column: x/,
  });
});

for (const { what, sql, isEndless } of [
  {
    what: 'a recursion',
    sql: 'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r, t1_1',
    isEndless: true,
  },
  {
    what: 'a join of all with all',
    sql: 'SELECT count(*) FROM t1_1 a, t1_1 b, t1_1 c, t1_1 d',
    isEndless: true,
  },
  {
    what: 'a text without an end',
    sql: 'WITH RECURSIVE r(t) AS (SELECT word FROM t1_1 UNION ALL SELECT t || t FROM r) SELECT max(length(t)) FROM r',
    isEndless: false,
  },
  {
    what: 'memory',
    sql: 'SELECT length(group_concat(hex(zeroblob(40000000)))) FROM t1_1',
    isEndless: false,
  },
])
  test(`ends ${what}, and runs the next query`, async () => {
    // The process is running: the time limit of a query begins only then.
    await tables.describe(documents, never);
    const ended = assert.rejects(
      tables.query(documents, sql, never),
      isEndless
        ? { code: 'timeout', message: /^Stopped the query because it used too much time or memory/ }
        : /^NotebookError: (?:Stopped the query because|The query can’t be run)/,
    );
    const answered = tables.query(documents, count, never);
    await nextTurn();
    if (isEndless) mock.timers.tick(TIMEOUT_MS);
    await ended;
    assert.deepEqual((await answered).rows, [[2_000]]);
  });

test('stops a query at once', async () => {
  const controller = new AbortController();
  const endless = tables.query(
    documents,
    'WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT max(i) FROM r',
    controller.signal,
  );
  await nextTurn();
  controller.abort();
  mock.timers.tick(1);
  await assert.rejects(endless, { code: 'cancelled' });
  assert.deepEqual((await tables.query(documents, count, never)).rows, [[2_000]]);
});
