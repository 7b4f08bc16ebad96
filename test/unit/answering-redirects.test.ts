import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { describeModel } from '../../src/answers/models/describe-model.ts';
import { listModels } from '../../src/answers/models/list-models.ts';
import type { EndpointAccess } from '../../src/answers/models/openai-client.ts';
import { embedTexts } from '../../src/answers/models/openai-embeddings.ts';
import { speak } from '../../src/answers/models/openai-speech.ts';
import { openAiModel } from '../../src/answers/models/openai.ts';
import { testKey } from '../../src/answers/models/test-key.ts';
import { startLoopbackServer, type LoopbackServer } from '../support/loopback-server.ts';
import { startOpenAIServer } from '../support/openai-server.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const { signal } = new AbortController();
const options = { signal, timeout: TIMEOUT_MS };

/** Starts a server that answers every request with a redirect. */
async function startRedirecting(
  context: TestContext,
  status: number,
  target: (path: string) => string,
): Promise<LoopbackServer> {
  const server = await startLoopbackServer(({ path }, response) => {
    // The client would obey this header and retry, unless redirects are never retried.
    response.writeHead(status, { location: target(path), 'x-should-retry': 'true' }).end();
    return Promise.resolve();
  });
  context.after(() => server.close());
  return server;
}

function access(server: LoopbackServer): EndpointAccess & { readonly name: string } {
  return {
    baseUrl: `${server.url}/v1`,
    name: 'any-1',
    apiKey: 'sk-secret',
    keyHeader: 'api-key',
    headers: { 'x-project': 'secret' },
  };
}

/** Every kind of request that carries a key, headers, or texts. */
const requests: Readonly<Record<string, (server: LoopbackServer) => Promise<unknown>>> = {
  chat: async (server) => {
    const model = openAiModel({ ...access(server), temperature: 0 });
    for await (const _ of model.stream([{ role: 'user', content: 'A passage' }], { signal }));
  },
  embeddings: (server) => embedTexts(access(server), ['A passage'], { ...options, retries: 2 }),
  speech: (server) =>
    speak(
      access(server),
      { text: 'A passage', voice: 'ash', format: 'mp3' },
      { signal, timeout: TIMEOUT_MS, retries: 2 },
    ),
  'model list': (server) => listModels(access(server), options),
  'key test': (server) => testKey(access(server), 'any-1', options),
};

for (const [name, request] of Object.entries(requests))
  for (const status of [301, 302, 303, 307, 308])
    test(`sends no ${name} request to another origin after a redirect with ${String(status)}`, async (context) => {
      const other = await startRedirecting(context, 200, () => '');
      const own = await startRedirecting(context, status, (path) => `${other.url}${path}`);
      await assert.rejects(request(own), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'forbidden');
        assert.ok(error.message.startsWith(`${own.url} redirects to ${other.url}. `), error.message);
        return true;
      });
      assert.equal(other.requests.length, 0);
      assert.equal(own.requests.length, 1);
    });

for (const [name, target] of Object.entries({
  'of another host on the same port': (own: string) => own.replace('127.0.0.1', 'localhost'),
  'of another scheme on the same host': (own: string) => own.replace('http:', 'https:'),
  'without a scheme': (own: string) => own.replace('http:', '').replace('127.0.0.1', '127.0.0.2'),
  'after a redirect within the origin': undefined,
}))
  test(`rejects an address ${name}`, async (context) => {
    let base = '';
    const other = 'http://127.0.0.2:9';
    const own = await startRedirecting(context, 307, (path) =>
      target !== undefined ? target(base) + path : path.startsWith('/moved') ? other : `/moved${path}`,
    );
    base = own.url;
    await assert.rejects(listModels(access(own), options), { code: 'forbidden' });
    assert.equal(own.requests.length, target === undefined ? 2 : 1);
  });

test('requests a model’s features only from its origin', async (context) => {
  const other = await startRedirecting(context, 200, () => '');
  const own = await startRedirecting(context, 307, (path) => `${other.url}${path}`);
  assert.deepEqual(await describeModel(access(own), 'any-1', options), {});
  assert.equal(other.requests.length, 0);
});

test('repeats a request within the origin with its method, body, and key', async (context) => {
  const model = await startOpenAIServer({ apiKey: 'sk-secret' });
  context.after(() => model.close());
  const server = await startLoopbackServer(async ({ method, path, body, headers }, response) => {
    if (!path.startsWith('/moved')) {
      response.writeHead(307, { location: `/moved${path}` }).end();
      return;
    }
    const answer = await fetch(model.url + path.slice('/moved'.length), {
      method,
      body,
      headers: { authorization: headers.authorization ?? '', 'content-type': 'application/json' },
    });
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  });
  context.after(() => server.close());
  const { name, apiKey } = access(server);
  const vectors = await embedTexts({ baseUrl: `${server.url}/v1`, name, apiKey }, ['A passage'], {
    ...options,
    retries: 0,
  });
  assert.equal(vectors.length, 1);
  assert.equal(vectors[0]?.length, 64);
});

test('reports an endpoint that redirects to itself', async (context) => {
  const own = await startRedirecting(context, 308, (path) => path);
  await assert.rejects(listModels(access(own), options), {
    code: 'forbidden',
    message: `${own.url} redirects endlessly. Check its URL in Settings.`,
  });
});
