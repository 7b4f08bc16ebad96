import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { extractPage } from '../../src/parsers/web/extract-page.ts';
import { rounds } from '../support/test-size.mjs';

const most = rounds(100_000, 400_000);
const nested = rounds(15_000, 60_000);
const repeated = (part: string, length = most): string => part.repeat(Math.floor(length / part.length));

/** Nonlinear work wouldn't finish within the time limit of a test. */
describe('a hostile page is read in linear time', () => {
  const cases: Readonly<Record<string, string>> = {
    '100,000 elements within each other': `${'<div>'.repeat(100_000)}the lamp at the bottom${'</div>'.repeat(100_000)}`,
    '100,000 tables within each other': '<table><tr><td>'.repeat(100_000),
    'lists within each other': repeated('<ul><li>a ', nested),
    'quotes within each other': repeated('<blockquote>a ', nested),
    'a formula within itself': `<math>${'<msup>'.repeat(100_000)}x`,
    'words in bold within each other': repeated('<b><i>a ', nested),
    'one long paragraph': `<p>${repeated('word ')}`,
    'gaps of all kinds': `<p>a${repeated(' \u00a0')}b<b>c${repeated(' \u00a0\n')}</b>d`,
    'empty lines of code': `<pre>a${repeated('\n')}b${repeated(' \n')}c</pre>`,
    'entities of entities': repeated('&amp;lt;'),
    'signs of Markdown': `<p>${repeated('*_`[](!#')}`,
    'a heading of signs': `<h1>${repeated('# [](')}`,
    'a title of bars': `<title>${repeated('a | - ')}</title><p>x`,
    'attributes without end': `<p ${repeated('a="b" class="nav main" ')}>x`,
    'a class without end': `<p class="${repeated('nav main-content ')}">x`,
    'links without end': repeated('<a href="/x">lamp</a> '),
    'images without end': repeated('<img alt="A lamp at night">'),
    'numbered items without end': `<ol>${repeated('<li>one lamp</li>')}`,
    'a cell that spans all': `<table>${repeated('<tr><td colspan="9999999">a</td><td>b</td></tr>')}`,
    'data within data': `<script type="application/ld+json">${'['.repeat(most)}</script><p>x</p>`,
    'an open comment': `<p>x<!--${repeated('- ')}`,
  };
  for (const [name, html] of Object.entries(cases)) {
    test(name, () => {
      const { markdown } = extractPage(html, 'https://example.org/');
      assert.ok(markdown.length <= 3 * html.length);
    });
  }

  test('reads deeply nested text', () => {
    assert.equal(
      extractPage(cases['100,000 elements within each other'] ?? '', 'https://example.org/').markdown,
      'the lamp at the bottom',
    );
  });

  test('rejects more than half a million elements', () => {
    assert.throws(() => extractPage('<i>'.repeat(600_000), 'https://example.org/'), {
      code: 'too-large',
      message: /more than half a million elements/,
    });
  });
});
