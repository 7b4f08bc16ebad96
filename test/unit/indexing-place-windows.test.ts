import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  blocksIn,
  isContentsList,
  leadsIn,
  windowsIn,
  type Block,
} from '../../src/index/search/place-windows.ts';

describe('blocksIn', () => {
  const words = (text: string): string[] =>
    blocksIn(text, 'markdown').map(({ start, end }) => text.slice(start, end));

  test('returns paragraphs without the white space around them', () => {
    assert.deepEqual(words('The mill turns.\n\n  The dam holds.  \n'), ['The mill turns.', 'The dam holds.']);
  });

  test('splits a long paragraph after sentences', () => {
    const sentence = `The ${'old '.repeat(50)}mill turns.`;
    assert.deepEqual(words(`${sentence} ${sentence} ${sentence}`), [sentence, sentence, sentence]);
  });

  test('doesn’t split a short table', () => {
    const table = `| Year | Yield |\n| --- | --- |\n${'| 2021 | 34 |\n'.repeat(40)}`;
    assert.deepEqual(words(`Yields:\n\n${table}`), ['Yields:', table.trimEnd()]);
  });
});

describe('leadsIn', () => {
  for (const line of ['To undo it:', '**Repairs**', 'Upper mill', 'Yields\n======'])
    test(`needs the next block: ${JSON.stringify(line)}`, () => {
      assert.ok(leadsIn(line));
    });
  for (const line of ['The mill turns.', '| Year:', 'git undo --all', 'Upper mill\nLower mill\nDam'])
    test(`needs no other block: ${JSON.stringify(line)}`, () => {
      assert.ok(!leadsIn(line));
    });
});

describe('isContentsList', () => {
  test('detects lines with dots before page numbers', () => {
    assert.ok(isContentsList('1.1 The mill . . . . . . 2\n1.2 The dam . . . . . . 14'));
  });

  test('detects a list of links to sections', () => {
    assert.ok(isContentsList('- [Mill](#mill)\n- [Dam](#dam)\n- [Pump](#pump)'));
  });

  test('accepts names with numbers that have no title', () => {
    assert.ok(!isContentsList('Mill 2\nDam 14'));
  });
});

describe('windowsIn', () => {
  /** Returns a run of blocks of 100 characters, which lead in if their name is in capitals. */
  const runOf = (...names: readonly string[]): { readonly blocks: readonly Block[] } => ({
    blocks: names.map((name, i) => ({
      start: 100 * i,
      end: 100 * i + 100,
      counts: new Map([[name, 1]]),
      length: 10,
      commented: 1,
      leadsIn: name === name.toUpperCase(),
    })),
  });
  const termsOf = (run: ReturnType<typeof runOf>, longest: number): string[] =>
    windowsIn([run], longest).map(({ counts }) => [...counts.keys()].join(' '));

  test('begins a window with each block, and fills it up to the maximum length', () => {
    assert.deepEqual(termsOf(runOf('a', 'b', 'c'), 200), ['a b', 'b c', 'c']);
  });

  test('adds the counts and lengths of its blocks', () => {
    const [window] = windowsIn([runOf('a', 'a', 'b')], 300);
    assert.deepEqual(
      window?.counts,
      new Map([
        ['a', 2],
        ['b', 1],
      ]),
    );
    assert.deepEqual([window.start, window.end, window.length, window.commented], [0, 300, 30, 3]);
  });

  test('includes the block that a heading leads to, even if it is too long', () => {
    assert.deepEqual(termsOf(runOf('A', 'b'), 100), ['A b', 'b']);
  });

  test('leaves out a heading at the end', () => {
    assert.deepEqual(termsOf(runOf('a', 'B', 'c'), 200), ['a', 'B c', 'c']);
  });
});
