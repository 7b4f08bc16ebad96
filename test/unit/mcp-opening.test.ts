// Runs in a process of its own: it replaces timers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { after, before, mock, test } from 'node:test';
import type { Worker } from 'node:worker_threads';
import { Client } from '@modelcontextprotocol/client';
import { build } from 'esbuild';
import { passageFinder } from '../../src/answers/retrieving/notebook-finder.ts';
import { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { NotebookReader } from '../../src/features/mcp/service/notebook-reader.ts';
import { serveNotebook } from '../../src/features/mcp/service/serve-notebook.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { callTool } from '../support/mcp-client.ts';
import { root } from '../support/paths.mjs';

const home = mkdtempSync(join(tmpdir(), 'notebook-idle-'));
const workerPath = join(home, 'index-worker.cjs');

before(async () => {
  await build({
    entryPoints: [join(root, 'src', 'index', 'worker', 'index-worker.ts')],
    outfile: workerPath,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    external: ['node:sqlite'],
    logLevel: 'error',
  });
});

after(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Creates a notebook with texts, closes it, and deletes its saved index. */
async function makeNotebook(name: string, texts: readonly string[]): Promise<string> {
  const folder = join(home, name);
  const quiet = { indexing: () => undefined, resplitting: () => undefined };
  const { index } = await NotebookIndex.open(folder, { size: 1500, overlap: 50 }, quiet);
  const source = await index.addSource('Notes', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const [n, text] of texts.entries()) {
    const key = `${String(n)}.txt`;
    await index.putDocument(source.id, {
      key,
      uri: `file:///notes/${key}`,
      hash: key,
      size: text.length,
      modifiedAt: 1,
      document: readPlainText(text, 'text/plain'),
    });
  }
  await index.close();
  for (const file of readdirSync(folder)) if (file.endsWith('.snapshot')) rmSync(join(folder, file));
  return folder;
}

/** Connects a client of the real library to a server in this process. */
async function connected(notebook: NotebookReader): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  void serveNotebook({
    input,
    output,
    version: '1',
    tools: [
      {
        name: 'openNotebook_search',
        toolReferenceName: 'searchNotebook',
        displayName: 'Search',
        modelDescription: 'Searches.',
        inputSchema: { type: 'object' },
      },
    ],
    notebook: {
      finder: passageFinder(notebook, { embedQuestion: () => Promise.resolve(undefined) }),
      sources: () => notebook.call('sources', {}),
      onProgress: (listener) => notebook.onProgress(listener),
    },
    log: (error) => assert.fail(String(error)),
  });
  const client = new Client({ name: 'test', version: '1' });
  const transport: Parameters<Client['connect']>[0] = {
    start: () => {
      createInterface({ input: output }).on('line', (line) => transport.onmessage?.(JSON.parse(line)));
      return Promise.resolve();
    },
    send: (message) => {
      input.write(`${JSON.stringify(message)}\n`);
      return Promise.resolve();
    },
    close: () => {
      input.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  await client.connect(transport);
  return client;
}

test('closes an unused notebook, and opens it again for the next question', async (t) => {
  const workers: Worker[] = [];
  const started = (worker: Worker): number => workers.push(worker);
  process.on('worker', started);
  t.after(() => process.off('worker', started));
  const directory = await makeNotebook('garden', [
    'Tomatoes are watered every second morning with rainwater from the barrel.',
  ]);
  mock.timers.enable({ apis: ['setTimeout'] });
  t.after(() => {
    mock.timers.reset();
  });
  const notebook = new NotebookReader({ workerPath, directory });
  const client = await connected(notebook);
  const ask = async (): Promise<void> => {
    const { text } = await callTool(client, 'searchNotebook', {
      queries: ['How often are tomatoes watered?'],
    });
    assert.match(text, /every second morning/);
  };

  await ask();
  mock.timers.tick(15_000);
  await ask();
  mock.timers.tick(15_000);
  await ask();
  assert.equal(workers.length, 1, 'It stays open while it is asked now and then.');

  const [worker] = workers;
  assert.ok(worker);
  const ended = once(worker, 'exit');
  mock.timers.tick(20_000);
  await ended;
  await ask();
  assert.equal(workers.length, 2, 'It is opened anew.');
  await client.close();
  await notebook.close();
});

test('reports the progress of opening a large notebook to a client, and then answers it', async () => {
  const texts = Array.from({ length: 120 }, (_, n) => `Kite number ${String(n)} flies in autumn.`);
  const notebook = new NotebookReader({ workerPath, directory: await makeNotebook('kites', texts) });
  const client = await connected(notebook);
  const progressReports: (readonly [progress: number, total: number | undefined])[] = [];
  const ask = async (): Promise<void> => {
    const { content } = await client.callTool(
      { name: 'searchNotebook', arguments: { queries: ['Which kite flies?'] } },
      { onprogress: ({ progress, total }) => progressReports.push([progress, total]) },
    );
    assert.match(JSON.stringify(content), /flies in autumn/);
  };
  await ask();
  assert.ok(progressReports.length > 1);
  assert.deepEqual(progressReports.at(-1), [120, 120]);
  assert.deepEqual(
    progressReports,
    progressReports.toSorted(([a], [b]) => a - b),
  );
  const { length } = progressReports;
  await ask();
  assert.equal(progressReports.length, length, 'An open notebook is asked without a wait.');
  await client.close();
  await notebook.close();
});
