// Adds documents to a notebook like an editor window, next to another one, until it also finds those of the other.
import { createInterface } from 'node:readline/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { IndexApi, IndexEvents } from '../../src/index/worker/api.ts';
import { portOfWorker } from '../../src/core/rpc/node-port.ts';
import { connect } from '../../src/core/rpc/rpc.ts';
import { makeInput, versionText, versionWord } from './durability-notes.ts';
import { parametersGiven, sendMessage } from './durability-messages.ts';

export interface WindowParameters {
  readonly folder: string;
  readonly title: string;
  /** Versions that this window adds, and those of the other window. */
  readonly own: readonly number[];
  readonly others: readonly number[];
}

export type WindowMessage =
  | { readonly kind: 'opened' }
  | { readonly kind: 'added' }
  | { readonly kind: 'found'; readonly documents: number };

const { folder, title, own, others } = parametersGiven() as WindowParameters;
const worker = new Worker(new URL('../../src/index/worker/index-worker.ts', import.meta.url));
const { remote } = connect<IndexEvents, IndexApi>(portOfWorker(worker), {
  changed: () => undefined,
  indexing: () => undefined,
  reopened: () => undefined,
  resplitting: () => undefined,
  researchChanged: () => undefined,
  tableChanged: () => undefined,
});
await remote.call('open', { directory: folder, settings: { size: 2_500, overlap: 20 } });
sendMessage({ kind: 'opened' } satisfies WindowMessage);

const input = createInterface({ input: process.stdin });
input.on('close', () => process.exit(1));
await new Promise((resolve) => input.once('line', resolve));
const { id } = await remote.call('addSource', {
  title,
  origin: { kind: 'folder', uri: 'file:///notes' },
});
for (const version of own)
  await remote.call('putDocument', {
    sourceId: id,
    input: makeInput(versionText(version), `${String(version)}.txt`),
  });
sendMessage({ kind: 'added' } satisfies WindowMessage);

for (const version of [...own, ...others])
  // A change may be reported before the index contains it, so the report can't be waited for.
  while (!(await isFound(version))) await delay(100);
const { documents } = await remote.call('statistics', {});
sendMessage({ kind: 'found', documents } satisfies WindowMessage);

await new Promise((resolve) => input.once('line', resolve));
await remote.call('close', {});
process.exit(0);

async function isFound(version: number): Promise<boolean> {
  const [found] = await remote.call('search', { question: versionWord(version), limit: 1 });
  return found?.documentKey === `${String(version)}.txt`;
}
