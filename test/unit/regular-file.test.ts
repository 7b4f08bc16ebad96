// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openRegularFile, readRegularFile } from '../../src/core/domain/regular-file.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const run = promisify(execFile);

describe('not a regular file', { skip: process.platform === 'win32' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'special-'));
  const at = (name: string): string => join(folder, name);
  const pipes = ['a.txt', 'b.md', 'c.pdf', 'd.html', 'e.csv'].map(at);
  execFileSync('mkfifo', pipes);
  writeFileSync(at('notes.txt'), 'The gate is painted green.');
  mkdirSync(at('folder.txt'));
  symlinkSync('/dev/zero', at('zeros.txt'));
  symlinkSync('a.txt', at('pipe-by-link.txt'));
  symlinkSync('notes.txt', at('link.txt'));
  symlinkSync('circle.txt', at('circle.txt'));
  after(() => {
    rmSync(folder, { recursive: true });
  });

  test('explains pipes, devices, and folders in a sentence each, and reads files next to them', async () => {
    const program = fileURLToPath(new URL('../support/read-special-files.ts', import.meta.url));
    const paths = [...pipes, at('zeros.txt'), at('folder.txt'), at('notes.txt')];
    const { stdout } = await run(process.execPath, [program, ...paths], {
      timeout: TIMEOUT_MS,
      killSignal: 'SIGKILL',
    });
    const explanations = JSON.parse(stdout) as string[];
    const sentence = (name: string): string =>
      `Can’t read ${name} because it’s a pipe, a socket, or a device. Remove it, or replace it with a file.`;
    assert.deepEqual(explanations, [
      ...['a.txt', 'b.md', 'c.pdf', 'd.html', 'e.csv', 'zeros.txt'].map(sentence),
      'folder.txt is now a folder. Remove it, then add the folder.',
      'The gate is painted green.',
    ]);
  });

  test('opens no pipes, sockets, devices, or folders, also not by links', async () => {
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(at('socket.txt'), resolve));
    try {
      for (const name of ['a.txt', 'pipe-by-link.txt', 'socket.txt', 'zeros.txt', 'folder.txt'])
        await assert.rejects(openRegularFile(at(name)), { code: 'unsupported' }, name);
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
    await assert.rejects(openRegularFile(at('circle.txt')), { code: 'ELOOP' });
    await assert.rejects(openRegularFile(at('gone.txt')), { code: 'ENOENT' });
  });

  test('opens a regular file, by a link only if links are followed', async () => {
    const readText = async (name: string, limit: number): Promise<string> =>
      new TextDecoder().decode(await readRegularFile(at(name), { maxBytes: limit }));
    assert.equal(await readText('notes.txt', 100), 'The gate is painted green.');
    assert.equal(await readText('link.txt', 8), 'The gate');
    await assert.rejects(openRegularFile(at('link.txt'), { followsLink: false }), { code: 'unsupported' });
    const file = await openRegularFile(at('notes.txt'), { followsLink: false });
    await file.close();
    chmodSync(at('notes.txt'), 0o000);
    if (process.getuid?.() !== 0) await assert.rejects(openRegularFile(at('notes.txt')), { code: 'EACCES' });
  });
});
