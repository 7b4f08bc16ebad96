import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { openCrawledSite, pageOf, rulesFor } from '../support/site-crawl.ts';
import { startSite, type Site, type SitePage } from '../support/site.ts';

async function start(context: TestContext, pages: Record<string, SitePage>): Promise<Site> {
  const site = await startSite(pages);
  context.after(() => site.close());
  return site;
}

describe('a crawl', () => {
  test('takes what lies below the start, as deep as it may, and each page once', async (context) => {
    const site = await start(context, {
      '/docs/': pageOf('Start', ['a', 'b#part', './a', '/docs/b', '/blog/', 'https://example.org/']),
      '/docs/a': pageOf('A', ['c', '/docs/login', '/docs/picture.png']),
      '/docs/b': pageOf('B', ['a']),
      '/docs/c': pageOf('C', ['d']),
      '/docs/d': pageOf('D'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`));
    const counts = await crawled.crawl();
    assert.deepEqual(crawled.documents(), {
      '/docs/': 'Start',
      '/docs/a': 'A',
      '/docs/b': 'B',
      '/docs/c': 'C',
    });
    assert.deepEqual([counts.fetched, counts.kept, counts.waiting], [4, 4, 0]);
    assert.deepEqual(crawled.inState('too-deep'), ['/docs/d']);
    assert.deepEqual(crawled.inState('left-out').toSorted(), ['/blog/', '/docs/login', '/docs/picture.png']);
    assert.equal(site.paths.filter((path) => path === '/docs/a').length, 1);
    assert.match(String(site.requests[0]?.headers['user-agent']), /^OpenNotebook\//);
    const [found] = await crawled.index.search('What does it say of B?', 1);
    assert.equal(found?.documentTitle, 'B');
  });
});
