import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crawlReport, whyNothing } from '../../src/parsers/sites/report.ts';
import { guardedFetch, type Fetch } from '../../src/parsers/web/guarded-fetch.ts';
import { hostAndPort } from '../../src/parsers/web/private-addresses.ts';
import { fetchAnywhere } from '../support/fetch-anywhere.ts';
import { openCrawledSite, makePage, quickPace, rulesFor } from '../support/site-crawl.ts';
import {
  failing,
  file,
  redirect,
  siteOfTest,
  startSite,
  status,
  timesAsked,
  type SitePage,
} from '../support/site.ts';

const soon = { 'retry-after': '0' };

describe('a crawl', () => {
  test('reads each page below the start once, up to the maximum depth', async (context) => {
    const site = await siteOfTest(context, {
      '/docs/': makePage('Start', ['a', 'b#part', './a', '/docs/b', '/blog/', 'https://example.org/']),
      '/docs/a': makePage('A', ['c', '/docs/login', '/docs/picture.png']),
      '/docs/b': makePage('B', ['a']),
      '/docs/c': makePage('C', ['d']),
      '/docs/d': makePage('D'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`));
    const counts = await crawled.crawl();
    assert.deepEqual(crawled.documents(), {
      '/docs/': 'Start',
      '/docs/a': 'A',
      '/docs/b': 'B',
      '/docs/c': 'C',
    });
    assert.deepEqual([counts.fetched, counts.saved, counts.waiting], [4, 4, 0]);
    assert.deepEqual(crawled.inState('too-deep'), ['/docs/d']);
    assert.deepEqual(crawled.inState('left-out').toSorted(), ['/blog/', '/docs/login', '/docs/picture.png']);
    assert.equal(timesAsked(site, '/docs/a'), 1);
    assert.match(String(site.requests[0]?.headers['user-agent']), /^OpenNotebook\//);
    const [found] = await crawled.index.passageSearch.search('What does it say of B?', 1);
    assert.equal(found?.documentTitle, 'B');
  });

  test('begins at several starts, and reads only these at depth 0', async (context) => {
    const site = await siteOfTest(context, {
      '/a/': makePage('A', ['one']),
      '/a/one': makePage('One'),
      '/b/': makePage('B', ['/a/one']),
      '/sitemap.xml': file('text/xml', '<urlset><url><loc>/a/two</loc></url></urlset>'),
    });
    const starts = [`${site.url}/a/`, `${site.url}/b/`];
    const flat = await openCrawledSite(context, rulesFor(`${site.url}/a/`, { starts, depth: 0 }));
    await flat.crawl();
    assert.deepEqual(flat.documents(), { '/a/': 'A', '/b/': 'B' });
    assert.equal(timesAsked(site, '/sitemap.xml'), 0);
  });

  test('fetches no more pages than the limit, even from an endless site', async (context) => {
    const site = await siteOfTest(context, { '/cal/': makePage('Today', ['/cal/1']) });
    for (let day = 1; day < 100; day++)
      site.set({
        [`/cal/${String(day)}`]: makePage(`Day ${String(day)}`, [
          `/cal/${String(day + 1)}`,
          `/cal/list?from=${String(day)}`,
        ]),
      });
    site.set({
      '/cal/list': ({ path }) => makePage(path, [`${path}0`, `${path}1`]),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/cal/`, { depth: 90, limit: 25 }));
    const counts = await crawled.crawl();
    assert.deepEqual([counts.fetched, Object.keys(crawled.documents()).length], [25, 25]);
    assert.ok(crawled.inState('over-limit').length > 0);
    // Adds the requests for robots.txt, two locations of llms.txt, and the sitemap.
    assert.equal(site.requests.length, 29);

    const shallow = await openCrawledSite(context, rulesFor(`${site.url}/cal/`, { depth: 3, limit: 1000 }));
    await shallow.crawl();
    assert.ok(Object.keys(shallow.documents()).length < 12);
  });

  test('respects robots.txt', async (context) => {
    const site = await siteOfTest(context, {
      '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /secret\nDisallow: /llms.txt'),
      '/': makePage('Start', ['/secret/a', '/open']),
      '/open': makePage('Open'),
      '/secret/a': makePage('Secret'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.inState('barred'), ['/secret/a']);
    assert.equal(timesAsked(site, '/secret/a') + timesAsked(site, '/llms.txt'), 0);
    assert.equal(timesAsked(site, '/robots.txt'), 1);
  });

  test('fetches nothing and says so if robots.txt can’t be read', async (context) => {
    const site = await siteOfTest(context, { '/robots.txt': status(503, soon), '/': makePage('Start') });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    const { saved } = await crawled.crawl();
    assert.equal(saved, 0);
    assert.equal(timesAsked(site, '/'), 0);
    assert.match(
      whyNothing(crawled.record()),
      /Can’t crawl 127\.0\.0\.1:\d+ because its robots\.txt file can’t be read/,
    );
  });

  test('uses only the beginning of a very long robots.txt', async (context) => {
    const long = Buffer.concat([
      Buffer.from('User-agent: *\nDisallow: /\n'),
      Buffer.alloc(21 * 1024 * 1024, '# \n'),
    ]);
    const site = await siteOfTest(context, {
      '/robots.txt': file('text/plain', long),
      '/': makePage('Start'),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    assert.equal((await crawled.crawl()).saved, 0);
    assert.equal(timesAsked(site, '/'), 0);
    assert.match(whyNothing(crawled.record()), /robots\.txt file .* doesn’t allow/);
  });

  test('waits between requests as configured, or longer if robots.txt says so', async (context) => {
    for (const [robots, pause, expected] of [
      ['', 60, 60],
      ['User-agent: OpenNotebook\nCrawl-delay: 0.12', 0, 120],
    ] as const) {
      let lastAt = 0;
      let now = 0;
      let peak = 0;
      const noting: Fetch = (url, request) => {
        lastAt = performance.now();
        return fetchAnywhere(url, request);
      };
      const seen: SitePage = ({ path }) => {
        peak = Math.max(peak, ++now);
        queueMicrotask(() => now--);
        return path === '/' ? makePage('Start', ['/1', '/2', '/3']) : makePage(path);
      };
      const site = await siteOfTest(context, {
        '/robots.txt': file('text/plain', robots),
        '/': seen,
        '/1': seen,
        '/2': seen,
        '/3': seen,
      });
      const rules = rulesFor(`${site.url}/`);
      const crawled = await openCrawledSite(context, rules, { requestsAtOnce: 2, pause }, noting);
      const startedAt = performance.now();
      await crawled.crawl();
      assert.equal(timesAsked(site, '/3'), 1);
      // A busy machine may send each request late, but never early.
      assert.ok(
        lastAt - startedAt >= 3 * expected,
        `${String(lastAt - startedAt)} of ${String(3 * expected)}`,
      );
      assert.equal(peak, 1);
    }
  });

  test('never has more concurrent requests than allowed', async (context) => {
    let open = 0;
    let peak = 0;
    const slow: SitePage = ({ path, answered }) => {
      peak = Math.max(peak, ++open);
      void answered.then(() => open--);
      return path === '/'
        ? makePage(
            'Start',
            Array.from({ length: 12 }, (_, i) => `/${String(i)}`),
          )
        : makePage(path);
    };
    const site = await siteOfTest(context, { '/': slow });
    for (let i = 0; i < 12; i++) site.set({ [`/${String(i)}`]: slow });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), quickPace);
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 13);
    assert.ok(peak <= 2, String(peak));
  });
});

describe('pages that cause trouble', () => {
  test('are retried on a busy or failing server, and reported if they fail for good', async (context) => {
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/busy', '/shaky', '/down', '/broken', '/gone', '/closed', '/odd', '/little']),
      '/busy': failing(2, status(429, soon), makePage('Busy')),
      '/shaky': failing(3, status(502, soon), makePage('Shaky')),
      '/down': status(500, soon),
      '/broken': { body: makePage('Broken'), missing: 100 },
      '/closed': status(403),
      '/odd': file('application/json', '{"a": 1}'),
      '/little': '<title>Little</title><script>draw()</script><p>Little.',
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(Object.values(crawled.documents()).toSorted(), ['Busy', 'Shaky', 'Start']);
    assert.equal(timesAsked(site, '/down'), 6);
    assert.deepEqual(crawled.inState('failed').toSorted(), ['/broken', '/closed', '/down', '/gone']);
    assert.deepEqual(crawled.inState('refused').toSorted(), ['/little', '/odd']);
    const findReason = (path: string): string =>
      crawled.record().pages.find(({ address }) => address.endsWith(path))?.reason ?? '';
    assert.match(findReason('/down'), /\(500\)/);
    assert.match(findReason('/gone'), /404/);
    assert.match(findReason('/closed'), /403/);
    assert.match(findReason('/odd'), /application\/json/);
    assert.match(findReason('/little'), /builds this page with scripts/);
    const report = crawlReport('The site', rulesFor(site.url), crawled.record(), () => 'now');
    assert.match(report, /Couldn’t be downloaded: 4/);
    assert.match(report, /\/gone>: .*404/);
  });

  test('leave a busy host alone for as long as it asks', async (context) => {
    const at: number[] = [];
    const noted =
      (page: SitePage): SitePage =>
      (request, before) => {
        at.push(performance.now());
        return typeof page === 'function' ? page(request, before) : page;
      };
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/a', '/b', '/c']),
      '/a': noted(failing(1, status(429, { 'retry-after': '1' }), makePage('A'))),
      '/b': noted(makePage('B')),
      '/c': noted(makePage('C')),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`), { requestsAtOnce: 1, pause: 0 });
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 4);
    assert.ok((at[1] ?? 0) - (at[0] ?? 0) > 900);
  });

  test('end the crawl if the site stops answering, until the next crawl resumes', async (context) => {
    const links = Array.from({ length: 30 }, (_, i) => `/${String(i)}`);
    let isDown = true;
    const site = await siteOfTest(context, { '/': makePage('Start', links) });
    for (const link of links)
      site.set({ [link]: () => (isDown && Number(link.slice(1)) >= 5 ? status(503, soon) : makePage(link)) });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await assert.rejects(crawled.crawl(), { code: 'server', message: /stopped responding/ });
    assert.ok(Object.keys(crawled.documents()).length >= 5);
    assert.ok(crawled.inState('waiting').length > 10);
    isDown = false;
    await crawled.crawl();
    assert.equal(Object.keys(crawled.documents()).length, 31);
    assert.equal(timesAsked(site, '/'), 1);
  });

  test('are rejected if they are huge', async (context) => {
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/huge']),
      '/huge': { body: Buffer.alloc(6 * 1024 * 1024, '<p>huge</p> ') },
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.inState('refused').toSorted(), ['/huge']);
  });

  test('explain a crawl without results', async (context) => {
    const site = await siteOfTest(context, {
      '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /closed/'),
      '/empty/': '<title>Empty</title>',
      '/away/': redirect('/away/'),
    });
    const why = async (path: string): Promise<string> => {
      const crawled = await openCrawledSite(context, rulesFor(site.url + path));
      const { saved } = await crawled.crawl();
      assert.equal(saved, 0);
      return whyNothing(crawled.record());
    };
    assert.match(await why('/missing/'), /\/missing\/: .*no such page \(404\)/);
    assert.match(await why('/closed/'), /robots\.txt file .* doesn’t allow/);
    assert.match(await why('/empty/'), /fewer than 100 characters/);
    assert.match(await why('/away/'), /redirects to itself/);
    const closed = await startSite();
    await closed.close();
    const nowhere = await openCrawledSite(context, rulesFor(`${closed.url}/`));
    await nowhere.crawl();
    assert.match(whyNothing(nowhere.record()), /refused the connection/);
  });
});

describe('one page with several addresses', () => {
  test('is fetched once through redirects within the site', async (context) => {
    const other = await siteOfTest(context, { '/': makePage('Elsewhere') });
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/old', '/older', '/away', '/new']),
      '/older': redirect('/old'),
      '/old': redirect('/new'),
      '/new': makePage('New'),
      '/away': redirect(`${other.url}/`),
    });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.documents(), { '/': 'Start', '/new': 'New' });
    assert.deepEqual(crawled.inState('moved').toSorted(), ['/old', '/older']);
    assert.deepEqual(crawled.inState('left-out'), ['/away']);
    assert.equal(timesAsked(site, '/new'), 1);
    assert.equal(other.requests.length, 0);
  });

  test('is crawled at the target of its start, unless that is a private host without consent', async (context) => {
    const site = await siteOfTest(context, { '/docs/': makePage('Start', ['a']), '/docs/a': makePage('A') });
    const old = await siteOfTest(context, { '/': redirect(`${site.url}/docs/`) });
    const crawled = await openCrawledSite(context, rulesFor(`${old.url}/`));
    await crawled.crawl();
    const { origin } = new URL(site.url);
    assert.deepEqual(crawled.documents(), { [`${origin}/docs/`]: 'Start', [`${origin}/docs/a`]: 'A' });

    const agreed = guardedFetch([hostAndPort(new URL(old.url))]);
    const refused = await openCrawledSite(context, rulesFor(`${old.url}/`), quickPace, agreed);
    const before = site.requests.length;
    const { saved } = await refused.crawl();
    assert.equal(saved, 0);
    assert.equal(site.requests.length, before);
    const reason = whyNothing(refused.record());
    assert.match(reason, /private network/);
    assert.ok(reason.includes(new URL(site.url).host), reason);
  });

  test('is kept once under its canonical address', async (context) => {
    const canonical = (path: string): string => `<link rel="canonical" href="${path}">`;
    const site = await siteOfTest(context, {
      '/': makePage('Start', ['/a?view=wide', '/copy', '/b.html', '/list?page=2', '/foreign']),
      '/a': makePage('A', [], canonical('/a')),
      '/copy': makePage('B'),
      '/b.html': makePage('B'),
      '/list': ({ path }) =>
        path === '/list'
          ? makePage('List', ['/list?page=2'], canonical('/list'))
          : makePage('List, second', [], canonical('/list')),
      '/foreign': makePage('Foreign', [], canonical('https://example.org/theirs')),
    });
    site.set({ '/a?view=wide': makePage('A', [], canonical('/a')) });
    const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
    await crawled.crawl();
    assert.deepEqual(crawled.documents(), {
      '/': 'Start',
      '/a': 'A',
      '/copy': 'B',
      '/list': 'List',
      // Declares another page as canonical by mistake, since their titles differ.
      '/list?page=2': 'List, second',
      '/foreign': 'Foreign',
    });
    assert.deepEqual(crawled.inState('duplicate').toSorted(), ['/a?view=wide', '/b.html']);
  });
});
