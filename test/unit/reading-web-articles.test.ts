import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutBlocks } from '../../src/parsers/web/blocks.ts';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { readableShares } from '../../src/parsers/web/readability.ts';
import { readHtmlFile } from '../../src/parsers/html.ts';

const inner = [
  'The harbour council voted on Tuesday to keep the old lighthouse burning for another ten years, ending a dispute that had divided the town since the spring.',
  'Engineers who inspected the tower in March found that the lamp, the lens and the stairs are sound, although the roof has to be repaired before the winter.',
  '“We have had a light here since 1871, and no one at sea has ever complained of it,” said Marta Lindqvist, who keeps the log of the station.',
  'The money comes from the county, which pays two thirds, and from a fund that fishermen began in the nineties after a trawler ran aground off the point.',
  'Opponents had argued that satellites make lamps unnecessary; the council answered that on eleven nights last year the receivers of small boats failed.',
  'Work on the roof begins in August, and the tower remains open to visitors on weekends, except when the wind is stronger than nine on the scale.',
];
const paragraphs = inner.map((text) => `<p>${text}</p>`).join('\n');

const story = (title: string, text: string): string =>
  `<div class="card"><a href="/x"><img src="/x.jpg" alt=""><h3>${title}</h3></a><p>${text}</p></div>`;

const news = `<!doctype html><html><head><title>Lighthouse stays lit | The Harbour Post</title>
<meta property="og:type" content="article">
<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Lighthouse stays lit"}</script></head><body>
<header class="site-header"><nav><ul><li><a href="/">Home</a></li><li><a href="/local">Local</a></li><li><a href="/sport">Sport</a></li></ul></nav></header>
<main><article class="article">
<h1>Lighthouse stays lit</h1>
<div class="byline">By Jonas Berg · 3 hours ago</div>
<div class="share-buttons"><a href="#">Share on Facebook</a><a href="#">Tweet</a></div>
<div class="article-body">${paragraphs}</div>
<div class="newsletter-signup"><h3>Never miss a tide</h3><p>Get the morning letter of the Harbour Post, with the news, the weather and the tides, in your inbox each day.</p><form><input type="email"><button>Subscribe</button></form></div>
<div class="author-bio"><p>Jonas Berg writes about the coast for the Harbour Post and has won two prizes for his reports on shipping.</p></div>
</article>
<section class="related-stories"><h2>More from the Harbour Post</h2>
${story('Ferry to the islands sold', 'A company from the capital has bought the ferry and promises to run it more often in the summer.')}
${story('Storm closes the coast road', 'The road between the two bridges stays closed until the weekend after the sea took a part of it.')}
${story('Ten new moorings planned', 'The marina wants to grow to the east, and the neighbours have until June to say what they think of it.')}
</section>
<section class="comments" id="comments"><h2>Comments</h2>
<div class="comment"><span class="user">seagull77</span><p>About time that somebody listened to the people who go out at night, if you ask me.</p><a href="#">Reply</a></div>
<div class="comment"><span class="user">oldsalt</span><p>My grandfather lit that lamp, so of course I am glad to read it, whatever it costs us.</p><a href="#">Reply</a></div>
</section></main>
<aside class="sidebar"><h3>Most read</h3><ul><li><a href="/1">Council to sell the fish hall</a></li><li><a href="/2">A whale in the harbour</a></li></ul><p class="promo">Try the Harbour Post for four weeks and pay only one crown for each of them.</p></aside>
<footer><p>© The Harbour Post. All rights reserved.</p></footer></body></html>`;

describe('a page with one article', () => {
  const { markdown } = extractPage(news, 'https://harbour.example/2026/05/lighthouse-stays-lit');

  test('keeps every paragraph', () => {
    for (const text of inner) assert.ok(markdown.includes(text), text);
  });

  for (const [name, text] of Object.entries({
    'related stories': /Ferry to the islands|coast road|moorings/,
    comments: /seagull77|grandfather/,
    'the box for a newsletter': /morning letter|Subscribe/,
    'what tells of the author': /two prizes/,
    promotions: /one crown|whale in the harbour/,
  }))
    test(`loses ${name}`, () => {
      assert.doesNotMatch(markdown, text);
    });

  test('leads every word to its line in a saved file', () => {
    const { text, map } = readHtmlFile(news);
    assert.ok(map.kind === 'aligned');
    const { starts, lines, characters } = map;
    const sourceLines = news.split('\n');
    for (const sentence of inner) {
      const at = text.indexOf(sentence);
      const run = starts.findLastIndex((start: number) => start <= at);
      const from = (characters[run] ?? 0) + at - (starts[run] ?? 0);
      assert.equal(sourceLines[lines[run] ?? -1]?.slice(from, from + 40), sentence.slice(0, 40));
    }
  });
});

describe('a page without an article loses no content', () => {
  test('keeps short notes, lists, tables, and code of documentation', () => {
    const html = `<html><head><title>Configuring the lamp — Lamp 2.1 documentation</title></head><body>
<nav class="toctree"><ul><li><a href="a.html">Install</a></li><li><a href="b.html">Configure</a></li></ul></nav>
<div class="body" role="main"><h1>Configuring the lamp</h1><p>The lamp reads its configuration from a file, and every value can be overridden by a variable of the environment.</p>
<h2>Options</h2><table><tr><th>Option</th><th>Default</th></tr><tr><td><code>burn_hours</code></td><td>12</td></tr><tr><td><code>wick_width</code></td><td>4 mm</td></tr></table>
<p>Note: restart.</p><pre><code>lamp --config lamp.toml</code></pre>
<h2>Signals</h2><ul><li>HUP reads the file again</li><li>USR1 trims the wick</li></ul>
<p>See also the chapter on lenses, which tells how the options of the lamp and those of the lens depend on each other.</p>
<dl><dt>lamp.trim()</dt><dd>Trims the wick.</dd></dl></div>
<footer>Built with a generator</footer></body></html>`;
    const { markdown } = extractPage(html, 'https://docs.lamp.example/en/2.1/configure.html');
    for (const text of [
      '# Configuring',
      '`burn_hours`',
      '`wick_width`',
      '4 mm',
      'Note: restart.',
      'lamp --config lamp.toml',
      'HUP reads',
      'USR1 trims',
      'chapter on lenses',
      'lamp.trim()',
      'Trims the wick.',
    ])
      assert.ok(markdown.includes(text), text);
  });

  test('keeps all items of a list', () => {
    const items = Array.from(
      { length: 24 },
      (_, i) =>
        `<div class="product-card"><a href="/p/${String(i)}"><h3>Lantern model ${String(i)}</h3></a><p class="desc">A lantern of brass with a wick of width ${String(i)}.</p><span class="price">€${String(10 + i)}.00</span></div>`,
    );
    const html = `<html><head><title>Lanterns – Shop</title></head><body><nav><a href="/">Home</a></nav><main><h1>Lanterns</h1><div class="product-grid">${items.join('')}</div></main><footer>Imprint</footer></body></html>`;
    const { markdown } = extractPage(html, 'https://shop.example/collections/lanterns');
    for (let i = 0; i < 24; i++) {
      assert.ok(markdown.includes(`Lantern model ${String(i)}`), String(i));
      assert.ok(markdown.includes(`width ${String(i)}.`), String(i));
    }
  });

  test('keeps every answer of a forum', () => {
    const answers = Array.from(
      { length: 8 },
      (_, i) =>
        `<div class="post"><div class="post-author">keeper${String(i)}</div><div class="post-content"><p>Answer ${String(i)}: I had the same with my lamp, and in the end it was the wick, which had become too short to reach the oil.</p></div></div>`,
    );
    const html = `<html><head><title>Lamp goes out at night - Keepers' forum</title></head><body><nav><a href="/">Forum</a></nav><div class="thread"><h1>Lamp goes out at night</h1>${answers.join('')}</div><footer>Powered by a forum</footer></body></html>`;
    const { markdown } = extractPage(html, 'https://forum.example/t/lamp-goes-out/17');
    for (let i = 0; i < 8; i++) assert.ok(markdown.includes(`Answer ${String(i)}:`), String(i));
  });
});

describe('using Readability', () => {
  const measureShares = (html: string): { texts: string[]; shares: Float32Array | undefined } => {
    const { body } = parsePage(html);
    const { blocks } = cutBlocks(body);
    return {
      texts: blocks.map(({ text }) => text),
      shares: readableShares(body, 'Lighthouse stays lit', blocks),
    };
  };

  test('finds the blocks that it selects without changing the page', () => {
    const { body } = parsePage(news);
    const before = body.textContent;
    const { texts, shares } = measureShares(news);
    for (const [i, text] of texts.entries()) {
      if (inner.includes(text)) assert.equal(shares?.[i], 1, text);
      if (/crown|rights reserved|seagull/.test(text)) assert.equal(shares?.[i], 0, text);
    }
    readableShares(body, '', cutBlocks(body).blocks);
    assert.equal(body.textContent, before);
  });

  test('runs it again if it finds too little at first', () => {
    const { shares } = measureShares(
      '<body><div class="comment"><p>A lamp, all alone, that nobody keeps.</p></div></body>',
    );
    assert.deepEqual([...(shares ?? [])], [1]);
  });

  test('finds nothing in an empty page', () => {
    assert.deepEqual([...(measureShares('').shares ?? [1])], []);
  });

  test('skips it for pages with many elements, deep nesting, or much text', () => {
    for (const html of [
      '<p>a lamp</p>'.repeat(10_000),
      `${'<div>'.repeat(150)}${'<i>a</i>'.repeat(5000)}`,
      `<p>${'a lamp at night, '.repeat(200_000)}</p>`,
    ])
      assert.equal(measureShares(html).shares, undefined);
  });
});
