// A server that answers like GitHub and GitLab, as a test specifies.
import type { TestContext } from 'node:test';
import type { ForgeOptions } from '../../src/parsers/threads/forge-client.ts';
import { guardedFetch } from '../../src/parsers/web/guarded-fetch.ts';
import { startLoopbackServer, type LoopbackServer, type RecordedRequest } from './loopback-server.ts';

/** JSON, unless the body is a text. */
export interface ForgeAnswer {
  readonly status?: number;
  readonly headers?: Record<string, string>;
  readonly body?: unknown;
}

/** Starts a server that answers as a forge does, until its test ends. */
export async function startForge(
  context: Pick<TestContext, 'after'>,
  answer: (url: URL, request: RecordedRequest) => ForgeAnswer,
): Promise<LoopbackServer> {
  const server = await startLoopbackServer((request, response) => {
    const { status = 200, headers = {}, body = {} } = answer(new URL(request.path, 'http://a'), request);
    if (typeof body === 'string') response.writeHead(status, headers).end(body);
    else
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    return Promise.resolve();
  });
  context.after(() => server.close());
  return server;
}

/** Returns options that send all requests to a test server. */
export function forgeOptions({ url }: LoopbackServer, token?: string): ForgeOptions {
  return {
    fetch: guardedFetch([new URL(url).host]),
    signal: new AbortController().signal,
    userAgent: 'Test',
    token,
  };
}
