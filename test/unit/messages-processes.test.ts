// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startProcess, type RunningProcess } from '../../src/core/rpc/processes.ts';
import { setTranslation } from '../../src/core/rpc/translation.ts';
import type { WorkKind, WorkApi } from '../support/work-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'processes-'));
const running: RunningProcess<WorkApi>[] = [];
after(async () => {
  for (const runningProcess of running) await runningProcess.terminate();
  rmSync(folder, { recursive: true, force: true });
});

const program = fileURLToPath(new URL('../support/work-process.ts', import.meta.url));

function start(megabytes = 300): { client: RunningProcess<WorkApi>; ended: Promise<unknown> } {
  const ended = Promise.withResolvers<unknown>();
  const client = startProcess<Record<string, never>, WorkApi>(
    program,
    {},
    { megabytes, onExit: ended.resolve },
  );
  running.push(client);
  return { client, ended: ended.promise };
}

test('passes typed arrays, error classes, and the language to a process as to a thread', async () => {
  setTranslation({ 'Stopped.': '已停止。' });
  const { client } = start();
  setTranslation(undefined);
  const payload = {
    starts: Uint32Array.of(1, 2, 2 ** 31),
    boxes: Float32Array.of(0.5),
    none: undefined,
    big: 'é'.repeat(3e6),
  };
  assert.deepEqual(await client.client.call('echo', payload), payload);
  assert.equal(await client.client.call('spoken', {}), '已停止。');
  await assert.rejects(client.client.call('take', { kind: 'refuse' }), {
    name: 'NotebookError',
    code: 'encrypted',
    message: 'It is locked.',
  });
});

test('passes no debugger on', async () => {
  process.env.NODE_OPTIONS = '--no-warnings';
  try {
    const { client } = start();
    const environment = await client.client.call('environment', {});
    assert.equal(environment.NODE_OPTIONS, undefined);
    const started = await client.client.call('started', {});
    assert.deepEqual(started.arguments, ['--max-old-space-size=300']);
  } finally {
    delete process.env.NODE_OPTIONS;
  }
});

const kinds: readonly WorkKind[] = ['bytes', 'objects', 'one parse'];
for (const kind of kinds)
  test(`ends a process that uses ever more memory, and reports it (${kind})`, async () => {
    const { client, ended } = start();
    await assert.rejects(client.client.call('take', { kind }), { code: 'broken-off' });
    assert.ok((await ended) instanceof Error);
    assert.equal(client.ranOutOfMemory, true);
  });

test('reports no lack of memory for a process that exits or is ended', async () => {
  const exiting = start();
  await assert.rejects(exiting.client.client.call('take', { kind: 'exit' }), { code: 'broken-off' });
  assert.match(String(await exiting.ended), /ended with 3/);
  assert.equal(exiting.client.ranOutOfMemory, false);
  const stuck = start();
  const rejection = assert.rejects(stuck.client.client.call('take', { kind: 'hang' }), {
    code: 'broken-off',
  });
  await stuck.client.terminate();
  await rejection;
  assert.equal(await stuck.ended, undefined);
  assert.equal(stuck.client.ranOutOfMemory, false);
  await assert.rejects(stuck.client.client.call('started', {}), { code: 'broken-off' });
});

test('reports a missing file as an exit', async () => {
  const ended = Promise.withResolvers<unknown>();
  const client = startProcess<Record<string, never>, WorkApi>(
    join(folder, 'none.mjs'),
    {},
    { megabytes: 300, onExit: ended.resolve },
  );
  await assert.rejects(client.client.call('started', {}), { code: 'broken-off' });
  assert.match(String(await ended.promise), /none\.mjs/);
});

test('ends a process when its parent is killed, whatever it is doing', async () => {
  const parent = join(folder, 'parent.mjs');
  writeFileSync(
    parent,
    `import { startProcess } from ${JSON.stringify(new URL('../../src/core/rpc/processes.ts', import.meta.url).href)};
     const { client } = startProcess(${JSON.stringify(program)}, {}, { megabytes: 300, onExit: () => undefined });
     process.send((await client.call('started', {})).pid);
     await client.call('take', { kind: 'hang' });`,
  );
  const killed = fork(parent);
  const [pid] = (await once(killed, 'message')) as [number];
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 50));
});

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
