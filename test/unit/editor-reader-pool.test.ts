// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { ReaderPool } from '../../src/platform/reader-pool.ts';
import type { ReadRequest } from '../../src/parsers/api.ts';
import { newFolder } from '../support/opened-databases.ts';

const silentLog = { error: () => undefined } as unknown as LogOutputChannel;

const request = (name: string): ReadRequest => ({
  content: { kind: 'bytes', bytes: new Uint8Array() },
  name,
  minimumLength: 1,
});

test('gives up a hanging reader after two minutes, and reads the next file in another', async () => {
  const pool = new ReaderPool(
    fileURLToPath(new URL('../support/stuck-worker.mjs', import.meta.url)),
    silentLog,
  );
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    assert.deepEqual(await pool.read(request('before'), {}), { kind: 'unchanged' });
    const reading = pool.read(request('stuck'), {});
    const refused = assert.rejects(reading, {
      code: 'damaged',
      message: /^Stopped reading stuck after two minutes without progress/,
    });
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(119_999);
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(1);
    await refused;
    assert.deepEqual(await pool.read(request('after'), {}), { kind: 'unchanged' });
  } finally {
    mock.timers.reset();
    pool.dispose();
  }
});

test('starts no reader when it is disposed of while it reads the size of a file', async () => {
  const folder = newFolder();
  const worker = join(folder, 'reader.mjs');
  const started = join(folder, 'started');
  writeFileSync(
    worker,
    `import { writeFileSync } from 'node:fs';
    writeFileSync(${JSON.stringify(started)}, '');
    process.on('message', ({ id, method }) => {
      if (method === 'read') process.send({ jsonrpc: '2.0', id, result: { result: { kind: 'unchanged' } } });
    });
    process.on('disconnect', () => process.exit());
    process.send({ ready: true });`,
  );
  const pool = new ReaderPool(worker, silentLog);
  const reading = pool.read({ ...request('notes.md'), content: { kind: 'path', path: worker } }, {});
  pool.dispose();
  await assert.rejects(reading, { code: 'cancelled' });
  assert.ok(!existsSync(started));
});

test('reports an unexpected error while reading in a sentence without a stack trace', async () => {
  const folder = newFolder();
  const worker = join(folder, 'failing-reader.mjs');
  writeFileSync(
    worker,
    `process.on('message', ({ id, method }) => {
      const error = { code: 0, message: 'TypeError: x\\n    at read (reader.cjs:1:1)', data: { code: 'internal', action: 'showLog' } };
      if (method === 'read') process.send({ jsonrpc: '2.0', id, error });
    });
    process.on('disconnect', () => process.exit());
    process.send({ ready: true });`,
  );
  const pool = new ReaderPool(worker, silentLog);
  try {
    await assert.rejects(pool.read(request('notes.md'), {}), {
      code: 'internal',
      message: 'Can’t read notes.md. See the log for details.',
    });
  } finally {
    pool.dispose();
  }
});

test('reads short files first, and never uses all readers for long ones', async () => {
  const folder = newFolder();
  const pool = new ReaderPool(
    fileURLToPath(new URL('../support/waiting-reader.mjs', import.meta.url)),
    silentLog,
  );
  const begun = (): string[] =>
    existsSync(join(folder, 'begun')) ? readFileSync(join(folder, 'begun'), 'utf8').trim().split('\n') : [];
  const finish = (name: string): void => {
    writeFileSync(join(folder, `${name}.done`), '');
  };
  // Passes bytes, because the file lengths would come from the disk in any order.
  const read = (name: string, megabytes: number): Promise<unknown> =>
    pool.read(
      {
        ...request(join(folder, name)),
        content: { kind: 'bytes', bytes: new Uint8Array(megabytes * 2 ** 20) },
      },
      {},
    );
  try {
    const reading = [read('long1', 10), read('long2', 11), read('long3', 9)];
    await until(() => begun().length === 1);
    reading.push(read('first', 1));
    await until(() => begun().length === 2);
    // Both readers are busy, so the shortest of the new files is next.
    reading.push(read('third', 3), read('second', 2));
    await new Promise((resolve) => setImmediate(resolve));
    for (const name of ['first', 'second', 'third']) {
      finish(name);
      await until(() => begun().length >= ['first', 'second', 'third'].indexOf(name) + 3 || name === 'third');
    }
    assert.deepEqual(begun(), ['long1', 'first', 'second', 'third']);
    for (const name of ['long1', 'long2', 'long3']) finish(name);
    await Promise.all(reading);
    assert.deepEqual(begun().slice(4), ['long3', 'long2']);
  } finally {
    pool.dispose();
  }
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}
