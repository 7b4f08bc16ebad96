// Tests the skill that opens web pages. It asks the user about each address once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { PageOpener } from '../../src/features/research/service/skills/skill-parts.ts';
import { skillWorld, toSource, type SkillWorld } from './skills-fixtures.ts';

const page = { id: 1, title: 'Lakes', text: 'The lake is 40 metres deep.' };

function makeWorld(mayOpen: PageOpener['mayOpen']): { world: SkillWorld; opened: string[] } {
  const opened: string[] = [];
  const pages: PageOpener = {
    mayOpen,
    open: (address, what) => {
      opened.push(`${what} ${address}`);
      return Promise.resolve(toSource(page));
    },
  };
  return { world: skillWorld([page], { pages }), opened };
}

test('asks about each address once before it is read', async () => {
  const prompts: string[] = [];
  const { world, opened } = makeWorld((address) => {
    prompts.push(address);
    return Promise.resolve(true);
  });
  const [first] = await Promise.all([
    world.call('open-page', { address: 'https://lakes.example/a' }),
    world.call('crawl-site', { address: 'https://lakes.example/a' }),
    world.call('open-page', { address: 'https://lakes.example/a?q=The lake is 40 metres deep' }),
    world.call('open-page', { address: 'https://40-metres.lakes.example/a' }),
  ]);
  assert.deepEqual(prompts, [
    'https://lakes.example/a',
    'https://lakes.example/a?q=The%20lake%20is%2040%20metres%20deep',
    'https://40-metres.lakes.example/a',
  ]);
  assert.equal(opened.length, 4);
  assert.match(first.text, /^https:\/\/lakes\.example\/a is now a source with the title "Lakes"/);
  assert.equal(first.passages?.[0]?.text, page.text);
});

test('reads nothing from a host that the user denied once', async () => {
  let promptCount = 0;
  const { world, opened } = makeWorld(() => Promise.resolve(++promptCount > 5));
  for (const address of ['https://a.example/1', 'https://a.example/2'])
    assert.match(
      (await world.call('open-page', { address })).error ?? '',
      /didn’t allow access to a\.example/,
    );
  assert.equal(promptCount, 1);
  assert.deepEqual(opened, []);
});

test('asks again if the question was stopped', async () => {
  let promptCount = 0;
  const { world } = makeWorld(() =>
    ++promptCount === 1 ? Promise.reject(new NotebookError('cancelled', 'Stopped.')) : Promise.resolve(true),
  );
  const address = 'https://a.example/1';
  assert.ok((await world.call('open-page', { address })).error);
  assert.equal((await world.call('open-page', { address })).error, undefined);
});

for (const address of [
  'file:///etc/passwd',
  'javascript:alert(1)',
  'lakes',
  '',
  'data:text/html,x',
  'ftp://a.example',
  `https://a.example/${'a'.repeat(500)}`,
])
  test(`rejects ${JSON.stringify(address).slice(0, 40)} as a page`, async () => {
    const { world, opened } = makeWorld(() => Promise.resolve(true));
    assert.match(
      (await world.call('open-page', { address })).error ?? '',
      /^open-page doesn’t accept this input/,
    );
    assert.deepEqual(opened, []);
  });
