import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeGate } from '../support/gate.ts';
import { failing, file, never, redirect, siteOfTest, status } from '../support/site.ts';

test('serves pages, redirects, and missing pages', async (context) => {
  const site = await siteOfTest(context, { '/': '<p>Hello', '/old': redirect('/') });
  assert.equal(await (await fetch(`${site.url}/old`)).text(), '<p>Hello');
  assert.equal((await fetch(`${site.url}/missing`)).status, 404);
  assert.deepEqual(site.paths, ['/old', '/', '/missing']);
});

test('serves a page that fails at first', async (context) => {
  const busy = failing(1, status(429, { 'retry-after': '0' }), 'Ready');
  const site = await siteOfTest(context, { '/': busy });
  const refused = await fetch(site.url);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '0');
  assert.equal(await (await fetch(site.url)).text(), 'Ready');
});

test('never answers a page until the client gives up', async (context) => {
  const site = await siteOfTest(context, { '/': never });
  const stopped = new AbortController();
  const pending = fetch(site.url, { signal: stopped.signal });
  pending.catch(() => undefined);
  while (site.requests.length === 0) await new Promise(setImmediate);
  stopped.abort();
  await assert.rejects(pending);
  assert.equal(await site.requests[0]?.answered, false);
});

test('holds a slow page at its gate', async (context) => {
  const gate = makeGate();
  const site = await siteOfTest(context, { '/': { body: 'Late', gate } });
  const pending = fetch(site.url);
  await gate.reached;
  gate.open();
  assert.equal(await (await pending).text(), 'Late');
});

test('breaks off a page, and serves one of another type', async (context) => {
  const site = await siteOfTest(context, {
    '/broken': { body: 'half', missing: 10 },
    '/text': file('text/plain; charset=latin1', Buffer.from([0xe9])),
  });
  await assert.rejects(fetch(`${site.url}/broken`).then((response) => response.text()));
  const text = await fetch(`${site.url}/text`);
  assert.equal(text.headers.get('content-type'), 'text/plain; charset=latin1');
  assert.deepEqual([...(await text.bytes())], [0xe9]);
});
