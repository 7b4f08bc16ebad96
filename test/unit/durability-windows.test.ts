// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { transaction } from '../../src/index/store/database/database.ts';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { checkDatabase, checkIntegrity } from '../support/durability-checks.ts';
import type { OpeningParameters } from '../support/durability-opening.ts';
import { runScript, type Running } from '../support/durability-process.ts';
import type { WindowMessage, WindowParameters } from '../support/durability-window.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { rounds } from '../support/test-size.mjs';

const root = temporaryFolder('notebook-windows-');

const DOCUMENTS = rounds(50, 200);

test('adds documents in two windows at once, and finds all in both', async (t) => {
  const folder = join(root, 'shared');
  const versions = [0, 1].map((window) =>
    Array.from({ length: DOCUMENTS }, (_, i) => 1_000 * (window + 1) + i),
  );
  const [first = [], second = []] = versions;
  const windows = [
    { folder, title: 'First', own: first, others: second },
    { folder, title: 'Second', own: second, others: first },
  ].map((parameters: WindowParameters) => runScript('durability-window.ts', parameters));
  // A test that times out never reaches the end of its function.
  t.after(() => {
    for (const window of windows) window.kill();
  });
  const messageStreams = windows.map(({ messages }) => messages as AsyncIterableIterator<WindowMessage>);
  const next = async (): Promise<WindowMessage[]> =>
    Promise.all(
      messageStreams.map(async (messages, i) => {
        const { value } = (await messages.next()) as IteratorResult<WindowMessage, undefined>;
        if (value === undefined) assert.fail((await windows[i]?.ended)?.complaint);
        return value;
      }),
    );
  await next();
  for (const window of windows) window.say('go');
  for (const message of await next()) assert.equal(message.kind, 'added');
  for (const message of await next()) {
    assert.ok(message.kind === 'found');
    assert.equal(message.documents, 2 * DOCUMENTS);
  }
  for (const window of windows) window.say('close');
  for (const window of windows) assert.deepEqual(await window.ended, { code: 0, complaint: '' });
  const { held } = checkDatabase(folder);
  for (const [title, own] of [['First', first] as const, ['Second', second] as const])
    assert.deepEqual(
      held[title],
      Object.fromEntries(own.map((version) => [`${String(version)}.txt`, version])),
    );
  checkIntegrity(folder);
});

test('creates one notebook when two windows open a new one at once', async () => {
  const begin = Date.now() + 1_500;
  const openings = Array.from({ length: 40 }, (_, i) => ({
    at: begin + 50 * i,
    folder: join(root, `new ${String(i)}`),
  }));
  const windows = [1, 2].map(() =>
    runScript('durability-opening.ts', { openings } satisfies OpeningParameters),
  );
  try {
    const allMessages = await Promise.all(windows.map(collectMessages));
    for (const window of windows) assert.deepEqual(await window.ended, { code: 0, complaint: '' });
    assert.equal(allMessages[0]?.length, openings.length);
    assert.deepEqual(allMessages[0], allMessages[1]);
  } finally {
    for (const window of windows) window.kill();
  }
});

test('reports that another window blocks saving', async () => {
  const folder = join(root, 'held');
  const { database: one } = await openDatabase(folder);
  const { database: other } = await openDatabase(folder);
  try {
    other.exec('PRAGMA busy_timeout = 0');
    transaction(one, () => {
      assert.throws(
        () => {
          transaction(other, () => undefined);
        },
        { name: 'NotebookError', code: 'timeout', message: /^Another window/ },
      );
    });
    transaction(other, () => undefined);
  } finally {
    one.close();
    other.close();
  }
});

async function collectMessages(running: Running): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const message of running.messages) messages.push(message);
  return messages;
}
