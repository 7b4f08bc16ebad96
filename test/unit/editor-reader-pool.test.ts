import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { mock, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { ReaderPool } from '../../src/editor/sources/reader-pool.ts';
import type { ReadRequest } from '../../src/reading/api.ts';

const request = (name: string): ReadRequest => ({
  content: { kind: 'bytes', bytes: new Uint8Array() },
  name,
  mediaType: undefined,
  pageUrl: undefined,
  knownHash: undefined,
  minimumLength: 1,
});

test('a reader that hangs is given up after two minutes, and what comes next is read by another', async () => {
  const log = { error: () => undefined } as unknown as LogOutputChannel;
  const pool = new ReaderPool(fileURLToPath(new URL('../support/stuck-worker.mjs', import.meta.url)), log);
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    assert.deepEqual(await pool.read(request('before'), {}), { kind: 'unchanged' });
    const reading = pool.read(request('stuck'), {});
    const refused = assert.rejects(reading, {
      code: 'damaged',
      message: /^stuck was given up: nothing came of reading it for two minutes/,
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
