import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCitationMarks } from '../../src/answers/writing/citation-marks.ts';
import { rounds } from '../support/test-size.mjs';

interface Reading {
  readonly text: string;
  readonly sentences: readonly {
    readonly start: number;
    readonly end: number;
    readonly numbers: readonly number[];
    readonly isItem?: true;
  }[];
}

function read(deltas: readonly string[], known = 5): Reading {
  const reader = readCitationMarks(known);
  const parts = [...deltas.map((delta) => reader.push(delta)), reader.end()];
  return {
    text: parts.map(({ text }) => text).join(''),
    sentences: parts.flatMap(({ sentences }) => sentences),
  };
}

/** Returns each sentence with its numbers, as in `It rains. 1,2`. */
function readSentences(reply: string): string[] {
  const { text, sentences } = read([reply]);
  return sentences.map(({ start, end, numbers }) => `${text.slice(start, end)} ${numbers.join()}`.trim());
}

for (const [reply, text] of [
  ['It rains [1]. It pours [1, 2].', 'It rains. It pours.'],
  ['It rains.[1] It pours. [2][3] It ends [^1] here.', 'It rains. It pours. It ends here.'],
  ['From [1-3] and 【2】 to 【4†source】.', 'From and to.'],
  ['It rains (see [1]), and pours ([2], [3]).', 'It rains, and pours.'],
  ['It rains (as in April [1]) often.', 'It rains (as in April) often.'],
  [
    'See [1](https://example.org) and [the guide](https://example.org).',
    'See [1](https://example.org) and [the guide](https://example.org).',
  ],
  ['Use `a[1]` or ``b[`1`]`` [2].', 'Use `a[1]` or ``b[`1`]``.'],
  ['```ts\nx = a[1];\n```\nDone [1].', '```ts\nx = a[1];\n```\nDone.'],
  ['- [ ] open\n- [x] done [1]', '- [ ] open\n- [x] done'],
  ['In [2024] there were a[0] of them [9].', 'In [2024] there were a[0] of them.'],
  ['It is [Passage 2] and [source 1].', 'It is and.'],
  ['An open [1', 'An open [1'],
  ['Escaped \\[1] stays.', 'Escaped \\[1] stays.'],
  ['  \n\nHello [1]', 'Hello'],
] as const) {
  test(`removes citation marks from the text: ${JSON.stringify(reply)}`, () => {
    assert.equal(read([reply]).text, text);
  });
}

test('assigns marks to their sentence, also after its period', () => {
  assert.deepEqual(
    readSentences('It rains [1]. It pours.[2] It ends. [3] Then, e.g. on v1.2, it goes on [1-3].'),
    ['It rains. 1', 'It pours. 2', 'It ends. 3', 'Then, e.g. on v1.2, it goes on. 1,2,3'],
  );
});

test('drops numbers that aren’t among the passages', () => {
  assert.deepEqual(readSentences('It rains [7]. It pours [2, 9].'), ['It rains.', 'It pours. 2']);
});

test('distinguishes list items, table cells, headings, and code', () => {
  const reply =
    '# Weather\nTwo things:\n1. Rain [1]\n2. Snow. It is cold. [2]\n\n| a | b |\n|---|---|\n| x [1] | y [3] |\n\n```\nz. Z\n```\nThe end\ngoes on [2]';
  assert.deepEqual(readSentences(reply), [
    '# Weather',
    'Two things:',
    'Rain 1',
    'Snow.',
    'It is cold. 2',
    'x 1',
    'y 3',
    '```\nz. Z\n```',
    'The end\ngoes on 2',
  ]);
});

test('tells which sentences begin a list item', () => {
  const { text, sentences } = read(['Parts:\n\n- Pump. It lifts.\n> 1. Valve\n\nOverview\n']);
  assert.deepEqual(
    sentences.filter(({ isItem }) => isItem).map(({ start, end }) => text.slice(start, end)),
    ['Pump.', 'Valve'],
  );
});

test('separates sentences of scripts without spaces', () => {
  assert.deepEqual(readSentences('今天下雨。[1]明天下雪[2]。后天晴'), [
    '今天下雨。 1',
    '明天下雪。 2',
    '后天晴',
  ]);
});

test('recognizes the fences of code blocks as the Markdown reader does', () => {
  assert.deepEqual(readSentences('```npm i x``` runs [1].\nIt ends. [2]'), [
    '```npm i x``` runs. 1',
    'It ends. 2',
  ]);
  assert.deepEqual(readSentences('```js\na[1]. B\n```js\nc[2]\n```\nIt ends [2].'), [
    '```js\na[1]. B\n```js\nc[2]\n```',
    'It ends. 2',
  ]);
  assert.deepEqual(readSentences('- ```sh\n  a[1]\n  ```\n- It ends [2].'), [
    '```sh\n  a[1]\n  ```',
    'It ends. 2',
  ]);
});

test('splits no sentence of a reply at an abbreviation of a source', () => {
  assert.deepEqual(readSentences('Siehe Abb. 3 bzw. Kap. 4 [1]. Es beginnt am 1. Mai [2].'), [
    'Siehe Abb. 3 bzw. Kap. 4. 1',
    'Es beginnt am 1. Mai. 2',
  ]);
});

test('reports a sentence as soon as the next one begins', () => {
  const reader = readCitationMarks(2);
  assert.deepEqual(reader.push('It rains [1]. ').sentences, []);
  assert.equal(reader.push('It').sentences.length, 1);
});

const piece = fc.constantFrom(
  'It rains',
  'word',
  ' ',
  ' ',
  '. ',
  '.',
  '\n',
  '\n\n',
  '[1]',
  '[2, 3]',
  '[1-2]',
  '【1】',
  '[^2]',
  '(see [1])',
  '(',
  ')',
  '[',
  ']',
  '`',
  '```',
  '\n```ts\n',
  '~~~\n',
  'a[1]',
  '[1](x)',
  '- ',
  '1. ',
  '# ',
  '| a | b |\n',
  '|---|\n',
  '。',
  '?',
  '…',
  '"',
  '**',
  '\\',
  'e.g. ',
  '😀',
  '中',
  ':',
);

test('returns the same result wherever the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 30 }),
      fc.array(fc.nat(40), { maxLength: 40 }),
      (pieces, lengths) => {
        const reply = pieces.join('');
        const deltas: string[] = [];
        let from = 0;
        for (const length of lengths) {
          deltas.push(reply.slice(from, from + length));
          from += length;
        }
        deltas.push(reply.slice(from));
        const whole = read([reply]);
        assert.deepEqual(read(deltas), whole);
        assert.deepEqual(read(Array.from({ length: reply.length }, (_, i) => reply.charAt(i))), whole);
        let end = 0;
        for (const sentence of whole.sentences) {
          assert.ok(
            sentence.start >= end && sentence.end > sentence.start && sentence.end <= whole.text.length,
          );
          end = sentence.end;
        }
      },
    ),
    { numRuns: rounds(100, 500) },
  );
});
