import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { describe, test } from 'node:test';
import { NotebookError } from '../../src/notebook/errors.ts';
import { crawlReport, whyNothing } from '../../src/reading/sites/report.ts';
import { openCrawledSite, pageOf, quickPace, rulesFor } from '../support/site-crawl.ts';
import type { Site, SitePage } from '../support/site.ts';
import { failing, file, redirect, startSite, status } from '../support/site.ts';

async function start(context: TestContext, pages: Record<string, SitePage>): Promise<Site> {
  const site = await startSite(pages);
  context.after(() => site.close());
  return site;
}

const soon = { 'retry-after': '0' };

/** How often a path was asked for. */
const times = (site: Site, path: string): number => site.paths.filter((one) => one === path).length;

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
    assert.equal(times(site, '/docs/a'), 1);
    assert.match(String(site.requests[0]?.headers['user-agent']), /^OpenNotebook\//);
    const [found] = await crawled.index.search('What does it say of B?', 1);
    assert.equal(found?.documentTitle, 'B');
  });

  test('begins at several starts, and takes the starts alone at depth 0', async (context) => {
    const site = await start(context, {
      '/a/': pageOf('A', ['one']),
      '/a/one': pageOf('One'),
      '/b/': pageOf('B', ['/a/one']),
      '/sitemap.xml': file('text/xml', '<urlset><url><loc>/a/two</loc></url></urlset>'),
    });
    const starts = [`${site.url}/a/`, `${site.url}/b/`];
    const flat = await openCrawledSite(context, rulesFor(`${site.url}/a/`, { starts, depth: 0 }));
    await flat.crawl();
    assert.deepEqual(flat.documents(), { '/a/': 'A', '/b/': 'B' });
    assert.equal(times(site, '/sitemap.xml'), 0);
  });

  test('fetches no more than the limit, of an endless site too', async (context) => {
    const site = await start(context, { '/cal/': pageOf('Today', ['/cal/1']) });
    for (let day = 1; day < 100; day++)
      site.set({
        [`/cal/${String(day)}`]: pageOf(`Day ${String(day)}`, [
          `/cal/${String(day + 1)}`,
          `/cal/list?from=${String(day)}`,
        ]),
      });
    site.set({
      '/cal/list': ({ path }) => pageOf(path, [`${path}0`, `${path}1`]),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/cal/`, { depth: 90, limit: 25 }));
    const counts = await crawled.crawl();
    assert.deepEqual([counts.fetched, Object.keys(crawled.documents()).length], [25, 25]);
    assert.ok(crawled.inState('over-limit').length > 0);
    // robots.txt, two places for llms.txt and the sitemap come on top.
    assert.equal(site.requests.length, 29);

    const shallow = await openCrawledSite(context, rulesFor(`${site.url}/cal/`, { depth: 3, limit: 1000 }));
    await shallow.crawl();
    assert.ok(Object.keys(shallow.documents()).length < 12);
  });

  test('stays away from what robots.txt does not allow', async (context) => {
    const site = await start(context, {
      '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /secret\nDisallow: /llms.txt'),
      '/': pageOf('Start', ['/secret/a', '/open']),
      '/open': pageOf('Open'),
      '/secret/a': pageOf('Secret'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.inState('barred'), ['/secret/a']);
    assert.equal(times(site, '/secret/a') + times(site, '/llms.txt'), 0);
    assert.equal(times(site, '/robots.txt'), 1);
  });

  test('fetches nothing where robots.txt can not be read, and says so', async (context) => {
    const site = await start(context, { '/robots.txt': status(503, soon), '/': pageOf('Start') });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    const { kept } = await crawled.crawl();
    assert.equal(kept, 0);
    assert.equal(times(site, '/'), 0);
    assert.match(whyNothing(crawled.record()), /robots\.txt of 127\.0\.0\.1:\d+ could not be read/);
  });

  test('keeps the pause that is set, or the longer one that robots.txt asks for, and one request at a time', async (context) => {
    for (const [robots, pause, expected] of [
      ['', 60, 60],
      ['User-agent: OpenNotebook\nCrawl-delay: 0.12', 0, 120],
    ] as const) {
      const at: number[] = [];
      let now = 0;
      let most = 0;
      const seen: SitePage = ({ path }) => {
        at.push(performance.now());
        most = Math.max(most, ++now);
        queueMicrotask(() => now--);
        return path === '/' ? pageOf('Start', ['/1', '/2', '/3']) : pageOf(path);
      };
      const site = await start(context, {
        '/robots.txt': file('text/plain', robots),
        '/': seen,
        '/1': seen,
        '/2': seen,
        '/3': seen,
      });
      const rules = rulesFor(`${site.url}/`);
      const crawled = await openCrawledSite(context, rules, { requestsAtOnce: 2, pause });
      await crawled.crawl();
      const gaps = at.slice(1).map((time, i) => time - (at[i] ?? 0));
      assert.equal(gaps.length, 3);
      // A timer may come a little early, and a request on its way a little late.
      assert.ok(Math.min(...gaps) > 0.5 * expected, `${String(gaps)} of ${String(expected)}`);
      assert.equal(most, 1);
    }
  });

  test('never has more requests on their way than are allowed', async (context) => {
    let open = 0;
    let most = 0;
    const slow: SitePage = ({ path, answered }) => {
      most = Math.max(most, ++open);
      void answered.then(() => open--);
      return path === '/'
        ? pageOf(
            'Start',
            Array.from({ length: 12 }, (_, i) => `/${String(i)}`),
          )
        : pageOf(path);
    };
    const site = await start(context, { '/': slow });
    for (let i = 0; i < 12; i++) site.set({ [`/${String(i)}`]: slow });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), quickPace);
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 13);
    assert.ok(most <= 2, String(most));
  });
});

describe('pages that make trouble', () => {
  test('busy and failing servers are asked again; what fails for good is told, and the rest is kept', async (context) => {
    const site = await start(context, {
      '/': pageOf('Start', ['/busy', '/shaky', '/down', '/broken', '/gone', '/closed', '/odd', '/little']),
      '/busy': failing(2, status(429, soon), pageOf('Busy')),
      '/shaky': failing(3, status(502, soon), pageOf('Shaky')),
      '/down': status(500, soon),
      '/broken': { body: pageOf('Broken'), missing: 100 },
      '/closed': status(403),
      '/odd': file('application/json', '{"a": 1}'),
      '/little': '<title>Little</title><script>draw()</script><p>Little.',
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['Busy', 'Shaky', 'Start']);
    assert.equal(times(site, '/down'), 6);
    assert.deepEqual(crawled.inState('failed').toSorted(), ['/broken', '/closed', '/down', '/gone']);
    assert.deepEqual(crawled.inState('refused').toSorted(), ['/little', '/odd']);
    const reasonOf = (path: string): string =>
      crawled.record().pages.find(({ address }) => address.endsWith(path))?.reason ?? '';
    assert.match(reasonOf('/down'), /\(500\)/);
    assert.match(reasonOf('/gone'), /404/);
    assert.match(reasonOf('/closed'), /403/);
    assert.match(reasonOf('/odd'), /application\/json/);
    assert.match(reasonOf('/little'), /builds this page by scripts/);
    const report = crawlReport('The site', rulesFor(site.url), crawled.record(), () => 'now');
    assert.match(report, /Could not be fetched: 4/);
    assert.match(report, /\/gone>: .*404/);
  });

  test('a host that is busy is left alone for as long as it asks', async (context) => {
    const at: number[] = [];
    const noted =
      (page: SitePage): SitePage =>
      (request, before) => {
        at.push(performance.now());
        return typeof page === 'function' ? page(request, before) : page;
      };
    const site = await start(context, {
      '/': pageOf('Start', ['/a', '/b', '/c']),
      '/a': noted(failing(1, status(429, { 'retry-after': '1' }), pageOf('A'))),
      '/b': noted(pageOf('B')),
      '/c': noted(pageOf('C')),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), { requestsAtOnce: 1, pause: 0 });
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 4);
    assert.ok((at[1] ?? 0) - (at[0] ?? 0) > 900);
  });

  test('a site that stops answering ends the crawl, which goes on from there the next time', async (context) => {
    const links = Array.from({ length: 30 }, (_, i) => `/${String(i)}`);
    let isDown = true;
    const site = await start(context, { '/': pageOf('Start', links) });
    for (const link of links)
      site.set({ [link]: () => (isDown && Number(link.slice(1)) >= 5 ? status(503, soon) : pageOf(link)) });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await assert.rejects(crawled.crawl(), { code: 'server', message: /has stopped answering/ });
    assert.ok(Object.keys(crawled.documents()).length >= 5);
    assert.ok(crawled.inState('waiting').length > 10);
    isDown = false;
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 31);
    assert.equal(times(site, '/'), 1);
  });

  test('huge pages are refused', async (context) => {
    const site = await start(context, {
      '/': pageOf('Start', ['/huge']),
      '/huge': { body: Buffer.alloc(6 * 1024 * 1024, '<p>huge</p> ') },
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.inState('refused').toSorted(), ['/huge']);
  });

  test('a crawl that got nothing says why', async (context) => {
    const site = await start(context, {
      '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /closed/'),
      '/empty/': '<title>Empty</title>',
      '/away/': redirect('/away/'),
    });
    const why = async (path: string): Promise<string> => {
      const crawled = await openCrawledSite(context, rulesFor(site.url + path));
      const { kept } = await crawled.crawl();
      assert.equal(kept, 0);
      return whyNothing(crawled.record());
    };
    assert.match(await why('/missing/'), /\/missing\/: .*no such page \(404\)/);
    assert.match(await why('/closed/'), /robots\.txt .* does not allow/);
    assert.match(await why('/empty/'), /fewer than 100 characters/);
    assert.match(await why('/away/'), /leads back to itself/);
    const closed = await startSite();
    await closed.close();
    const nowhere = await openCrawledSite(context, rulesFor(`${closed.url}/`));
    await nowhere.crawl();
    assert.match(whyNothing(nowhere.record()), /refused the connection/);
  });
});

describe('one page under several addresses', () => {
  test('redirects are followed within the site only, and each target is fetched once', async (context) => {
    const other = await start(context, { '/': pageOf('Elsewhere') });
    const site = await start(context, {
      '/': pageOf('Start', ['/old', '/older', '/away', '/new']),
      '/older': redirect('/old'),
      '/old': redirect('/new'),
      '/new': pageOf('New'),
      '/away': redirect(`${other.url}/`),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.documents(), { '/': 'Start', '/new': 'New' });
    assert.deepEqual(crawled.inState('moved').toSorted(), ['/old', '/older']);
    assert.deepEqual(crawled.inState('left-out'), ['/away']);
    assert.equal(times(site, '/new'), 1);
    assert.equal(other.requests.length, 0);
  });

  test('a start that leads elsewhere means that place, unless it is a private one that may not be read', async (context) => {
    const site = await start(context, { '/docs/': pageOf('Start', ['a']), '/docs/a': pageOf('A') });
    const old = await start(context, { '/': redirect(`${site.url}/docs/`) });
    const crawled = await openCrawledSite(context, rulesFor(`${old.url}/`));
    await crawled.crawl();
    const { origin } = new URL(site.url);
    assert.deepEqual(crawled.documents(), { [`${origin}/docs/`]: 'Start', [`${origin}/docs/a`]: 'A' });

    const asked: string[] = [];
    const refused = await openCrawledSite(context, rulesFor(`${old.url}/`), quickPace, ({ host }) => {
      asked.push(host);
      return Promise.resolve(!site.url.endsWith(host));
    });
    const before = site.requests.length;
    const { kept } = await refused.crawl();
    assert.equal(kept, 0);
    assert.equal(site.requests.length, before);
    assert.ok(asked.includes(new URL(site.url).host));
    assert.match(whyNothing(refused.record()), /private network/);
  });

  test('pages of the same text are kept once, and under the address that they name as theirs', async (context) => {
    const canonical = (path: string): string => `<link rel="canonical" href="${path}">`;
    const site = await start(context, {
      '/': pageOf('Start', ['/a?view=wide', '/copy', '/b.html', '/list?page=2', '/foreign']),
      '/a': pageOf('A', [], canonical('/a')),
      '/copy': pageOf('B'),
      '/b.html': pageOf('B'),
      '/list': ({ path }) =>
        path === '/list'
          ? pageOf('List', ['/list?page=2'], canonical('/list'))
          : pageOf('List, second', [], canonical('/list')),
      '/foreign': pageOf('Foreign', [], canonical('https://example.org/theirs')),
    });
    site.set({ '/a?view=wide': pageOf('A', [], canonical('/a')) });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.documents(), {
      '/': 'Start',
      '/a': 'A',
      '/copy': 'B',
      '/list': 'List',
      // Names another page as its own, wrongly: they have not the same title.
      '/list?page=2': 'List, second',
      '/foreign': 'Foreign',
    });
    assert.deepEqual(crawled.inState('duplicate').toSorted(), ['/a?view=wide', '/b.html']);
  });
});

describe('what a site names itself', () => {
  test('a table of contents in a frame leads to the chapters as the pages around it would', async (context) => {
    const frame = '<noscript><iframe src="/book/toc.html"></iframe></noscript>';
    const site = await start(context, {
      '/book/': pageOf('Start', ['one'], frame),
      '/book/toc.html': '<ol><li><a href="one">1</a><li><a href="two">2</a></ol>',
      '/book/one': pageOf('One', [], frame),
      '/book/two': pageOf('Two', ['three'], frame),
      '/book/three': pageOf('Three'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/book/`));
    await crawled.crawl();
    assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['One', 'Start', 'Two']);
    assert.equal(times(site, '/book/toc.html'), 1);
    assert.deepEqual(crawled.inState('too-deep'), ['/book/three']);
  });

  test('sitemaps and llms.txt lead to pages that no link leads to, after those that links lead to', async (context) => {
    const site = await start(context, {
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
      '/docs/': pageOf('Start', ['linked']),
      '/docs/linked': pageOf('Linked'),
      '/docs/listed': pageOf('Listed'),
      '/docs/mapped': pageOf('Mapped'),
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

  test('the Markdown version of a page is its text; the page itself remains its address', async (context) => {
    const markdown = (title: string): SitePage =>
      file(
        'text/markdown',
        `# ${title}\n\n${`The Markdown of ${title} has no menus around it. `.repeat(4)}\n`,
      );
    const site = await start(context, {
      '/llms.txt': file(
        'text/plain',
        '- [A](/a.md)\n- [Only](/only.md)\n- [Folder](/folder/index.html.md)\n',
      ),
      '/': pageOf('Start', ['/a', '/b']),
      '/a': pageOf('A'),
      '/a.md': markdown('A'),
      '/b': pageOf('B', [], '<link rel="alternate" type="text/markdown" href="/b.md">'),
      '/b.md': markdown('B'),
      '/only.md': markdown('Only'),
      '/folder/index.html': pageOf('Folder'),
      // Answers with a page what is no page.
      '/folder/index.html.md': pageOf('Not found'),
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
      const text = entry && crawled.index.document(entry.id).text;
      assert.equal(text?.includes(`The Markdown of ${title}`), isMarkdown, title);
    }
  });
});

describe('a crawl that is broken off', () => {
  test('goes on where it was, without asking again for what it has', async (context) => {
    const links = Array.from({ length: 20 }, (_, i) => `/${String(i)}`);
    const site = await start(context, { '/': pageOf('Start', links) });
    for (const link of links) site.set({ [link]: pageOf(link) });
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
    assert.deepEqual([counts.fetched, counts.kept], [21, 21]);
    // What was on its way when it was broken off is asked for again, and nothing else.
    const twice = links.filter((link) => times(site, link) > 1);
    assert.ok(twice.length <= 2, String(twice));
    assert.equal(times(site, '/'), 1);
  });

  test('cancelled while a page does not come, it ends at once', async (context) => {
    const reached = Promise.withResolvers<undefined>();
    const site = await start(context, {
      '/': pageOf('Start', ['/slow']),
      '/slow': {
        body: pageOf('Slow'),
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
  test('is asked with what the server knows its versions by, and only what changed is read anew', async (context) => {
    let version = 1;
    const conditional: SitePage = ({ headers }) =>
      headers['if-none-match'] === `"${String(version)}"`
        ? { status: 304 }
        : { body: pageOf(`Tagged ${String(version)}`), headers: { etag: `"${String(version)}"` } };
    const dated: SitePage = ({ headers }) =>
      headers['if-modified-since'] === 'Sat, 01 Nov 2025 00:00:00 GMT'
        ? { status: 304 }
        : { body: pageOf('Dated'), headers: { 'last-modified': 'Sat, 01 Nov 2025 00:00:00 GMT' } };
    const noisy: SitePage = (_request, before) => pageOf('Noisy', [], `<!-- made at ${String(before)} -->`);
    const site = await start(context, {
      '/': (_request, before) =>
        pageOf('Start', before === 0 ? ['/tagged', '/dated', '/noisy', '/plain', '/leaving'] : ['/arriving']),
      '/tagged': conditional,
      '/dated': dated,
      '/noisy': noisy,
      '/plain': pageOf('Plain'),
      '/leaving': (_request, before) => (before === 0 ? pageOf('Leaving') : status(410)),
      '/arriving': pageOf('Arriving'),
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

  test('keeps its copy of a page that can not be fetched just now', async (context) => {
    const site = await start(context, {
      '/': pageOf('Start', ['/shaky']),
      '/shaky': (_request, before) => (before === 0 ? pageOf('Shaky') : status(503, soon)),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    await crawled.crawl();
    assert.deepEqual(crawled.inState('failed'), ['/shaky']);
    assert.equal(crawled.documents()['/shaky'], 'Shaky');
  });

  test('keeps one of two equal pages, the same one', async (context) => {
    const site = await start(context, {
      '/': pageOf('Start', ['/one', '/two']),
      '/one': pageOf('Twin'),
      '/two': pageOf('Twin'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), { requestsAtOnce: 1, pause: 0 });
    for (let i = 0; i < 3; i++) {
      await crawled.crawl();
      assert.deepEqual(crawled.documents(), { '/': 'Start', '/one': 'Twin' });
      assert.deepEqual(crawled.inState('duplicate'), ['/two']);
    }
  });
});
