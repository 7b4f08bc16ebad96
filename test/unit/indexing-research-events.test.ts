import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { IndexApi, IndexEvents } from '../../src/index/worker/api.ts';
import { portOfWorker } from '../../src/core/rpc/node-port.ts';
import { connect, type Client } from '../../src/core/rpc/rpc.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { HOLD, OPTIONS, planWith, makeProduct, makeStep, USER, WORKER } from '../support/made-boards.ts';
import { makeFolder, passageSettings } from '../support/opened-notebooks.ts';
import { until } from '../support/until.ts';

const workers: Worker[] = [];
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.terminate();
});

interface Window {
  readonly remote: Client<IndexApi>;
  readonly events: string[];
  changes: number;
}

async function openWindow(directory: string): Promise<Window> {
  const worker = new Worker(new URL('../../src/index/worker/index-worker.ts', import.meta.url));
  workers.push(worker);
  const reportedEvents: string[] = [];
  const { remote } = connect<IndexEvents, IndexApi>(portOfWorker(worker), {
    changed() {
      window.changes++;
    },
    researchChanged({ researchId }) {
      reportedEvents.push(researchId);
    },
    tableChanged: () => undefined,
    indexing: () => undefined,
    reopened: () => undefined,
    resplitting: () => undefined,
  });
  const window: Window = { remote, events: reportedEvents, changes: 0 };
  await remote.call('open', { directory, settings: passageSettings });
  return window;
}

test('notifies every window of changes to a research project, but not of renewed claims', async () => {
  const folder = makeFolder();
  const [here, there] = [await openWindow(folder), await openWindow(folder)];
  const { researchId } = await here.remote.call('addResearch', {
    ...{ goal: 'Find out', bounds: {}, options: OPTIONS },
  });
  // A window is notified of its own calls at once.
  assert.deepEqual(here.events, [researchId]);
  await here.remote.call('setPlan', {
    researchId,
    plan: planWith(makeStep('a'), makeStep('b', ['a'])),
    basedOn: 0,
  });
  await here.remote.call('changeResearch', { researchId, state: 'running' });
  await until(
    () => there.events.includes(researchId),
    () => 'the other window hears of it',
  );
  const claim = await here.remote.call('claimStep', { researchId, holder: WORKER, hold: HOLD });
  assert.ok(claim);
  // All pending notifications arrive before the response.
  const lookAround = async (): Promise<void> => {
    for (const { remote } of [here, there]) await remote.call('followOthers', {});
  };
  await lookAround();
  here.events.length = 0;
  there.events.length = 0;
  here.changes = 0;
  there.changes = 0;
  for (let i = 0; i < 10; i++) {
    assert.equal(await here.remote.call('renewStep', { token: claim.token, hold: HOLD }), true);
    await lookAround();
  }
  assert.deepEqual([here.events, there.events, here.changes, there.changes], [[], [], 0, 0]);
  // The claim expires: both windows learn only that the step is free.
  assert.equal(await here.remote.call('renewStep', { token: claim.token, hold: 1 }), true);
  await until(
    () => there.events.length > 0 && here.events.length > 0,
    () => 'both hear that a step is to be had',
  );
  assert.deepEqual([here.changes, there.changes], [0, 0]);
  const claimed = await there.remote.call('claimStep', { researchId, holder: USER, hold: HOLD });
  assert.equal(claimed?.step.id, 'a');
  const product = makeProduct('It is.', USER);
  assert.equal(await here.remote.call('submitStep', { token: claim.token, product }), 'late');
  here.events.length = 0;
  assert.equal(await there.remote.call('submitStep', { token: claimed.token, product }), 'kept');
  await until(
    () => here.events.includes(researchId),
    () => 'the first window hears that it is done',
  );
  const research = await here.remote.call('research', { researchId });
  assert.deepEqual(
    research?.steps.map(({ state }) => state),
    ['done', 'ready'],
  );
  await assert.rejects(
    here.remote.call('setPlan', { researchId, plan: planWith(), basedOn: 0 }),
    (error) => error instanceof NotebookError && error.code === 'conflict',
  );
  // Changes of a note are still reported.
  await here.remote.call('addNote', { title: 'Note', text: 'It is.', citations: [] });
  await until(
    () => there.changes > 0,
    () => 'the other window hears of the note',
  );
  there.events.length = 0;
  await here.remote.call('removeResearch', { researchId });
  await until(
    () => there.events.includes(researchId),
    () => 'the other window hears that it was removed',
  );
  for (const { remote } of [here, there]) await remote.call('close', {});
});
