import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { toAddress, toStarts } from '../../src/parsers/sites/addresses.ts';
import { linksOfHtml, linksOfMarkdown } from '../../src/parsers/sites/page-links.ts';
import { addressMatcher, scopeJudge } from '../../src/parsers/sites/scope.ts';
import { parseRobots } from '../../src/parsers/sites/robots.ts';
import { readSiteList } from '../../src/parsers/sites/site-lists.ts';
import { rulesFor } from '../support/site-crawl.ts';

describe('an address', () => {
  const cases = [
    ['HTTP://Example.org:80/a//b/#part', 'http://example.org/a/b/'],
    ['https://user:secret@example.org/?utm_source=x&fbclid=1', 'https://example.org/'],
    ['https://example.org/?b=2&a=1&utm_medium=m', 'https://example.org/?a=1&b=2'],
    ['https://example.org/file?wsdl', 'https://example.org/file?wsdl'],
    ['https://example.org/shop;jsessionid=12AB', 'https://example.org/shop'],
    ['mailto:someone@example.org', undefined],
    ['javascript:alert(1)', undefined],
    [`https://example.org/${'a'.repeat(2000)}`, undefined],
  ] as const;
  for (const [href, expected] of cases)
    test(href.slice(0, 60), () => {
      assert.equal(toAddress(href)?.href, expected);
    });

  test('is one of several on separate lines, side by side, or in a field of one line', () => {
    const starts = ['https://a.example/x', 'https://b.example/', 'http://localhost:8080/docs'];
    for (const text of [
      'https://a.example/x\nb.example\nhttp://localhost:8080/docs',
      ' https://a.example/x, b.example;http://localhost:8080/docs ',
      'https://a.example/xhttps://b.example/http://localhost:8080/docs',
    ])
      assert.deepEqual(toStarts(text), { starts, wrong: undefined });
    assert.equal(toStarts('https://a.example nonsense').wrong, 'nonsense');
    assert.equal(toStarts('ftp://a.example').wrong, 'ftp://a.example');
    assert.deepEqual(toStarts('  '), { starts: [], wrong: undefined });
  });
});

describe('crawl settings of a site', () => {
  const reason = (address: string, rules = rulesFor('https://example.org/docs/')): string => {
    const judged = scopeJudge(rules, rules.starts)(address);
    return judged.kind === 'out' ? judged.reason : judged.kind;
  };

  test('include pages on the host below the start', () => {
    for (const address of [
      'https://example.org/docs/',
      'https://example.org/docs',
      'http://example.org/docs/a?b=1',
    ])
      assert.equal(reason(address), 'in', address);
    assert.match(reason('https://example.org/docs2'), /isn’t below/);
    assert.match(reason('https://example.org/'), /isn’t below/);
    for (const address of [
      'https://example.com/docs/',
      'https://www.example.org/docs/',
      'https://example.org:8443/docs/',
      'data:,x',
    ])
      assert.equal(reason(address), 'elsewhere', address);
  });

  test('find the folder of a start', () => {
    const below = (start: string, address: string): string => reason(address, rulesFor(start));
    assert.equal(below('https://example.org/docs/index.html', 'https://example.org/docs/a.html'), 'in');
    assert.equal(below('https://example.org/docs', 'https://example.org/docs/a'), 'in');
    assert.match(below('https://example.org/docs', 'https://example.org/docs-old'), /isn’t below/);
    assert.equal(below('https://example.org', 'https://example.org/any/thing'), 'in');
  });

  test('exclude sign-in, terms, and the like at the root of the site and directly below the start', () => {
    const root = rulesFor('https://example.org/');
    for (const path of [
      'about',
      'about/team',
      'login.html',
      'terms/2024',
      'en/privacy',
      'de-DE/impressum',
      'legal/cookies',
      'account/login',
    ])
      assert.match(reason(`https://example.org/${path}`, root), /similar pages/, path);
    for (const path of ['login', 'about-us.html', 'privacy-policy', 'Contact', 'sign-up'])
      assert.match(reason(`https://example.org/docs/${path}`), /similar pages/, path);
    for (const path of ['about-generics', 'contacts-api', 'terminal', 'registers', 'signing'])
      assert.equal(reason(`https://example.org/docs/${path}`), 'in', path);
    assert.equal(reason('https://example.org/about', rulesFor('https://example.org/about')), 'in');
  });

  test('include deeper pages whose subject is sign-in, terms, and the like', () => {
    for (const path of ['functions/cookies', 'auth/login', 'auth/login/oauth', 'about', 'glossary/terms'])
      assert.equal(reason(`https://example.org/docs/${path}`), 'in', path);
    const root = rulesFor('https://example.org/');
    for (const path of ['docs/about', 'docs/auth/login', 'functions/cookies', 'api/v2/register'])
      assert.equal(reason(`https://example.org/${path}`, root), 'in', path);
    assert.equal(
      reason('https://example.org/about/history', rulesFor('https://example.org/about/')),
      'in',
      'a start page below such a word',
    );
  });

  test('exclude traps and addresses that aren’t pages', () => {
    for (const path of ['a.png', 'b.ZIP', 'c.doc', 'app.js'])
      assert.match(reason(`https://example.org/docs/${path}`), /isn’t a web page/, path);
    for (const path of ['a.pdf', 'b.docx', 'c.csv', 'd.md', 'e.ipynb'])
      assert.equal(reason(`https://example.org/docs/${path}`), 'in');
    assert.match(reason('https://example.org/docs/a/a/a/a'), /repeats itself/);
    for (const path of ['print.html', 'a/print/', 'a?view=print'])
      assert.match(reason(`https://example.org/docs/${path}`), /print version/, path);
    for (const path of ['printing', 'functions/print', 'builtins/print.html'])
      assert.equal(reason(`https://example.org/docs/${path}`), 'in', path);
    assert.match(reason('https://example.org/docs/x/y/x/y/x/y/'), /repeats itself/);
    assert.equal(reason('https://example.org/docs/2024/01/01'), 'in');
    const judge = scopeJudge(rulesFor('https://example.org/docs/'), ['https://example.org/docs/']);
    const judged = Array.from({ length: 60 }, (_, i) =>
      judge(`https://example.org/docs/list?page=${String(i)}`),
    );
    assert.equal(judged.filter(({ kind }) => kind === 'in').length, 40);
  });

  test('let include patterns replace the start, and exclude patterns win', () => {
    const rules = rulesFor('https://example.org/docs/', {
      include: ['/docs/**', '/blog'],
      exclude: ['old', '*.txt'],
    });
    assert.equal(reason('https://example.org/blog/2024/x', rules), 'in');
    assert.equal(reason('https://example.org/docs/about', rules), 'in');
    assert.match(reason('https://example.org/shop', rules), /doesn’t match an include pattern/);
    assert.match(reason('https://example.org/docs/old/page', rules), /matches an exclude pattern/);
    assert.match(reason('https://example.org/docs/a/notes.txt', rules), /matches an exclude pattern/);
  });

  test('match patterns with paths, queries, and whole addresses', () => {
    const matches = (pattern: string, address: string): boolean =>
      addressMatcher([pattern])(new URL(address));
    assert.ok(matches('*.html', 'https://example.org/a/b.html'));
    assert.ok(matches('/api/*', 'https://example.org/api/x'));
    assert.ok(!matches('/api/*', 'https://example.org/v1/api/x'));
    assert.ok(matches('/list*page=*', 'https://example.org/list?page=2'));
    assert.ok(matches('https://example.org/a', 'https://example.org/a/b'));
    assert.ok(!matches('https://example.org/a', 'https://example.com/a/b'));
  });
});

describe('robots.txt', () => {
  const allowed = async (text: string, ...paths: string[]): Promise<boolean[]> => {
    const robots = await parseRobots(text, 'OpenNotebook');
    return paths.map((path) => robots.allows(new URL(path, 'https://example.org')));
  };

  test('needs no more memory for rules that many agents share', async () => {
    const agents = Array.from({ length: 20_000 }, (_, i) => `User-agent: a${String(i)}\n`).join('');
    const rules = Array.from({ length: 7_000 }, (_, i) => `Disallow: /x${String(i)}\n`).join('');
    assert.deepEqual(await allowed(`${agents}User-agent: *\n${rules}`, '/x7', '/y'), [false, true]);
  });

  test('applies the longest rule, and of two equal ones the one that allows', async () => {
    const text = 'User-agent: *\nDisallow: /a\nAllow: /a/b\nDisallow: /c\nAllow: /c';
    assert.deepEqual(await allowed(text, '/a', '/a/b/x', '/c', '/d'), [false, true, true, true]);
  });

  test('applies only a group for this agent, and joins groups of one name', async () => {
    const text =
      'User-agent: *\nDisallow: /\n\nUser-agent: Other\nUser-agent: opennotebook\nDisallow: /x\n\nUser-agent: OpenNotebook\nDisallow: /y';
    assert.deepEqual(await allowed(text, '/', '/x', '/y'), [true, false, false]);
  });

  test('supports wildcards, end anchors, escapes, and comments', async () => {
    const text =
      'User-agent: * # all\nDisallow: /*.php$ # no scripts\nDisallow: /caf%C3%A9\nDisallow: /%7Ejoe\nDisallow:\n';
    assert.deepEqual(await allowed(text, '/a/b.php', '/a.php?x', '/café/menu', '/~joe/', '/z'), [
      false,
      true,
      false,
      false,
      true,
    ]);
  });

  test('names its sitemaps and its crawl delay, up to a minute', async () => {
    const robots = await parseRobots(
      'Sitemap: https://example.org/map.xml\r\nUser-agent: *\r\nCrawl-delay: 1.5\r\n',
      'OpenNotebook',
    );
    assert.deepEqual([robots.sitemaps, robots.crawlDelay], [['https://example.org/map.xml'], 1500]);
    assert.equal((await parseRobots('user-agent: *\ncrawl-delay: 900', 'OpenNotebook')).crawlDelay, 60_000);
  });
});

describe('lists and links', () => {
  const url = 'https://example.org/sitemap.xml';
  const list = (kind: 'sitemap' | 'llms', text: string | Uint8Array) =>
    readSiteList({ kind, bytes: typeof text === 'string' ? Buffer.from(text) : text, url });

  test('include pages and nested, compressed, and plain sitemaps', () => {
    const map =
      '<?xml version="1.0"?><urlset xmlns="x"><url><loc> https://example.org/a?x=1&amp;y=2 </loc><image:image><image:loc>https://example.org/i.png</image:loc></image:image></url></urlset>';
    assert.deepEqual(list('sitemap', map).pages, ['https://example.org/a?x=1&y=2']);
    assert.deepEqual(list('sitemap', gzipSync(map)).pages, ['https://example.org/a?x=1&y=2']);
    assert.deepEqual(
      list('sitemap', '<sitemapindex><sitemap><loc>/b.xml</loc></sitemap></sitemapindex>').lists,
      ['https://example.org/b.xml'],
    );
    assert.deepEqual(list('sitemap', 'https://example.org/a\nhttps://example.org/b\n').pages.length, 2);
    const prefixed =
      '<sm:urlset xmlns:sm="x"><sm:url><sm:loc>/a</sm:loc><video:video><video:loc>/v</video:loc></video:video></sm:url></sm:urlset>';
    assert.deepEqual(list('sitemap', prefixed).pages, ['https://example.org/a']);
    for (const nothing of ['<html><body>Not found', '', gzipSync('x').subarray(0, 8)])
      assert.deepEqual(list('sitemap', nothing), { pages: [], lists: [] });
  });

  test('include the pages of a feed', () => {
    const rss =
      '<rss><channel><link>/</link><atom:link href="/feed"/><item><title>A</title><link> /a </link></item><item><link><![CDATA[/b]]></link></item></channel></rss>';
    assert.deepEqual(list('sitemap', rss).pages, ['https://example.org/a', 'https://example.org/b']);
    const ids =
      '<rss><item><guid>https://example.org/a</guid></item><item><guid isPermaLink="false">b</guid></item></rss>';
    assert.deepEqual(list('sitemap', ids).pages, ['https://example.org/a']);
  });

  test('include sitemaps in UTF-16 and lists with commas', () => {
    const map = Buffer.from('\ufeff<urlset><url><loc>/a</loc></url></urlset>', 'utf16le');
    assert.deepEqual(list('sitemap', map).pages, ['https://example.org/a']);
    assert.deepEqual(list('sitemap', 'https://example.org/a, https://example.org/b').pages, [
      'https://example.org/a',
      'https://example.org/b',
    ]);
    const atom =
      '<feed><link href="/"/><entry><link rel="edit" href="/e"/><link rel="alternate" href="/a"/></entry><entry><link href="/b"></link></entry></feed>';
    assert.deepEqual(list('sitemap', atom).pages, ['https://example.org/a', 'https://example.org/b']);
  });

  test('include the addresses in llms.txt', () => {
    const text =
      '# Site\n\n> What it is\n\n## Docs\n\n- [A](/docs/a.md): first\n- [B](https://example.org/docs/b)\n';
    assert.deepEqual(list('llms', text).pages, [
      'https://example.org/docs/a.md',
      'https://example.org/docs/b',
    ]);
    assert.deepEqual(list('llms', '<!doctype html><a href="/x">x</a>').pages, []);
  });

  test('include the links, the canonical address, and the Markdown version of a page', () => {
    const html = `<head><base href="/base/"><link rel=canonical href="https://example.org/base/page">
      <link rel="alternate" type="text/markdown" href="page.md"></head>
      <a href="one#x">1</a><a href="two" rel="nofollow">2</a><area href=/three><!-- <a href="four"> --><script>"<a href='five'>"</script><noscript><iframe src="toc.html"></iframe></noscript>`;
    assert.deepEqual(linksOfHtml(html, 'https://example.org/elsewhere'), {
      links: ['https://example.org/base/one#x', 'https://example.org/three'],
      frames: ['https://example.org/base/toc.html'],
      canonical: 'https://example.org/base/page',
      twin: 'https://example.org/base/page.md',
    });
    assert.deepEqual(
      linksOfHtml('<meta name="robots" content="noindex, NOFOLLOW"><a href="/a">a</a>', url).links,
      [],
    );
    assert.deepEqual(
      linksOfMarkdown('[a](b.md "title") <https://example.org/c>\n[d]: /e\n', 'https://example.org/docs/')
        .links,
      ['https://example.org/docs/b.md', 'https://example.org/c', 'https://example.org/e'],
    );
  });
});
