import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formats } from '../../src/parsers/formats.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { mostBytes, nameAt } from '../../src/parsers/sites/site-files.ts';
import { annotationAt } from '../support/annotated-pdf.ts';
import { openCrawledSite, makePage, rulesFor } from '../support/site-crawl.ts';
import { file, startSite, status } from '../support/site.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../fixtures/reading/${name}`, import.meta.url));

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const markdown = `# The pump\n\n${'The pump of the harbour was painted green in 1931. '.repeat(4)}\n\n[more](more.md)\n`;

test('reads linked files of a site as documents of their kind', async (context) => {
  const site = await startSite({
    '/docs/': makePage('Start', [
      'report.pdf',
      'ferry%20plan.docx',
      'download?file=7',
      'buoys.csv',
      'pump.md',
      'old.doc',
      'picture.png',
      'data.json',
      'all.zip',
      'scan.pdf',
      'page.pdf',
      '/elsewhere/report.pdf',
    ]),
    '/docs/report.pdf': file('application/pdf', fixture('report.pdf')),
    '/docs/ferry%20plan.docx': file('application/octet-stream', fixture('office/ferry.docx')),
    '/docs/download?file=7': file(wordType, fixture('office/ferry.docx')),
    '/docs/buoys.csv': file('text/csv; charset=utf-8', fixture('office/buoys.csv')),
    '/docs/pump.md': file('application/octet-stream', markdown),
    '/docs/more.md': file('text/markdown', markdown.replaceAll('pump', 'hose')),
    '/docs/data.json': file('application/json', '{}'),
    '/docs/scan.pdf': file('application/pdf', tinyPdf({ pages: [{ lines: [] }] })),
    '/docs/page.pdf': makePage('A page in spite of its name'),
  });
  context.after(() => site.close());
  const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`));
  await crawled.crawl();

  const documents = crawled.index.store.documents.ofSource(crawled.source.id);
  assert.deepEqual(
    Object.fromEntries(
      documents.map(({ key, mediaType }) => [key.replace(`${site.url}/docs/`, ''), mediaType]),
    ),
    {
      '': 'text/html',
      'report.pdf': 'application/pdf',
      'ferry%20plan.docx': wordType,
      'buoys.csv': 'text/csv',
      'pump.md': 'text/markdown',
      'page.pdf': 'text/html',
    },
  );
  assert.deepEqual(crawled.inState('duplicate'), ['/docs/download?file=7']);
  assert.deepEqual(crawled.inState('left-out').toSorted(), [
    '/docs/all.zip',
    '/docs/old.doc',
    '/docs/picture.png',
    '/elsewhere/report.pdf',
  ]);
  const refused = crawled.record().pages.filter(({ state }) => state === 'refused');
  assert.deepEqual(
    refused.map(({ address, reason }) => [address.replace(`${site.url}/docs/`, ''), reason]),
    [
      [
        'data.json',
        `The URL on ${new URL(site.url).host} returns an unsupported type (application/json). Add a web page, a text file, or a PDF.`,
      ],
      ['scan.pdf', 'This page has fewer than 100 characters of text.'],
    ],
  );
  const table = documents.find(({ mediaType }) => mediaType === 'text/csv');
  assert.equal(table?.title, 'buoys.csv');

  // A citation leads to a place on a PDF page, or to the saved text of a Word file.
  for (const [key, kind] of [
    ['report.pdf', 'pdf'],
    ['ferry%20plan.docx', 'saved'],
  ] as const) {
    const entry = documents.find((one) => one.key.endsWith(key));
    assert.ok(entry);
    const quote = crawled.index.cited.document(entry.id).text.slice(0, 40);
    const whereabouts = crawled.index.cited.find({
      documentId: entry.id,
      span: { start: 0, end: 40 },
      quote,
    });
    assert.ok(whereabouts.kind === 'found');
    assert.equal(whereabouts.locator.kind, kind);
  }
});

test('refreshes files of a site like its pages', async (context) => {
  const pdf = (word: string): Uint8Array =>
    tinyPdf({
      pages: [
        {
          lines: [
            {
              text: `The ${word} of the harbour was painted green in 1931. `.repeat(4),
              x: 50,
              y: 700,
              size: 10,
            },
          ],
        },
      ],
    });
  const site = await startSite({
    '/': makePage('Start', ['/same.pdf', '/new.pdf', '/gone.pdf']),
    '/same.pdf': ({ headers }) =>
      headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : {
            ...file('application/pdf', pdf('crane')),
            headers: { 'content-type': 'application/pdf', etag: '"1"' },
          },
    '/new.pdf': (_request, before) => file('application/pdf', pdf(before === 0 ? 'lamp' : 'lantern')),
    '/gone.pdf': (_request, before) => (before === 0 ? file('application/pdf', pdf('boat')) : status(404)),
  });
  context.after(() => site.close());
  const crawled = await openCrawledSite(context, rulesFor(`${site.url}/`));
  await crawled.crawl();
  assert.deepEqual(Object.keys(crawled.documents()), ['/', '/gone.pdf', '/new.pdf', '/same.pdf']);
  await crawled.crawl();
  assert.deepEqual(Object.keys(crawled.documents()), ['/', '/new.pdf', '/same.pdf']);
  assert.deepEqual(crawled.inState('unchanged'), ['/', '/same.pdf']);
  assert.deepEqual(crawled.inState('kept'), ['/new.pdf']);
  const [found] = await crawled.index.passageSearch.search('lantern', 1);
  assert.match(found?.text ?? '', /lantern of the harbour/);
});

test('supports every kind of file in a site, whatever type its server declares', () => {
  for (const { endings, mediaType } of formats) {
    if (mediaType.startsWith('image/')) continue;
    const [ending = ''] = endings;
    const url = new URL(`https://example.org/file.${ending}`);
    assert.ok(mostBytes(url, 'application/octet-stream'), ending);
    assert.ok(mostBytes(new URL('https://example.org/download'), mediaType), mediaType);
  }
  assert.equal(mostBytes(new URL('https://example.org/download'), 'application/octet-stream'), undefined);
  assert.equal(mostBytes(new URL('https://example.org/a.pdf'), 'video/mp4'), undefined);
});

test('names a file by the decoded last part of its path', () => {
  const nameByPath = (path: string): string => nameAt(`https://example.org/${path}`);
  assert.equal(nameByPath('docs/ferry%20plan.pdf?v=2#page=3'), 'ferry plan.pdf');
  assert.equal(nameByPath('docs/Gr%C3%B6%C3%9Fe/'), 'Größe');
  assert.equal(nameByPath('docs/100%25%00%0A.pdf'), '100%.pdf');
  assert.equal(nameByPath('docs/%E0%A4%A.pdf'), '%E0%A4%A.pdf');
  assert.equal(nameByPath(''), 'example.org');
});

test('keeps highlights in the text of a web PDF when the site is crawled again and the PDF changed', async (context) => {
  const lines = [
    'The harbour master paints the pump of the harbour green every spring.',
    'Its handle was made in the year 1931 by the smith of the village.',
    'In winter it is wrapped in straw, and the children are told to leave it.',
  ];
  const makePdf = (last: string): Uint8Array =>
    tinyPdf({ pages: [{ lines: column(72, 700, [...lines, last]) }] });
  const site = await startSite({
    '/docs/': makePage('Start', ['pump.pdf']),
    '/docs/pump.pdf': file('application/pdf', makePdf('First edition.')),
  });
  context.after(() => site.close());
  const crawled = await openCrawledSite(context, rulesFor(`${site.url}/docs/`));
  await crawled.crawl();
  const uri = `${site.url}/docs/pump.pdf`;
  const marked = annotationAt(1, [72, 697, 400, 709], { words: lines[0] ?? '', remark: 'Ask the smith' });
  crawled.index.features.annotations.keep(uri, [['a', marked]]);
  site.set({ '/docs/pump.pdf': file('application/pdf', makePdf('Second edition.')) });
  await crawled.crawl();
  const entry = crawled.index.store.documents.ofSource(crawled.source.id).find((one) => one.uri === uri);
  assert.ok(entry);
  const text = crawled.index.store.documents.document(entry.id)?.text ?? '';
  assert.match(text, /Second edition/);
  assert.match(text, /Highlighted on p\. 1: “The harbour master[^”]+” Comment: Ask the smith/);
});
