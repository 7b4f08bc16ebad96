// Tests how requests adapt to what an endpoint rejects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withUsage } from '../../src/answers/models/metered.ts';
import { openAiModel, type OpenAiModelOptions } from '../../src/answers/models/openai.ts';
import type { KnownDifferences } from '../../src/answers/models/request-differences.ts';
import type { TokenUsage } from '../../src/core/domain/usage.ts';
import { openAIServerFor, type ChatRequest } from '../support/openai-server.ts';

const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Why?' },
] as const;

async function ask(
  options: Omit<OpenAiModelOptions, 'name' | 'temperature'>,
  mostTokens?: number,
): Promise<{ reply: string; usage: Omit<TokenUsage, 'cost'>[] }> {
  const usage: Omit<TokenUsage, 'cost'>[] = [];
  const model = withUsage(openAiModel({ name: 'scripted-1', temperature: 0.2, ...options }), (used) => {
    usage.push(used);
  });
  const signal = new AbortController().signal;
  let reply = '';
  for await (const piece of model.stream(messages, {
    signal,
    ...(mostTokens !== undefined && { mostTokens }),
  }))
    reply += piece;
  return { reply, usage };
}

const readBody = (chat: ChatRequest | undefined): Record<string, unknown> =>
  JSON.parse(chat!.body) as Record<string, unknown>;

test('omits or renames parameters that an endpoint rejects, one by one, and remembers them', async (context) => {
  const server = await openAIServerFor(context, {
    reply: (chat) => {
      const body = readBody(chat);
      if ('max_tokens' in body)
        return {
          status: 400,
          param: 'max_tokens',
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        };
      if ('temperature' in body)
        return {
          status: 400,
          param: 'temperature',
          message: "Unsupported value: 'temperature' does not support 0.2 with this model.",
        };
      if (chat.messages[0]?.role === 'system')
        return {
          status: 400,
          param: 'messages[0].role',
          message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        };
      if ('stream_options' in body)
        return { status: 422, message: 'stream_options: Extra inputs are not permitted' };
      return 'Because.';
    },
  });
  const differences: KnownDifferences = new Map();
  const { baseUrl } = server;
  assert.equal((await ask({ baseUrl, differences }, 50)).reply, 'Because.');
  assert.equal(server.chats.length, 5);
  const body = readBody(server.chats.at(-1));
  assert.deepEqual(body.messages, [
    { role: 'developer', content: 'Be brief.' },
    { role: 'user', content: 'Why?' },
  ]);
  assert.equal(body.max_completion_tokens, 50);
  await ask({ baseUrl, differences }, 50);
  assert.equal(server.chats.length, 6, 'what was learnt is known at the next question');
});

for (const [name, status, message] of [
  ['a template', 500, 'Jinja Exception: System role not supported'],
  ['another template', 400, 'Conversation roles must alternate user/assistant/user/assistant/...'],
  ['a host', 400, 'Developer instruction is not enabled for models/scripted-1'],
] as const)
  test(`sends instructions as the user’s if ${name} supports no other role`, async (context) => {
    const server = await openAIServerFor(context, {
      reply: (chat) =>
        chat.messages.some(({ role }) => role === 'system' || role === 'developer')
          ? { status, message, retryAfter: '0' }
          : 'Because.',
    });
    assert.equal((await ask({ baseUrl: server.baseUrl })).reply, 'Because.');
    assert.deepEqual(server.chats.at(-1)!.messages, [{ role: 'user', content: 'Be brief.\n\nWhy?' }]);
  });

test('requests a whole reply from a model that can’t stream', async (context) => {
  const server = await openAIServerFor(context, {
    usage: { prompt_tokens: 9, completion_tokens: 2 },
    reply: (chat) =>
      chat.stream
        ? {
            status: 400,
            param: 'stream',
            message: 'Your organization must be verified to stream this model.',
          }
        : 'Because it is.',
  });
  const { reply, usage } = await ask({ baseUrl: server.baseUrl });
  assert.equal(reply, 'Because it is.');
  assert.deepEqual(usage, [{ input: 9, output: 2, estimated: 0 }]);
});

test('reports a rejection at once if it names no parameter', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => ({ status: 400, message: 'The system ran out of luck with max_tokens.' }),
  });
  await assert.rejects(ask({ baseUrl: server.baseUrl }), { code: 'unsupported' });
  assert.equal(server.chats.length, 1);
});

test('sends headers, a key in its own header, and a version with every request', async (context) => {
  const server = await openAIServerFor(context, { reply: () => 'Because.' });
  await ask({
    baseUrl: server.baseUrl,
    apiKey: 'azure-key',
    keyHeader: 'api-key',
    headers: { 'X-Team': 'garden' },
    apiVersion: '2024-10-21',
  });
  const [chat] = server.chats;
  assert.equal(chat!.path, '/v1/chat/completions?api-version=2024-10-21');
  assert.equal(chat!.headers['api-key'], 'azure-key');
  assert.equal(chat!.headers['x-team'], 'garden');
  assert.equal(chat!.headers.authorization, undefined);
  await assert.rejects(ask({ baseUrl: server.baseUrl, headers: { 'X-Team': 'gärten\n' } }), {
    code: 'unsupported',
    message: 'The endpoint header X-Team isn’t valid. Correct it in Settings.',
  });
});

test('takes the usage of a reply from the endpoint, or estimates it', async (context) => {
  const telling = await openAIServerFor(context, {
    reply: () => 'Because.',
    usage: { prompt_tokens: 12, completion_tokens: 3 },
  });
  assert.deepEqual((await ask({ baseUrl: telling.baseUrl })).usage, [{ input: 12, output: 3, estimated: 0 }]);

  const silent = await openAIServerFor(context, { reply: () => 'Because.' });
  const [counted] = (await ask({ baseUrl: silent.baseUrl })).usage;
  assert.ok(counted !== undefined && counted.input > 0 && counted.output > 0);
  assert.equal(counted.estimated, counted.input + counted.output);

  const refusing = await openAIServerFor(context, { reply: () => ({ status: 401 }) });
  const usage: unknown[] = [];
  const model = withUsage(openAiModel({ baseUrl: refusing.baseUrl, name: 'a', temperature: 0 }), (used) => {
    usage.push(used);
  });
  const iterator = model.stream(messages, { signal: new AbortController().signal })[Symbol.asyncIterator]();
  await assert.rejects(iterator.next());
  assert.deepEqual(usage, [], 'a request that was refused took nothing');
});
