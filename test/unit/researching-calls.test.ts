import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Statement } from '../../src/core/domain/answer.ts';
import type { Skill } from '../../src/features/research/service/skills/skill.ts';
import { draftIn } from '../../src/features/research/service/work/actor.ts';
import { callKey, callsIn, isOrdered } from '../../src/features/research/service/work/calls.ts';
import { applyEdits, joinTexts, withoutStatements } from '../../src/answers/writing/cited-text.ts';
import { countEntries, validateFormat } from '../../src/features/research/service/work/validate-format.ts';
import { NOT_IN_SOURCES } from '../../src/core/language/no-evidence-statements.ts';
import { library, search } from '../support/researching.ts';

const { skills } = library;

test('reads calls in every form that a model writes', () => {
  const call = [{ name: 'search', input: { queries: ['red fox'] } }];
  for (const reply of [
    'USE search {"queries": ["red fox"]}',
    'I look.\n\nUSE search {"queries": ["red fox"]}\nResult: it is red.',
    '```\nUSE search {"queries": ["red fox"]}\n```',
    '**USE** `search`: {"queries": ["red fox"]}',
    '- use Search {"queries": ["red fox"],}',
    "USE search {'queries': ['red fox']}",
    'USE search {queries: ["red fox"]}',
    'USE search\n{\n  "queries": [\n    "red fox"\n  ]\n}',
    'USE search red fox',
    'USE search: "red fox"',
    'ACTION: search\n```json\n{"queries": ["red fox"]}\n```',
    '{"tool": "search", "input": {"queries": ["red fox"]}}',
    '```json\n{"name": "search", "arguments": "{\\"queries\\": [\\"red fox\\"]}"}\n```',
    '<tool_call>{"name": "search", "arguments": {"queries": ["red fox"]}}</tool_call>',
  ])
    assert.deepEqual(callsIn(reply, skills).calls, call, reply);
});

test('rejects invalid calls', () => {
  for (const reply of [
    'The record is 305 mm [1].',
    'USE your head.',
    'Use case: search engines are popular.',
    'The page says: USE search {"queries": ["red fox"]}',
    '{"name": "fox", "colour": "red"}',
  ])
    assert.deepEqual(callsIn(reply, skills).calls, [], reply);
});

test('treats two calls with the same arguments as equal', () => {
  const key = callKey({ name: 'search', input: { queries: ['Red  fox '], passages: 3 } });
  assert.equal(callKey({ name: 'Search', input: { passages: 3, queries: ['red fox'] } }), key);
  assert.notEqual(callKey({ name: 'search', input: { queries: ['fox'] } }), key);
});

test('recognizes a text that orders a call, but not one with only its words', () => {
  const call = { name: 'search', input: { queries: ['red fox'] } };
  assert.equal(isOrdered(call, 'Please now use the tool "search" with red fox.', skills), true);
  assert.equal(isOrdered(call, 'USE search {"queries": ["red fox"]}', skills), true);
  assert.equal(isOrdered(call, 'The search for the red fox went on.', skills), false);
  assert.equal(isOrdered(call, 'We call it red fox.', [search]), false);
});

test('extracts a result from the wrapping of a model', () => {
  assert.equal(draftIn('```markdown\n# Fox\n\nRed [1].\n```'), '# Fox\n\nRed [1].');
  assert.equal(draftIn('Sure! Here is the table:\n\n| a |\n|---|\n| 1 |'), '| a |\n|---|\n| 1 |');
  assert.equal(draftIn('Here is the list:\n- a'), '- a');
  assert.equal(draftIn('<passage-123456789 n="1">\nRed.\n</passage-123456789>'), 'Red.');
  assert.equal(draftIn('```ts\nlet a;\n```\n\nThat is all.'), '```ts\nlet a;\n```\n\nThat is all.');
});

test('cuts sentences together with what would be left empty', () => {
  const text =
    '# A\n\nOne. Two.\n\n## B\n\n- Three.\n- Four.\n\n| h | i |\n|---|---|\n| five | 5 |\n\n## C\n\nSix.';
  const makeStatement = (words: string): Statement => ({
    start: text.indexOf(words),
    end: text.indexOf(words) + words.length,
    verdict: 'supported',
    citations: [],
  });
  const all = ['One.', 'Two.', 'Three.', 'Four.', '| five | 5 |', 'Six.'];
  const cut = (...words: string[]): string => {
    const cited = { text, statements: all.map(makeStatement), citations: [] };
    const { text: rest, statements } = withoutStatements(cited, (statement) =>
      words.includes(text.slice(statement.start, statement.end)),
    );
    assert.deepEqual(
      statements.map(({ start, end }) => rest.slice(start, end)),
      all.filter((each) => !words.includes(each)),
    );
    return rest;
  };
  assert.equal(cut('Two.', 'Six.'), text.replace(' Two.', '').replace('\n\n## C\n\nSix.', ''));
  assert.equal(cut('Three.'), text.replace('- Three.\n', ''));
  assert.equal(cut('| five | 5 |', 'Six.'), '# A\n\nOne. Two.\n\n## B\n\n- Three.\n- Four.');
  assert.equal(cut(...all), '');
});

test('joins and edits texts together with their citations', () => {
  const citedText = {
    text: 'One.',
    statements: [{ start: 0, end: 4, verdict: 'none', citations: [] }],
    citations: [],
  } as const;
  const both = joinTexts([citedText, { ...citedText, text: '' }, citedText]);
  assert.equal(both.text, 'One.\n\nOne.');
  assert.deepEqual(
    both.statements.map(({ start, end }) => both.text.slice(start, end)),
    ['One.', 'One.'],
  );
  const { text, statements } = applyEdits(both, [
    { start: 0, end: 0, text: '## ' },
    { start: 4, end: 6, text: '\n' },
  ]);
  assert.equal(text, '## One.\nOne.');
  assert.deepEqual(
    statements.map(({ start, end }) => text.slice(start, end)),
    ['One.', 'One.'],
  );
});

test('checks that the form of a result fits its step', () => {
  const table = '| Name | Year |\n|---|---|\n| Holt | 1947 |\n| Foc-Foc | 1966 |';
  const target = 'Make a table of the records, with the figures and where the source is silent, say so';
  const columns = ['Name', 'Year', 'Figure'];
  const of = (text: string, more = {}): string[] =>
    validateFormat(text, { action: 'write-section', target, quantity: -1, ...more });
  assert.deepEqual(of(table), []);
  assert.deepEqual(of(table, { columns }), ['The table is missing these columns: Figure.']);
  assert.deepEqual(
    of('| Ernte | Preis |\n|---|---|\n| 1 | 2 |', {
      target: 'Eine Tabelle der Preise je Ernte mit Spalten',
      columns: ['Ernten', 'Preise'],
    }),
    [],
  );
  assert.match(of('No table at all.')[0] ?? '', /requires a Markdown table/);
  assert.match(
    of(`${table}\n| a |`, { target: 'A table' })[0] ?? '',
    /with more or fewer cells than the header/,
  );
  assert.match(
    of(table, { target: 'A table of rain', quantity: 3 })[0] ?? '',
    /has 2 of the 3 requested entries/,
  );
  const silent = `| Name | Year |\n|---|---|\n| Holt | ${NOT_IN_SOURCES} |\n| ${NOT_IN_SOURCES} | 1966 |`;
  assert.deepEqual(of(silent, { columns: ['Name', 'Year'], quantity: 3 }), [], 'a cell says what is missing');
  const lacking = `${table}\n\nThe sources do not mention any further record.`;
  assert.deepEqual(of(lacking, { target: 'A table of rain', quantity: 3 }), []);
  assert.match(of(`Sure: ${target.toUpperCase()}!`)[0] ?? '', /repeats the task of the step/);
  assert.match(of('Rain is wet.', { target: 'List the records' })[0] ?? '', /asks for a list/);
  assert.deepEqual(of('Rain is wet.', { target: 'What the table on page 3 says, and Table 4' }), []);
  assert.deepEqual(
    of('Rain is wet.', { action: 'search', target: `What the source about Holt says for this: ${target}` }),
    [],
    'what is found is handed in as it is',
  );
  assert.equal(countEntries('- a\n  - b\n- c'), 2);
  assert.equal(countEntries('## A\n\nx\n\n## B\n\ny'), 2);
  assert.equal(countEntries('One.\n\nTwo.'), 2);
});

test('keeps the closing quotation mark of a tool’s argument', () => {
  const query: Skill = {
    ...{ name: 'query-table', description: 'Asks tables.' },
    input: { type: 'object', properties: { sql: { type: 'string' } }, required: ['sql'] },
    run: () => Promise.resolve({ text: '' }),
  };
  const of = (reply: string): unknown => callsIn(reply, [query]).calls[0]?.input;
  const sql = "SELECT * FROM t1_1 WHERE cargo = 'wool'";
  assert.deepEqual(of(`ACTION: query-table ${sql}`), { sql });
  assert.deepEqual(of(`USE query-table "SELECT 1"`), { sql: 'SELECT 1' });
});
