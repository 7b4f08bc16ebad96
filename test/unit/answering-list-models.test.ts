import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listModels } from '../../src/answering/models/list-models.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { startOpenAIServer } from '../support/openai-server.ts';

const options = { apiKey: undefined, fetch, timeout: 2_000 };

test('models are listed by name, without those that write no text', async (context) => {
  const server = await startOpenAIServer({
    models: ['zeta', 'text-embedding-3-small', 'alpha', 'whisper-1'],
  });
  context.after(() => server.close());
  const models = await listModels({
    ...options,
    baseUrl: server.baseUrl,
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    models.map(({ name }) => name),
    ['alpha', 'zeta'],
  );
});

test('what a model takes at once is read wherever a server tells it', async (context) => {
  const data = [
    { id: 'a', max_model_len: 4096 },
    { id: 'b', meta: { n_ctx: 8192 } },
    { id: 'c', context_length: 'long' },
  ];
  const server = await startLoopbackServer((_, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ object: 'list', data }));
    return Promise.resolve();
  });
  context.after(() => server.close());
  const { signal } = new AbortController();
  assert.deepEqual(await listModels({ ...options, baseUrl: `${server.url}/v1`, signal }), [
    { name: 'a', windowTokens: 4096 },
    { name: 'b', windowTokens: 8192 },
    { name: 'c', windowTokens: undefined },
  ]);
});

test('a refused key, a server that is not there and a stop are told apart', async (context) => {
  const server = await startOpenAIServer({ apiKey: 'sk-right' });
  context.after(() => server.close());
  const { signal } = new AbortController();
  await assert.rejects(listModels({ ...options, baseUrl: server.baseUrl, apiKey: 'sk-wrong', signal }), {
    code: 'unauthorized',
  });
  await assert.rejects(listModels({ ...options, baseUrl: 'http://127.0.0.1:1/v1', signal }), {
    code: 'connection',
  });
  await assert.rejects(listModels({ ...options, baseUrl: server.baseUrl, signal: AbortSignal.abort() }), {
    code: 'cancelled',
  });
});
