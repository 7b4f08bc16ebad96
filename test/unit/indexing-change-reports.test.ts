import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { IndexApi, IndexEvents } from '../../src/index/worker/api.ts';
import { portOfWorker } from '../../src/core/rpc/node-port.ts';
import { connect } from '../../src/core/rpc/rpc.ts';
import { input, makeFolder, origin, passageSettings } from '../support/opened-notebooks.ts';

test('reports many changes together, and the last one', async (context) => {
  const worker = new Worker(new URL('../../src/index/worker/index-worker.ts', import.meta.url));
  context.after(() => worker.terminate());
  let reports = 0;
  let onReport = (): void => undefined;
  const ignore = (): undefined => undefined;
  const events: IndexEvents = {
    changed: () => {
      reports++;
      onReport();
    },
    ...{
      indexing: ignore,
      tableChanged: ignore,
      reopened: ignore,
      researchChanged: ignore,
      resplitting: ignore,
    },
  };
  const { remote } = connect<IndexEvents, IndexApi>(portOfWorker(worker), events);
  await remote.call('open', { directory: makeFolder(), settings: passageSettings });
  const { id } = await remote.call('addSource', { title: 'Looms', origin });
  const before = reports;
  const began = performance.now();
  for (let i = 0; i < 100; i++)
    await remote.call('putDocument', {
      sourceId: id,
      input: input(`The loom ${String(i)} weaves.`, String(i)),
    });
  const intervals = Math.ceil((performance.now() - began) / 50);
  assert.ok(
    reports - before <= intervals + 1,
    `${String(reports)} reports in ${String(intervals)} intervals`,
  );
  const reported = new Promise<void>((resolve) => {
    onReport = resolve;
  });
  await remote.call('removeSources', { sourceIds: [id] });
  await reported;
});
