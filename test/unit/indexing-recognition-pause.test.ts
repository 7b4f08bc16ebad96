import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { IndexApi, IndexEvents } from '../../src/index/worker/api.ts';
import { portOfWorker } from '../../src/core/rpc/node-port.ts';
import { connect } from '../../src/core/rpc/rpc.ts';
import { close, origin, passageSettings, openNew } from '../support/opened-notebooks.ts';

const ignoreEvents: IndexEvents = {
  changed: () => undefined,
  indexing: () => undefined,
  tableChanged: () => undefined,
  reopened: () => undefined,
  researchChanged: () => undefined,
  resplitting: () => undefined,
};

test('keeps text recognition paused in the next window', async (context) => {
  const { folder: directory, index: notebook } = await openNew();
  const { id } = await notebook.addSource('Scan', origin, undefined);
  notebook.store.pauseRecognition([id], true);
  await close(notebook);

  // The next window has its own worker, which shares no memory with this one.
  const worker = new Worker(new URL('../../src/index/worker/index-worker.ts', import.meta.url));
  context.after(() => worker.terminate());
  const { remote } = connect<IndexEvents, IndexApi>(portOfWorker(worker), ignoreEvents);
  await remote.call('open', { directory, settings: passageSettings });
  const [source] = await remote.call('sources', {});
  assert.equal(source?.isRecognitionPaused, true);
});
