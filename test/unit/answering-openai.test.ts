// Runs in a process of its own: it changes the environment.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAiModel, type OpenAiModelOptions } from '../../src/answers/models/openai.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { makeGate } from '../support/gate.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { openAIServerFor, cut, inTurn, silence, startOpenAIServer } from '../support/openai-server.ts';

const SECRET = 'sk-very-secret-0123456789';

interface Reply {
  readonly pieces: readonly string[];
  readonly error: NotebookError | undefined;
}

async function ask(
  baseUrl: string,
  options: Partial<OpenAiModelOptions> = {},
  signal = new AbortController().signal,
  onPiece: (piece: string) => void = () => undefined,
): Promise<Reply> {
  const model = openAiModel({ baseUrl, name: 'scripted-1', temperature: 0.2, ...options });
  const pieces: string[] = [];
  try {
    for await (const piece of model.stream([{ role: 'user', content: 'Why?' }], { signal })) {
      pieces.push(piece);
      onPiece(piece);
    }
  } catch (error) {
    assert.ok(error instanceof NotebookError, String(error));
    const { message, cause } = error;
    assert.ok(!`${message} ${String(cause)}`.includes(SECRET), 'the key is never told');
    assert.match(message, /^[^\n]+[.?]$/);
    return { pieces, error };
  }
  return { pieces, error: undefined };
}

test('streams a reply, and sends the key and the temperature', async (context) => {
  const server = await openAIServerFor(context, { reply: () => 'Because it is so.', apiKey: SECRET });
  const { pieces, error } = await ask(server.baseUrl, { apiKey: SECRET });
  assert.equal(error, undefined);
  assert.equal(pieces.join(''), 'Because it is so.');
  assert.equal((JSON.parse(server.chats[0]!.body) as { temperature: number }).temperature, 0.2);
});

test('sends no key if none is set, even if the environment contains one', async (context) => {
  const server = await openAIServerFor(context, { reply: () => 'Yes.' });
  const before = process.env.OPENAI_API_KEY;
  process.env.OPENAI_API_KEY = SECRET;
  context.after(() => {
    if (before === undefined) delete process.env.OPENAI_API_KEY;
    else process.env.OPENAI_API_KEY = before;
  });
  const { pieces } = await ask(server.baseUrl);
  assert.equal(pieces.join(''), 'Yes.');
  assert.equal(server.chats[0]!.headers.authorization, undefined);
});

for (const { status, code, action, message = 'No.' } of [
  {
    status: 401,
    code: 'unauthorized',
    action: 'setApiKey',
    message: `Incorrect API key provided: ${SECRET}`,
  },
  { status: 402, code: 'rate-limited', action: 'setApiKey' },
  { status: 403, code: 'forbidden', action: 'setApiKey' },
  { status: 404, code: 'not-found', action: 'pickModel' },
  {
    status: 400,
    code: 'too-large',
    action: 'openSettings',
    message: "This model's maximum context length is 8192.",
  },
  { status: 400, code: 'unsupported', action: 'openSettings', message: 'Something else.' },
]) {
  test(`reports ${String(status)} as ${code}`, async (context) => {
    const server = await openAIServerFor(context, { reply: () => ({ status, message }) });
    const { error } = await ask(server.baseUrl, { apiKey: SECRET });
    assert.equal(error?.code, code);
    assert.equal(error.action, action);
    assert.equal(server.chats.length, 1);
  });
}

test('waits for a rate limit with a short wait', async (context) => {
  const server = await openAIServerFor(context, { reply: inTurn({ status: 429, retryAfter: '0' }, 'Now.') });
  const { pieces } = await ask(server.baseUrl);
  assert.equal(pieces.join(''), 'Now.');
});

test('reports a rate limit with a long wait at once', async (context) => {
  const server = await openAIServerFor(context, { reply: () => ({ status: 429, retryAfter: '3600' }) });
  const { error } = await ask(server.baseUrl);
  assert.equal(error?.code, 'rate-limited');
  assert.equal(error.action, 'tryAgain');
  assert.equal(server.chats.length, 1);
});

test('reports a server error after retries', async (context) => {
  const server = await openAIServerFor(context, { reply: () => ({ status: 503, retryAfter: '0' }) });
  const { error } = await ask(server.baseUrl);
  assert.equal(error?.code, 'server');
  assert.equal(server.chats.length, 3);
});

test('keeps the text of a stream that breaks off', async (context) => {
  const server = await openAIServerFor(context, { reply: () => ['half ', cut] });
  const { pieces, error } = await ask(server.baseUrl);
  assert.equal(pieces.join(''), 'half ');
  assert.equal(error?.code, 'stream-cut');
});

test('treats a stream without an end marker as broken off', async (context) => {
  const server = await startLoopbackServer((_, response) => {
    const chunk = { choices: [{ index: 0, delta: { content: 'half' }, finish_reason: null }] };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify(chunk)}\n\n`);
    return Promise.resolve();
  });
  context.after(() => server.close());
  const { pieces, error } = await ask(`${server.url}/v1`);
  assert.deepEqual(pieces, ['half']);
  assert.equal(error?.code, 'stream-cut');
});

test('treats an empty answer as an error', async (context) => {
  const server = await openAIServerFor(context, { reply: () => [] });
  assert.equal((await ask(server.baseUrl)).error?.code, 'empty');
});

test('reports an address that returns a web page', async (context) => {
  const server = await startLoopbackServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<html><body>Welcome</body></html>');
    return Promise.resolve();
  });
  context.after(() => server.close());
  const { error } = await ask(server.url);
  assert.equal(error?.code, 'server');
  assert.match(error.message, /OpenAI-compatible/);
});

test('reports a server that isn’t running by its address', async () => {
  const server = await startOpenAIServer();
  const { baseUrl, url } = server;
  await server.close();
  const { error } = await ask(baseUrl);
  assert.equal(error?.code, 'connection');
  assert.ok(error.message.includes(url), error.message);
  assert.equal(error.action, 'pickModel');
});

test('asks a model again without a temperature if it doesn’t support one', async (context) => {
  const server = await openAIServerFor(context, {
    reply: ({ body }) =>
      body.includes('"temperature"')
        ? { status: 400, message: "Unsupported value: 'temperature' does not support 0.2 with this model." }
        : 'Fine.',
  });
  const { pieces, error } = await ask(server.baseUrl);
  assert.equal(error, undefined);
  assert.equal(pieces.join(''), 'Fine.');
});

test('times out after silence or a pause in a stream', async (context) => {
  const server = await openAIServerFor(context, { reply: () => silence });
  const silent = await ask(server.baseUrl, { patience: { first: 50, next: 50 } });
  assert.equal(silent.error?.code, 'timeout');
  const gate = makeGate();
  context.after(() => {
    gate.open();
  });
  server.reply(['half ', gate, 'rest']);
  // The previous request clears its timer when it ends, which needs the real clock.
  await server.chats[0]?.answered;
  // Time passes only while the server is silent, so that slow machines don't time out.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { pieces, error } = await ask(
    server.baseUrl,
    { patience: { first: 30_000, next: 1_000 } },
    undefined,
    (piece) => {
      if (piece === 'half ') context.mock.timers.tick(1_000);
    },
  );
  assert.deepEqual(pieces, ['half ']);
  assert.equal(error?.code, 'stream-cut');
});

test('stops the request at once, in the stream and before a retry', async (context) => {
  const server = await openAIServerFor(context);
  const gate = makeGate();
  context.after(() => {
    gate.open();
  });
  for (const script of [['one ', gate, 'two'], { status: 429, retryAfter: '20' }] as const) {
    const controller = new AbortController();
    server.reply(() => {
      setImmediate(() => {
        controller.abort();
      });
      return script;
    });
    const { error } = await ask(server.baseUrl, {}, controller.signal);
    assert.equal(error?.code, 'cancelled');
  }
});

test('reports a key or address that can’t be sent before any request', async () => {
  assert.equal((await ask('http://127.0.0.1:1/v1', { apiKey: `${SECRET}…` })).error?.code, 'unauthorized');
  assert.equal((await ask('not an address')).error?.code, 'connection');
});
