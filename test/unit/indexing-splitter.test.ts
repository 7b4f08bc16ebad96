import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BreakRank, findBreaks } from '../../src/index/documents/splitter-breaks.ts';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import type { Heading } from '../../src/core/domain/document.ts';
import type { TextFormat } from '../../src/core/language/units.ts';
import { assertLinear } from '../support/growth.ts';
import { rounds } from '../support/test-size.mjs';

/** Returns the headings of a Markdown text. */
const findHeadings = (text: string): Heading[] =>
  [...text.matchAll(/^(#{1,6}) (.*)$/gm)].map((match) => ({
    offset: match.index,
    level: match[1]!.length,
    title: match[2]!,
  }));

const split = (text: string, format: TextFormat, size = 200, overlap = 0): string[] =>
  splitDocument({ text, format, headings: findHeadings(text) }, { size, overlap }).map(({ start, end }) =>
    text.slice(start, end),
  );

const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

test('begins passages at sections, and joins small ones to those below', () => {
  const text = `# Title\n\n## One\n\n${words(30)}\n\n## Two\n\n${words(35)}\n\n# Next\n\nShort\n\n# Last\n\nEnd`;
  const passages = splitDocument(
    { text, format: 'markdown', headings: findHeadings(text) },
    { size: 200, overlap: 0 },
  );
  assert.deepEqual(
    passages.map(({ start, headings }) => [text.slice(start).split('\n')[0], headings]),
    [
      ['# Title', ['Title']],
      ['## Two', ['Title', 'Two']],
      ['# Next', []],
    ],
  );
});

test('keeps paragraphs whole if they fit, or else sentences', () => {
  const first = `${words(20)}.`;
  const second = `${words(25)}.`;
  assert.deepEqual(split(`${first}\n\n${second}`, 'prose'), [first, second]);
  const sentences = Array.from({ length: 12 }, (_, i) => `Sentence ${String(i)} has a few words in it.`);
  for (const passage of split(sentences.join(' '), 'prose')) assert.match(passage, /^Sentence .*\.$/);
});

test('keeps blocks of code and tables whole', () => {
  const fence = `\`\`\`js\n${'let a = 1;\n\n'.repeat(13)}\`\`\``;
  const table = `| a | b |\n|---|---|\n${'| 1 | 2 |\n'.repeat(16)}`.trim();
  const passages = split(`A few words.\n\n${fence}\n\nSome more words.\n${table}\n\nThe end.`, 'markdown');
  assert.ok(passages.some((passage) => passage.includes(fence)));
  assert.ok(passages.some((passage) => passage.includes(table)));
});

test('splits code before top-level declarations', () => {
  const declaration = (name: string): string => `function ${name}() {\n  one();\n\n  two();\n  three();\n}`;
  const text = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(declaration).join('\n\n');
  const passages = split(text, 'code');
  assert.ok(passages.length > 1);
  for (const passage of passages) assert.match(passage, /^function[^]*\n\}$/);
});

test('overlaps passages by whole sentences or lines only within a section', () => {
  const sentence = 'These are some words.';
  const text = `# One\n\n${`${sentence} `.repeat(20)}\n\n# Two\n\n${`${sentence} `.repeat(20)}`;
  const passages = splitDocument(
    { text, format: 'markdown', headings: findHeadings(text) },
    { size: 200, overlap: 30 },
  );
  const shared = passages.slice(1).map(({ start }, i) => text.slice(start, passages[i]!.end));
  assert.ok(shared.filter((part) => part === sentence).length > 2);
  assert.ok(shared.every((part) => part === sentence || part === ''));
});

test('covers every character in order, up to the length limit, without splitting characters', () => {
  const piece = fc.constantFrom(
    'word ',
    'A sentence. ',
    '\n',
    '\n\n',
    '\r\n',
    '# Heading\n',
    '### Deeper\n',
    '- item\n',
    '| a | b |\n',
    '```\n',
    '    indented\n',
    '}\n',
    '😀',
    'x'.repeat(50),
    '。',
    '\u3000',
    '日本語',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 120 }).map((pieces) => pieces.join('')),
    fc.string({ unit: 'grapheme', maxLength: 300 }),
  );
  fc.assert(
    fc.property(
      text,
      fc.constantFrom<TextFormat>('code', 'markdown', 'prose'),
      fc.integer({ min: 2, max: 120 }),
      fc.integer({ min: 0, max: 120 }),
      (text, format, size, overlap) => {
        const passages = splitDocument({ text, format, headings: findHeadings(text) }, { size, overlap });
        let covered = 0;
        let previous = -1;
        for (const { start, end } of passages) {
          assert.ok(start > previous && end > covered && end - start <= size);
          assert.ok(covered - start <= overlap);
          assert.equal(text.slice(covered, Math.max(start, covered)).trim(), '');
          const passage = text.slice(start, end);
          assert.equal(passage, passage.trim());
          if (text.isWellFormed()) assert.ok(passage.isWellFormed());
          covered = end;
          previous = start;
        }
        assert.equal(text.slice(covered).trim(), '');
      },
    ),
    { numRuns: rounds(300, 1_500) },
  );
});

test('splits long texts in linear time', () => {
  for (const [piece, format] of [
    ['Some words that make a sentence of usual length. ', 'prose'],
    ['x', 'code'],
    ['  call(something);\n', 'code'],
    ['# A\n', 'markdown'],
  ] as const)
    assertLinear((times) => {
      const text = piece.repeat(times);
      const passages = splitDocument(
        { text, format, headings: findHeadings(text) },
        { size: 1_500, overlap: 50 },
      );
      assert.ok(passages.length >= text.length / 1_500 - 1);
    }, 2_000);
});

test('keeps paragraphs apart from a line of code between them', () => {
  const text = '```npm i x```\n\nFirst.\n\n```js\na\n\n```js\nb\n```\n\nLast.';
  const { offsets, ranks } = findBreaks(text, 'markdown');
  const rankAt = (words: string): number | undefined => ranks[offsets.indexOf(text.indexOf(words))];
  assert.deepEqual(['```npm', 'First', '```js', 'Last'].map(rankAt), [
    BreakRank.block,
    BreakRank.block,
    BreakRank.whole,
    BreakRank.block,
  ]);
  assert.equal(rankAt('b\n'), BreakRank.line);
});
