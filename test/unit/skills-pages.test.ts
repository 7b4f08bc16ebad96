// Pages of the web as skills open them: the user is asked about each host once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotebookError } from '../../src/notebook/errors.ts';
import type { PageOpener } from '../../src/researching/skills/skill-parts.ts';
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

test('a page is opened and shown once the user let its host be read, who is asked once', async () => {
  const asked: string[] = [];
  const { world, opened } = makeWorld((host) => {
    asked.push(host);
    return Promise.resolve(true);
  });
  const [first] = await Promise.all([
    world.call('open-page', { address: 'https://lakes.example/a' }),
    world.call('crawl-site', { address: 'https://lakes.example/' }),
    world.call('open-page', { address: 'https://lakes.example:8443/a' }),
  ]);
  assert.deepEqual(asked, ['lakes.example', 'lakes.example:8443']);
  assert.equal(opened.length, 3);
  assert.match(first.text, /^https:\/\/lakes\.example\/a is a source now, with the title "Lakes"/);
  assert.equal(first.passages?.[0]?.text, page.text);
});

test('a host that is refused is not asked about again, nor read', async () => {
  let asked = 0;
  const { world, opened } = makeWorld(() => Promise.resolve(++asked > 5));
  for (const address of ['https://a.example/1', 'https://a.example/2'])
    assert.match((await world.call('open-page', { address })).error ?? '', /does not let a\.example be read/);
  assert.equal(asked, 1);
  assert.deepEqual(opened, []);
});

test('a question that was stopped is asked again', async () => {
  let asked = 0;
  const { world } = makeWorld(() =>
    ++asked === 1 ? Promise.reject(new NotebookError('cancelled', 'Stopped.')) : Promise.resolve(true),
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
])
  test(`${JSON.stringify(address)} is no page`, async () => {
    const { world, opened } = makeWorld(() => Promise.resolve(true));
    assert.match(
      (await world.call('open-page', { address })).error ?? '',
      /^open-page can't be done with this/,
    );
    assert.deepEqual(opened, []);
  });
