import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import type { PassageFinder } from '../../src/answers/retrieving/passage-finder.ts';
import { tableHeader } from '../../src/answers/retrieving/table-header.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readPlainText } from '../../src/parsers/plain-text.ts';
import { addedUp } from '../support/added-up.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';

async function openWith(documents: Readonly<Record<string, string>>): Promise<NotebookIndex> {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Notes', origin, undefined);
  for (const [key, text] of Object.entries(documents))
    await index.putDocument(id, { ...input(text, key), document: readMarkdown(text) });
  return index;
}

const filler = (about: string): string =>
  Array.from({ length: 12 }, (_, i) => `Paragraph ${String(i)} tells of the ${about}, at length.`).join(
    '\n\n',
  );

const handbook = `# Handbook

${filler('harbour')}

## Pumps

The pump lifts water from the well. It is oiled in spring.

${filler('valley')}

### Repairs

A pump that rattles has lost its seal. Replace the seal before the frost.

## Code

\`\`\`sh
pump start

pump stop --now
\`\`\`
`;

test('returns excerpts with the headings of their section and the matching sentences', async () => {
  const index = await openWith({ 'handbook.md': handbook, 'other.md': filler('orchard') });
  const places = await index.passageSearch.places({ words: 'why does the pump rattle?' });
  const [first] = places;
  assert.deepEqual(first?.passage.headings, ['Handbook', 'Pumps', 'Repairs']);
  const { text, start } = first.passage;
  assert.deepEqual(
    first.marks.map((mark) => text.slice(mark.start - start, mark.end - start)),
    ['A pump that rattles has lost its seal.'],
  );
  assert.ok(places.every(({ passage }) => passage.documentKey === 'handbook.md'));
});

test('explains the score of an excerpt', async () => {
  const index = await openWith({ 'handbook.md': handbook, 'other.md': filler('orchard') });
  const [first] = await index.passageSearch.places({ words: 'repairs of the pump' });
  const { words, section = 0, headings = 0 } = addedUp(first?.passage);
  assert.ok(words > 0 && section > 0 && headings > 0);
  const [quoted] = await index.passageSearch.places({ words: '"before the frost"' });
  assert.equal(addedUp(quoted?.passage).quoted, true);
});

test('ranks neighboring words of the question first', async () => {
  const index = await openWith({
    'apart.md': `${filler('harbour')}\n\nFor years the well was never dry.`,
    'together.md': `${filler('harbour')}\n\nThe gate is shut in dry years, but the well is open to all guests at any time.`,
  });
  const [first] = await index.passageSearch.places({ words: 'the well in dry years' });
  assert.equal(first?.passage.documentKey, 'together.md');
});

test('shows the subject of the question first, rather than its general words', async () => {
  const index = await openWith({
    'general.md': `${filler('harbour')}\n\nThe first page may show where people put the list, and how they find it.`,
    'subject.md': `${filler('valley')}\n\nJunk leaves the yard on Mondays, by lorry.`,
    'other.md': filler('junk'),
  });
  const [first] = await index.passageSearch.places({ words: 'show me where people put junk' });
  assert.match(first?.passage.text ?? '', /Junk|junk/);
});

test('ranks the best of several matching sentences first', async () => {
  const letter = `The door of the pump house is stuck since Monday, where the key hangs.

Nothing else is known.

The spare key of the pump house hangs in the café.`;
  const index = await openWith({ 'letter.md': letter, 'other.md': filler('house') });
  const [first] = await index.passageSearch.places({
    words: 'Where does the spare key of the pump house hang?',
  });
  const { text = '', start = 0 } = first?.passage ?? {};
  const marked = first?.marks.map((mark) => text.slice(mark.start - start, mark.end - start)) ?? [];
  assert.equal(marked.length, 2);
  assert.match(marked[0] ?? '', /^The spare key/);
});

test('returns excerpts without overlap, the longest first', async () => {
  const index = await openWith({ 'handbook.md': handbook });
  const places = await index.passageSearch.places({ words: 'harbour valley pump' });
  assert.ok(places.length > 1);
  const spans = places.map(({ passage }) => passage);
  for (const [i, a] of spans.entries())
    for (const b of spans.slice(i + 1)) assert.ok(a.end <= b.start || b.end <= a.start);
  const lengths = spans.map(({ start, end }) => end - start);
  assert.equal(Math.max(...lengths), lengths[0]);
});

test('finds the beginning of a section in any kind of block', async () => {
  for (const text of [
    '# Yield\n\n- The Wixfar bears 31 kilograms a tree.\n- Others bear less.\n',
    '- The Wixfar bears 31 kilograms a tree.\n- Others bear less.\n',
    '# Yield\n| Tree | Yield |\n|---|---|\n| Wixfar | 31 |\n',
    '# Yield\n\n```\nWixfar 31\n```\n',
  ]) {
    const [first] = await (await openWith({ 'yield.md': text })).passageSearch.places({ words: 'Wixfar' });
    assert.match(first?.passage.text ?? '', /Wixfar.* 31/);
  }
});

test('shows a block of code whole', async () => {
  const index = await openWith({ 'handbook.md': handbook });
  const [first] = await index.passageSearch.places({ words: 'pump stop now' });
  assert.match(first?.passage.text ?? '', /```sh\npump start\n\npump stop --now\n```/);
});

test('ranks a definition before passages that only mention the term more often', async () => {
  const uses = Array.from(
    { length: 8 },
    (_, i) => `Factor ${String(i)} of the factor table: a factor has levels of a factor.`,
  );
  const text = `# Guide\n\n${filler('vectors')}\n\n## Classes\n\nA factor is a vector that sorts things into classes.\n\n## Use\n\n${uses.join('\n\n')}\n`;
  const index = await openWith({ 'guide.md': text });
  const [first] = await index.passageSearch.places({ words: 'what is a factor?' });
  assert.match(first?.passage.text ?? '', /^A factor is a vector/);
  assert.ok((addedUp(first?.passage).begins ?? 0) > 0);
});

test('limits excerpts to the search scope and to those with the quoted phrase', async () => {
  const index = await openWith({
    'a.md': 'The pump is oiled in spring.',
    'b.md': 'The pump is painted green.',
  });
  const [source] = index.store.sources();
  const [a, b] = index.store.documents.ofSource(source!.id);
  const within = { kind: 'documents', documentIds: [b!.id] } as const;
  const keys = async (words: string): Promise<string[]> =>
    (await index.passageSearch.places({ words })).map(({ passage }) => passage.documentKey);
  const part = await index.passageSearch.places({ words: 'pump', within });
  assert.deepEqual(
    part.map(({ passage }) => passage.documentId),
    [b!.id],
  );
  assert.deepEqual(await keys('pump "painted green"'), ['b.md']);
  assert.deepEqual(await keys('volcano'), []);
  await index.change(() => {
    index.store.documents.removeDocuments([a!.id]);
  });
  assert.deepEqual(await keys('pump'), ['b.md']);
});

test('searches a long document with a heading on every line quickly', async () => {
  const text = Array.from({ length: 20_000 }, (_, i) => `## Pump ${String(i)}\n\nThe pump lifts.\n`).join(
    '\n',
  );
  const index = await openWith({ 'long.md': text });
  const places = await index.passageSearch.places({ words: 'which pump lifts water?' });
  assert.ok(places.length > 0);
});

const minutes = `# Minutes

The fair was held in June. Of the money for the booth 140 euros are left.

${filler('parking')}
`;
const wrapping = Array.from(
  { length: 12 },
  (_, i) => `  wrapLeft${String(i)}(left: number) {\n    return this.moneyLeft + left;\n  }`,
).join('\n\n');

async function openWithCode(): Promise<NotebookIndex> {
  const index = await openWith({ 'minutes.md': minutes });
  const { id } = await index.addSource('Code', origin, undefined);
  for (const key of ['wrap.ts', 'money.ts'])
    await index.putDocument(id, {
      ...input(wrapping, key),
      document: { ...readPlainText(`export class Wrapper {\n${wrapping}\n}`, 'text/plain'), format: 'code' },
    });
  return index;
}

test('puts prose before code when a question in prose matches names in code', async () => {
  const index = await openWithCode();
  const [first] = await index.passageSearch.places({ words: 'How much of the booth money is left?' });
  assert.match(first?.passage.text ?? '', /140 euros are left/);
  addedUp(first?.passage);
});

test('searches prose even if more passages of code match a question in prose', async () => {
  const index = await openWith({ 'minutes.md': minutes });
  const { id } = await index.addSource('Code', origin, undefined);
  const code = Array.from(
    { length: 100 },
    (_, i) =>
      `  boothMoney${String(i)}(left: number) {\n    return this.boothMoneyLeft + left;\n  }\n${'\n  this.total();'.repeat(90)}`,
  ).join('\n\n');
  await index.putDocument(id, {
    ...input(code, 'booth.ts'),
    document: { ...readPlainText(code, 'text/plain'), format: 'code' },
  });
  const places = await index.passageSearch.places({ words: 'How much of the booth money is left?' });
  assert.ok(places.some(({ passage }) => passage.documentKey === 'minutes.md'));
});

test('searches no parts of a word that only code has together', async () => {
  const index = await openWith({ 'ferry.md': 'The ferry to the island leaves at seven.' });
  const { id } = await index.addSource('Code', origin, undefined);
  const code = 'const scale = { fa: 4, re: 2 };';
  await index.putDocument(id, {
    ...input(code, 'scale.ts'),
    document: { ...readPlainText(code, 'text/plain'), format: 'code' },
  });
  const places = await index.passageSearch.places({ words: 'What is the fare of the ferry?' });
  assert.deepEqual(
    places.map(({ passage }) => passage.documentKey),
    ['ferry.md'],
  );
});

test('puts code first when the question asks for a function', async () => {
  const index = await openWithCode();
  const [first] = await index.passageSearch.places({
    words: 'Which function returns the money left?',
  });
  assert.equal(first?.passage.format, 'code');
});

test('gives a model prose before code when a question in prose matches names in code', async () => {
  const index = await openWithCode();
  const { passages } = await index.passageSearch.gather({
    searches: [{ words: 'How much of the booth money is left?' }],
    tokens: 300,
  });
  assert.match(passages[0]?.text ?? '', /140 euros are left/);
});

test('shows a heading together with the paragraph after it', async () => {
  const body = `It takes what is staged as it is, ${'and leaves all other files alone, '.repeat(8)}as long as it runs.`;
  const text = `${filler('harbour')}\n\nUndoing the mooring\n~~~~~~~~~~~~~~~~~~~\n\n${body}\n\n${filler('valley')}`;
  const index = await openWith({ 'guide.md': `# Guide\n\n${filler('mooring')}\n\n${text}` });
  const places = await index.passageSearch.places({ words: 'undoing moorings' });
  const heading = places.filter(({ passage }) => passage.text.includes('Undoing the mooring'));
  assert.ok(heading.length > 0);
  for (const { passage } of heading) assert.match(passage.text, /It takes what is staged/);
});

test('shows no line of a table of contents', async () => {
  const contents = `Pumps ${'. '.repeat(30)}3\nValves of pumps ${'. '.repeat(30)}14`;
  const index = await openWith({
    'guide.md': `${contents}\n\n${filler('harbour')}\n\nValves of pumps are oiled in spring.`,
  });
  const places = await index.passageSearch.places({ words: 'valves of pumps' });
  assert.ok(places.length > 0);
  assert.ok(places.every(({ passage }) => !passage.text.includes('. . . .')));
});

test('ranks a comment in code as prose', async () => {
  const code = `${wrapping}\n\n  // One host that answers slowly never blocks the others: each has a queue of its own.\n  queueOf(name: string) {\n    return this.queues.get(name);\n  }`;
  const index = await openWith({
    'hosts.md': `The host answers the others at the door.\n\n${filler('host')}`,
  });
  const { id } = await index.addSource('Code', origin, undefined);
  await index.putDocument(id, {
    ...input(code, 'queues.ts'),
    document: { ...readPlainText(code, 'text/plain'), format: 'code' },
  });
  const [first] = await index.passageSearch.places({
    words: 'Can one host that answers slowly block the others?',
  });
  assert.equal(first?.passage.documentKey, 'queues.ts');
});

test('begins an excerpt of code with a whole line', async () => {
  const text = `export class Wrapper {\n${wrapping}\n}`;
  const index = await openWithCode();
  const places = await index.passageSearch.places({ words: 'Which function returns the money left?' });
  assert.ok(places.length > 1);
  for (const { passage } of places)
    assert.ok(passage.start === 0 || text[passage.start - 1] === '\n', passage.text);
});

test('leaves out the heading of a text without marks at the beginning of an excerpt', async () => {
  const text = `${filler('harbour')}\n\nRisks\n\nStorms may damage ships and delay them.\n\n${filler('valley')}`;
  const index = await openWith({ 'other.md': filler('orchard') });
  const { id } = await index.addSource('Report', origin, undefined);
  const headings = [{ level: 1, title: 'Risks', offset: text.indexOf('Risks') }];
  await index.putDocument(id, {
    ...input(text, 'report.pdf'),
    document: { ...readPlainText(text, 'application/pdf'), headings },
  });
  const [first] = await index.passageSearch.places({ words: 'What are the risks of storms?' });
  assert.deepEqual(first?.passage.headings, ['Risks']);
  assert.match(first.passage.text, /^Storms may damage/);
});

/** Returns the marked sentences of each excerpt. */
async function markedFor(index: NotebookIndex, words: string): Promise<string[][]> {
  const places = await index.passageSearch.places({ words });
  return places.map(({ passage: { text, start }, marks }) =>
    marks.map((mark) => text.slice(mark.start - start, mark.end - start)),
  );
}

describe('An excerpt', () => {
  const legal = {
    'license header': `Copyright 2019 Harbor Tools. Permission is hereby granted, free of charge, to any person who obtains the crane software. The crane software is provided "as is", without warranty of any kind, and the crane may stop.`,
    contract: `This agreement constitutes the entire agreement about the crane between the harbor and the owner of the crane. IN WITNESS WHEREOF the parties to the crane have signed.`,
    'safe-harbor text': `This report contains forward-looking statements about the crane and the lifting of the crane. Actual results may differ, and the harbor undertakes no obligation to update what it says of the crane.`,
  };
  for (const [kind, text] of Object.entries(legal)) {
    it(`of a ${kind} comes after one that answers the question`, async () => {
      const index = await openWith({
        'legal.md': `# Crane\n\n${text}\n`,
        'manual.md': `# Manual\n\n${filler('pier')}\n\nIt takes the crane of the pier four minutes to lift a boat.\n`,
      });
      const [first] = await markedFor(index, 'How long does the crane take?');
      assert.match(first?.[0] ?? '', /four minutes/);
    });
  }

  it('shows legal text if the question asks about it', async () => {
    const index = await openWith({
      'legal.md': `# Crane\n\n${legal['license header']}\n`,
      'manual.md': `# Manual\n\n${filler('crane')}\n`,
    });
    const [first] = await markedFor(index, 'Which warranty does the crane software have?');
    assert.match(first?.[0] ?? '', /without warranty/);
  });

  it('marks the sentence below a title, not the title', async () => {
    for (const title of ['**Lifting a boat**', 'Lifting a boat', 'Lifting a boat:']) {
      const text = `# Manual\n\n${filler('pier')}\n\n${title}\n\nThe belts go under the keel first.\n\n${filler('valley')}\n`;
      const [first] = await markedFor(await openWith({ 'manual.md': text }), 'lifting of boats');
      assert.deepEqual(first, ['The belts go under the keel first.'], title);
    }
  });

  it('has no line of a list of links or of page numbers', async () => {
    for (const contents of [
      '- [Crane belts](#crane-belts)\n- [Crane oil](#crane-oil)\n- [Crane log](#crane-log)',
      'Contents\nCrane belts   3\nCrane oil   14\nCrane log   15',
    ]) {
      const text = `${contents}\n\n${filler('pier')}\n\nThe belts of the crane are of nylon.\n`;
      const marked = await markedFor(await openWith({ 'manual.md': text }), 'crane belts');
      assert.match(marked[0]?.[0] ?? '', /nylon/);
      assert.ok(!marked.flat().some((mark) => /crane-belts|Crane log/.test(mark)), contents);
    }
  });

  for (const { shape, columnCount, rowCount, cellLength } of [
    { shape: 'of a wide table', columnCount: 14, rowCount: 120, cellLength: 4 },
    { shape: 'longer than a block', columnCount: 60, rowCount: 120, cellLength: 8 },
    { shape: 'longer than a passage', columnCount: 12, rowCount: 30, cellLength: 300 },
  ])
    it(`with rows ${shape} has whole rows with their header`, async () => {
      const columns = Array.from({ length: columnCount }, (_, i) => `Measure ${String(i)}`);
      const rows = Array.from({ length: rowCount }, (_, i) =>
        [
          `Crane ${String(i)}x`,
          ...columns.map((_name, j) =>
            `${String(1000 + i * j)} ${'val '.repeat(80)}`.slice(0, cellLength).trim(),
          ),
        ].join(' | '),
      );
      const rule = ['', ...columns].map(() => '---').join(' | ');
      const table = [['Name', ...columns].join(' | '), rule, ...rows].map((row) => `| ${row} |`);
      const index = await openWith({ 'cranes.md': `# Cranes\n\n${table.join('\n')}\n` });
      const [place] = await index.passageSearch.places({ words: 'crane 27x' });
      assert.ok(place);
      const { passage } = place;
      const lines = passage.text.split('\n');
      assert.ok(lines.some((line) => line.startsWith('| Crane 27x |')));
      assert.deepEqual(
        lines.filter((line) => !table.includes(line)),
        [],
      );
      const at = (places: Parameters<PassageFinder['at']>[0]) =>
        Promise.resolve(index.passageSearch.passagesAt(places));
      const header = await tableHeader({ passage, span: passage }, { at });
      assert.equal((header ?? passage.text).split('\n')[0], table[0]);
    });
});
