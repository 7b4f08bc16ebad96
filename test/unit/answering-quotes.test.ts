import fc from 'fast-check';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeBlocks } from '../../src/answering/code-blocks.ts';
import { selectQuotes } from '../../src/answering/quotes.ts';
import { passageOf, type TestDocument } from './answering-fixtures.ts';

const guide: TestDocument = {
  id: 1,
  title: 'guide.md',
  format: 'markdown',
  headings: ['Passages'],
  text: [
    '## Passages',
    '',
    'You can change passages in the settings. A passage is the unit that is indexed and retrieved. It carries its heading path.',
    'The overlap of two passages is 50 characters. Passages are never stored twice.',
    '',
    '- Sources are removed with *Remove from Notebook*.',
    '- Sources are refreshed by hand. This reads them again.',
    '',
    '```sh',
    'notebook reindex --all',
    'notebook status',
    '```',
    '',
    '| Setting | Default |',
    '|---|---|',
    '| size | 1,500 |',
    '| overlap | 50 |',
  ].join('\n'),
};
const history: TestDocument = {
  id: 2,
  title: 'history.txt',
  text: 'The extension was first released in 2026. It replaced a Streamlit app because that needed a server. Weather was fine.',
};
const code: TestDocument = {
  id: 3,
  title: 'span.ts',
  format: 'code',
  text: [
    "import { x } from './x.ts';",
    "import { y } from './y.ts';",
    '',
    'const LIMIT = 5;',
    '',
    '/** The characters that two spans share. */',
    'export function overlap(a: Span, b: Span): number {',
    '  return Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));',
    '}',
    '',
    'export function parseNumber(text: string): number {',
    '  if (text === "") {',
    '    throw new Error("empty");',
    '  }',
    '  return Number(text);',
    '}',
  ].join('\n'),
};

function quotes(question: string, ...documents: TestDocument[]): string[] {
  return selectQuotes(
    { question, carried: '' },
    documents.map((document) => passageOf(document)),
  ).quotes.map(({ passage, span }) => {
    const document = documents.find(({ id }) => id === passage.documentId);
    return document?.text.slice(span.start, span.end) ?? '';
  });
}

test('"what is" is answered by the definition first', () => {
  assert.match(
    quotes('What is a passage?', guide, history)[0]!,
    /^A passage is the unit that is indexed and retrieved\./,
  );
});

test('a sentence that leans on the one before it brings it along', () => {
  const [first] = quotes('What is it that carries the heading path?', guide);
  assert.match(first!, /A passage is the unit .* It carries its heading path\.$/);
});

test('"when", "why" and "how many" prefer what answers them', () => {
  assert.match(quotes('When was the extension released?', history, guide)[0]!, /2026/);
  assert.match(quotes('Why was the Streamlit app replaced?', history, guide)[0]!, /because/);
  assert.match(quotes('How many characters do two passages overlap?', guide)[0]!, /50/);
});

test('list items, code and tables are quoted whole', () => {
  assert.equal(
    quotes('How are sources removed?', guide)[0],
    '- Sources are removed with *Remove from Notebook*.',
  );
  assert.equal(
    quotes('How are sources refreshed by hand?', guide)[0],
    '- Sources are refreshed by hand. This reads them again.',
  );
  assert.equal(quotes('reindex command', guide)[0], '```sh\nnotebook reindex --all\nnotebook status\n```');
  assert.ok(
    quotes('default setting size', guide).some(
      (quote) => quote.startsWith('| Setting') && quote.endsWith('| 50 |'),
    ),
  );
});

const manual: TestDocument = {
  id: 5,
  title: 'mixer.md',
  format: 'markdown',
  text: [
    'const cut = true;',
    '```',
    '',
    '# Mixer',
    '',
    '[![build](https://example.org/b.svg)](https://example.org) [docs](https://example.org/docs)',
    '',
    'A tool for sound. It runs everywhere.',
    '',
    '- [Mixer channels](#channels)',
    '',
    '## Channels',
    '',
    'Channels of the mixer come in three kinds:',
    '',
    '- mono, for microphones',
    '- stereo',
    '- return, fed by effects',
    '',
    'You mute a channel by its number.',
    '',
    '```sh',
    'mixer --mute 3',
    '```',
    '',
    'Then call the reset command:',
    '',
    '```sh',
    'mixer --reset',
    '```',
  ].join('\n'),
};

test('a list stands with the line that introduces it, and code with its own', () => {
  const [first] = quotes('Which kinds of mixer channels are there?', manual);
  assert.match(first!, /^Channels of the mixer come in three kinds:\n\n- mono[^]*- return, fed by effects$/);
  const [reset] = quotes('How do I reset the mixer?', manual);
  assert.match(reset!, /^Then call the reset command:\n\n```sh\nmixer --reset\n```$/);
});

test('"how do I" brings the code that follows a sentence', () => {
  assert.match(
    quotes('How do I mute a channel?', manual)[0]!,
    /^You mute a channel by its number\.\n\n```sh[^]*```$/,
  );
  assert.match(quotes('Which channel is muted by its number?', manual)[0]!, /number\.$/);
});

test('"what is" finds the first sentence under the heading of the thing', () => {
  assert.match(quotes('What is Mixer?', manual)[0]!, /^A tool for sound\./);
});

test('badges, tables of contents and the ends of cut code are not quoted', () => {
  for (const question of ['What is Mixer?', 'mixer channels docs build', 'const cut'])
    for (const quote of quotes(question, manual)) assert.doesNotMatch(quote, /#channels|b\.svg|const cut/);
});

test('a source that the question names comes before others', () => {
  const other = {
    ...manual,
    id: 6,
    title: 'other.txt',
    text: 'You mute a channel by its number. Mute it by a key.',
  };
  const found = selectQuotes({ question: 'How do I mute a channel of mixer?', carried: '' }, [
    passageOf(other),
    passageOf(manual),
  ]).quotes;
  assert.equal(found[0]?.passage.documentId, 5);
});

test('of code, the function with its comment is quoted', () => {
  assert.equal(
    quotes('How is the overlap of spans computed?', code)[0],
    code.text.slice(code.text.indexOf('/** The'), code.text.indexOf('\n\nexport function parseNumber')),
  );
  assert.match(quotes('parse number', code)[0]!, /^export function parseNumber[^]*}$/);
});

test('the parts of a question are covered, and nothing is said twice', () => {
  const found = quotes('How are sources removed and when was the extension released?', guide, history, {
    ...history,
    id: 4,
  });
  assert.ok(found.some((quote) => quote.includes('removed')));
  assert.equal(found.filter((quote) => quote.includes('2026')).length, 1);
  assert.ok(found.length <= 6);
});

test('coverage tells whether the question is spoken of', () => {
  const coverage = (question: string): number =>
    selectQuotes(
      { question, carried: '' },
      [guide, history, code].map((d) => passageOf(d)),
    ).coverage;
  assert.ok(coverage('When was the extension released?') > 0.8);
  assert.ok(coverage('Which penguins live in Antarctica during winter?') < 0.2);
});

test('every quote is a span of its passage, without white space around it', () => {
  const word = fc.constantFrom(
    'index',
    'Span',
    'is',
    'a',
    '.',
    '\n',
    '\n\n',
    '- ',
    '```\n',
    '| a | b |\n',
    '# ',
    '  ',
    '{',
    '}',
    'It',
    '中文。',
    '😀',
  );
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 60 }),
      fc.constantFrom('markdown', 'prose', 'code'),
      fc.nat(9),
      (words, format, start) => {
        const document = {
          id: 1,
          title: 'T',
          format,
          text: `${'x'.repeat(start)}${words.join(' ')}`,
        } as const;
        const passage = passageOf(document, { start, end: document.text.length });
        for (const { span } of selectQuotes({ question: 'What is an index span 中文?', carried: '' }, [
          passage,
        ]).quotes) {
          assert.ok(span.start >= start && span.end <= document.text.length && span.end > span.start);
          const quote = document.text.slice(span.start, span.end);
          assert.equal(quote.trimEnd(), quote);
        }
      },
    ),
  );
});

test('code is cut into whole lines, nothing lost and nothing twice', () => {
  const line = fc.tuple(
    fc.nat(3),
    fc.constantFrom('x = 1;', 'function f() {', '}', '// note', '', 'if (a) {', 'else:'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 120 }), (lines) => {
      const text = lines.map(([indent, words]) => `${'  '.repeat(indent)}${words}`).join('\n');
      let end = 0;
      for (const block of codeBlocks(text)) {
        assert.equal(text.slice(end, block.start).trim(), '');
        assert.ok(block.start === 0 || text[block.start - 1] === '\n');
        assert.ok(text.slice(block.start, block.end).split('\n').length <= 30);
        ({ end } = block);
      }
      assert.equal(text.slice(end).trim(), '');
    }),
  );
});
