import assert from 'node:assert/strict';
import 'vscode-jsonrpc/node';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { LogOutputChannel } from 'vscode';
import { meaningProcess } from '../../src/features/semantic-search/editor/meaning-process.ts';
import { modelOfWords, writeModel } from '../support/made-model.ts';

const folder = mkdtempSync(join(tmpdir(), 'meaning-process-'));
const silentLog = { error: () => undefined } as unknown as LogOutputChannel;
const running = meaningProcess(
  fileURLToPath(new URL('../../src/features/semantic-search/service/meaning-worker.ts', import.meta.url)),
  silentLog,
);
after(async () => {
  await running.end();
  rmSync(folder, { recursive: true, force: true });
});
const never = new AbortController().signal;

test('generates embeddings in a separate process that restarts when needed', async () => {
  const modelFolder = join(folder, 'one');
  const files = writeModel(modelFolder, modelOfWords({ the: [3, 4], oil: [0, 2] }));
  assert.deepEqual(await running.call('check', { folder: modelFolder, files }, never), {
    dimension: 2,
    sha256: files[2]?.sha256,
  });
  const texts = ['The', 'oil', 'nothing'];
  const vectors = [[0.6, 0.8], [0, 1], undefined];
  const [first, second] = await Promise.all([
    running.call('vectors', { folder: modelFolder, texts }, never),
    running.call('vectors', { folder: modelFolder, texts: ['oil'] }, never),
  ]);
  assert.deepEqual(
    first.map((vector) => vector && [...vector].map((value) => Math.round(100 * value) / 100)),
    vectors.map((vector) => vector ?? null),
  );
  assert.equal(second.length, 1);
  await running.end();
  const two = join(folder, 'two');
  writeModel(two, modelOfWords({ the: [1] }));
  assert.equal((await running.call('vectors', { folder: two, texts: ['the'] }, never))[0]?.length, 1);
});

test('rejects an invalid model in one sentence', async () => {
  const bad = join(folder, 'bad');
  writeModel(bad, modelOfWords({ the: [1] }));
  writeFileSync(join(bad, 'model.safetensors'), 'no');
  await assert.rejects(running.call('vectors', { folder: bad, texts: ['the'] }, never), {
    name: 'NotebookError',
    code: 'damaged',
    message: /^model\.safetensors isn’t part of a Model2Vec model/,
  });
});
