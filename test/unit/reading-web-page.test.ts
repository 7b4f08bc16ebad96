// Runs in a process of its own: it replaces `fetch`.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDocument } from '../../src/parsers/registry.ts';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { toMarkdown } from '../../src/parsers/web/to-markdown.ts';

const filler =
  'Lighthouse keepers write down the wind, the waves and every ship that passes, and they have done so each night for a hundred years. ';

const page = (content: string): string => `<!doctype html><html><head><title>The page</title></head><body>
  <nav><a href="/">Start</a><a href="/shop">Shop</a></nav>
  <main><h1>The page</h1><p>${filler.repeat(3)}</p>${content}<p>${filler.repeat(2)}</p></main>
  <footer>All rights reserved</footer></body></html>`;

const extractMarkdown = (content: string): string =>
  extractPage(page(content), 'https://example.org/docs/page.html').markdown;

describe('a page as Markdown', () => {
  test('has its title and headings without the surrounding navigation', () => {
    const { title, markdown, headings } = extractPage(
      page('<h2>The log</h2><p>Words.</p>'),
      'https://example.org/',
    );
    assert.equal(title, 'The page');
    assert.deepEqual(headings, [
      { offset: 0, level: 1, title: 'The page' },
      { offset: markdown.indexOf('## The log'), level: 2, title: 'The log' },
    ]);
    assert.ok(!/Shop|All rights reserved/.test(markdown));
  });

  test('keeps tables, and code, lists, and line breaks in their cells', () => {
    const { body } = parsePage(
      '<table><tr><th>Option</th><th>Meaning</th></tr><tr><td><code>--dry</code></td><td>Do<br>nothing</td></tr>' +
        '<tr><td>many</td><td><ul><li>one</li><li>two</li></ul></td></tr></table>',
    );
    assert.equal(
      toMarkdown(body, 'https://example.org/'),
      '| Option | Meaning |\n| --- | --- |\n| `--dry` | Do nothing |\n| many | one two |',
    );
  });

  test('keeps code with its language, line breaks, and backticks', () => {
    const markdown = extractMarkdown(
      '<pre class="x"><code class="language-js">if (a &lt; b) {\n  f(`x`);\n}\n</code></pre>',
    );
    assert.ok(markdown.includes('```js\nif (a < b) {\n  f(`x`);\n}\n```'), markdown);
  });

  test('has absolute links and none that run scripts', () => {
    const markdown = extractMarkdown(
      '<p>See <a href="../guide (new)/#top">the guide</a> or <a href="javascript:alert(1)">nothing</a> for the keepers.</p>',
    );
    assert.ok(markdown.includes('[the guide](https://example.org/guide%20%28new%29/#top)'), markdown);
    assert.ok(!markdown.includes('javascript:'));
  });

  test('has descriptions instead of images, and no scripts', () => {
    const markdown = extractMarkdown(
      '<p>Before <img src="https://tracker.example/p.png" alt="a lamp, lit"> after the picture, as words.</p><script>alert("boo")</script>',
    );
    assert.ok(markdown.includes('a lamp, lit'));
    assert.ok(!/tracker|!\[|boo/.test(markdown));
  });

  test('keeps words as they are written', () => {
    const markdown = extractMarkdown(
      '<p>The option max_open_files is 5 * 3, see [1] and &lt;b&gt; there.</p>',
    );
    assert.ok(markdown.includes('max_open_files is 5 \\* 3, see [1] and \\<b> there.'), markdown);
  });

  test('uses noscript content if there is nothing else', () => {
    const html = `<html><body><div id="app">Loading</div><noscript><h2>A thread</h2><p>${filler.repeat(3)}</p></noscript></body></html>`;
    const { markdown } = extractPage(html, 'https://forum.example/');
    assert.ok(markdown.includes('## A thread') && markdown.includes(filler.trim()));
  });

  test('keeps table parts without a table', () => {
    assert.ok(extractMarkdown('<td>Stray cell with some words</td>').includes('Stray cell with some words'));
  });
});

test('fetches nothing while it reads a page', () => {
  const { fetch } = globalThis;
  let requestCount = 0;
  globalThis.fetch = () => {
    requestCount++;
    return Promise.reject(new Error('no network here'));
  };
  try {
    for (const url of [
      'https://www.youtube.com/watch?v=abcdefghijk',
      'https://x.com/a/status/1',
      'https://example.org/',
    ])
      extractPage('<html><body><div id="app"></div></body></html>', url);
  } finally {
    globalThis.fetch = fetch;
  }
  assert.equal(requestCount, 0);
});

test('decodes a page in the charset of its server, and opens the saved copy', async () => {
  const document = await readDocument(
    {
      bytes: Buffer.from(page('<p>Grüße aus dem Süden der Küste.</p>'), 'latin1'),
      name: 'https://example.org/',
      mediaType: 'text/html; charset=ISO-8859-1',
      pageUrl: 'https://example.org/',
      minimumLength: 100,
    },
    {},
  );
  assert.ok(document.text.includes('Grüße aus dem Süden'));
  assert.deepEqual(
    [document.map, document.format, document.mediaType],
    [{ kind: 'saved' }, 'markdown', 'text/html'],
  );
});

test('rejects a page with hardly any words', async () => {
  const input = {
    bytes: Buffer.from('<p>Hello</p>'),
    name: 'example.org',
    pageUrl: 'https://example.org/',
    minimumLength: 100,
  };
  await assert.rejects(readDocument({ ...input, mediaType: 'text/html' }, {}), { code: 'too-short' });
});
