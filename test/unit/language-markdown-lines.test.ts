import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import {
  endOfMarks,
  fenceText,
  headingOfLine,
  isLineUntold,
  itemOfLine,
  kindOfLine,
  levelOfUnderline,
  linesIn,
  markdownLines,
  withoutLineMark,
} from '../../src/core/language/markdown-lines.ts';
import { cutUnits } from '../../src/core/language/units.ts';
import { rounds } from '../support/test-size.mjs';

const kinds = (text: string): string[] => Array.from(markdownLines(text), ({ kind }) => kind);

for (const [text, expected] of [
  ['```npm i x```\nthen', 'text text'],
  ['``` a`b\nthen', 'text text'],
  ['~~~ a`b\nthen\n~~~', 'opening code closing'],
  ['```js\na\n```js\nb\n```\nc', 'opening code code code closing text'],
  ['````\n```\n````\nc', 'opening code closing text'],
  ['```\n~~~\n`````  \nc', 'opening code closing text'],
  ['```\n``` c\n    ```\nb', 'opening code code code'],
  ['> ```\n> a\n```\nb', 'opening code opening code'],
  ['> ```\n> a\nb', 'opening code text'],
  ['```\n> ```\n```', 'opening code closing'],
  ['- ```sh\n  npm i\n  ```\n- b', 'opening code closing item'],
  ['- ```sh\n  npm i\n- b', 'opening code item'],
  ['1. a\n\n    ```\n    b\n    ```\n\nc', 'item blank opening code closing blank text'],
  ['    ```\nb', 'opening text'],
  ['# a\n#b\n####### c\n#\n   ## d ##', 'heading text text heading heading'],
  ['- a\n* b\n+ c\n• d\n‣ e\n12. f\n3) g\n> - h', 'item item item item item item item item'],
  ['-a\n2019. b\n1.5 c\n**d**', 'text text text text'],
  ['| a |\n|---|\n| b |\nc', 'row rule row text'],
  ['a\n---\n* * *\n___\n===\n--', 'text ruler ruler ruler ruler text'],
  ['a\r\n\r\n \t\rb', 'text blank blank text'],
] as const) {
  test(`classifies the lines of ${JSON.stringify(text)}`, () => {
    assert.equal(kinds(text).join(' '), expected);
  });
}

test('gives a unit the kind of its first line', () => {
  const text = '# A\nSo. • B\n- c. D.\n> - e\n| f |\n```npm i x``` g\n~~~\nh\n~~~';
  assert.deepEqual(
    cutUnits(text, 'markdown', [{ start: 0, end: 3 }]).map(
      ({ kind, start, end }) => `${kind} ${text.slice(start, end)}`,
    ),
    [
      ...['heading # A', 'sentence So.', 'item • B', 'item - c. D.', 'item > - e', 'row | f |'],
      ...['sentence ```npm i x``` g', 'fence ~~~\nh\n~~~'],
    ],
  );
});

test('covers a span with lines, each with its break', () => {
  assert.deepEqual(Array.from(linesIn('ab\r\nc\rd\n\n', { start: 1, end: 9 })), [
    { start: 1, end: 2, next: 4 },
    { start: 4, end: 5, next: 6 },
    { start: 6, end: 7, next: 8 },
    { start: 8, end: 8, next: 9 },
  ]);
  assert.deepEqual(Array.from(linesIn('ab\r\ncd', { start: 0, end: 3 })), [{ start: 0, end: 2, next: 3 }]);
});

test('returns the text of headings, items, and underlines', () => {
  assert.deepEqual(headingOfLine('  ## A # b ## '), { level: 2, title: 'A # b' });
  assert.deepEqual(headingOfLine('# C#'), { level: 1, title: 'C#' });
  assert.deepEqual(itemOfLine('> 2)  b'), { before: '> ', mark: '2)', text: 'b' });
  assert.deepEqual(['=', '-- ', '- -', '=-'].map(levelOfUnderline), [1, 2, undefined, undefined]);
});

test('fences code with more backticks than it contains', () => {
  assert.equal(fenceText('a', 'ts'), '```ts\na\n```');
  const code = 'a\n````\nb';
  assert.deepEqual(kinds(fenceText(code)), ['opening', 'code', 'code', 'code', 'closing']);
});

test('keeps the kind of a line whatever follows it', () => {
  const piece = fc.constantFrom(
    '`',
    '```',
    '~',
    '~~~',
    '-',
    '*',
    '#',
    '1',
    '.',
    ' ',
    '|',
    '=',
    '>',
    'a',
    '_',
    '•',
  );
  const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const firstKind = (text: string): string => kinds(text)[0] ?? '';
  fc.assert(
    fc.property(line, line, (beginning, rest) => {
      fc.pre(!isLineUntold(beginning));
      assert.equal(firstKind(beginning + rest), firstKind(beginning));
    }),
    { numRuns: rounds(1000, 5_000) },
  );
  assert.equal(kindOfLine('- a'), 'item');
});

test('finds the code blocks and headings of a CommonMark parser', () => {
  const words = fc.constantFrom(
    '```',
    '```',
    '````',
    '~~~',
    '```js',
    '``` a`b',
    '```a```',
    '~~~ `',
    '``` ',
    '# a',
    '## a ##',
    '#',
    '#a',
    'a',
    'a',
    '',
  );
  // Lines with less than four spaces are ambiguous after an item if a block isn't closed.
  const lines = fc.constantFrom(['', '', ' ', '   ', '> '], ['', '', '> ', '- ']).chain((containers) =>
    fc.array(
      fc.tuple(fc.constantFrom(...containers), words).map(([before, text]) => before + text),
      { maxLength: 10 },
    ),
  );
  fc.assert(
    fc.property(lines, (lines) => {
      const text = lines.join('\n');
      const { code, headings } = parsed(text, lines);
      const own = kinds(text);
      const isOfCode = new Set(['opening', 'code', 'closing']);
      assert.deepEqual(
        own.flatMap((kind, i) => (isOfCode.has(kind) && /[^\s>]/.test(lines[i] ?? '') ? [i] : [])),
        code,
      );
      assert.deepEqual(
        own.flatMap((kind, i) => (kind === 'heading' ? [i] : [])),
        headings,
      );
    }),
    { numRuns: rounds(600, 3_000) },
  );
});

/** Returns the zero-based lines that the parser reads as fenced code, and as headings at the start of a line. */
function parsed(
  text: string,
  lines: readonly string[],
): { readonly code: number[]; readonly headings: number[] } {
  const code: number[] = [];
  const headings: number[] = [];
  const walk = (node: Nodes): void => {
    const { start, end } = node.position ?? { start: { line: 1, column: 1 }, end: { line: 1, column: 1 } };
    const first = start.line - 1;
    // A node that ends before the first character of a line ends with the line before.
    const last = end.line - (end.column === 1 && lines[end.line - 1] !== '' ? 2 : 1);
    if (node.type === 'code')
      for (let line = first; line <= last; line++) if (/[^\s>]/.test(lines[line] ?? '')) code.push(line);
    if (node.type === 'heading' && first === last && /^ *#/.test(lines[first] ?? '')) headings.push(first);
    if ('children' in node) node.children.forEach(walk);
  };
  walk(fromMarkdown(text));
  return { code, headings };
}

test('separates markers from the following words', () => {
  for (const [line, words] of [
    ['> - 1. Rain', 'Rain'],
    ['• 12) Rain', 'Rain'],
    ['3.5 mm', '3.5 mm'],
    ['-5 °C', '-5 °C'],
    ['1998. Rain', '1998. Rain'],
  ] as const)
    assert.equal(line.slice(endOfMarks(line)), words);
  assert.deepEqual(['## Rain ##', '2. Rain', '#5 rains'].map(withoutLineMark), ['Rain', 'Rain', '#5 rains']);
});
