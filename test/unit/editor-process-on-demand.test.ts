// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { ProcessOnDemand } from '../../src/platform/process-on-demand.ts';
import type { WorkApi } from '../support/work-process.ts';

const silentLog = { error: () => undefined } as unknown as LogOutputChannel;
const work = new ProcessOnDemand<WorkApi>({
  path: fileURLToPath(new URL('../support/work-process.ts', import.meta.url)),
  name: 'The process that works',
  log: silentLog,
  megabytes: 300,
  idleTimeMs: 3_600_000,
  timeoutMs: 3_600_000,
  stopTimeoutMs: 0,
});
after(async () => {
  await work.end();
});
const never = new AbortController().signal;

/** Returns the ID of the process that answers now. */
async function pid(): Promise<number> {
  return (await work.call('started', {}, never)).pid;
}

function isAlive(one: number): boolean {
  try {
    return process.kill(one, 0);
  } catch {
    return false;
  }
}

test('answers a call during shutdown in one new process', async () => {
  const first = await pid();
  const ended = work.end();
  const pids = await Promise.all([pid(), pid()]);
  await ended;
  assert.equal(new Set(pids).size, 1);
  assert.notEqual(pids[0], first);
  assert.equal(isAlive(first), false);
  // The exit of the first process used to hide the second one, so that a third was started next to it.
  assert.equal(await pid(), pids[0]);
});

test('ends a hanging call together with its process', async () => {
  const first = await pid();
  const controller = new AbortController();
  const begun = Promise.withResolvers<unknown>();
  const stopped = assert.rejects(work.call('hang', {}, controller.signal, begun.resolve), {
    code: 'cancelled',
  });
  await begun.promise;
  controller.abort();
  await stopped;
  assert.notEqual(await pid(), first);
  assert.equal(isAlive(first), false);
});

test('reports a crashed process, and answers the next call', async () => {
  await assert.rejects(work.call('take', { kind: 'exit' }, never), {
    name: 'NotebookError',
    code: 'broken-off',
    reason: 'crash',
  });
  assert.ok(isAlive(await pid()));
});
