// Tests tool calls of models: by protocol, in parts, broken, and rejected.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ToolCallAccumulator } from '../../src/answers/models/tool-call-accumulator.ts';
import type {
  ChatMessage,
  LanguageModel,
  ModelTool,
  ToolCall,
} from '../../src/answers/models/language-model.ts';
import { withUsage } from '../../src/answers/models/metered.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import type { KnownDifferences } from '../../src/answers/models/request-differences.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { openAIServerFor, cut } from '../support/openai-server.ts';

const search: ModelTool = {
  name: 'search',
  description: 'Finds passages.',
  input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

function modelAt(baseUrl: string, differences: KnownDifferences = new Map()): LanguageModel {
  return openAiModel({ baseUrl, name: 'scripted-1', temperature: 0, differences });
}

async function ask(
  model: LanguageModel,
  tools: readonly ModelTool[] | undefined = [search],
  messages: readonly ChatMessage[] = [{ role: 'user', content: 'What is it?' }],
): Promise<{ reply: string; calls: readonly ToolCall[]; error?: NotebookError }> {
  const calls: ToolCall[] = [];
  const signal = new AbortController().signal;
  let reply = '';
  try {
    const onToolCall = (call: ToolCall): void => void calls.push(call);
    for await (const piece of model.stream(messages, { signal, onToolCall, tools })) reply += piece;
  } catch (error) {
    assert.ok(error instanceof NotebookError, String(error));
    return { reply, calls, error };
  }
  return { reply, calls };
}

test('collects calls that arrive in parts between words', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => [
      'I look ',
      'it up.',
      { call: 'search', input: { query: 'größe of the “lake”' } },
      { call: 'search', input: { query: 'b' } },
    ],
  });
  const { reply, calls, error } = await ask(modelAt(server.baseUrl));
  assert.equal(error, undefined);
  assert.equal(reply, 'I look it up.');
  assert.deepEqual(calls, [
    { id: 'call-0', name: 'search', input: { query: 'größe of the “lake”' } },
    { id: 'call-1', name: 'search', input: { query: 'b' } },
  ]);
  assert.deepEqual(server.chats[0]!.tools, ['search']);
});

test('accepts a reply with only calls, and returns their results by call', async (context) => {
  const server = await openAIServerFor(context, {
    reply: ({ index }) => (index === 0 ? [{ call: 'search', input: { query: 'lake' } }] : 'A lake.'),
  });
  const model = modelAt(server.baseUrl);
  const first = await ask(model);
  assert.equal(first.error, undefined);
  const again = await ask(
    model,
    [search],
    [
      { role: 'user', content: 'What is it?' },
      { role: 'assistant', content: '', calls: first.calls },
      { role: 'user', content: 'It is a lake.', resultOf: 'call-0' },
    ],
  );
  assert.equal(again.reply, 'A lake.');
  const body = JSON.parse(server.chats[1]!.body) as { messages: unknown[] };
  assert.deepEqual(body.messages.slice(1), [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'call-0', type: 'function', function: { name: 'search', arguments: '{"query":"lake"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call-0', content: 'It is a lake.' },
  ]);
});

test('reads whole calls if a model doesn’t stream', async (context) => {
  const server = await openAIServerFor(context, {
    reply: ({ stream }) =>
      stream
        ? { status: 400, message: 'Streaming is not supported when tools are given.' }
        : [{ call: 'search', input: { query: 'lake' } }],
  });
  assert.deepEqual((await ask(modelAt(server.baseUrl))).calls, [
    { id: 'call-0', name: 'search', input: { query: 'lake' } },
  ]);
});

test('reports broken JSON of a call without throwing', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => [{ call: 'search', input: '{"query": "la' }],
  });
  const { calls, error } = await ask(modelAt(server.baseUrl));
  assert.equal(error, undefined);
  assert.deepEqual(calls[0]?.input, {});
  assert.match(String(calls[0].problem), /isn’t a complete JSON object/);
});

test('skips a call of a stream that breaks off', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => [{ call: 'search', input: { query: 'a' } }, cut],
  });
  const { calls, error } = await ask(modelAt(server.baseUrl));
  assert.deepEqual(calls, []);
  assert.ok(error);
});

for (const [who, status, message] of [
  ['Ollama', 400, 'registry.ollama.ai/library/gemma:2b does not support tools'],
  ['vLLM', 400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  ['OpenRouter', 404, 'No endpoints found that support tool use.'],
  ['llama.cpp', 500, 'tools param requires --jinja flag'],
  ['Groq', 400, '`tool calling` is not supported with this model'],
  ['another', 422, 'Unrecognized request argument supplied: functions'],
] as const)
  test(`learns that a model doesn’t support tools from ${who}`, async (context) => {
    const server = await openAIServerFor(context, {
      reply: ({ tools }) => (tools.length > 0 ? { status, message, retryAfter: '0' } : 'Fine.'),
    });
    const differences: KnownDifferences = new Map();
    const model = withUsage(modelAt(server.baseUrl, differences), () => undefined);
    assert.equal(model.takesTools, undefined);
    assert.equal((await ask(model)).error?.code, 'no-tools');
    assert.equal(model.takesTools, false);
    const { length } = server.chats;
    assert.equal((await ask(modelAt(server.baseUrl, differences))).error?.code, 'no-tools');
    assert.equal(server.chats.length, length, 'it is not asked again');
    assert.equal((await ask(model, [])).reply, 'Fine.', 'it goes on without');
  });

test('doesn’t take a rejected key for a lack of tool support', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => ({ status: 401, message: 'No tools for this key.' }),
  });
  const model = modelAt(server.baseUrl);
  assert.equal((await ask(model)).error?.code, 'unauthorized');
  assert.equal(model.takesTools, undefined);
});

test('joins parts of calls by the numbers and names of each server', () => {
  const whole = (...parts: Parameters<ToolCallAccumulator['take']>[0][]): ToolCall[] => {
    const calls = new ToolCallAccumulator();
    for (const part of parts) calls.take(part);
    return calls.collectCalls();
  };
  const a = { id: 'a', name: 'search', input: { q: 1 } };
  const b = { id: 'b', name: 'search', input: { q: 2 } };
  const part = (
    id: string | undefined,
    words: unknown,
    index?: number,
  ): Parameters<ToolCallAccumulator['take']>[0] => ({
    ...(id !== undefined && { id }),
    ...(index !== undefined && { index }),
    function: { ...(id !== undefined && { name: 'search' }), arguments: words },
  });
  assert.deepEqual(whole(part('a', '{"q"', 0), part(undefined, ':1}', 0), part('b', '{"q":2}', 1)), [a, b]);
  assert.deepEqual(
    whole(part('a', '{"q":1}', 0), part('b', '{"q":2}', 0)),
    [a, b],
    'each whole, all numbered 0',
  );
  assert.deepEqual(
    whole(part('a', '{"q":'), part(undefined, '1}'), part('b', '{"q":2}')),
    [a, b],
    'none numbered',
  );
  assert.deepEqual(whole(part('a', '{"q"', 0), part('a', ':1}', 0)), [a], 'named with each part');
  assert.deepEqual(whole(part('a', { q: 1 }, 0)), [a], 'an object in the place of its text');
  assert.deepEqual(whole(part('a', '"{\\"q\\":1}"', 0)), [a], 'a text that holds the object');
  assert.deepEqual(whole(part('', '{"q":1}', 0), part('', '{"q":2}', 1)), [
    { ...a, id: 'call_1' },
    { ...b, id: 'call_2' },
  ]);
  assert.deepEqual(whole(part('a', '', 0)), [{ ...a, input: {} }]);
  assert.match(whole(part('a', '[1]', 0))[0]?.problem ?? '', /JSON object/);
  assert.match(whole(part('a', `"${'x'.repeat(300_000)}"`, 0))[0]?.problem ?? '', /too long/);
});

test('counts the tokens of calls if the endpoint doesn’t', async (context) => {
  const server = await openAIServerFor(context, {
    reply: () => [{ call: 'search', input: { query: 'the lake in the north' } }],
  });
  const used: number[] = [];
  const model = withUsage(modelAt(server.baseUrl), ({ input, output }) => used.push(input, output));
  await ask(model);
  assert.ok(used[0]! > 20 && used[1]! > 5, String(used));
});
