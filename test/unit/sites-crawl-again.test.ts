import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { openCrawledSite, makePage, rulesFor } from '../support/site-crawl.ts';
import { file, siteOfTest, status, timesAsked, type SitePage } from '../support/site.ts';

const soon = { 'retry-after': '0' };

describe('links that a site lists itself', () => {
  test('lead from a table of contents in a frame to its chapters', async (context) => {
    const frame = '<noscript><iframe src="/book/toc.html"></iframe></noscript>';
    const site = await siteOfTest(context, {
      '/book/': makePage('Start', ['one'], frame),
      '/book/toc.html': '<ol><li><a href="one">1</a><li><a href="two">2</a></ol>',
      '/book/one': makePage('One', [], frame),
      '/book/two': makePage('Two', ['three'], frame),
      '/book/three': makePage('Three'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/book/`));
    await crawled.crawl();
    assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['One', 'Start', 'Two']);
    assert.equal(timesAsked(site, '/book/toc.html'), 1);
    assert.deepEqual(crawled.inState('too-deep'), ['/book/three']);
  });

  test('lead from sitemaps and llms.txt to unlinked pages, after the linked ones', async (context) => {
    const site = await siteOfTest(context, {
      '/robots.txt': file('text/plain', 'Sitemap: /maps/index.xml'),
      '/maps/index.xml': file(
        'application/xml',
        '<sitemapindex><sitemap><loc>/maps/one.xml</loc></sitemap><sitemap><loc>/maps/lost.xml</loc></sitemap></sitemapindex>',
      ),
      '/maps/one.xml': file(
        'application/xml',
        '<urlset><url><loc>/docs/mapped</loc></url><url><loc>/shop/</loc></url></urlset>',
      ),
      '/docs/llms.txt': file('text/plain', '# Docs\n\n- [Listed](/docs/listed): a page\n'),
      '/docs/': makePage('Start', ['linked']),
      '/docs/linked': makePage('Linked'),
      '/docs/listed': makePage('Listed'),
      '/docs/mapped': makePage('Mapped'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`), {
      requestsAtOnce: 1,
      pause: 0,
    });
    await crawled.crawl();
    assert.deepEqual(
      site.paths.filter((path) => /^\/docs\/\w+$/.test(path)),
      ['/docs/linked', '/docs/listed', '/docs/mapped'],
    );
  });

  test('replace the text of a page with its Markdown version, but not its address', async (context) => {
    const markdown = (title: string): SitePage =>
      file(
        'text/markdown',
        `# ${title}\n\n${`The Markdown of ${title} has no menus around it. `.repeat(4)}\n`,
      );
    const site = await siteOfTest(context, {
      '/llms.txt': file(
        'text/plain',
        '- [A](/a.md)\n- [Only](/only.md)\n- [Folder](/folder/index.html.md)\n',
      ),
      '/': makePage('Start', ['/a', '/b']),
      '/a': makePage('A'),
      '/a.md': markdown('A'),
      '/b': makePage('B', [], '<link rel="alternate" type="text/markdown" href="/b.md">'),
      '/b.md': markdown('B'),
      '/only.md': markdown('Only'),
      '/folder/index.html': makePage('Folder'),
      // The server answers with an HTML page although there is no Markdown version.
      '/folder/index.html.md': makePage('Not found'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.documents(), {
      '/': 'Start',
      '/a': 'A',
      '/b': 'B',
      '/only.md': 'Only',
      '/folder/index.html': 'Folder',
    });
    for (const [title, isMarkdown] of [
      ['A', true],
      ['B', true],
      ['Only', true],
      ['Folder', false],
    ] as const) {
      const entry = crawled.index.store.documents
        .ofSource(crawled.source.id)
        .find((one) => one.title === title);
      const text = entry && crawled.index.cited.document(entry.id).text;
      assert.equal(text?.includes(`The Markdown of ${title}`), isMarkdown, title);
    }
  });
});

describe('a crawl that is interrupted', () => {
  test('resumes without requesting pages again', async (context) => {
    const links = Array.from({ length: 20 }, (_, i) => `/${String(i)}`);
    const site = await siteOfTest(context, { '/': makePage('Start', links) });
    for (const link of links) site.set({ [link]: makePage(link) });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    const stop = new AbortController();
    await assert.rejects(
      crawled.crawl({
        signal: stop.signal,
        report: ({ fetched }) => {
          if (fetched === 7) stop.abort();
        },
      }),
      (error) => error instanceof NotebookError && error.code === 'cancelled',
    );
    const done = Object.keys(crawled.documents()).length;
    assert.ok(done >= 7 && done < 12, String(done));
    const counts = await crawled.crawl();
    assert.deepEqual([counts.fetched, counts.saved], [21, 21]);
    // Only requests in flight at the interruption are repeated.
    const twice = links.filter((link) => timesAsked(site, link) > 1);
    assert.ok(twice.length <= 2, String(twice));
    assert.equal(timesAsked(site, '/'), 1);
  });

  test('ends at once when it is canceled while it waits for a page', async (context) => {
    const reached = Promise.withResolvers<undefined>();
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/slow']),
      '/slow': {
        body: makePage('Slow'),
        gate: {
          reached: Promise.resolve(),
          open: () => undefined,
          pass: () => {
            reached.resolve(undefined);
            return new Promise(() => undefined);
          },
        },
      },
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    const stop = new AbortController();
    const crawling = crawled.crawl({ signal: stop.signal });
    await reached.promise;
    stop.abort();
    await assert.rejects(crawling, { code: 'cancelled' });
    assert.deepEqual(crawled.inState('waiting'), ['/slow']);
  });
});

describe('a site that is refreshed', () => {
  test('sends the validators of each page, and reads only changed ones again', async (context) => {
    let version = 1;
    const conditional: SitePage = ({ headers }) =>
      headers['if-none-match'] === `"${String(version)}"`
        ? { status: 304 }
        : { body: makePage(`Tagged ${String(version)}`), headers: { etag: `"${String(version)}"` } };
    const dated: SitePage = ({ headers }) =>
      headers['if-modified-since'] === 'Sat, 01 Nov 2025 00:00:00 GMT'
        ? { status: 304 }
        : { body: makePage('Dated'), headers: { 'last-modified': 'Sat, 01 Nov 2025 00:00:00 GMT' } };
    const noisy: SitePage = (_request, before) => makePage('Noisy', [], `<!-- made at ${String(before)} -->`);
    const site = await siteOfTest(context, {
      '/': (_request, before) =>
        makePage(
          'Start',
          before === 0 ? ['/tagged', '/dated', '/noisy', '/plain', '/leaving'] : ['/arriving'],
        ),
      '/tagged': conditional,
      '/dated': dated,
      '/noisy': noisy,
      '/plain': makePage('Plain'),
      '/leaving': (_request, before) => (before === 0 ? makePage('Leaving') : status(410)),
      '/arriving': makePage('Arriving'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    const ids = () =>
      new Map(
        crawled.index.store.documents.ofSource(crawled.source.id).map(({ title, readAt }) => [title, readAt]),
      );
    const before = ids();
    assert.equal(before.size, 6);
    version = 2;
    await crawled.crawl();
    assert.deepEqual(Object.values(crawled.documents()).toSorted(), [
      'Arriving',
      'Dated',
      'Noisy',
      'Plain',
      'Start',
      'Tagged 2',
    ]);
    assert.deepEqual(crawled.inState('unchanged').toSorted(), ['/', '/dated', '/noisy', '/plain']);
    assert.deepEqual(crawled.inState('failed'), ['/leaving']);
    const after = ids();
    for (const title of ['Dated', 'Noisy', 'Plain']) assert.equal(after.get(title), before.get(title), title);
  });

  test('keeps its copy of a page that is temporarily unavailable', async (context) => {
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/shaky']),
      '/shaky': (_request, before) => (before === 0 ? makePage('Shaky') : status(503, soon)),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    await crawled.crawl();
    assert.deepEqual(crawled.inState('failed'), ['/shaky']);
    assert.equal(crawled.documents()['/shaky'], 'Shaky');
  });

  test('keeps the same one of two equal pages', async (context) => {
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/one', '/two']),
      '/one': makePage('Twin'),
      '/two': makePage('Twin'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), { requestsAtOnce: 1, pause: 0 });
    for (let i = 0; i < 3; i++) {
      await crawled.crawl();
      assert.deepEqual(crawled.documents(), { '/': 'Start', '/one': 'Twin' });
      assert.deepEqual(crawled.inState('duplicate'), ['/two']);
    }
  });
});
