import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cutBlocks } from '../../src/parsers/pdf/blocks.ts';
import type { Fragment } from '../../src/parsers/pdf/fragment.ts';
import { linesOfPage } from '../../src/parsers/pdf/page-lines.ts';
import { assertLinear } from '../support/growth.ts';
import { setPages } from '../support/set-pages.ts';
import { isEverything } from '../support/test-size.mjs';
import { column, tinyPdf, type TinyLine } from '../support/tiny-pdf.ts';
import { scoreOrder, lowerWords } from '../support/word-f1.ts';
import { assertRunsAreWords, read, findRectangles } from './reading-pdf-fixtures.ts';

/** Minimum share of a page's words that must be in order. */
const MIN_ORDER = 0.98;

describe('columns side by side are read one after the other, however narrow the gutter', () => {
  const pages = Map.groupBy(setPages(isEverything ? [5, 8, 12, 20] : [5, 12]), ({ kind }) => kind);
  for (const [kind, all] of pages)
    test(kind, async () => {
      // For pdf.js, a gutter this narrow is a space if the words on both sides are written one after the other.
      const some = kind === 'written row by row' ? all.filter(({ gutter }) => gutter > 6) : all;
      const orders: number[] = [];
      for (const { bytes, text } of some) {
        const document = await read(bytes);
        assertRunsAreWords(document);
        orders.push(scoreOrder(lowerWords(document.text), lowerWords(text)));
      }
      const mean = orders.reduce((sum, order) => sum + order, 0) / orders.length;
      assert.ok(
        mean >= MIN_ORDER && Math.min(...orders) >= 0.95,
        orders.map((order) => order.toFixed(3)).join(' '),
      );
    });

  test('locates words of a narrow column on their side of the gutter', async () => {
    const page = pages.get('two columns')?.find(({ gutter }) => gutter === 5);
    assert.ok(page);
    const document = await read(page.bytes);
    const sides = page.text
      .split(' ')
      .filter(
        (word, _, all) =>
          word.length > 9 &&
          document.text.includes(word) &&
          all.filter((other) => other === word).length === 1,
      )
      .map((word) => findRectangles(document, word).every(({ x }) => x >= 306));
    assert.ok(sides.length > 20);
    assert.equal(sides.indexOf(true), sides.lastIndexOf(false) + 1);
  });
});

describe('pages made to take long are read in time proportional to their runs', () => {
  const fragment = (
    index: number,
    left: number,
    baseline: number,
    width: number,
    text: string,
  ): Fragment => ({
    words: [{ text, before: '', box: [left, 792 - baseline, width, 10], direction: 0 }],
    way: 'across',
    left,
    right: left + width,
    baseline,
    size: 10,
    rightToLeft: false,
    monospaced: false,
    font: 'F1',
    spaceAfter: index % 2 === 0,
  });
  const hostile: Readonly<Record<string, (index: number, count: number) => Fragment>> = {
    'in a grid': (index) =>
      fragment(index, 5 * (index % 120), 12 * Math.floor(index / 120), 4, `w${String(index)}`),
    'all in one place': (index) => fragment(index, 100, 100, 4, `w${String(index)}`),
    'all of one text': (index) => fragment(index, 5 * (index % 120), 12 * Math.floor(index / 120), 4, 'same'),
    'in one line of cells': (index) => fragment(index, 50 * index, 100, 4, `w${String(index)}`),
    'as stairs': (index) => fragment(index, index, index, 30, `w${String(index)}`),
    'in two columns': (index) =>
      fragment(index, index % 2 === 0 ? 50 : 310, 6 * index, 250, `and so on it goes in ${String(index)}`),
    'in two lines of cells': (index, count) =>
      fragment(index, 50 * (index % (count / 2)), 2 * index < count ? 100 : 112, 4, `w${String(index)}`),
    'on page-wide tables': (index) =>
      fragment(index, 100 * (index % 50), 12 * Math.floor(index / 50), 40, `w${String(index)}`),
    'one over the other': (index) =>
      fragment(index, 100 + (index % 7), 100 + (index % 11), 400, `w${String(index)}`),
  };
  for (const [name, at] of Object.entries(hostile))
    test(name, () => {
      assertLinear((count) => {
        const fragments = Array.from({ length: count }, (_, index) => at(index, count));
        return [...cutBlocks([linesOfPage(fragments, 792)])].length;
      }, 500);
    });
});

describe('a table beside a column of text', () => {
  const prose = [
    'The ferry leaves the quay at nine in the morning',
    'and carries thirty cars over the sound while the',
    'crew keeps watch on deck and the keeper lights',
    'the lamp above the harbour every evening of the',
    'year, also when the ice is thick and no one else',
    'dares to cross, because the island needs its milk',
    'and its post, and now and then a doctor, too.',
  ];
  const rows = [
    ['Town', 'Ships', 'Cars'],
    ['Alm', '12', '310'],
    ['Brek', '7', '275'],
    ['Lund', '19', '402'],
    ['Varn', '3', '88'],
  ];
  const tableAt = (x: number): TinyLine[] =>
    [0, 1, 2].flatMap((at) =>
      column(
        x + 70 * at,
        760,
        rows.map((row) => row[at] ?? ''),
      ),
    );
  const textOf = async (lines: readonly TinyLine[]): Promise<string> =>
    (await read(tinyPdf({ pages: [{ lines }] }))).text;
  const table = '| Town | Ships | Cars |\n| - | - | - |\n| Alm | 12 | 310 |';

  test('follows the text on its left', async () => {
    const text = await textOf([...column(50, 760, prose), ...tableAt(330)]);
    assert.ok(text.startsWith(prose.slice(0, -1).join(' ')), text);
    assert.ok(text.includes(table), text);
  });

  test('comes before the text on its right', async () => {
    const text = await textOf([...tableAt(50), ...column(300, 760, prose)]);
    assert.ok(text.startsWith(table), text);
    assert.ok(text.includes(prose.join(' ')), text);
  });

  test('has cells of text if the file is written row by row', async () => {
    const cells = rows.flatMap((row, i): TinyLine[] => [
      ...row.slice(0, 2).map((text, at) => ({ x: 50 + 70 * at, y: 760 - 12.5 * i, text })),
      { x: 200, y: 760 - 12.5 * i, text: prose[i] ?? '' },
    ]);
    assert.match(await textOf(cells), /\| Alm \| 12 \| and carries/);
  });
});
