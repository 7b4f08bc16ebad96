import OpenAI from 'openai';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { makeGate } from '../support/gate.ts';
import {
  openAIServerFor,
  cut,
  inTurn,
  silence,
  type OpenAIServer,
  type OpenAIServerOptions,
} from '../support/openai-server.ts';

async function start(
  context: TestContext,
  options: OpenAIServerOptions = {},
): Promise<{ server: OpenAIServer; client: OpenAI }> {
  const server = await openAIServerFor(context, options);
  return { server, client: new OpenAI({ baseURL: server.baseUrl, apiKey: 'key', maxRetries: 1 }) };
}

const question = { model: 'scripted-1', messages: [{ role: 'user' as const, content: 'Why?' }] };

test('streams a reply token by token, and holds it at a gate', async (context) => {
  const { server, client } = await start(context);
  const gate = makeGate();
  server.reply(['one ', 'two ', gate, 'three']);
  const tokens: string[] = [];
  for await (const chunk of await client.chat.completions.create({ ...question, stream: true })) {
    const text = chunk.choices[0]?.delta.content ?? '';
    if (text !== '') tokens.push(text);
    if (text === 'two ') {
      await gate.reached;
      assert.deepEqual(tokens, ['one ', 'two ']);
      gate.open();
    }
  }
  assert.deepEqual(tokens, ['one ', 'two ', 'three']);
  assert.equal(server.chats[0]?.question, 'Why?');
  assert.equal(server.chats[0].headers.authorization, 'Bearer key');
});

test('returns a reply at once without streaming', async (context) => {
  const { client } = await start(context, { reply: ({ question: text }) => `You asked: ${text}` });
  const completion = await client.chat.completions.create(question);
  assert.equal(completion.choices[0]?.message.content, 'You asked: Why?');
});

test('succeeds after status 429', async (context) => {
  const { server, client } = await start(context);
  server.reply(inTurn({ status: 429, retryAfter: '0' }, 'Now.'));
  const completion = await client.chat.completions.create(question);
  assert.equal(completion.choices[0]?.message.content, 'Now.');
  assert.equal(server.chats.length, 2);
});

test('throws if a stream breaks off', async (context) => {
  const { server, client } = await start(context);
  server.reply(['half', cut]);
  const stream = await client.chat.completions.create({ ...question, stream: true });
  await assert.rejects(async () => {
    for await (const chunk of stream) assert.ok(chunk);
  });
});

test('notices a client that gives up', async (context) => {
  const { server, client } = await start(context);
  server.reply(silence);
  const stopped = new AbortController();
  const pending = client.chat.completions.create(question, { signal: stopped.signal });
  pending.catch(() => undefined);
  while (server.chats.length === 0) await new Promise(setImmediate);
  stopped.abort();
  await assert.rejects(pending);
  assert.equal(await server.chats[0]?.answered, false);
});

test('rejects a wrong key', async (context) => {
  const { client } = await start(context, { apiKey: 'another' });
  await assert.rejects(client.models.list(), OpenAI.AuthenticationError);
});

test('returns the same embeddings for the same text, and similar ones for shared words', async (context) => {
  const { client } = await start(context, { maxEmbeddingInputs: 3 });
  const input = ['red apple', 'a red apple', 'blue whale'];
  const { data } = await client.embeddings.create({ model: 'embedding', input });
  const [first = [], second = [], third = []] = data.map(({ embedding }) => embedding);
  const similarity = (left: number[], right: number[]): number =>
    left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0);
  assert.ok(similarity(first, second) > similarity(first, third));
  assert.equal(first.length, 64);
  await assert.rejects(client.embeddings.create({ model: 'embedding', input: [...input, 'more'] }), {
    status: 413,
  });
});
