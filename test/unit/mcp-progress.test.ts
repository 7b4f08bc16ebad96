import assert from 'node:assert/strict';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { serveNotebook, type OnProgress } from '../../src/features/mcp/service/serve-notebook.ts';

test('reports the progress of opening a large notebook if the client requests it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const listeners = new Set<OnProgress>();
  const reportProgress = (done: number): void => {
    for (const listener of listeners) listener(done, 10);
  };
  const serving = serveNotebook({
    input,
    output,
    version: '1',
    tools: [
      {
        name: 'openNotebook_sources',
        toolReferenceName: 'notebookSources',
        displayName: 'Sources',
        modelDescription: 'Lists the sources.',
        inputSchema: {},
      },
    ],
    notebook: {
      finder: {
        find: () => assert.fail('nothing is searched'),
        gather: () => assert.fail('nothing is searched'),
        places: () => assert.fail('nothing is searched'),
        at: () => assert.fail('nothing is read'),
        overview: () => assert.fail('nothing is summarized'),
        cite: () => assert.fail('nothing is cited'),
      },
      sources: () => {
        reportProgress(3);
        reportProgress(7);
        return Promise.resolve([]);
      },
      onProgress: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    log: (error) => assert.fail(String(error)),
  });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async (): Promise<{ readonly id?: number }> =>
    JSON.parse(String((await lines.next()).value)) as { readonly id?: number };
  const call = (id: number, meta: object): void => {
    const params = { name: 'notebookSources', arguments: {}, ...meta };
    input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`);
  };

  call(1, { _meta: { progressToken: 'opening' } });
  for (const progress of [3, 7])
    assert.deepEqual(await next(), {
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 'opening', progress, total: 10 },
    });
  assert.equal((await next()).id, 1);
  reportProgress(8);
  assert.equal(listeners.size, 0, 'an answered call is told nothing more');

  call(2, {});
  assert.equal((await next()).id, 2, 'who gives no token is told nothing');
  input.end();
  await serving;
});
