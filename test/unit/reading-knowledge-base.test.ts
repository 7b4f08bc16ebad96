import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importReport } from '../../src/parsers/import-report.ts';
import { readKnowledge, type KnowledgeReading } from '../../src/parsers/knowledge-base.ts';

const read = (json: unknown): KnowledgeReading =>
  readKnowledge(new TextEncoder().encode(JSON.stringify(json)), 'notes.json', 20);

const text = 'The lamp was lit at nine every evening.';

test('reads the text of an entry from content or pasted_text, and its title if any', () => {
  const titles = [
    { title: 'Lamps', filename: 'a.pdf', content: text },
    { filename: 'a.pdf', content: text },
    { url: 'https://example.org/lamp', content: text },
    { title: ' ', pasted_text: text },
  ].map((entry) => {
    const { entries, problems } = read(entry);
    assert.deepEqual(problems, []);
    return [entries[0]?.title, entries[0]?.url];
  });
  assert.deepEqual(titles, [
    ['Lamps', undefined],
    ['a.pdf', undefined],
    ['https://example.org/lamp', 'https://example.org/lamp'],
    ['The lamp was lit at', undefined],
  ]);
  const [entry] = read({ title: 'Lamps', content: text }).entries;
  assert.equal(entry?.document.text, text);
  assert.deepEqual(entry.document.map, { kind: 'saved' });
  assert.equal(entry.size, text.length);
});

test('reads a list entry by entry and reports invalid ones', () => {
  const { entries, problems } = read([
    { title: 'One', content: text },
    { title: 'Two' },
    { title: 'Three', content: 'short' },
    'text',
    null,
    { title: 'Four', content: ['a list'], pasted_text: text },
    { url: 'javascript:alert(1)', content: text },
  ]);
  assert.deepEqual(
    entries.map(({ title, url }) => [title, url]),
    [
      ['One', undefined],
      ['Four', undefined],
      ['The lamp was lit at', undefined],
    ],
  );
  assert.deepEqual(problems, [
    'Entry 2 in notes.json has neither a content field nor a pasted_text field.',
    'Entry 3 in notes.json is too short. It needs at least 20 characters of text, but has 5.',
    'Entry 4 in notes.json isn’t a valid knowledge base entry.',
    'Entry 5 in notes.json isn’t a valid knowledge base entry.',
  ]);
  assert.deepEqual(read([]).problems, ['notes.json has no entries.']);
  assert.deepEqual(readKnowledge(new TextEncoder().encode('{"a"'), 'x.json', 1).problems, [
    'x.json isn’t valid JSON.',
  ]);
});

test('gives the same text the same hash under any name', () => {
  const [a] = read({ title: 'A', content: text }).entries;
  const [b] = read({ title: 'B', pasted_text: text }).entries;
  assert.equal(a?.hash, b?.hash);
});

test('reports only imported and failed entries', () => {
  const outcome = {
    added: ['One\n# two'],
    existing: [],
    problems: ['x.json isn’t valid JSON.'],
    skipped: [],
    stopped: true,
  };
  assert.equal(
    importReport('knowledge_base', outcome),
    '# Import Report: knowledge_base\n\nThe import was stopped. Sources that were already added are kept. Import again to continue.\n\n## Added (1)\n\n- One # two\n\n## Couldn’t be read (1)\n\n- x.json isn’t valid JSON.',
  );
});
