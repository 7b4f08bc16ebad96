// Tests what servers report about their models outside OpenAI's protocol, and whether they accept a key.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeModel } from '../../src/answers/models/describe-model.ts';
import { testKey } from '../../src/answers/models/test-key.ts';
import { openAIServerFor } from '../support/openai-server.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const options = { signal: new AbortController().signal, timeout: TIMEOUT_MS };

for (const { server: name, also, expected } of [
  {
    server: 'LM Studio',
    also: {
      'GET /api/v0/models/llama3': {
        id: 'llama3',
        type: 'llm',
        max_context_length: 131_072,
        loaded_context_length: 8192,
        capabilities: ['tool_use'],
      },
    },
    expected: { windowTokens: 8192, tools: true, images: false },
  },
  {
    server: 'llama.cpp',
    also: { 'GET /props': { default_generation_settings: { n_ctx: 16_384 }, modalities: { vision: true } } },
    expected: { windowTokens: 16_384, images: true },
  },
  {
    server: 'Ollama with a model that it keeps less of than the model could take',
    also: {
      'POST /api/show': {
        capabilities: ['completion', 'tools'],
        model_info: { 'llama.context_length': 131_072 },
        parameters: 'stop "<|end|>"',
      },
    },
    expected: { windowTokens: 4096, tools: true, images: false },
  },
  {
    server: 'Ollama with a window of its own for the model',
    also: {
      'POST /api/show': { model_info: { 'llama.context_length': 131_072 }, parameters: 'num_ctx    32768' },
    },
    expected: { windowTokens: 32_768 },
  },
  {
    server: 'Ollama with the model loaded',
    also: {
      'POST /api/show': { model_info: { 'llama.context_length': 131_072 } },
      'GET /api/ps': { models: [{ model: 'llama3', context_length: 65_536 }] },
    },
    expected: { windowTokens: 65_536 },
  },
  { server: 'a server that tells nothing', also: {}, expected: {} },
])
  test(`asks ${name} for the features of a model`, async (context) => {
    const server = await openAIServerFor(context, { also });
    assert.deepEqual(await describeModel({ baseUrl: server.baseUrl }, 'llama3', options), expected);
  });

test('distinguishes an unreachable server from one that reports nothing', async () => {
  assert.deepEqual(await describeModel({ baseUrl: 'http://127.0.0.1:1/v1' }, 'a', options), undefined);
  assert.deepEqual(await describeModel({ baseUrl: 'nonsense/v1' }, 'a', options), {});
});

test('tests a key as valid, invalid, without credit, or untestable', async (context) => {
  const server = await openAIServerFor(context, { apiKey: 'sk-right' });
  const { baseUrl } = server;
  await testKey({ baseUrl, apiKey: 'sk-right' }, undefined, options);
  assert.deepEqual(JSON.parse(server.chats[0]!.body), {
    model: 'scripted-1',
    messages: [{ role: 'user', content: 'Hi' }],
    max_tokens: 1,
  });
  await assert.rejects(testKey({ baseUrl, apiKey: 'sk-wrong' }, undefined, options), {
    code: 'unauthorized',
    message: `${server.url} rejected the API key. Set another key, then ask again.`,
  });
  await assert.rejects(testKey({ baseUrl }, undefined, options), {
    message: `${server.url} requires an API key. Set a key, then ask again.`,
  });
  server.reply({ status: 429, message: 'insufficient_quota' });
  await assert.rejects(testKey({ baseUrl, apiKey: 'sk-right' }, undefined, options), {
    code: 'rate-limited',
  });
  await assert.rejects(testKey({ baseUrl: 'http://127.0.0.1:1/v1' }, undefined, options), {
    code: 'connection',
  });
});

test('doesn’t judge a key by a public list or a refused request', async (context) => {
  const server = await openAIServerFor(context, {
    reply: ({ headers }) =>
      headers.authorization === 'Bearer sk-right'
        ? { status: 400, message: 'Unsupported parameter: max_tokens.' }
        : { status: 401 },
  });
  const { baseUrl } = server;
  await testKey({ baseUrl, apiKey: 'sk-right' }, 'scripted-1', options);
  await assert.rejects(testKey({ baseUrl, apiKey: 'sk-wrong' }, 'scripted-1', options), {
    code: 'unauthorized',
  });
});
