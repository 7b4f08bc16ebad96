import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { citeWorks } from '../../src/features/export/service/references.ts';
import { writeWord } from '../../src/features/export/service/word.ts';
import { workCitations } from '../../src/core/domain/cite-keys.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { assertLinear } from '../support/growth.ts';

const items = [
  {
    id: 'wang2023',
    type: 'article-journal',
    title: 'Voyager: an open-ended agent',
    author: [
      { family: 'Wang', given: 'Guanzhi' },
      { family: 'Xie', given: 'Yuqi' },
      { family: 'Jiang', given: 'Yunfan' },
    ],
    issued: { 'date-parts': [[2023]] },
    'container-title': 'Transactions on _Agents_',
    volume: '4',
    page: '1-20',
    DOI: '10.1000/voyager',
  },
  {
    id: 'knuth',
    type: 'book',
    title: 'The TeXbook',
    author: [{ family: 'Knuth', given: 'Donald' }],
    issued: { 'date-parts': [[1984]] },
    publisher: 'Addison-Wesley',
  },
];

const request = { items, style: undefined, language: 'en' };

test('finds citation keys with their prefixes and locators, and nothing that only looks like one', () => {
  const citations = workCitations(
    'As [see @wang2023, pp. 3–4; -@knuth] and `[@code]`, [a@b.org], [@x](y), [@Müller:2.a].\n```\n[@fenced]\n```',
  );
  assert.deepEqual(
    citations.map(({ works }) =>
      works.map(({ key, prefix, suffix, isYearAlone }) => [key, prefix, suffix, isYearAlone]),
    ),
    [
      [
        ['wang2023', 'see', ', pp. 3–4', false],
        ['knuth', '', '', true],
      ],
      [['Müller:2.a', '', '', false]],
    ],
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom('[', ']', '@', 'a', ';', '-', '`', '\n', ' ')), (parts) => {
      const text = parts.join('');
      for (const { works } of workCitations(text))
        for (const { key, start, end } of works) assert.equal(text.slice(start, end), `@${key}`);
    }),
  );
  for (const part of ['[@a; ', '[', '`', '[@a]', '@'])
    assertLinear((size) => workCitations(part.repeat(size)), 2_000);
});

test('exports a note with citations and references in APA style', async () => {
  const text =
    'Agents explore [see @wang2023, p. 3; @knuth]. Others do not [@nobody]. Knuth [-@knuth] wrote so.\n';
  const cited = await citeWorks({ ...request, text });
  assert.equal(
    cited,
    [
      'Agents explore (Knuth, 1984; see Wang et al., 2023, p. 3). Others do not [@nobody]. Knuth (1984) wrote so.',
      '## References',
      'Knuth, D. (1984). _The TeXbook_. Addison-Wesley.',
      'Wang, G., Xie, Y., & Jiang, Y. (2023). Voyager: an open-ended agent. _Transactions on \\_Agents\\__, _4_, 1–20. https://doi.org/10.1000/voyager',
      '',
    ].join('\n\n'),
  );
  assert.equal(await citeWorks({ ...request, text: 'Nothing is cited.\n' }), 'Nothing is cited.\n');
});

test('uses a style of the user’s choice, with footnotes if it has them', async () => {
  const style = readFileSync(new URL('../fixtures/bibliography/notes.csl', import.meta.url), 'utf8');
  const cited = await citeWorks({
    ...request,
    style,
    text: 'So it is [@knuth, p. 7]. And more [@wang2023].\n',
  });
  assert.equal(
    cited,
    'So it is[^work-1]. And more[^work-2].\n\n## References\n\n1. Donald Knuth, The TeXbook\n\n2. Guanzhi Wang, Yuqi Xie, Yunfan Jiang, Voyager: an open-ended agent\n\n[^work-1]: Donald Knuth, _The TeXbook_, 7.\n[^work-2]: Guanzhi Wang, Yuqi Xie, Yunfan Jiang, _Voyager: an open-ended agent_.\n\n',
  );
  await assert.rejects(
    citeWorks({ ...request, style: '<style>', text: 'So [@knuth].' }),
    /Can’t use this citation style/,
  );
});

test('writes footnotes and references of a style in HTML and Word files', async () => {
  const notes = readFileSync(new URL('../fixtures/bibliography/notes.csl', import.meta.url), 'utf8');
  const exported = async (style: string | undefined) => {
    const text = await citeWorks({
      ...request,
      style,
      text: 'So it is [@knuth, p. 7]. And more [@wang2023].\n',
    });
    const parts = { title: 'Agents', text, citations: [], figures: [] };
    const word = openContainer(await writeWord({ ...parts, format: 'docx' }), 'agents.docx');
    const readParagraphs = (name: string): string[] => {
      const xml = new TextDecoder().decode(word.part(`word/${name}.xml`));
      return [...xml.matchAll(/<w:p[ >].*?<\/w:p>/gs)].flatMap(([paragraph]) => {
        const words = [...paragraph.matchAll(/<w:t(?: [^>]*)?>([^<]*)</g)].map(([, one]) => one).join('');
        return words.trim() === '' ? [] : [words.trim()];
      });
    };
    return {
      html: new TextDecoder().decode(writeHtml({ ...parts, format: 'html' })),
      document: readParagraphs('document'),
      footnotes: readParagraphs('footnotes'),
      xml: new TextDecoder().decode(word.part('word/document.xml')),
    };
  };
  const apa = await exported(undefined);
  assert.match(apa.html, /<p>So it is \(Knuth, 1984, p\. 7\)\. And more \(Wang et al\., 2023\)\.<\/p>/);
  assert.match(
    apa.html,
    /<h2>References<\/h2>\s*<p>Knuth, D\. \(1984\)\. <em>The TeXbook<\/em>\. Addison-Wesley\.<\/p>/,
  );
  assert.deepEqual(apa.document.slice(-3, -1), [
    'References',
    'Knuth, D. (1984). The TeXbook. Addison-Wesley.',
  ]);
  assert.match(apa.document.at(-1) ?? '', /^Wang, G\., Xie, Y\., &amp; Jiang, Y\. \(2023\)\. Voyager/);
  assert.deepEqual(apa.footnotes, []);

  const noted = await exported(notes);
  assert.match(noted.html, /So it is<sup><a href="#([\w-]+)"[^>]*>1<\/a><\/sup>\. And more<sup>/);
  assert.match(noted.html, /<li id="[\w-]+">\s*<p>Donald Knuth, <em>The TeXbook<\/em>, 7\. <a /);
  assert.match(noted.html, /<h2>References<\/h2>\s*<ol>\s*<li>\s*<p>Donald Knuth, The TeXbook<\/p>/);
  assert.equal(noted.xml.match(/<w:footnoteReference /g)?.length, 2);
  assert.deepEqual(noted.footnotes, [
    'Donald Knuth, The TeXbook, 7.',
    'Guanzhi Wang, Yuqi Xie, Yunfan Jiang, Voyager: an open-ended agent.',
  ]);
  assert.deepEqual(noted.document.slice(-3), [
    'References',
    'Donald Knuth, The TeXbook',
    'Guanzhi Wang, Yuqi Xie, Yunfan Jiang, Voyager: an open-ended agent',
  ]);
});

test('writes German references in German', async () => {
  const edited = [
    {
      ...items[1],
      id: 'knuth',
      type: 'book',
      accessed: { 'date-parts': [[2020, 3, 1]] },
      URL: 'https://a.org',
    },
  ];
  const cited = await citeWorks({ items: edited, style: undefined, language: 'de', text: '[@knuth]' });
  assert.match(cited, /## References\n\nKnuth, D\. \(1984\)/);
});
