import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { citeWorks } from '../../src/exporting/references.ts';
import { workCitations } from '../../src/notebook/cite-keys.ts';
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

test('citations by key are found with what stands around them, and what looks like one is none', () => {
  const found = workCitations(
    'As [see @wang2023, pp. 3–4; -@knuth] and `[@code]`, [a@b.org], [@x](y), [@Müller:2.a].\n```\n[@fenced]\n```',
  );
  assert.deepEqual(
    found.map(({ works }) =>
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

test('a note is exported with its citations and its references as APA has them', async () => {
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

test('a style of the user’s choice is followed, with footnotes where it has them', async () => {
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
    /citation style can’t be used/,
  );
});

test('German references speak German', async () => {
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
