import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { OffsetMap } from '../../src/core/domain/document.ts';
import { locate } from '../../src/core/domain/locator.ts';
import { alignToSource, decodeHtml, readHtmlFile } from '../../src/parsers/html.ts';
import { alignWords } from '../../src/parsers/word-alignment.ts';
import { rounds } from '../support/test-size.mjs';

type Aligned = Extract<OffsetMap, { kind: 'aligned' }>;

const article = await readFile(new URL('../fixtures/reading/article.html', import.meta.url), 'utf8');

/** Asserts that every run matches the source exactly, and returns the share of the text that the runs cover. */
function assertRunsAreInSource(text: string, map: Aligned, source: string): number {
  const lines = source.split(/\r\n|\n|\r/);
  let end = 0;
  let covered = 0;
  for (const [run, start] of map.starts.entries()) {
    const length = map.lengths[run]!;
    const character = map.characters[run]!;
    assert.ok(start >= end && length > 0);
    assert.equal(
      (lines[map.lines[run]!] ?? '').slice(character, character + length),
      text.slice(start, start + length),
    );
    end = start + length;
    covered += length;
  }
  return covered / Math.max(1, text.length);
}

describe('an HTML file', () => {
  const document = readHtmlFile(article);
  const map = document.map as Aligned;

  test('is read as its main content in Markdown', () => {
    assert.equal(document.title, 'Café clocks & their keepers');
    assert.equal(document.format, 'markdown');
    assert.ok(document.text.includes('| 1931 | Hour hand | 12 crowns |'));
    assert.ok(document.text.includes('```python\ndef wind(turns):\n    if turns > 17:'));
    assert.ok(!/Privacy notice|Shop for clocks|never read this/.test(document.text));
    assert.deepEqual(
      document.headings.map(({ title }) => title),
      ['Café clocks & their keepers', 'Winding', 'Repairs'],
    );
  });

  test('has runs that match the file exactly and cover most words', () => {
    assert.ok(assertRunsAreInSource(document.text, map, article) > 0.8);
  });

  test('leads every quote to its lines', () => {
    const lines = article.split('\n');
    for (const [quote, from, to] of [
      ['Seventeen turns are enough for a week', 'Seventeen turns', 'Seventeen turns'],
      ['wound every Monday since. _Nobody_ knows', 'wound every Monday', 'knows who winds'],
      ['| 1968 | Main spring | 250 crowns |', '1968', '1968'],
      ['raise ValueError("the spring will break")', 'raise ValueError', 'raise ValueError'],
      ["museum's restorer, who comes in spring.", 'restorer', 'restorer'],
    ] as const) {
      const start = document.text.indexOf(quote);
      assert.ok(start >= 0, quote);
      const locator = locate(document.text, map, { start, end: start + quote.length });
      assert.ok(locator.kind === 'lines');
      assert.equal(
        locator.start.line,
        lines.findIndex((line) => line.includes(from)),
        quote,
      );
      assert.equal(
        locator.end.line,
        lines.findIndex((line) => line.includes(to)),
        quote,
      );
    }
  });

  test('is decoded in the encoding that it declares', () => {
    const bytes = Buffer.from('<meta charset="iso-8859-1"><p>Gr\xfc\xdfe</p>', 'latin1');
    assert.ok(decodeHtml(bytes).includes('Grüße'));
    assert.ok(decodeHtml(Buffer.from('<meta charset="iso-8859-1"><p>Grüße</p>'), 'utf-8').includes('Grüße'));
  });
});

test('matches the runs of any HTML source exactly', () => {
  const inline = fc.oneof(
    fc.lorem({ maxCount: 6 }),
    fc.constantFrom(
      'caf&eacute;',
      'a &lt; b',
      '&#x1F600;',
      '&amp;',
      'line\r\nbreak',
      '\n  ',
      'x&nbsp;y',
      '&unknown;',
      '日本語の文',
    ),
  );
  const piece = fc.oneof(
    inline,
    inline.map((text) => `<em>${text}</em>`),
    inline.map((text) => `<!-- ${text.replaceAll('-', '')} -->`),
    inline.map((text) => `<script>${text}</script>`),
  );
  const block = fc
    .tuple(fc.constantFrom('p', 'h2', 'li', 'td', 'pre', 'div'), fc.array(piece, { maxLength: 6 }))
    .map(([tag, pieces]) => `<${tag}>${pieces.join(' ')}</${tag}>`);
  fc.assert(
    fc.property(
      fc.array(block, { maxLength: 8 }).map((blocks) => blocks.join('\n')),
      (source) => {
        const { text, map } = readHtmlFile(`<html><body><main>${source}</main></body></html>`);
        assertRunsAreInSource(text, map as Aligned, `<html><body><main>${source}</main></body></html>`);
      },
    ),
    { numRuns: rounds(20, 60) },
  );
});

describe('word alignment', () => {
  test('finds a text again in its source', () => {
    const word = fc.constantFrom('the', 'a', 'clock', 'is', 'wound', 'on', 'every', 'day', 'key', 'of');
    const words = (count: number) => fc.array(word, { maxLength: count });
    fc.assert(
      fc.property(
        words(30),
        fc.array(word, { minLength: 30, maxLength: 80 }),
        words(30),
        (before, text, after) => {
          const pairs = alignWords(text, [...before, ...text, ...after]);
          assert.equal(pairs.length, text.length);
        },
      ),
    );
  });

  test('pairs equal words in ascending order', () => {
    const words = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 60 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        let last = [-1, -1];
        for (const [i, j] of alignWords(a, b)) {
          assert.equal(a[i], b[j]);
          assert.ok(i > last[0]! && j > last[1]!);
          last = [i, j];
        }
      }),
    );
  });

  test('prefers adjacent words to scattered ones', () => {
    const source = 'home the clock shop the about the clock is wound every day the end'.split(' ');
    const pairs = alignWords('the clock is wound'.split(' '), source);
    assert.deepEqual(
      pairs.map(([, at]) => at),
      [6, 7, 8, 9],
    );
  });

  test('aligns long texts quickly', () => {
    let state = 1;
    const text = Array.from({ length: 40_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return `w${String(state % 3000)}`;
    });
    const pairs = alignWords(
      text.filter((_, i) => i % 100 > 10),
      text,
    );
    assert.ok(pairs.length > 30_000);
  });
});

test('returns no runs for Markdown that isn’t from the source', () => {
  assert.equal(alignToSource('entirely other words', '<p>nothing here</p>').starts.length, 0);
});
