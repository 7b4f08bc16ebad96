import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { close, makeFolder, open } from '../support/opened-notebooks.ts';
import { crawlInto, makePage, rulesFor } from '../support/site-crawl.ts';
import { siteOfTest, status } from '../support/site.ts';
import { Machine } from '../support/team.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

test('crawls a site only on the machine that added it, and shares a refresh with everyone', async (context) => {
  const site = await siteOfTest(context, {
    '/docs/': makePage('Start', ['one', 'two', 'three']),
    '/docs/one': makePage('One'),
    '/docs/two': makePage('Two'),
    '/docs/three': makePage('Three'),
  });
  const rules = { ...rulesFor(`${site.url}/docs/`), privateHosts: ['127.0.0.1'] };
  const { ada = '', ben = '' } = await makeTeam(
    await server.createTeamDatabase(),
    { ada: 'author', ben: 'author' },
    'site',
  );
  const folder = makeFolder();
  await close(await open(folder));
  const notebookId = randomUUID();
  const one = await Machine.share(ada, folder, notebookId);
  const two = await Machine.join(ben, notebookId);
  one.goOnline();
  two.goOnline();
  const { id: sourceId } = await one.index.addSource('The site', { kind: 'site', ...rules }, undefined);
  await crawlInto(one.index, sourceId, rules);
  one.index.store.finishSource(
    sourceId,
    { kind: 'ready' },
    { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 },
  );
  const titles = ({ index }: Machine): string[] =>
    index.store.documents
      .stamps(sourceId)
      .map(({ id }) => index.store.documents.document(id)?.entry.title ?? '')
      .sort();
  await two.until('the pages are there', () => titles(two).length === 4);
  for (const machine of [one, two]) await machine.settled();

  // The site is ready there, so no window reads it by itself. Only ada allowed the private host.
  const requestCount = site.paths.length;
  const [there] = two.index.store.sources();
  assert.deepEqual(there?.state, { kind: 'ready' });
  assert.ok(there.origin.kind === 'site');
  assert.deepEqual(there.origin.privateHosts, []);
  assert.equal(two.index.features.sitePages.record(sourceId), undefined);
  assert.equal(site.paths.length, requestCount);

  // A refresh begins at the start of the site, and everyone gets its changes and new pages. Pages that ben's machine
  // never visited stay, because only a machine that crawled a page before knows that it is gone.
  site.set({
    '/docs/': makePage('Start', ['one', 'two', 'four']),
    '/docs/two': makePage('Two as it is now'),
    '/docs/three': status(404),
    '/docs/four': makePage('Four'),
  });
  await crawlInto(two.index, sourceId, rules);
  const now = ['Four', 'One', 'Start', 'Three', 'Two as it is now'];
  for (const machine of [one, two])
    await machine.until('the refreshed pages are there', () => titles(machine).join() === now.join());
  for (const machine of [one, two]) await machine.settled();
  await one.untilEqual(two);

  // Ada’s machine knows that the page is gone.
  await crawlInto(one.index, sourceId, rules);
  const left = ['Four', 'One', 'Start', 'Two as it is now'];
  for (const machine of [one, two])
    await machine.until('the page that is gone is gone', () => titles(machine).join() === left.join());
  const [found] = await two.index.passageSearch.search('What is said of Four?', 1);
  assert.match(found?.text ?? '', /Four/);
});
