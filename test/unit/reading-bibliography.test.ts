import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseArxiv, citeKey, parseDoi, parsePerson } from '../../src/core/domain/bibliography.ts';
import { bibliographyOfFirstPage } from '../../src/parsers/bibliography/first-page.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { assertLinear } from '../support/growth.ts';

setPdfResources('node_modules/pdfjs-dist');

interface FirstPage {
  readonly page: string;
  readonly title: string;
  readonly authors: readonly string[];
  readonly year?: number;
  readonly doi?: string;
  readonly arxiv?: string;
}

const firstPages = JSON.parse(
  readFileSync(new URL('../fixtures/bibliography/first-pages.json', import.meta.url), 'utf8'),
) as readonly FirstPage[];

test('reads authors, year, and identifiers from first pages of many layouts', () => {
  const tally = { right: 0, wrong: 0, wanted: 0 };
  const missed: string[] = [];
  const count = (
    wanted: number | string | undefined,
    found: number | string | undefined,
    what: string,
  ): void => {
    if (wanted !== undefined) tally.wanted++;
    if (found === undefined) {
      if (wanted !== undefined) missed.push(`${what}: nothing for ${String(wanted)}`);
      return;
    }
    if (found === wanted) tally.right++;
    else {
      tally.wrong++;
      missed.push(`${what}: ${String(found)} for ${String(wanted)}`);
    }
  };
  for (const { page, title, authors, year, doi, arxiv } of firstPages) {
    const bibliography = bibliographyOfFirstPage(page, title);
    const names = bibliography.authors.map(({ family }) => family);
    for (const name of authors) count(name, names.includes(name) ? name : undefined, `${title}, author`);
    for (const name of names) if (!authors.includes(name)) count(undefined, name, `${title}, author`);
    count(year, bibliography.year, `${title}, year`);
    count(doi, bibliography.doi, `${title}, DOI`);
    count(arxiv, bibliography.arxiv, `${title}, arXiv`);
  }
  const precision = tally.right / (tally.right + tally.wrong);
  const recall = tally.right / tally.wanted;
  console.log(
    `first pages: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}\n${missed.join('\n')}`,
  );
  assert.ok(precision >= 0.95, missed.join('\n'));
  assert.ok(recall >= 0.8, missed.join('\n'));
});

const html = (head: string): Uint8Array =>
  Buffer.from(
    `<!doctype html><html><head><title>Page</title>${head}</head><body><main><h1>Page</h1><p>${'Words of the page. '.repeat(20)}</p></main></body></html>`,
  );

const ofPage = async (head: string) => {
  const input = { bytes: html(head), name: 'page', pageUrl: 'https://example.com/page', minimumLength: 1 };
  return (await readDocument(input, {})).bibliography;
};

test('recognizes abstracts, conjunctions, and months in other languages', () => {
  for (const [month, beginning, and] of [
    ['März 2019', 'Zusammenfassung', 'und'],
    ['mars 2019', 'Résumé', 'et'],
    ['marzo 2019', 'Riassunto. Si mostra', 'ed'],
    ['março de 2019', 'Resumo', 'e'],
    ['Mart 2019', 'Özet', 've'],
    ['марта 2019', 'Аннотация', 'и'],
    ['2019年3月', '摘要', '&'],
    ['March 2019', 'I. Introduction', 'and'],
  ] as const) {
    const page = `The Title\nAda Holt ${and} Ben Munt\n${month}\n${beginning}\nCarl Zorn\n`;
    const { authors, year } = bibliographyOfFirstPage(page, 'The Title');
    assert.deepEqual(
      authors.map(({ family }) => family),
      ['Holt', 'Munt'],
      beginning,
    );
    if (!month.startsWith('2019')) assert.equal(year, 2019, month);
  }
  assert.equal(bibliographyOfFirstPage('The Title\nOn a data set 2019 of rain', 'The Title').year, undefined);
});

test('reads the metadata of a page from Google Scholar tags, Dublin Core, or JSON-LD', async () => {
  const scholar = await ofPage(
    `<meta name="citation_title" content="Open-ended agents"><meta name="citation_author" content="Wang, Guanzhi">
     <meta name="citation_author" content="Anna van der Berg"><meta name="citation_publication_date" content="2023/05/25">
     <meta name="citation_doi" content="https://doi.org/10.48550/arXiv.2305.16291"><meta name="citation_arxiv_id" content="2305.16291">`,
  );
  assert.deepEqual(scholar, {
    title: 'Open-ended agents',
    authors: [
      { family: 'Wang', givenName: 'Guanzhi' },
      { family: 'van der Berg', givenName: 'Anna' },
    ],
    year: 2023,
    doi: '10.48550/arxiv.2305.16291',
    arxiv: '2305.16291',
  });
  const core = await ofPage(
    `<meta name="DC.creator" content="Müller, Jörg"><meta name="DC.date" content="1998"><meta name="DC.identifier" content="doi:10.1000/182">`,
  );
  assert.deepEqual(
    [core?.authors, core?.year, core?.doi],
    [[{ family: 'Müller', givenName: 'Jörg' }], 1998, '10.1000/182'],
  );
  const linked = await ofPage(
    `<script type="application/ld+json">{"@graph":[{"@type":"WebSite"},{"@type":"Article","author":[{"name":"Ada Lovelace"},{"@type":"Organization","name":"The Royal Society"}],"datePublished":"2020-02-03"}]}</script>`,
  );
  assert.deepEqual(linked?.authors, [
    { family: 'Lovelace', givenName: 'Ada' },
    { family: 'The Royal Society' },
  ]);
  assert.equal(linked.year, 2020);
  const plain = await ofPage('<meta name="author" content="Grace Hopper">');
  assert.deepEqual(plain?.authors, [{ family: 'Hopper', givenName: 'Grace' }]);
});

test('recognizes identifiers in all common spellings', () => {
  assert.equal(parseDoi('https://doi.org/10.1000/ABC(12)34).'), '10.1000/abc(12)34');
  assert.equal(parseDoi('doi: 10.1000/182,'), '10.1000/182');
  assert.equal(parseDoi('see 10.1000/182'), undefined);
  assert.equal(parseArxiv('arXiv:2305.16291v2'), '2305.16291');
  assert.equal(parseArxiv('https://arxiv.org/pdf/2305.16291v1.pdf'), '2305.16291');
  assert.equal(parseArxiv('hep-th/9901001'), 'hep-th/9901001');
  assert.equal(parseArxiv('2305.162'), undefined);
  assert.deepEqual(parsePerson('Ludwig van Beethoven'), { family: 'van Beethoven', givenName: 'Ludwig' });
  assert.deepEqual(parsePerson('{World Health Organization}'), { family: 'World Health Organization' });
  const work = { title: 'The Voyage of Ümit', authors: [{ family: 'O’Brien' }], year: 1999 };
  assert.equal(citeKey(work), 'obrien1999voyage');
  assert.equal(
    citeKey({ title: '2015 Netflix Annual Report', authors: [], year: 2015 }),
    'netflix2015annual',
  );
});

test('reads a first page in time proportional to its length', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (page) => {
      const { authors } = bibliographyOfFirstPage(page, undefined);
      assert.ok(authors.every(({ family }) => family !== ''));
    }),
  );
  assertLinear((size) => bibliographyOfFirstPage('Anna Berg, '.repeat(size), undefined), 200);
});
