import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readDocument } from '../../src/parsers/registry.ts';
import { readHtmlFile } from '../../src/parsers/html.ts';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { parsePage } from '../../src/parsers/web/parse-page.ts';
import { simplifyTree } from '../../src/parsers/web/simplify-tree.ts';
import { toMarkdown } from '../../src/parsers/web/to-markdown.ts';

/** Returns all of some HTML as Markdown, whether or not it looks like content. */
function readAsMarkdown(html: string): string {
  const { body } = parsePage(html);
  simplifyTree(body);
  return toMarkdown(body, 'https://example.org/');
}

const BEFORE =
  '<p>The chain ferry crosses the sound every twenty minutes, and the crossing costs three crowns on weekdays.</p><p>In winter the chain is heated, because ice would stop the ferry in the middle of the sound for hours.</p>';
const AFTER =
  '<p>The keeper lives above the engine room, and children like to visit him when the ferry waits for the last bus.</p><p>Dogs pay half of the fare, and bicycles travel free of charge when there is room for them on the deck.</p>';

/** Returns the main content of a page with a part between its paragraphs. */
const readWithin = (part: string): string =>
  extractPage(
    `<!doctype html><html lang="en"><head><title>Ferry</title></head><body><nav><a href="/">Start</a></nav><main><article><h1>The ferry</h1>${BEFORE}${part}${AFTER}</article></main></body></html>`,
    'https://example.org/ferry',
  ).markdown;

describe('superscripts and subscripts in HTML', () => {
  const cases: readonly (readonly [html: string, markdown: string])[] = [
    ['10<sup>6</sup> cars', '10^6 cars'],
    ['3 × 10<sup>−3</sup> t', '3 × 10^−3 t'],
    ['100<sup>2</sup>=10000', '100^2=10000'],
    ['16<sup>2</sup> of 2', '16^2 of 2'],
    ['1024<sup>2</sup> = 1', '1024^2 = 1'],
    ['2<sup>n-1</sup>', '2^{n-1}'],
    ['<sup>1</sup>⁄<sub>2</sub> cup', '1⁄2 cup'],
    ['3<sup>1</sup>/<sub>4</sub> cups', '3 1/4 cups'],
    ['in 2011<sub>15ya</sub>', 'in 2011_15ya'],
    ['2<sup>32</sup> bytes', '2^32 bytes'],
    ['in 2019<sup>12</sup>, at', 'in 2019 [12], at'],
    ['in 2019<sup><a href="#fn12">12</a></sup>.', 'in 2019 [12].'],
    ['in 2019<a href="#fn12"><sup>12</sup></a>.', 'in 2019 [[12]](https://example.org/#fn12).'],
    ['a ferry<a epub:type="noteref" href="n.xhtml#n1"><sup>1</sup></a> left', 'a ferry [1] left'],
    ['in 2019<a class="footnote-ref" href="#n3">3</a>.', 'in 2019 [3].'],
    ['in 2019<a epub:type="noteref" href="n.xhtml#n3">3</a>.', 'in 2019 [3].'],
    ['in 2019<span class="footnote-ref">3</span>.', 'in 2019 [3].'],
    ['E = mc<sup>2</sup>', 'E = mc²'],
    ['1,500<sup>3</sup> crowns', '1,500 [3] crowns'],
    ['a ferry<sup>1,2</sup>', 'a ferry [1,2]'],
    ['the end.<sup>4–6</sup> Next', 'the end. [4–6] Next'],
    ['per m<sup>2</sup> and 5 km<sup>2</sup>', 'per m² and 5 km²'],
    ['5 s<sup>−1</sup>', '5 s⁻¹'],
    ['Ca<sup>2+</sup>', 'Ca²⁺'],
    ['<sup>14</sup>C dating', '^{14}C dating'],
    ['x<sup>n</sup>', 'x^n'],
    ['the 1<sup>st</sup> and n<sup>o</sup> 5', 'the 1st and no 5'],
    ['20 <sup>o</sup>C', '20 °C'],
    ['CO<sub>2</sub>', 'CO2'],
    ['1011<sub>2</sub>', '1011_2'],
    ['log<sub>2</sub>8', 'log\\_{2}8'],
    ['in 2019<span style="vertical-align: super; font-size: 8px">12</span>', 'in 2019 [12]'],
  ];
  for (const [html, markdown] of cases)
    test(`turns ${html} into ${markdown}`, () => assert.equal(readAsMarkdown(`<p>${html}</p>`), markdown));

  test('stay out of numbers in code', () => {
    assert.equal(readAsMarkdown('<pre>10<sup>6</sup></pre>'), '```\n10^6\n```');
  });

  test('keep the words of a file aligned with its source', () => {
    const html = `<article><p>In 2019<sup>12</sup> there were 10<sup>6</sup> cars, and the 1<sup>st</sup> ferry was full.</p>${AFTER}</article>`;
    const { map, text } = readHtmlFile(html);
    assert.equal(map.kind, 'aligned');
    const runs = Array.from(map.starts, (start, i) => text.slice(start, start + (map.lengths[i] ?? 0)));
    assert.ok(runs.join('|').includes('2019'), runs.join('|'));
  });
});

test('leaves out the readings of characters, and keeps other annotations', () => {
  assert.equal(
    readAsMarkdown(
      '<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>の<ruby>港<rt>みなと</rt></ruby>町</p>',
    ),
    '漢字の港町',
  );
  assert.equal(readAsMarkdown('<p><ruby>fare<rt>price</rt></ruby></p>'), 'fare (price)');
});

test('marks text that a style strikes through', () => {
  assert.equal(
    readAsMarkdown(
      '<p>Price: <span style="text-decoration: line-through;">80 crowns </span>70 <span class="line-through">60</span> <del>50</del></p>',
    ),
    'Price: ~~80 crowns~~ 70 ~~60~~ ~~50~~',
  );
  assert.equal(
    readAsMarkdown('<div style="text-decoration-line:line-through"><p>old</p><p>older</p></div>'),
    '~~old~~\n\n~~older~~',
  );
});

test('places the cells of a table beside cells that extend over rows', () => {
  assert.equal(
    readAsMarkdown(
      '<table><thead><tr><th>Line</th><th>Day</th><th>Fare</th></tr></thead><tbody><tr><td rowspan="3">North</td><td>Mon</td><td rowspan="2">12</td></tr><tr><td>Tue</td></tr><tr><td>Wed</td><td>15</td></tr><tr><td rowspan="0">South</td><td>Thu</td><td>1</td></tr><tr><td>Fri</td><td>2</td></tr></tbody><tfoot><tr><td>a</td><td>b</td><td>c</td></tr></tfoot></table>',
    ),
    '| Line | Day | Fare |\n| --- | --- | --- |\n| North | Mon | 12 |\n|  | Tue |  |\n|  | Wed | 15 |\n| South | Thu | 1 |\n|  | Fri | 2 |\n| a | b | c |',
  );
});

test('reads the cells of layout tables as blocks', () => {
  assert.equal(
    readAsMarkdown('<table><tr><td>Logo</td><td><h1>Timetable</h1><p>Leaves at 9.</p></td></tr></table>'),
    'Logo\n\n# Timetable\n\nLeaves at 9.',
  );
  assert.equal(readAsMarkdown('<table role="presentation"><tr><td>a</td><td>b</td></tr></table>'), 'a\n\nb');
  assert.match(
    readAsMarkdown(`<table><tr><td>Menu</td><td>${BEFORE}</td></tr></table>`),
    /^Menu\n\nThe chain/,
  );
});

describe('damaged HTML keeps numbers apart', () => {
  const cases: readonly (readonly [what: string, html: string, markdown: string])[] = [
    [
      'in a superscript that isn’t closed',
      '<p>in 2019<sup>12 there were 10<sup>6</sup> cars</p>',
      'in 2019^{12 there were 10^6 cars}',
    ],
    [
      'in blocks in a superscript',
      '<div>2018<sup>12<table><tr><td>17</td><td>2019<sup>4</sup></td></tr></table></sup></div>',
      '2018 12\n\n|  |  |\n| --- | --- |\n| 17 | 2019 [4] |',
    ],
    ['in cells in code', '<pre><table><tr><td>81</td><td>92</td></tr></table></pre>', '```\n81 92\n```'],
    ['in a list outside of its items', '<ol start="31">Of 46<li>Of 57</li></ol>', 'Of 46\n\n31. Of 57'],
    [
      'in parts of formulas outside of formulas',
      '<p>Is <mfrac><mn>71</mn><mn>82</mn></mfrac> and 10<sup>6</sup><mn>82</mn></p>',
      'Is $\\frac{71}{82}$ and 10^{6}82',
    ],
    ['in one number of a formula', '<p><math><mn>71<mn>82</mn></mn></math></p>', '$71 82$'],
    ['beside a title', '<p>in <b>19</b><title>Of 1850</title> crowns</p>', 'in **19** crowns'],
    [
      'in elements that are nested too deeply',
      `<p>in 2019${'<span>'.repeat(300)}<sup>12</sup>${'</span>'.repeat(300)}</p>`,
      'in 2019 12',
    ],
  ];
  for (const [what, html, markdown] of cases) test(what, () => assert.equal(readAsMarkdown(html), markdown));

  test('in thousands of nested superscripts without delay', () => {
    assert.match(readAsMarkdown(`<p>${'5<sup><p>'.repeat(20_000)}6</p>`), /6/);
  });
});

describe('line numbers in code', () => {
  const cases: readonly (readonly [generator: string, html: string])[] = [
    [
      'Hugo',
      '<pre><code><span class="line"><span class="ln">1</span><span class="cl">one\n</span></span><span class="line"><span class="ln">2</span><span class="cl">two\n</span></span></code></pre>',
    ],
    ['Sphinx', '<pre><span class="linenos">1</span>one\n<span class="linenos">2</span>two</pre>'],
    [
      'Pygments',
      '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre>1\n2</pre></div></td><td class="code"><pre>one\ntwo</pre></td></tr></table>',
    ],
    [
      'Rouge',
      '<table class="rouge-table"><tr><td class="rouge-gutter gl"><pre class="lineno">1\n2\n</pre></td><td class="rouge-code"><pre>one\ntwo\n</pre></td></tr></table>',
    ],
    [
      'React',
      '<pre><code><span class="react-syntax-highlighter-line-number">1\n</span><span class="linenumber">2</span>one\ntwo</code></pre>',
    ],
    ['a forge', '<pre><a id="L1" href="#L1">1</a>one\n<a id="L2" href="#L2">2</a>two</pre>'],
    ['plain cells', '<table><tr><td><pre>1\n2</pre></td><td><pre>one\ntwo</pre></td></tr></table>'],
  ];
  for (const [generator, html] of cases)
    test(`are left out as ${generator} writes them`, () =>
      assert.equal(readAsMarkdown(html), '```\none\ntwo\n```'));

  test('keep numbers that are code', () => {
    assert.equal(readAsMarkdown('<pre><span class="mi">1</span> + x\n2</pre>'), '```\n1 + x\n2\n```');
  });
});

describe('formulas of KaTeX without an original', () => {
  const rendered = (inner: string): string =>
    `<p>So <span class="katex"><span class="katex-html" aria-hidden="true"><span class="base">${inner}</span></span></span> holds.</p>`;
  const stack = (name: string, kind: string, ...lines: readonly string[]): string =>
    `<span class="${name}"><span class="vlist-t ${kind}"><span class="vlist-r"><span class="vlist">${lines
      .map(
        (line) =>
          `<span style="top:-2em"><span class="pstrut"></span><span class="mord">${line}</span></span>`,
      )
      .join('')}</span><span class="vlist-s">\u200b</span></span></span></span>`;
  const cases: readonly (readonly [inner: string, text: string])[] = [
    ['a=b+c', 'a=b+c'],
    [`c${stack('msupsub', '', '2')}`, 'c^2'],
    [`c${stack('msupsub', 'vlist-t2', '2')}`, 'c_2'],
    [`c${stack('msupsub', 'vlist-t2', 'i', '10')}`, 'c_i^10'],
    [stack('mfrac', 'vlist-t2', '2', '', 'a+b'), '(a+b)/2'],
  ];
  for (const [inner, text] of cases)
    test(`keep ${text}`, () => assert.equal(readAsMarkdown(rendered(inner)), `So ${text} holds.`));
});

test('converts fenced MathML with its separators', () => {
  assert.equal(
    readAsMarkdown(
      '<p><math><mi>f</mi><mfenced><mi>x</mi><mi>y</mi></mfenced><mo>=</mo><mfenced open="[" close="]" separators=";"><mn>1</mn><mn>2</mn></mfenced></math></p>',
    ),
    '$f(x,y)=[1;2]$',
  );
});

test('uses the description of a formula only if it is TeX, or there is nothing else', () => {
  const inner = '<mfrac><mn>1</mn><mn>2</mn></mfrac>';
  for (const [described, tex] of [
    ['\\frac12', '\\frac12'],
    ['x^2', 'x^2'],
    ['a+b', 'a+b'],
    ['one half', '\\frac{1}{2}'],
    ['fraction 1 over 2', '\\frac{1}{2}'],
    ['½ der Dosis', '\\frac{1}{2}'],
    ['', '\\frac{1}{2}'],
  ] as const)
    assert.equal(readAsMarkdown(`<p><math alttext="${described}">${inner}</math></p>`), `$${tex}$`);
  assert.equal(readAsMarkdown('<p><math alttext="one half"></math></p>'), '$one half$');
});

describe('main content', () => {
  test('has the code of all tabs', () => {
    for (const panel of [
      'role="tabpanel" hidden=""',
      'role="tabpanel" aria-hidden="true" style="display:none"',
    ])
      assert.match(
        readWithin(
          `<div class="tabs-container"><ul role="tablist"><li role="tab" aria-selected="true">npm</li><li role="tab">Yarn</li></ul><div><div role="tabpanel"><pre><code>npm install ferry</code></pre></div><div ${panel}><pre><code>yarn add ferry</code></pre></div></div></div>`,
        ),
        /npm install ferry[^]*yarn add ferry/,
      );
  });

  test('has the words once that a page repeats for each width of the window', () => {
    const variant = (words: string): string => `<div class="ssr-variant hidden-a1"><p>${words}</p></div>`;
    const text = readWithin(
      `<div>${variant('Bicycles travel free.')}\n${variant('Bicycles travel free.')}${variant('Bicycles travel <b>free.</b>')}</div><div>${variant('On weekdays.')}${variant('On Sundays.')}</div>`,
    );
    assert.equal(text.split('Bicycles travel').length, 2);
    assert.match(text, /On weekdays\.[^]*On Sundays\./);
  });

  test('has the questions of an accordion', () => {
    const answer =
      '<p>Bicycles travel free of charge on weekdays, but on Sundays they cost three crowns each way.</p>';
    assert.match(
      readWithin(
        `<h2>Questions</h2><h3><button aria-expanded="false" aria-controls="a1">May I bring a bicycle?</button></h3><div id="a1" hidden>${answer}</div>`,
      ),
      /### May I bring a bicycle\?\n\nBicycles travel/,
    );
    assert.match(
      readWithin(`<details><summary>May I bring a bicycle?</summary>${answer}</details>`),
      /May I bring a bicycle\?\n\nBicycles travel/,
    );
    assert.match(
      readWithin(`<button aria-expanded="true">May I bring a bicycle?</button><div>${answer}</div>`),
      /May I bring a bicycle\?\n\nBicycles travel/,
    );
    assert.match(
      readWithin(
        `<button aria-controls="a1">May I bring a bicycle?</button><div id="a1" style="display:none">${answer}</div>`,
      ),
      /### May I bring a bicycle\?\n\nBicycles travel/,
    );
    assert.match(
      readWithin(`<dl><dt><button>May I bring a bicycle?</button></dt><dd hidden>${answer}</dd></dl>`),
      /May I bring a bicycle\?\*\*\n\nBicycles travel/,
    );
  });

  test('has formulas that a script renders', () => {
    assert.match(
      readWithin('<p>The deck is <span class="math inline">\\(a^2+b^2\\)</span> square feet large.</p>'),
      /is \$a\^2\+b\^2\$ square/,
    );
  });

  test('has the description of a picture that is a paragraph', () => {
    assert.match(
      readWithin('<p><img src="a.png" alt="Chart that shows how many cars crossed per day"></p>'),
      /for hours\.\n\nChart that shows how many cars crossed per day\n\nThe keeper/,
    );
  });
});

test('reads XHTML whose elements close themselves', async () => {
  const html = `<?xml version="1.0" encoding="UTF-8"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Ferry</title><script src="a.js"/></head><body><div><a id="top"/><textarea/><h1>The ferry</h1>${BEFORE}${AFTER}</div></body></html>`;
  for (const mediaType of ['application/xhtml+xml', 'text/html']) {
    const { text } = await readDocument(
      {
        bytes: new TextEncoder().encode(html),
        name: 'p',
        mediaType,
        pageUrl: 'https://example.org/p',
        minimumLength: 1,
      },
      {},
    );
    assert.match(text, /The chain ferry crosses/);
  }
});
