import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { isInterrupted, NotebookError } from '../../src/core/domain/errors.ts';
import { fetchPage, type FetchPageOptions } from '../../src/parsers/web/fetch-page.ts';
import type { Fetch } from '../../src/parsers/web/guarded-fetch.ts';
import { fetchAnywhere } from '../support/fetch-anywhere.ts';

/** Runs `use` with a site on loopback. */
async function withSite(listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Returns options that record the waits between attempts without waiting. */
function quick(options: Partial<FetchPageOptions> = {}) {
  const delays: number[] = [];
  const delay = (milliseconds: number): Promise<void> => {
    delays.push(milliseconds);
    return Promise.resolve();
  };
  return { delays, options: { fetch: fetchAnywhere, delay, ...options } };
}

const failing =
  (cause: object): Fetch =>
  () =>
    Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error('reason'), cause) }));

describe('fetching a page', () => {
  test('returns the bytes, the type, and the address after redirects', () =>
    withSite(
      (request, response) => {
        if (request.url === '/old') response.writeHead(302, { location: '/new' }).end();
        else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Grüße</p>');
      },
      async (site) => {
        const page = await fetchPage(`${site}/old`, quick().options);
        assert.equal(new TextDecoder().decode(page.bytes), '<p>Grüße</p>');
        assert.deepEqual([page.mediaType, page.url], ['text/html; charset=utf-8', `${site}/new`]);
      },
    ));

  test('retries after the delay that a busy server asks for', () => {
    const answers = [429, 503, 500, 524, 200];
    return withSite(
      (_, response) => {
        const status = answers.shift() ?? 500;
        response
          .writeHead(status, { 'content-type': 'text/plain', ...(status === 429 && { 'retry-after': '7' }) })
          .end('here');
      },
      async (site) => {
        const { delays, options } = quick();
        assert.equal((await fetchPage(site, options)).bytes.length, 4);
        assert.deepEqual(delays, [7000, 2000, 4000, 8000]);
      },
    );
  });

  test('fails after five retries', () => {
    let requestCount = 0;
    return withSite(
      (_, response) => {
        requestCount++;
        response.writeHead(503).end();
      },
      async (site) => {
        await assert.rejects(fetchPage(site, quick().options), {
          code: 'server',
          message: /127\.0\.0\.1:\d+ couldn’t return the page \(503\)/,
        });
        assert.equal(requestCount, 6);
      },
    );
  });
});

describe('error of a page', () => {
  const cases = [
    [401, 'unauthorized', /example\.org requires sign-in/],
    [403, 'forbidden', /example\.org denied access to this page/],
    [404, 'not-found', /example\.org has no such page/],
    [410, 'not-found', /example\.org has removed this page/],
    [418, 'server', /example\.org rejected the request \(418\)/],
    [429, 'rate-limited', /example\.org is limiting requests/],
  ] as const;
  for (const [status, code, message] of cases) {
    test(String(status), async () => {
      const { options } = quick({ fetch: () => Promise.resolve(new Response('', { status })) });
      await assert.rejects(fetchPage('https://example.org/a', options), { code, message });
    });
  }

  const causes = [
    [{ code: 'ENOTFOUND' }, /Can’t find example\.org/],
    [{ code: 'ECONNREFUSED' }, /example\.org refused the connection/],
    [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /Can’t trust the secure connection to example\.org/],
    [{ code: 'ECONNRESET' }, /Can’t reach example\.org \(ECONNRESET\)/],
    [{ message: 'net::ERR_NAME_NOT_RESOLVED' }, /Can’t find example\.org/],
  ] as const;
  for (const [cause, message] of causes) {
    test(Object.values(cause).join(), async () => {
      const error: unknown = await fetchPage(
        'https://example.org/',
        quick({ fetch: failing(cause) }).options,
      ).catch((reason: unknown) => reason);
      assert.ok(error instanceof NotebookError);
      assert.equal(error.code, 'connection');
      assert.match(error.message, message);
      // An unreachable server isn't a lost connection, so a retry at once wouldn't help.
      assert.equal(isInterrupted(error), false);
    });
  }

  test('names the host of an address that isn’t on the web', async () => {
    for (const address of ['file:///etc/passwd', 'ftp://example.org', 'no address'])
      await assert.rejects(fetchPage(address, quick().options), { code: 'unsupported' });
  });

  test('names the host of an unsupported type', async () => {
    const image = () => Promise.resolve(new Response('x', { headers: { 'content-type': 'image/png' } }));
    await assert.rejects(fetchPage('https://example.org/', quick({ fetch: image }).options), {
      code: 'unsupported',
      message: /image\/png/,
    });
  });

  test('names the host of a page that is too large, with or without a declared length', async () => {
    const types = { 'content-type': 'text/html' };
    for (const headers of [types, { ...types, 'content-length': '3000000' }]) {
      const large = () => Promise.resolve(new Response(new Uint8Array(3_000_000), { headers }));
      const { options } = quick({ fetch: large, maximumBytes: 2 * 1024 * 1024 });
      await assert.rejects(fetchPage('https://example.org/', options), {
        code: 'too-large',
        message: /exceeds the limit of 2 MB/,
      });
    }
  });

  test('names the host of a server that doesn’t answer, or of an endless body', () =>
    withSite(
      (request, response) => {
        if (request.url === '/body') response.writeHead(200, { 'content-type': 'text/html' }).write('<p>');
      },
      async (site) => {
        for (const path of ['/', '/body'])
          await assert.rejects(fetchPage(site + path, quick({ timeoutMilliseconds: 100 }).options), {
            code: 'timeout',
            message: /didn’t respond within 0\.1 seconds/,
          });
      },
    ));

  test('stops when it is canceled', async () => {
    const stop = new AbortController();
    const { options } = quick({
      signal: stop.signal,
      fetch: () => {
        stop.abort();
        return Promise.reject(new DOMException('aborted', 'AbortError'));
      },
    });
    await assert.rejects(fetchPage('https://example.org/', options), { code: 'cancelled' });
  });
});
