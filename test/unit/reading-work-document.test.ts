import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bibliographyOfItem } from '../../src/core/domain/bibliography.ts';
import { documentOfWork, openTextAddress } from '../../src/parsers/bibliography/work-document.ts';

test('reads the registry’s metadata of a reference, and notes that its text isn’t open access', () => {
  const reference = bibliographyOfItem({
    id: '10.1000/v',
    type: 'article-journal',
    title: 'Voyager: an *open* agent',
    author: [{ family: 'Wang', given: 'Guanzhi' }, { literal: 'The Crew' }],
    issued: { 'date-parts': [[2023]] },
    DOI: '10.1000/v',
    'container-title': 'Agents & Tools',
    abstract: '<jats:title>Abstract</jats:title><jats:p>It learns when x &lt; 3.</jats:p>',
  });
  const { title, text, warnings, map } = documentOfWork(reference, '10.1000/v');
  assert.equal(title, 'Voyager: an *open* agent');
  assert.equal(
    text,
    `# Voyager: an \\*open\\* agent

- Authors: Guanzhi Wang, The Crew
- Year: 2023
- Published in: Agents & Tools
- DOI: 10.1000/v

## Abstract

Abstract It learns when x < 3.

The full text of this reference isn’t publicly available. Open Notebook read only the metadata from its registry.
`,
  );
  assert.deepEqual(warnings, [
    'The full text of this reference isn’t publicly available. Open Notebook read only the metadata from its registry.',
  ]);
  assert.deepEqual(map, { kind: 'saved' });
  assert.equal(openTextAddress(reference), undefined);
});

test('reads the text from arXiv next to the page that its registry names', () => {
  const work = { title: 'A', authors: [], year: 2023, doi: undefined, arxiv: '2305.16291' };
  const at = (URL: string): string | undefined =>
    openTextAddress({ ...work, item: { id: '', type: 'article', URL } });
  assert.equal(openTextAddress(work), 'https://arxiv.org/pdf/2305.16291');
  assert.equal(at('http://127.0.0.1:8080/abs/2305.16291'), 'http://127.0.0.1:8080/pdf/2305.16291');
  assert.equal(at('https://example.com/other'), 'https://arxiv.org/pdf/2305.16291');
  assert.equal(at('javascript:/abs/2305.16291'), 'https://arxiv.org/pdf/2305.16291');
});
