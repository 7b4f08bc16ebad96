import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { RunDirection } from '../../src/core/domain/document.ts';
import { writeText, type PageFrame } from '../../src/parsers/pdf/document-text.ts';
import type { Fragment, Word } from '../../src/parsers/pdf/fragment.ts';
import { GatheredLines } from '../../src/parsers/pdf/gathered-lines.ts';
import { linesOfPage } from '../../src/parsers/pdf/page-lines.ts';

/** Page layout: number of columns, lines per column, fragments per line, and words per fragment. */
interface Layout {
  readonly columns: number;
  readonly lines: number;
  readonly fragments: number;
  readonly words: number;
}

const [WIDTH, HEIGHT] = [600, 800];
const LETTERS = 6;
/** Maximum number of times that the text of a word is read. Three more passes over all words exceed it. */
const MAX_READS = 25;
/** Maximum growth of that number with the number of lines or pages. */
const MAX_GROWTH = 1.05;

/** Returns one letter of a number in base 26. */
function letterOf(number: number, digit: number): string {
  return String.fromCharCode(97 + (Math.floor(number / 26 ** digit) % 26));
}

/**
 * Returns the fragments of a page whose words call `onRead` when their text is read. `first` numbers its first word, so
 * that pages differ.
 */
function makeFragments(
  { columns, lines, fragments, words }: Layout,
  first: number,
  onRead: () => void,
): Fragment[] {
  const pitch = 700 / lines;
  const size = Math.min(10, pitch / 1.2);
  const letter = size / 2;
  const length = words * (LETTERS + 1) * letter;
  const makeWord = (at: number, x: number, y: number): Word => {
    const text = Array.from({ length: LETTERS }, (_, digit) => letterOf(first + at, digit)).join('');
    return {
      get text() {
        onRead();
        return text;
      },
      before: at % words === 0 ? '' : ' ',
      box: [x, y, LETTERS * letter, size],
      direction: RunDirection.leftToRight,
    };
  };
  const columnWidth = fragments * length + 2 * size;
  return Array.from({ length: columns * lines * fragments }, (_, index): Fragment => {
    const [column, line, part] = [
      Math.floor(index / (lines * fragments)),
      Math.floor(index / fragments) % lines,
      index % fragments,
    ];
    const left = 20 + column * columnWidth + part * length;
    const baseline = 60 + line * pitch;
    return {
      words: Array.from({ length: words }, (__, at) =>
        makeWord(index * words + at, left + at * (LETTERS + 1) * letter, HEIGHT - baseline),
      ),
      way: 'across',
      left,
      right: left + length - letter,
      baseline,
      size,
      rightToLeft: false,
      monospaced: false,
      font: 'body',
      spaceAfter: true,
    };
  });
}

/** Returns how often the text of each word is read, on average, until the words are written. */
function countReads(layout: Layout, pages = 1): number {
  let reads = 0;
  const gathered = new GatheredLines(pages);
  const frames: PageFrame[] = [];
  const wordsPerPage = layout.columns * layout.lines * layout.fragments * layout.words;
  for (let page = 0; page < pages; page++) {
    const fragments = makeFragments(layout, page * wordsPerPage, () => reads++);
    gathered.add({ width: WIDTH, height: HEIGHT, lines: linesOfPage(fragments, HEIGHT) });
    frames.push({ width: WIDTH, height: HEIGHT, label: undefined });
  }
  const count = pages * wordsPerPage;
  const { text } = writeText(gathered, frames, []);
  assert.equal(text.match(/\w+/g)?.length, count);
  return reads / count;
}

const layouts: Readonly<Record<string, Layout>> = {
  'lines of prose': { columns: 1, lines: 50, fragments: 4, words: 3 },
  'two columns': { columns: 2, lines: 50, fragments: 2, words: 3 },
  'rows of cells': { columns: 1, lines: 50, fragments: 10, words: 1 },
};

describe('work of reading a page of a PDF', () => {
  for (const [name, layout] of Object.entries(layouts)) {
    test(`reads each word at most ${String(MAX_READS)} times for ${name}`, () => {
      const reads = countReads(layout);
      assert.ok(reads <= MAX_READS, `each word was read ${reads.toFixed(1)} times`);
    });

    test(`doesn't grow per word with the number of lines for ${name}`, () => {
      assert.ok(countReads({ ...layout, lines: 4 * layout.lines }) <= MAX_GROWTH * countReads(layout));
    });

    test(`doesn't grow per word with the number of pages for ${name}`, () => {
      assert.ok(countReads(layout, 8) <= MAX_GROWTH * countReads(layout));
    });
  }
});
