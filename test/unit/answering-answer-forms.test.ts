import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kindOf } from '../../src/answering/question-kinds.ts';
import { selectQuotes } from '../../src/answering/quotes.ts';
import type { TextFormat } from '../../src/notebook/document.ts';
import { passageOf } from './answering-fixtures.ts';

function quotesOf(question: string, text: string, format: TextFormat = 'markdown'): string[] {
  const passage = passageOf({ id: 1, title: 'notes.md', text, format });
  const { quotes, isEnough } = selectQuotes({ question, carried: '' }, [passage]);
  return isEnough ? quotes.map(({ span }) => text.slice(span.start, span.end)) : [];
}

test('a row is found by what the header of its table says, too', () => {
  const table = `| island | harbour | lighthouses |
| --- | --- | --- |
| Nordholm | Vik | 3 |
| Sandoy | Ness | 1 |
| Westray | Pier | 2 |
`;
  assert.match(quotesOf('Which harbour does Sandoy have?', table)[0] ?? '', /Sandoy \| Ness/);
  assert.match(quotesOf('lighthouses of Westray', table)[0] ?? '', /Westray \| Pier \| 2/);
  assert.deepEqual(quotesOf('Which harbour does Fairhaven have?', table), []);
});

test('of a long table the row alone is quoted', () => {
  const rows = Array.from({ length: 40 }, (_, i) => `| Skerry ${String(i)} | ${'rock '.repeat(4)}|`);
  const table = `| name | ground |\n| --- | --- |\n${rows.join('\n')}\n| Westray | sand |\n`;
  assert.equal(quotesOf('What is the ground of Westray?', table)[0], '| Westray | sand |');
});

const changes = `# Changes

## 4.2.0 of 3 May 2024

- The hull is painted.

### .reef()

Takes in a part of the sail.

## 4.1.0 of 9 April 2024

- The mast is new.
`;

test('a quote begins with its heading where that says what is asked and the quote does not', () => {
  assert.equal(
    quotesOf('When did 4.1.0 come?', changes)[0],
    '## 4.1.0 of 9 April 2024\n\n- The mast is new.',
  );
  assert.equal(quotesOf('reef', changes)[0], '### .reef()\n\nTakes in a part of the sail.');
  assert.equal(quotesOf('Which hull is painted?', changes)[0], '- The hull is painted.');
});

test('a reason that the next sentence tells is quoted with what it is the reason of', () => {
  const text =
    'The pump fails below zero. The cause is water in the pipe. A new one was ordered in the same week.';
  assert.deepEqual(quotesOf('Why does the pump fail?', text), [
    'The pump fails below zero. The cause is water in the pipe.',
  ]);
  assert.deepEqual(quotesOf('Does the pump fail?', text), ['The pump fails below zero.']);
});

test('who did something is told by a sentence with a name', () => {
  assert.equal(kindOf('Who built the pier?'), 'person');
  assert.equal(kindOf('Who is Ada Lovelace?'), 'definition');
  const text =
    'The pier has been built on wooden piles. The pier was built by Signe Aas. The pier was built for fishermen.';
  assert.equal(quotesOf('Who built the pier?', text)[0], 'The pier was built by Signe Aas.');
});

test('what something is, is told where it is given that name', () => {
  const text = `The log shows a knot for every line. One crew keeps a line with knots called \`log\`.

Ships report by the Automatic Identification System (AIS). With AIS the range of the radio is forty miles, and AIS is cheap.`;
  assert.match(quotesOf('What is the log?', text)[0] ?? '', /called `log`/);
  assert.match(quotesOf('What is AIS?', text)[0] ?? '', /^Ships report/);
});

const guide = `# tidewatch

<div align="center"><a href="https://example.org/tidewatch">Buy the tidewatch people an example of coffee</a></div>

\`\`\`
npm install tidewatch
\`\`\`

## Usage

\`\`\`js
const tide = tidewatch({ place: 'Ness' });
\`\`\`
`;

test('an example shows the use, not the installation, unless that is asked for', () => {
  assert.match(quotesOf('Show me a tidewatch example', guide)[0] ?? '', /const tide/);
  assert.ok(!quotesOf('tidewatch example', guide).join('\n').includes('<div'));
  assert.match(quotesOf('How do I install tidewatch?', guide)[0] ?? '', /npm install/);
});

test('the line of an option is told with what it does', () => {
  const page = `OPTIONS

       -k, --keep[=SUFFIX]

              leave files in place and write beside them

       -q, --quiet

              print nothing
`;
  assert.match(quotesOf('leave files in place', page, 'prose')[0] ?? '', /^-k, --keep/);
});

test('what is defined counts for more than where', () => {
  const text = `In Rust a trait bound is checked when the program is compiled.\n\nA trait is a set of methods that types share.`;
  assert.match(quotesOf('What is a trait in Rust?', text)[0] ?? '', /^A trait is/);
});

test('an irregular form is one of its word', () => {
  const text = 'The keeper chose the eastern lamp. It costs little to mend the leaves of the door.';
  assert.match(quotesOf('Which lamp did the keeper choose?', text)[0] ?? '', /eastern/);
  assert.match(quotesOf('Mend the leaf of a door', text)[0] ?? '', /leaves/);
});

test('code is no definition where prose tells it, unless an identifier is asked for', () => {
  const code = passageOf({
    id: 2,
    title: 'quay.ts',
    format: 'code',
    text: 'const MOORING = 3;\n/** How many moorings. */\nexport function mooringOf() {}',
  });
  const prose = passageOf({
    id: 3,
    title: 'words.md',
    format: 'markdown',
    text: '| **mooring** | a place where a boat is tied |',
  });
  const first = (question: string): string | undefined =>
    selectQuotes({ question, carried: '' }, [code, prose]).quotes[0]?.passage.sourceTitle;
  assert.equal(first('What is a mooring?'), 'words.md');
  assert.equal(first('What is mooringOf?'), 'quay.ts');
});
