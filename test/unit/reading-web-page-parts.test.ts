import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { simplifyTree } from '../../src/parsers/web/simplify-tree.ts';
import { toMarkdown } from '../../src/parsers/web/to-markdown.ts';

/** Returns all of some HTML as Markdown, whether or not it looks like content. */
function readAsMarkdown(html: string): string {
  const { body } = parsePage(html);
  simplifyTree(body);
  return toMarkdown(body, 'https://example.org/docs/page.html');
}

const assertMarkdown = (html: string, markdown: string): void => {
  assert.equal(readAsMarkdown(html), markdown);
};

describe('formulas become TeX', () => {
  test('uses the TeX annotation of MathML', () => {
    assertMarkdown(
      '<p>So <math><semantics><mrow><mi>E</mi></mrow><annotation encoding="application/x-tex">E = mc^2</annotation></semantics></math> holds.</p>',
      'So $E = mc^2$ holds.',
    );
  });

  test('converts MathML', () => {
    assertMarkdown(
      '<p><math display="block"><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></math></p>',
      '$$\nx=\\frac{-b\\pm \\sqrt{b^{2}}}{2a}\n$$',
    );
  });

  test('writes a formula once if KaTeX or MathJax also rendered it', () => {
    const math =
      '<math><semantics><mi>a</mi><annotation encoding="application/x-tex">a_1</annotation></semantics></math>';
    assertMarkdown(
      `<p>K <span class="katex"><span class="katex-mathml">${math}</span><span class="katex-html" aria-hidden="true">a1</span></span> end</p>`,
      'K $a_1$ end',
    );
    assertMarkdown(
      `<p>M <mjx-container><mjx-math>a</mjx-math><mjx-assistive-mml>${math}</mjx-assistive-mml></mjx-container> end</p>`,
      'M $a_1$ end',
    );
    assertMarkdown(
      '<p>J <span class="MathJax_Preview">a1</span><script type="math/tex">a_1 < b</script> end</p><script type="math/tex; mode=display">c</script>',
      'J $a_1 < b$ end\n\n$$\nc\n$$',
    );
  });
});

describe('tables', () => {
  test('have a header, cells on one line, and as many columns as they span', () => {
    assertMarkdown(
      '<table><caption>Lamps</caption><thead><tr><th>Name</th><th colspan="2">Place | light</th></tr></thead><tbody><tr><td><p>Old</p><p>lamp</p></td><td>Harbour</td><td><pre>on</pre></td></tr></tbody></table>',
      'Lamps\n\n| Name | Place \\| light |  |\n| --- | --- | --- |\n| Old lamp | Harbour | `on` |',
    );
  });

  test('get an empty header if they have none', () => {
    assertMarkdown('<table><tr><td>a</td><td>b</td></tr></table>', '|  |  |\n| --- | --- |\n| a | b |');
  });

  test('are left out if they only lay out a page', () => {
    assertMarkdown(
      '<table><tr><td><p>Left</p></td></tr><tr><td><table><tr><td>a</td><td>b</td></tr></table></td></tr></table>',
      'Left\n\n|  |  |\n| --- | --- |\n| a | b |',
    );
    assertMarkdown(
      '<table><tr><td class="data"><pre>3\n5</pre></td><td><pre>one\ntwo</pre></td></tr></table>',
      '```\n3\n5\n```\n\n```\none\ntwo\n```',
    );
  });
});

describe('lists', () => {
  test('of definitions have bold terms', () => {
    assertMarkdown(
      '<dl><dt>lamp</dt><dd>Gives light.</dd><dt><code>--dry</code></dt><dd><p>Does</p><p>nothing.</p></dd></dl>',
      '**lamp**\n\nGives light.\n\n**`--dry`**\n\nDoes\n\nnothing.',
    );
  });

  test('keep their numbers, levels, and check marks', () => {
    assertMarkdown(
      '<ol start="3"><li>three<ul><li>inner</li></ul></li><li value="7">seven</li><li>eight</li></ol>',
      '3. three\n   - inner\n7. seven\n8. eight',
    );
    assertMarkdown(
      '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox">open</li></ul>',
      '- [x] done\n- [ ] open',
    );
  });
});

describe('keeps the language of code', () => {
  for (const [html, language] of [
    ['<pre><code class="language-ts">x</code></pre>', 'ts'],
    ['<div class="highlight-python notranslate"><div class="highlight"><pre>x</pre></div></div>', 'python'],
    ['<div class="highlight highlight-source-rust"><pre>x</pre></div>', 'rust'],
    ['<pre class="brush: js"><code>x</code></pre>', 'js'],
    ['<pre><code class="hljs c++">x</code></pre>', 'c++'],
    ['<pre data-language="Go">x</pre>', 'go'],
    ['<pre class="language-plaintext"><code>x</code></pre>', ''],
  ] as const) {
    test(html, () => {
      assertMarkdown(html, `\`\`\`${language}\nx\n\`\`\``);
    });
  }
});

test('removes permalink signs from headings and keeps the anchors of links', () => {
  assertMarkdown(
    '<h2>Lamps<a class="headerlink" href="#lamps">¶</a></h2><p>See <a href="#lamps">lamps</a>.</p>',
    '## Lamps\n\nSee [lamps](https://example.org/docs/page.html#lamps).',
  );
});

test('replaces images with their descriptions if these add to the text', () => {
  assertMarkdown(
    '<div><p>A lamp</p><img alt="A lamp"><img alt="IMG_1.jpg"><img alt="Waves at night"></div>',
    'A lamp\n\nWaves at night',
  );
});

test('reads title, author, date, address, and language of a page', () => {
  const { title, metadata } = extractPage(
    `<html lang="en-GB"><head><title>Winding clocks | Clock Society</title><meta property="og:site_name" content="Clock Society">
     <link rel="canonical" href="/clocks/winding"><script type="application/ld+json">{"@graph":[{"@type":"Article","datePublished":"2024-05-03T10:00:00Z","author":[{"name":"Ada Kern"},{"name":"Jo Lind"}]}]}</script></head>
     <body><main><p>Seventeen turns are enough.</p></main></body></html>`,
    'https://example.org/clocks/winding?from=feed',
  );
  assert.equal(title, 'Winding clocks');
  assert.deepEqual(metadata.byline, {
    author: 'Ada Kern, Jo Lind',
    published: '2024-05-03',
    canonicalUrl: 'https://example.org/clocks/winding',
    language: 'en-GB',
  });
});

test('uses the Open Graph address of a page if it is the only one', () => {
  const { metadata } = extractPage(
    '<meta property="og:url" content="https://example.org/a"><p>Words.</p>',
    'file:///',
  );
  assert.equal(metadata.byline.canonicalUrl, 'https://example.org/a');
});

test('escapes words that Markdown would read as a row, a rule, or an item', () => {
  assertMarkdown('<p>---</p>', '\\---');
  assertMarkdown('<p>| a | b |</p>', '\\| a | b |');
  assertMarkdown('<p>1. <b>Rain</b></p>', '1\\. **Rain**');
  assertMarkdown('<p><span>1.</span> <i>Rain</i> | <i>Wind</i></p>', '1. _Rain_ | _Wind_');
});
