import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import type { Work } from '../support/library-work.ts';
import { close, input, makeFolder, open, passageSettings } from '../support/opened-notebooks.ts';

const DOCUMENTS = 400;

/** Does some work until it first tells how far it has come. */
async function killed(work: Work): Promise<void> {
  const worker = new Worker(new URL('../support/library-work.ts', import.meta.url), { workerData: work });
  const told = await new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', () => {
      resolve(undefined);
    });
  });
  assert.notEqual(told, undefined, 'the work was over before it could be ended');
  await worker.terminate();
}

async function bigNotebook(): Promise<{ directory: string; sourceId: string }> {
  const directory = makeFolder();
  const index = await open(directory);
  const source = await index.addSource('notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (let number = 0; number < DOCUMENTS; number++) {
    const text = `Paragraph ${String(number)} of the manual. `.repeat(20);
    index.store.documents.putDocument(
      source.id,
      input(text, `${String(number)}.txt`),
      () => [],
      passageSettings,
    );
  }
  await close(index);
  return { directory, sourceId: source.id };
}

test('sources that are being moved when the work is killed are all there in one place, and nowhere in part', async () => {
  const { directory: from, sourceId } = await bigNotebook();
  const to = makeFolder();
  await close(await open(to));
  await killed({ method: 'copySources', params: { from, to, sourceIds: [sourceId], move: true } });
  const [here, there] = [await open(from), await open(to)];
  const counts = [here, there].map((index) => index.store.counts().documents);
  for (const count of counts) assert.ok(count === 0 || count === DOCUMENTS, String(count));
  assert.ok(counts.includes(DOCUMENTS));
  await close(here);
  await close(there);
});

test('an export that is killed leaves no file of the name that it was to have, and the next one takes its place', async () => {
  const { directory: from } = await bigNotebook();
  const folder = makeFolder();
  const path = join(folder, 'a.opennotebook');
  await killed({ method: 'exportNotebook', params: { from, path, name: 'A', roots: [] } });
  assert.equal(existsSync(path), false);
  const to = join(folder, 'Markdown');
  await killed({ method: 'exportMarkdown', params: { from, to } });
  assert.equal(existsSync(to), false);
  for (const work of [
    { method: 'exportNotebook', params: { from, path, name: 'A', roots: [] } },
    { method: 'exportMarkdown', params: { from, to } },
  ] as const)
    await new Promise((resolve, reject) => {
      const url = new URL('../support/library-work.ts', import.meta.url);
      new Worker(url, { workerData: work }).once('error', reject).once('exit', resolve);
    });
  assert.deepEqual(readdirSync(folder).toSorted(), ['Markdown', 'a.opennotebook']);
  assert.equal(readdirSync(join(to, 'Sources', 'notes')).length, DOCUMENTS);
});
