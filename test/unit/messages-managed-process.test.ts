// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { ManagedProcess, type StartContext } from '../../src/core/rpc/managed-process.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

/** A fake process that becomes ready on command, and exits some time after it is ended. */
class FakeProcess {
  readonly context: StartContext;
  readonly #ready = Promise.withResolvers<undefined>();
  readonly #ended = Promise.withResolvers<undefined>();
  isAlive = true;
  isTerminated = false;

  constructor(context: StartContext) {
    this.context = context;
  }

  becomeReady(): void {
    this.#ready.resolve(undefined);
  }

  /** Exits, whether it was ended or not. */
  exit(): void {
    this.isAlive = false;
    this.context.onExit();
    this.#ready.reject(new NotebookError('broken-off', 'It ended.'));
    this.#ended.resolve(undefined);
  }

  async whenReady(): Promise<FakeProcess> {
    await this.#ready.promise;
    return this;
  }

  async terminate(): Promise<void> {
    this.isTerminated = true;
    await this.#ended.promise;
  }
}

let started: FakeProcess[];
let managed: ManagedProcess<FakeProcess>;

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] });
  started = [];
  managed = new ManagedProcess(async (context) => {
    const process = new FakeProcess(context);
    started.push(process);
    return await process.whenReady();
  });
});

afterEach(() => {
  managed.dispose();
  mock.timers.reset();
});

/** Lets pending work continue. */
async function settle(): Promise<void> {
  await new Promise(setImmediate);
}

/** Returns the process that started last. */
function last(): FakeProcess {
  const process = started.at(-1);
  assert.ok(process);
  return process;
}

async function runReady(): Promise<FakeProcess> {
  const run = managed.run();
  await settle();
  last().becomeReady();
  return await run;
}

function alive(): number {
  return started.filter(({ isAlive }) => isAlive).length;
}

test('starts one process for calls at the same time', async () => {
  const runs = [managed.run(), managed.run()];
  await settle();
  last().becomeReady();
  const [one, other] = await Promise.all(runs);
  assert.equal(one, other);
  assert.equal(started.length, 1);
  assert.ok(managed.isStarted);
});

test('starts the next process only after the one before has ended', async () => {
  const first = await runReady();
  const ending = managed.end();
  const next = managed.run();
  await settle();
  assert.ok(first.isTerminated);
  assert.equal(started.length, 1);
  first.exit();
  await ending;
  await settle();
  assert.equal(started.length, 2);
  last().becomeReady();
  assert.equal(await next, last());
  // The late exit of the first process must not hide the second one, or a third would be started next to it.
  first.context.onExit();
  assert.equal(await managed.run(), last());
  assert.equal(alive(), 1);
});

test('ends a process that isn’t ready yet', async () => {
  const run = assert.rejects(managed.run(), { code: 'broken-off' });
  await settle();
  const ending = managed.end();
  assert.ok(last().context.signal.aborted);
  last().exit();
  await Promise.all([run, ending]);
  assert.equal(alive(), 0);
  assert.equal(await runReady(), last());
  assert.equal(alive(), 1);
});

test('starts nothing for a call that was ended while it waited for the previous process', async () => {
  const first = await runReady();
  const endings = [managed.end()];
  const run = assert.rejects(managed.run(), { code: 'broken-off' });
  endings.push(managed.end());
  first.exit();
  await Promise.all([run, ...endings]);
  assert.equal(started.length, 1);
});

test('doesn’t end a process that replaced the one to end', async () => {
  const run = managed.run();
  await settle();
  last().becomeReady();
  await run;
  last().exit();
  const next = await runReady();
  await managed.end(run);
  assert.equal(next.isTerminated, false);
  assert.equal(await managed.run(), next);
});

test('starts again after a crash', async () => {
  const first = await runReady();
  first.exit();
  assert.equal(managed.isStarted, false);
  assert.notEqual(await runReady(), first);
});

test('stops starting after three crashes in a row, and tries again after a minute', async () => {
  const crash = async (): Promise<void> => {
    const run = assert.rejects(managed.run(), { code: 'broken-off' });
    await settle();
    last().exit();
    await run;
  };
  await crash();
  await crash();
  // A successful start resets the count.
  (await runReady()).exit();
  for (let start = 0; start < 3; start++) await crash();
  assert.equal(started.length, 6);
  await assert.rejects(managed.run(), { code: 'internal', action: 'showLog', message: /can’t start/ });
  await assert.rejects(managed.run(), { code: 'internal' });
  assert.equal(started.length, 6);
  mock.timers.tick(60_000);
  await runReady();
  assert.equal(alive(), 1);
});

test('starts nothing after it is disposed', async () => {
  const first = await runReady();
  managed.dispose();
  first.exit();
  await assert.rejects(managed.run(), { code: 'cancelled' });
  assert.equal(alive(), 0);
});
