import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findNamedDocuments, namesIn } from '../../src/index/search/lexical/named-documents.ts';
import { ask, documentNames, markdownDocument, shownPlaces, withNotebook } from '../bench/asking.ts';

test('finds names by capitals and digits, but not by the capital at the start of a sentence', () => {
  const names = (question: string): string[] => namesIn(question).map((name) => name.join(' '));
  assert.deepEqual(names('How many people work for MGM Resorts?'), ['MGM Resorts']);
  assert.deepEqual(names('3M sold what in FY2018?'), ['3M']);
  assert.deepEqual(names('How do Johnson & Johnson and Coca-Cola compare?'), [
    'Johnson Johnson',
    'Coca Cola',
  ]);
  assert.deepEqual(names('how many people work here? Where?'), []);
  assert.deepEqual(names('Wie viel Geld ist für den Stand bei der IHK übrig?'), ['IHK']);
});

test('ignores a name that is common elsewhere, and names of which most belong to no document', () => {
  const passages = 40;
  const find = (question: string, holding: Readonly<Record<string, readonly number[]>>): number[] => {
    const count = (name: readonly string[]) =>
      (holding[name.join(' ')] ?? []).flatMap((held, documentId) =>
        held > 0 ? [{ documentId, holding: held, passages }] : [],
      );
    const named = findNamedDocuments(question, { count, countAll: () => 3 * passages });
    return [...(named?.documentIds ?? [])].toSorted((a, b) => a - b);
  };
  assert.deepEqual(find('What does MGM earn?', { MGM: [30, 1, 0] }), [0]);
  assert.deepEqual(find('What does MGM earn?', { MGM: [30, 9, 9] }), []);
  assert.deepEqual(find('What does MGM earn?', { MGM: [2, 0, 0] }), []);
  assert.deepEqual(
    find('Does Buy Corp own Best Buy?', { 'Best Buy': [40, 0, 0], 'Buy Corp': [0, 40, 0] }),
    [0, 1],
  );
  assert.deepEqual(
    find('Did Ann and Bob leave MGM?', { MGM: [30, 0, 0], Ann: [1, 0, 0], Bob: [1, 0, 0] }),
    [],
  );
});

test('answers a question that names a company from its documents', async () => {
  const report = (company: string, employees: number): string =>
    [
      `# Annual report of ${company}`,
      ...Array.from({ length: 12 }, (_, i) =>
        `## Note ${String(i)}\n\n${company} and its subsidiaries sell goods. `.repeat(20),
      ),
      `## Human capital\n\nAs of December 31, ${company} employed approximately ${String(employees)} people.`,
    ].join('\n\n');
  const future = `# Future of work\n\n${'Many people work from home, and many people work for companies that ask how people work. '.repeat(60)}`;
  const documents = [
    markdownDocument('MGMRESORTS_2022_10K', report('MGM Resorts', 65_000)),
    markdownDocument('ADOBE_2022_10K', report('Adobe', 29_239)),
    markdownDocument('NIKE_2022_10K', report('Nike', 79_100)),
    markdownDocument('Future of Work', future),
  ];
  await withNotebook(documents, async (index) => {
    const places = shownPlaces(
      await ask(index, 'How many people work for MGM Resorts?'),
      documentNames(index),
    );
    const [first] = places;
    const text = documents.find(({ key }) => key === first?.document)?.document.text ?? '';
    assert.match(text.slice(first?.start, first?.end), /65000/);
  });
});
