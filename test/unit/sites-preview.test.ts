import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/parsers/sites/pace.ts';
import { crawlPlan, surveySite, type SitePlan } from '../../src/parsers/sites/preview.ts';
import { readSitePage } from '../../src/parsers/sites/read-site-page.ts';
import { SiteClient } from '../../src/parsers/sites/site-client.ts';
import { readSiteList } from '../../src/parsers/sites/site-lists.ts';
import { fetchAnywhere } from '../support/fetch-anywhere.ts';
import { makePage, quickPace, rulesFor } from '../support/site-crawl.ts';
import { file, redirect, startSite } from '../support/site.ts';

test('previews what a crawl would fetch and exclude with any settings', async (context) => {
  const site = await startSite({
    '/robots.txt': file('text/plain', 'User-agent: *\nDisallow: /docs/secret'),
    '/docs': redirect('/docs/'),
    '/docs/': makePage('Start', ['a', 'b', 'secret', 'login', '/blog/']),
    '/docs/llms.txt': file('text/plain', '- [A](/docs/a.md)\n- [C](/docs/c.md)\n'),
    '/sitemap.xml': file(
      'text/xml',
      '<urlset><url><loc>/docs/d</loc></url><url><loc>/docs/a</loc></url></urlset>',
    ),
  });
  context.after(() => site.close());
  const { signal } = new AbortController();
  const pace = new Pace(() => quickPace);
  const client = new SiteClient({
    fetch: fetchAnywhere,
    userAgent: 'OpenNotebook/0 (test)',
    findPace: () => pace,
    signal,
  });
  const starts = [`${site.url}/docs`, `${site.url}/nowhere/`];
  const survey = await surveySite(starts, client, {
    read: (request, stop) => readSitePage(request, { signal: stop }),
    readList: (request) => Promise.resolve(readSiteList(request)),
    signal,
  });
  assert.equal(survey.starts[0]?.address, `${site.url}/docs/`);
  assert.match(survey.starts[1]?.problem ?? '', /no such page/);

  const short = (pages: SitePlan['pages']): string[] =>
    pages.map(({ address }) => address.replace(site.url, ''));
  const rules = rulesFor(starts[0] ?? '', { starts });
  const plan = await crawlPlan(survey, rules);
  assert.deepEqual(short(plan.pages), ['/docs/', '/docs/a', '/docs/b', '/docs/c', '/docs/d']);
  assert.deepEqual(short(plan.pages.filter(({ hasTwin }) => hasTwin)), ['/docs/a', '/docs/c']);
  assert.deepEqual(short(plan.leftOut), ['/docs/secret', '/docs/login', '/blog/']);
  assert.match(plan.leftOut[0]?.reason ?? '', /robots\.txt/);

  const narrow = await crawlPlan(survey, { ...rules, limit: 2, exclude: ['a'] });
  assert.deepEqual(short(narrow.pages), ['/docs/', '/docs/b']);
  assert.deepEqual(short((await crawlPlan(survey, { ...rules, depth: 0 })).pages), ['/docs/']);
  const wide = await crawlPlan(survey, { ...rules, include: ['/blog', '/docs/d'] });
  assert.deepEqual(short(wide.pages), ['/docs/', '/blog/', '/docs/d']);
});

test('ends a survey that is canceled', async (context) => {
  const site = await startSite({ '/': makePage('Start') });
  context.after(() => site.close());
  const stop = new AbortController();
  stop.abort();
  const pace = new Pace(() => quickPace);
  const client = new SiteClient({
    fetch: fetchAnywhere,
    userAgent: 'OpenNotebook/0 (test)',
    findPace: () => pace,
    signal: stop.signal,
  });
  const surveying = surveySite([`${site.url}/`], client, {
    read: (request, signal) => readSitePage(request, { signal }),
    readList: (request) => Promise.resolve(readSiteList(request)),
    signal: stop.signal,
  });
  await assert.rejects(surveying, { code: 'cancelled' });
});
