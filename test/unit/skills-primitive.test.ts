// Tests the basic skills: their results, and their errors for invalid calls.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Skill } from '../../src/features/research/service/skills/skill.ts';
import { callSkill, callableTools } from '../../src/features/research/service/skills/call-skill.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { skillWorld } from './skills-fixtures.ts';

const lake = {
  id: 1,
  title: 'lake.md',
  text: '# The lake\n\nThe lake is 40 metres deep.\n\n## Fish\n\nPike and perch live in the lake.\n',
};
const river = { id: 2, title: 'river.md', text: '# The river\n\nThe river is 3 metres deep.\n' };
const world = skillWorld([lake, river]);

test('gives each skill a callable name, a description, and a guide or an input', () => {
  const names = world.skills.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, description, guide, input, run, isForUser } of world.skills) {
    assert.match(name, /^[a-z]+(?:-[a-z]+)*$/);
    assert.match(description, /^[A-Z][^\n]{20,}\.$/, name);
    assert.ok(guide !== undefined || input !== undefined, name);
    assert.equal(input === undefined, run === undefined, name);
    if (isForUser === true) assert.equal(run, undefined, name);
    if (input !== undefined) assert.equal(input.type, 'object', name);
  }
});

test('describes tools with schemas of their input', () => {
  const search = callableTools(world.skills).find(({ name }) => name === 'search');
  const properties = search?.input.properties as Record<string, { description?: string }>;
  assert.deepEqual(Object.keys(properties), ['queries', 'passages', 'source']);
  assert.ok(properties.queries?.description);
  assert.deepEqual(search?.input.required, ['queries']);
  assert.ok(!('$schema' in search.input));
});

test('searches everything or one source, and explains how to continue reading', async () => {
  const everywhere = await world.call('search', { queries: ['How deep?'] });
  assert.deepEqual(everywhere.passages?.map(({ documentId }) => documentId).sort(), [1, 2]);
  const [handle] = /document 1-[\da-f]{8}, start 0, end \d+/.exec(everywhere.text) ?? [];
  assert.ok(handle, everywhere.text);
  const result = await world.call('search', { queries: 'deep', source: 'RIVER' });
  assert.deepEqual(
    result.passages?.map(({ documentId }) => documentId),
    [2],
  );
  assert.match((await world.call('search', { queries: ['volcano'] })).text, /Nothing matches/);
});

test('reads from a location, and continues from there', async () => {
  const { text } = await world.call('search', { queries: ['perch'] });
  const document = /document (1-[\da-f]{8})/.exec(text)?.[1];
  const read = await world.call('read', { document, start: 12, end: 20, around: 4 });
  assert.equal(read.passages?.[0]?.text, lake.text.slice(8, 24));
  const on = await world.call('read-on', { document, from: 40 });
  assert.equal(on.passages?.[0]?.text, lake.text.slice(40));
  assert.match(on.text, /end of the document/);
  assert.match(
    (await world.call('read-on', { document, from: 4_000 })).error ?? '',
    /There is no text at this position/,
  );
  assert.ok((await world.call('read', { document: '1-00000000', start: 0, end: 9 })).error);
});

test('reads a long document part by part to its end', async () => {
  const long = { id: 7, title: 'long.md', text: 'The lake is deep. '.repeat(1000) };
  const { call } = skillWorld([long]);
  const document = /document (7-[\da-f]{8})/.exec((await call('search', { queries: 'lake' })).text)?.[1];
  let [from, read, calls] = [0, '', 0];
  for (; calls < 10; calls++) {
    const { passages = [], text } = await call('read-on', { document, from });
    read += passages.map((passage) => passage.text).join('');
    const next = /Read on from (\d+)/.exec(text)?.[1];
    if (next === undefined) break;
    from = Number(next);
  }
  assert.equal(read, long.text);
});

test('lists sources and headings', async () => {
  const sources = await world.call('list-sources');
  assert.match(sources.text, /- lake\.md \(text, 1 document; source:source-1\)\n- river\.md/);
  const headings = await world.call('list-headings', { source: 'lake.md' });
  assert.match(headings.text, /^1-[\da-f]{8} lake\.md\n {2}The lake \(at 0\)\n {4}Fish \(at 41\)$/);
  const unknown = await world.call('list-headings', { source: 'ocean' });
  assert.match(unknown.error ?? '', /"ocean" doesn’t match exactly one source.*"lake\.md", "river\.md"/);
});

test('lists many sources in parts, and keeps titles with line breaks on one line', async () => {
  const many = Array.from({ length: 230 }, (_, i) => ({ id: i, title: `a\n- b ${String(i)}`, text: 'x' }));
  const { call } = skillWorld(many);
  const first = (await call('list-sources')).text;
  assert.equal(first.split('\n').length, 201);
  assert.match(first, /There are 230\. Continue from 200\.$/);
  assert.equal((await call('list-sources', { from: 200 })).text.split('\n').length, 30);
});

test('extracts from each source, several at a time', async () => {
  const many = Array.from({ length: 11 }, (_, i) => ({
    id: i + 1,
    title: `report ${String(i + 1)}`,
    text: i === 3 ? 'No word of it.' : `The budget was ${String(i)} million.`,
  }));
  const { call } = skillWorld(many);
  const first = await call('extract', { facts: ['budget', 'million'] });
  assert.equal(first.passages?.length, 8);
  assert.match(first.text, /"report 4": the next passage, those closest/);
  assert.match(first.text, /Continue from 8/);
  const rest = await call('extract', { facts: ['budget'], from: 8 });
  assert.deepEqual(
    rest.passages?.map(({ documentId }) => documentId),
    [9, 10, 11],
  );
  assert.equal((await call('extract', { facts: ['budget'], sources: ['report 10'] })).passages?.length, 1);
});

for (const [name, input, expectedMessage] of [
  ['search', {}, /^search doesn’t accept this input: "queries" .*undefined\.$/],
  ['search', { queries: [' '] }, /^search doesn’t accept this input: .*\.$/],
  ['search', { queries: ['deep'], passages: 'many' }, /"passages" must be number, but received "many"\.$/],
  ['read-on', { document: '1-00000000', from: -1 }, /"from" must be >=0, but received -1\.$/],
  ['fly', {}, /^There is no tool "fly"\. The tools are search, read, /],
  ['compare', {}, /^There is no tool "compare"/],
] as const)
  test(`explains in one sentence what is wrong with ${name} ${JSON.stringify(input)}`, async () => {
    const { text, error } = await world.call(name, input);
    assert.equal(text, error);
    assert.match(text, expectedMessage);
    assert.ok(!text.includes('\n'));
  });

test('hides internal errors from a model, and truncates long results', async () => {
  const skill = (run: NonNullable<Skill['run']>): Skill => ({ name: 'do', description: '', input: {}, run });
  const call = { name: 'do', input: {} };
  const broken = skill(() => Promise.reject(new Error('ENOENT /home/somebody/secret')));
  assert.equal((await callSkill([broken], call, world.context)).error, 'do failed.');
  const own = skill(() => Promise.reject(new NotebookError('not-found', 'Not there.')));
  assert.equal((await callSkill([own], call, world.context)).error, 'Not there.');
  const problem = { ...call, problem: 'No JSON.' };
  assert.equal((await callSkill([own], problem, world.context)).error, 'No JSON.');
  const long = skill(() => Promise.resolve({ text: 'x'.repeat(1e6) }));
  const { text } = await callSkill([long], call, world.context);
  assert.ok(text.length < 25_000 && text.includes('976000 more characters were omitted'));
});

test('rejects as canceled instead of returning a result', async () => {
  const stopped = AbortSignal.abort();
  const context = { ...world.context, signal: stopped };
  await assert.rejects(callSkill(world.skills, { name: 'list-sources', input: {} }, context), {
    code: 'cancelled',
  });
});
