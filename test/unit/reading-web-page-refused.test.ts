import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDocument } from '../../src/parsers/registry.ts';

const read = (html: string, url = 'https://app.example/start', mediaType = 'text/html') =>
  readDocument({ bytes: Buffer.from(html), name: 'start', mediaType, pageUrl: url, minimumLength: 100 }, {});

const prose =
  'Lighthouse keepers write down the wind, the waves and every ship that passes, and they have done so each night for a hundred years. ';

describe('a page without readable content is rejected with the reason', () => {
  const form =
    '<form action="/session"><input name="user"><input type="password"><button>Sign in</button></form>';
  const scripts = '<script src="/app.js"></script>';
  const cases = [
    [
      'a sign-in',
      `<title>Sign in · App</title><h1>Sign in to App</h1>${form}<a href="/reset">Forgot password?</a>`,
      'unauthorized',
      /app\.example requires sign-in/,
    ],
    [
      'a sign-in with little around it',
      `<title>App</title><p>Welcome back.</p>${form}`,
      'unauthorized',
      /requires sign-in/,
    ],
    [
      'scripts that build the page',
      `<title>App</title><div id="root"></div>${scripts}`,
      'unsupported',
      /app\.example builds this page with scripts/,
    ],
    [
      'scripts that the page asks for',
      `<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${scripts}`,
      'unsupported',
      /builds this page with scripts/,
    ],
    [
      'a check for robots',
      `<title>Just a moment...</title><p>Checking your browser before you continue to app.example.</p>${scripts}`,
      'forbidden',
      /only after a browser check/,
    ],
    [
      'a page that leads on',
      '<meta http-equiv="refresh" content="0; url=/new/home"><p>Moved.</p>',
      'unsupported',
      /only redirects to https:\/\/app\.example\/new\/home\./,
    ],
  ] as const;
  for (const [name, html, code, message] of cases) {
    test(name, () => assert.rejects(read(html), { code, message }));
  }

  test('accepts enough text next to a form or scripts', async () => {
    const { text } = await read(
      `<title>Login lamps</title><main><h1>Login lamps</h1><p>${prose.repeat(8)}</p></main>${form}${scripts}`,
    );
    assert.ok(text.includes('Lighthouse keepers'));
    const short = await read(`<title>Lamps</title><main><p>${prose.repeat(2)}</p></main>${scripts}`);
    assert.ok(short.text.includes('Lighthouse keepers'));
  });
});

describe('pages that aren’t HTML are read as text', () => {
  test('reads JSON', async () => {
    const json = JSON.stringify({
      lamps: Array.from({ length: 9 }, (_, i) => ({ name: `Lamp ${String(i)}` })),
    });
    const document = await read(json, 'https://app.example/api/lamps', 'application/json; charset=utf-8');
    assert.deepEqual([document.text, document.languageId, document.map.kind], [json, 'json', 'saved']);
  });

  test('reads XML in the encoding that it declares', async () => {
    const xml = `<?xml version="1.0" encoding="iso-8859-1"?>\n<lamps>${'<lamp place="Küste">Leuchtfeuer</lamp>'.repeat(5)}</lamps>`;
    const document = await readDocument(
      {
        bytes: Buffer.from(xml, 'latin1'),
        name: 'feed',
        mediaType: 'application/atom+xml',
        pageUrl: 'https://app.example/feed',
        minimumLength: 100,
      },
      {},
    );
    assert.deepEqual([document.text, document.languageId], [xml, 'xml']);
  });

  test('reads HTML as HTML, whatever type its server declares', async () => {
    const html = `<!DOCTYPE html><html><body><main><h1>Lamps</h1><p>${prose.repeat(3)}</p></main></body></html>`;
    for (const mediaType of ['', 'text/plain', 'application/octet-stream'])
      assert.ok((await read(html, undefined, mediaType)).text.startsWith('# Lamps'));
  });
});
