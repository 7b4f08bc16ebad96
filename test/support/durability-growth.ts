// Adds many small documents to a notebook, then reads large ones, and reports the memory that each step needs.
import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { makeInput, versionWord } from './durability-notes.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';

interface GrowthParameters {
  readonly folder: string;
  readonly documents: number;
}

/** Memory in bytes. */
export interface GrowthMessage {
  readonly perPassage: number;
  readonly log: number;
  readonly longTexts: number;
  readonly longMaps: number;
}

const LONG = 40;

const { folder, documents } = parametersGiven() as GrowthParameters;
endWithParent();

async function memory(): Promise<number> {
  assert.ok(gc, 'to be run with --expose-gc');
  // The memory of buffers is released in separate tasks.
  for (let i = 0; i < 3; i++) {
    gc();
    await yieldToOthers();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const { index } = await NotebookIndex.open(
  folder,
  { size: 2_000, overlap: 0 },
  { indexing: () => undefined, resplitting: () => undefined },
);
const { id } = await index.addSource('Notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
const before = await memory();
for (let i = 0; i < documents; i++) {
  const text = `Entry of the log, kept by ${versionWord(i)} on day ${String(i % 365)} beside the river.`;
  await index.putDocument(id, makeInput(text, `${String(i)}.txt`));
}
const perPassage = ((await memory()) - before) / documents;
const log = statSync(join(folder, 'notebook.sqlite-wal')).size;

// The text is mostly blank, so that there is little to split and index.
const longTexts = await grownBy('long text', (i) =>
  makeInput(`${versionWord(i)}${' '.repeat(1_000_000)}${versionWord(i)}`, `text ${String(i)}`),
);
const longMaps = await grownBy('long map', (i) => {
  const input = makeInput(versionWord(i), `map ${String(i)}`);
  const runs = (): Uint32Array => new Uint32Array(100_000);
  const map = {
    kind: 'aligned',
    starts: runs(),
    lengths: runs(),
    lines: runs(),
    characters: runs(),
  } as const;
  return { ...input, document: { ...input.document, map } };
});
sendMessage({ perPassage, log, longTexts, longMaps } satisfies GrowthMessage);
await index.close();
process.exit(0);

async function grownBy(title: string, inputAt: (i: number) => ReturnType<typeof makeInput>): Promise<number> {
  const source = await index.addSource(title, { kind: 'folder', uri: 'file:///long' }, undefined);
  for (let i = 0; i < LONG; i++) await index.putDocument(source.id, inputAt(i));
  const start = await memory();
  for (const stamp of index.store.documents.stamps(source.id)) index.cited.document(stamp.id);
  return (await memory()) - start;
}
