import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PassageFinder } from '../../src/answering/passage-finder.ts';
import { kindOf } from '../../src/answering/question-kinds.ts';
import { selectQuotes } from '../../src/answering/quotes.ts';
import { answerAsMarkdown } from '../../src/notebook/answer-markdown.ts';
import { answerInQuotes } from '../support/answer-in-quotes.ts';
import { notebookOf, passageOf, type TestDocument } from './answering-fixtures.ts';

const loom: TestDocument = {
  id: 1,
  title: 'loom.md',
  format: 'markdown',
  text: `# loom <!-- no toc -->

[![build](https://example.org/b.svg)](https://example.org/ci)

> Weaves many threads of work into one queue.

## Install

loom-cli is the tool for shells. Loom is used by a mill.

## Usage

You make a queue and put work into it. Work is a function. It may be async.
Its result is a promise.

\`\`\`js
const queue = new Queue({ threads: 2 });
queue.put(() => fetchPage());
\`\`\`

## API

### Queue(options?)

#### options

##### threads

Type: \`number\`\\
Default: \`Infinity\`

How many pieces of work run at the same time.

##### patience

Type: \`number\`\\
Default: \`5000\`

How long a piece of work may take, in milliseconds.

### Events

**\`idle\`**

Told when the queue has nothing left to do.

**\`broken\`**

Told when a piece of work was given up. Its reason comes with it.

## Stores

Store | Package | Keeps
---|---|---
Memory | built in | no
Files | loom-files | yes

## Spools

A spool holds thread. It should be changed with the spool command.

Contents . . . . . . . . . . . . 4
`,
};

function quotes(question: string, ...documents: TestDocument[]): string[] {
  const passages = documents.map((document) => passageOf(document));
  return selectQuotes({ question, carried: '' }, passages).quotes.map(({ passage, span }) =>
    passage.text.slice(span.start - passage.start, span.end - passage.start),
  );
}

test('the form of a question tells what is asked for', () => {
  const asked = {
    definition: 'What is a Pod?',
    list: 'Which options does the queue have?',
    amount: 'How much does it cost?',
    value: 'What is the default number of threads?',
    time: 'When was it released?',
    reason: 'Why is it slow?',
    way: 'How do I put work into a queue?',
    comparison: 'What is the difference between a queue and a stack?',
    other: 'Does it keep its work?',
  };
  for (const [kind, question] of Object.entries(asked)) assert.equal(kindOf(question), kind, question);
  assert.equal(kindOf('What are the events of loom?'), 'list');
  assert.equal(kindOf('queue or stack?'), 'comparison');
});

test('what something is, is said where its document begins, past badges and other names', () => {
  assert.equal(quotes('What is loom?', loom)[0], '> Weaves many threads of work into one queue.');
  assert.ok(quotes('What is loom?', loom).every((quote) => !/b\.svg|loom-cli/.test(quote)));
});

test('a default stands under the heading of what it is the default of', () => {
  assert.match(quotes('What is the default of threads in loom?', loom)[0]!, /Default: `Infinity`/);
  assert.match(quotes('What is the default patience?', loom)[0]!, /Default: `5000`/);
});

test('a list that is asked for is given whole: of headings, of labels, as a table', () => {
  const [options] = quotes('Which options does a loom queue have?', loom);
  assert.match(options!, /Type: `number`[^]*##### patience[^]*in milliseconds\.$/);
  const [events] = quotes('What are the events of loom?', loom);
  assert.match(events!, /nothing left to do\.[^]*`broken`[^]*comes with it\.$/);
  const [stores] = quotes('Which stores are there in loom?', loom);
  assert.match(stores!, /^Store \| Package \| Keeps\n---[^]*Files \| loom-files \| yes$/);
});

test('a list that is too long for a quote ends with a whole item, and never is its first line alone', () => {
  const list = (length: number): TestDocument => ({
    id: 9,
    title: 'list.md',
    format: 'markdown',
    text: `There are many stores of loom:\n\n${Array.from({ length: 9 }, (_, i) => `- store${String(i)} ${'keeps thread '.repeat(length)}`).join('\n')}`,
  });
  const [some] = quotes('Which stores are there in loom?', list(40));
  assert.match(some!, /^There are[^]*- store3 [^\n]*thread$/);
  const [one] = quotes('Which stores are there in loom?', list(300));
  assert.match(one!, /^There are[^]*- store0 [^\n]*thread$/);
});

test('what a label names is quoted with it', () => {
  assert.match(quotes('What does broken mean?', loom)[0]!, /^\*\*`broken`\*\*\n\nTold when a piece/);
});

test('how something is done brings the code that follows after a few sentences', () => {
  assert.match(
    quotes('How do I make a queue and put work into it?', loom)[0]!,
    /^You make[^]*fetchPage\(\)\);\n```$/,
  );
});

test('a sentence that goes on from the one before speaks of what that one names', () => {
  assert.match(quotes('How is a spool changed?', loom)[0]!, /^A spool holds thread\. It should be changed/);
});

test('lines of a table of contents are not quoted', () => {
  assert.ok(quotes('contents of the spool', loom).every((quote) => !quote.includes('. . .')));
});

test('what is written as code in a question is looked for to the letter', () => {
  const ranges: TestDocument = {
    id: 2,
    title: 'ranges.md',
    format: 'markdown',
    text: 'Ranges of versions:\n\n- `>1.2.3` is any later version range.\n- `~1.2.3` is a range of patches.\n- `^1.2.3` is a range of minor versions.\n\nUse `--keep` to keep the work. You keep the work by hand.',
  };
  assert.match(quotes('What does the version range ^1.2.3 mean?', ranges)[0]!, /minor versions/);
  assert.match(quotes('What does --keep do to the work?', ranges)[0]!, /--keep/);
});

test('amounts of money and of time come first where they are asked for', () => {
  const prices: TestDocument = {
    id: 3,
    title: 'prices.txt',
    text: 'The cost of a house cleaning depends on 3 things. A house cleaning costs $35 an hour. A cleaning takes two rooms at a time. A cleaning of a house takes 4 hours.',
  };
  assert.match(quotes('How much does a house cleaning cost?', prices)[0]!, /\$35/);
  assert.match(quotes('How long does a house cleaning take?', prices)[0]!, /4 hours/);
});

test('short lines of a text without marks are headings, not answers', () => {
  const paper: TestDocument = {
    id: 4,
    title: 'paper.pdf',
    text: 'The Evolution of the Loom\n\nThe loom grew from a frame into a machine.\n\nSteam Looms\n\nIn 1785 the first steam loom was built. Evolution of the Loom 27',
  };
  for (const quote of quotes('What is the evolution of the loom?', paper))
    assert.doesNotMatch(quote, /27|Loom$/);
  assert.match(quotes('When was the steam loom built?', paper)[0]!, /1785/);
});

test('what lacks an identifier of the question hardly covers it', () => {
  const coverage = (question: string): number =>
    selectQuotes({ question, carried: '' }, [passageOf(loom)]).coverage;
  assert.ok(coverage('What is the default of maxThreads?') < coverage('What is the default of threads?') / 2);
});

test('the beginning of the document that goes by the name of what is asked is read, too', async () => {
  const text = loom.text.replace('A spool holds thread.', 'A spool of loom holds thread.');
  const document = { ...loom, text };
  // Only its end is found, as where the question's word stands everywhere.
  const span = { start: text.indexOf('## Spools'), end: text.length };
  const find: PassageFinder['find'] = () => Promise.resolve([passageOf(document, span)]);
  const answer = await answerInQuotes('What is loom?', { ...notebookOf([document]), find }, 3);
  assert.equal(answer?.kind, 'quotes');
  assert.equal(answer.citations[0]?.quote, '> Weaves many threads of work into one queue.');
});

test('a row of a long table has its header, wherever that stands', async () => {
  const rows = Array.from(
    { length: 60 },
    (_, i) => `| key${String(i)} | ${String(i)} | What the key of number ${String(i)} does |`,
  );
  const head = '| Key | Default | What |\n| --- | :-: | --- |';
  const table: TestDocument = {
    id: 7,
    title: 'keys.md',
    format: 'markdown',
    text: `# Keys\n\nAll of them:\n\n${head}\n${rows.join('\n')}\n`,
  };
  const find =
    (start: number): PassageFinder['find'] =>
    () =>
      Promise.resolve([passageOf(table, { start, end: table.text.length })]);
  for (const start of [0, table.text.indexOf('| key20')]) {
    const answer = await answerInQuotes(
      'What does key40 do?',
      { ...notebookOf([table]), find: find(start) },
      3,
    );
    assert.ok(answer?.kind === 'quotes');
    assert.match(answer.citations[0]?.quote ?? '', /^\| key40 [^\n]*\|$/);
    assert.equal(answer.quotes[0]?.header, head);
    assert.match(answerAsMarkdown(answer), /> \| Key \| Default \| What \|\n> \| --- [^\n]*\n> \| key40 /);
  }
});

test('the header of a table is no answer by itself', () => {
  const table: TestDocument = {
    id: 8,
    title: 'keys.md',
    format: 'markdown',
    text: '| Key size | Default |\n| --- | --- |\n| small | 1 |',
  };
  assert.equal(
    quotes('Which key size?', table).every((quote) => quote.includes('small')),
    true,
  );
});
