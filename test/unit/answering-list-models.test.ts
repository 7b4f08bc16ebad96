import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listModels } from '../../src/answers/models/list-models.ts';
import { startOpenAIServer } from '../support/openai-server.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const options = { signal: new AbortController().signal, timeout: TIMEOUT_MS };

test('lists models by name, without those that don’t write text', async (context) => {
  const server = await startOpenAIServer({
    models: ['zeta', 'text-embedding-3-small', 'alpha', 'whisper-1'],
  });
  context.after(() => server.close());
  const models = await listModels({ baseUrl: server.baseUrl }, options);
  assert.deepEqual(
    models.map(({ name }) => name),
    ['alpha', 'zeta'],
  );
});

test('reads the features of a model wherever a server lists them', async (context) => {
  const server = await startOpenAIServer({
    models: [
      { id: 'a', max_model_len: 4096 },
      { id: 'b', meta: { n_ctx: 8192 } },
      { id: 'c', context_length: 'long' },
      {
        id: 'd',
        context_length: 128_000,
        architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
        supported_parameters: ['tools', 'temperature'],
        pricing: { prompt: '0.0000025', completion: '0.00001' },
      },
      { id: 'e', max_context_length: 32_768, capabilities: { function_calling: false, vision: true } },
      {
        id: 'f',
        type: 'vlm',
        loaded_context_length: 2048,
        max_context_length: 9000,
        capabilities: ['tool_use'],
      },
      { id: 'g', type: 'embeddings' },
    ],
  });
  context.after(() => server.close());
  assert.deepEqual(await listModels({ baseUrl: server.baseUrl }, options), [
    { name: 'a', windowTokens: 4096 },
    { name: 'b', windowTokens: 8192 },
    { name: 'c' },
    {
      name: 'd',
      windowTokens: 128_000,
      tools: true,
      images: true,
      prices: { input: 2.5, output: 10 },
    },
    { name: 'e', windowTokens: 32_768, tools: false, images: true },
    { name: 'f', windowTokens: 2048, tools: true, images: true },
  ]);
});

test('distinguishes a rejected key, an unreachable server, and a stop', async (context) => {
  const server = await startOpenAIServer({ apiKey: 'sk-right' });
  context.after(() => server.close());
  const { baseUrl } = server;
  await assert.rejects(listModels({ baseUrl, apiKey: 'sk-wrong' }, options), { code: 'unauthorized' });
  await assert.rejects(listModels({ baseUrl: 'http://127.0.0.1:1/v1' }, options), {
    code: 'connection',
  });
  await assert.rejects(listModels({ baseUrl }, { ...options, signal: AbortSignal.abort() }), {
    code: 'cancelled',
  });
});
