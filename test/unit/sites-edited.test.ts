import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { SiteRules } from '../../src/core/domain/site.ts';
import { openCrawledSite, makePage, rulesFor, type CrawledSite } from '../support/site-crawl.ts';
import { redirect, startSite, type Site } from '../support/site.ts';

const pages = {
  '/docs/': makePage('Start', ['a', 'old/b', 'c', '/blog/']),
  '/docs/a': makePage('A', ['deep/d']),
  '/docs/old/b': makePage('B', ['e']),
  '/docs/old/e': makePage('E'),
  '/docs/c': makePage('C'),
  '/docs/deep/d': makePage('D', ['/docs/deep/f']),
  '/docs/deep/f': makePage('F'),
  '/blog/': makePage('Blog', ['/blog/post']),
  '/blog/post': makePage('Post'),
};

/** Crawls a site with some settings. `asked` returns the paths that are requested from then on. */
async function crawledBy(
  context: TestContext,
  rules: Partial<SiteRules>,
  more: Parameters<typeof startSite>[0] = {},
): Promise<{ site: Site; crawled: CrawledSite; asked: () => string[] }> {
  const site = await startSite({ ...pages, ...more });
  context.after(() => site.close());
  const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`, rules));
  await crawled.crawl();
  const before = site.paths.length;
  const asked = (): string[] =>
    site.paths
      .slice(before)
      .filter((path) => !/\.(?:txt|xml)$/.test(path))
      .toSorted();
  return { site, crawled, asked };
}

test('fetches only the deeper pages if the maximum depth grows', async (context) => {
  const { site, crawled, asked } = await crawledBy(context, { depth: 1 });
  assert.deepEqual(Object.values(crawled.documents()), ['Start', 'A', 'C', 'B']);
  await crawled.edit({ depth: 3 });
  assert.deepEqual(Object.values(crawled.documents()), ['Start', 'A', 'C', 'B']);
  await crawled.crawl();
  assert.deepEqual(asked(), ['/docs/deep/d', '/docs/deep/f', '/docs/old/e']);
  assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['A', 'B', 'C', 'D', 'E', 'F', 'Start']);
  assert.deepEqual(crawled.index.store.sources()[0]?.origin, {
    kind: 'site',
    ...rulesFor(`${site.url}/docs/`, { depth: 3 }),
  });

  await crawled.edit({ depth: 1 });
  assert.deepEqual(Object.values(crawled.documents()), ['Start', 'A', 'C', 'B']);
  assert.deepEqual(crawled.inState('too-deep').toSorted(), ['/docs/deep/d', '/docs/deep/f', '/docs/old/e']);
  const [found] = await crawled.index.passageSearch.search('What does it say of F?', 1);
  assert.notEqual(found?.documentTitle, 'F');
});

test('removes pages that a pattern excludes, and restores them without it', async (context) => {
  const { crawled, asked } = await crawledBy(context, {});
  await crawled.edit({ exclude: ['old'] });
  assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['A', 'C', 'D', 'Start']);
  await crawled.crawl();
  assert.deepEqual(asked(), []);
  assert.deepEqual(crawled.inState('left-out').toSorted(), ['/blog/', '/docs/old/b', '/docs/old/e']);
  await crawled.edit({ exclude: [] });
  await crawled.crawl();
  assert.deepEqual(asked(), ['/docs/old/b', '/docs/old/e']);
  assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['A', 'B', 'C', 'D', 'E', 'Start']);
});

test('adds pages outside the start, and their links, that a pattern includes', async (context) => {
  const { crawled, asked } = await crawledBy(context, {});
  await crawled.edit({ include: ['/blog/**', '/docs/a'] });
  await crawled.crawl();
  assert.deepEqual(asked(), ['/blog/', '/blog/post']);
  assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['A', 'Blog', 'Post', 'Start']);
});

test('keeps the pages fetched first for a lower limit, and continues for a higher one', async (context) => {
  const { crawled, asked } = await crawledBy(context, { limit: 4 });
  assert.equal(Object.keys(crawled.documents()).length, 4);
  await crawled.edit({ limit: 2 });
  const documents = Object.values(crawled.documents());
  assert.deepEqual(documents, ['Start', 'A']);
  await crawled.crawl();
  assert.deepEqual(asked(), []);
  await crawled.edit({ limit: 100 });
  const counts = await crawled.crawl();
  assert.equal(counts.saved, 6);
  assert.equal(asked().length, 4);
});

test('fetches the duplicate of a page that is removed', async (context) => {
  const { crawled } = await crawledBy(
    context,
    {},
    {
      '/docs/': makePage('Start', ['old/twin', 'twin', 'moved']),
      '/docs/old/twin': makePage('Twin'),
      '/docs/twin': makePage('Twin'),
      '/docs/moved': redirect('/docs/old/twin'),
    },
  );
  assert.deepEqual(crawled.inState('duplicate'), ['/docs/twin']);
  await crawled.edit({ exclude: ['old'] });
  await crawled.crawl();
  assert.deepEqual(crawled.documents(), { '/docs/': 'Start', '/docs/twin': 'Twin' });
  assert.deepEqual(crawled.inState('left-out').toSorted(), ['/docs/moved', '/docs/old/twin']);
});

test('resumes an interrupted crawl with the new settings', async (context) => {
  const site = await startSite(pages);
  context.after(() => site.close());
  const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`));
  const stop = new AbortController();
  const stopped = crawled.crawl({
    signal: stop.signal,
    report: ({ fetched }) => {
      if (fetched === 2) stop.abort();
    },
  });
  await assert.rejects(stopped, { code: 'cancelled' });
  await crawled.edit({ exclude: ['old', 'deep'] });
  await crawled.crawl();
  assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['A', 'C', 'Start']);
  assert.equal(site.paths.filter((path) => path === '/docs/').length, 1);
});
