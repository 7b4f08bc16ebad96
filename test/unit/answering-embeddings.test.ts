import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { embedTexts } from '../../src/answers/models/openai-embeddings.ts';
import { hashVector } from '../support/hash-vector.ts';
import { startLoopbackServer, type LoopbackServer } from '../support/loopback-server.ts';
import { openAIServerFor, startOpenAIServer, type OpenAIServerOptions } from '../support/openai-server.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const KEY = 'sk-very-secret-0123456789';

function embed(
  baseUrl: string,
  texts: readonly string[],
  options: { readonly apiKey?: string; readonly timeout?: number; readonly retries?: number } = {},
): Promise<(Float32Array | null)[]> {
  const { apiKey, timeout = TIMEOUT_MS, retries = 0 } = options;
  const signal = new AbortController().signal;
  return embedTexts({ baseUrl, name: 'small', apiKey }, texts, { signal, timeout, retries });
}

async function start(context: TestContext, options: OpenAIServerOptions = {}): Promise<string> {
  return (await openAIServerFor(context, options)).baseUrl;
}

/** Starts an endpoint with one response per request. The last response repeats. */
async function scripted(
  context: TestContext,
  ...answers: { readonly status: number; readonly body: object; readonly retryAfter?: string }[]
): Promise<{ baseUrl: string; server: LoopbackServer }> {
  let next = 0;
  const server = await startLoopbackServer((_, response) => {
    const answer = answers[Math.min(next++, answers.length - 1)];
    response.writeHead(answer?.status ?? 500, {
      'content-type': 'application/json',
      ...(answer?.retryAfter === undefined ? {} : { 'retry-after': answer.retryAfter }),
    });
    response.end(JSON.stringify(answer?.body));
    return Promise.resolve();
  });
  context.after(() => server.close());
  return { baseUrl: `${server.url}/v1`, server };
}

const refusal = (message: string): object => ({ error: { message, type: 'error', code: null } });
const vectors = (...rows: unknown[]): object => ({
  object: 'list',
  data: rows.map((embedding, index) => ({ object: 'embedding', index, embedding })),
});

test('returns vectors in the order of the texts', async (context) => {
  const baseUrl = await start(context, { apiKey: KEY });
  const texts = ['one fish', 'two fish', 'red fish'];
  assert.deepEqual(
    await embed(baseUrl, texts, { apiKey: KEY }),
    texts.map((text) => hashVector(text, 64)),
  );
});

test('accepts numbers from an endpoint that doesn’t support Base64', async (context) => {
  const { baseUrl } = await scripted(context, { status: 200, body: vectors([0.5, -1], [2, 0]) });
  assert.deepEqual(await embed(baseUrl, ['a', 'b']), [Float32Array.of(0.5, -1), Float32Array.of(2, 0)]);
});

test('halves a batch that is too large', async (context) => {
  const baseUrl = await start(context, { maxEmbeddingInputs: 2 });
  const texts = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
  assert.deepEqual(
    await embed(baseUrl, texts),
    texts.map((text) => hashVector(text, 64)),
  );
});

test('truncates a text that is too long, and skips it if that fails', async (context) => {
  const tooLong = { status: 400, body: refusal('The input exceeds the maximum context length.') };
  const cut = await scripted(context, tooLong, tooLong, { status: 200, body: vectors([1]) });
  assert.deepEqual(await embed(cut.baseUrl, ['x'.repeat(400)]), [Float32Array.of(1)]);
  assert.equal(
    (JSON.parse(cut.server.requests.at(-1)?.body ?? '') as { input: string[] }).input[0]?.length,
    100,
  );
  const never = await scripted(context, tooLong);
  assert.deepEqual(await embed(never.baseUrl, ['x']), [null]);
});

test('retries a busy or failing endpoint', async (context) => {
  const busy = await scripted(
    context,
    { status: 429, body: refusal('Slow down.'), retryAfter: '0' },
    { status: 500, body: refusal('Oops.'), retryAfter: '0' },
    { status: 200, body: vectors([1]) },
  );
  assert.deepEqual(await embed(busy.baseUrl, ['a'], { retries: 3 }), [Float32Array.of(1)]);
});

test('reports a failure in one sentence without the key', async (context) => {
  const baseUrl = await start(context, { apiKey: KEY });
  await assert.rejects(embed(baseUrl, ['a'], { apiKey: 'sk-wrong' }), { code: 'unauthorized' });
  const missing = await scripted(context, { status: 404, body: refusal(`No model; ${KEY}`) });
  await assert.rejects(embed(missing.baseUrl, ['a'], { apiKey: KEY }), (error: Error) => {
    assert.equal((error as Error & { code: string }).code, 'not-found');
    assert.ok(!`${error.message}${String(error.cause)}`.includes(KEY));
    return true;
  });
  const chatOnly = await scripted(context, {
    status: 400,
    body: refusal('The model scripted-1 does not support embeddings.'),
  });
  await assert.rejects(embed(chatOnly.baseUrl, ['a']), { code: 'unsupported' });
  const odd = await scripted(context, { status: 200, body: vectors([1, Number.NaN], [null, 1]) });
  await assert.rejects(embed(odd.baseUrl, ['a', 'b']), { code: 'server' });
  const few = await scripted(context, { status: 200, body: vectors([1]) });
  await assert.rejects(embed(few.baseUrl, ['a', 'b']), { code: 'server' });
  await assert.rejects(embed('http://127.0.0.1:1/v1', ['a']), { code: 'connection' });
});

test('sends nothing after a stop', async (context) => {
  const server = await startOpenAIServer();
  context.after(() => server.close());
  const endpoint = { baseUrl: server.baseUrl, name: 'small', apiKey: undefined };
  const signal = AbortSignal.abort();
  await assert.rejects(embedTexts(endpoint, ['a'], { signal, timeout: 1_000, retries: 0 }), {
    code: 'cancelled',
  });
  assert.equal(server.requests.length, 0);
});

test('takes usage from the endpoint, or estimates it', async (context) => {
  const reportedUsages: object[] = [];
  const options = {
    signal: new AbortController().signal,
    timeout: TIMEOUT_MS,
    retries: 0,
    onUsage: (usage: object) => reportedUsages.push(usage),
  };
  const { baseUrl } = await scripted(
    context,
    { status: 413, body: refusal('Too many inputs.') },
    { status: 200, body: { ...vectors([1, 2]), usage: { prompt_tokens: 7, total_tokens: 7 } } },
    { status: 200, body: vectors([3, 4]) },
  );
  await embedTexts({ baseUrl, name: 'small' }, ['one fish', 'two fish'], options);
  const [first, second] = reportedUsages;
  assert.deepEqual(first, { input: 7, output: 0, estimated: 0 });
  assert.deepEqual(second, { input: 3, output: 0, estimated: 3 });
  assert.equal(reportedUsages.length, 2, 'what was refused took nothing');
});
