import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bibliographyOfItem } from '../../src/core/domain/bibliography.ts';
import { lookUpItem } from '../../src/parsers/bibliography/look-up-item.ts';
import { guardedFetch } from '../../src/parsers/web/guarded-fetch.ts';
import { siteOfTest } from '../support/site.ts';

const signal = new AbortController().signal;

const crossrefWork = {
  type: 'article-journal',
  title: ['Voyager'],
  author: [{ family: 'Wang', given: 'Guanzhi' }],
  issued: { 'date-parts': [[2023, 5]] },
  DOI: '10.1000/V',
};

test('looks up a reference through the redirect of its registry, by its identifier alone', async (context) => {
  const site = await siteOfTest(context, {
    '/10.1000/v': { status: 302, headers: { location: '/crossref/10.1000/v' } },
    '/crossref/10.1000/v': {
      headers: { 'content-type': 'application/vnd.citationstyles.csl+json' },
      body: JSON.stringify(crossrefWork),
    },
  });
  const fetch = guardedFetch([new URL(site.url).host]);
  const { title, authors, year, doi } = bibliographyOfItem(
    await lookUpItem(`${site.url}/10.1000/v`, fetch, signal),
  );
  assert.deepEqual(
    [title, authors, year, doi],
    ['Voyager', [{ family: 'Wang', givenName: 'Guanzhi' }], 2023, '10.1000/v'],
  );
  assert.equal(site.requests[0]?.headers.accept, 'application/vnd.citationstyles.csl+json');
});

test('reports an unknown or invalid identifier in one sentence', async (context) => {
  const site = await siteOfTest(context, {
    '/page': '<html>A page</html>',
    '/loop': { status: 302, headers: { location: '/loop' } },
  });
  const fetch = guardedFetch([new URL(site.url).host]);
  for (const path of ['/nothing', '/page', '/loop'])
    await assert.rejects(lookUpItem(site.url + path, fetch, signal), {
      code: 'not-found',
      message: `${new URL(site.url).host} has no metadata for this reference. Check the DOI or arXiv ID, or enter the metadata yourself.`,
    });
});
