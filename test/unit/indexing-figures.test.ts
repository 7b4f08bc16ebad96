import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { readJupyter } from '../../src/parsers/jupyter.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { input, makeFolder, open, origin } from '../support/opened-notebooks.ts';
import { figurePdf } from '../support/figure-pdf.ts';
import { read } from './reading-pdf-fixtures.ts';

async function openWith(document: ReadDocument, key = 'report'): Promise<NotebookIndex> {
  const index = await open(makeFolder());
  const { id } = await index.addSource('Report', origin, undefined);
  await index.putDocument(id, { ...input(document.text, key), document });
  return index;
}

test('leads from text about a figure to its caption, and cites both with the figure', async () => {
  const index = await openWith(await read(figurePdf()));
  const places = await index.passageSearch.places({ words: 'how does leakage rise with frost?' });
  const cited = index.cited.cite(
    places.flatMap(({ passage, marks }) =>
      marks.map((span) => ({
        number: 1,
        documentId: passage.documentId,
        passage,
        span,
        quote: passage.text.slice(span.start - passage.start, span.end - passage.start),
      })),
    ),
  );
  const words = 'Figure 3: Results of the northern station by year.';
  assert.deepEqual(
    cited.filter(({ figure }) => figure).map(({ quote, figure }) => [quote.slice(0, 12), figure?.words]),
    [
      ['As Figure 3 ', words],
      ['Figure 3: Re', words],
    ],
  );
  const figure = index.cited.figure(cited.find(({ figure: one }) => one)!);
  assert.equal(figure?.quote, words);
  assert.ok(figure.picture.kind === 'page' && figure.picture.caption.page === 3);
});

test('finds a caption’s passage by text about its figure elsewhere', async () => {
  const filler = Array.from(
    { length: 40 },
    (_, i) =>
      `Paragraph ${String(i)} is about nothing that anybody asks for, at some length and without an end.`,
  );
  const text = [
    'As Figure 7 shows, the marmots hibernate in October.',
    ...filler,
    'Figure 7: Temperatures by month.',
    ...filler,
  ].join('\n\n');
  const index = await openWith(readMarkdown(text));
  const { passages } = await index.passageSearch.gather({
    searches: [{ words: 'marmots hibernate October' }],
    tokens: 1_000,
  });
  assert.ok(passages.some((passage) => passage.text.includes('Figure 7: Temperatures by month.')));
});

test('cites a Jupyter cell that drew something with its image', async () => {
  const source = JSON.stringify({
    nbformat: 4,
    cells: [
      { cell_type: 'markdown', source: '# Losses' },
      {
        cell_type: 'code',
        source: 'plot_losses(winter)',
        outputs: [{ data: { 'image/png': 'aGk=', 'text/plain': '<Figure size 640x480 with 1 Axes>' } }],
      },
      { cell_type: 'code', source: 'count_valves()', outputs: [{ text: '12' }] },
    ],
  });
  const document = readJupyter(Buffer.from(source), 'losses.ipynb');
  const index = await openWith(document, 'losses.ipynb');
  const cited = (words: string): Citation => {
    const start = document.text.indexOf(words);
    const span = { start, end: start + words.length };
    return index.cited.cite([{ number: 1, documentId: 1, passage: span, span, quote: words }])[0]!;
  };
  const drawing = cited('plot_losses(winter)');
  assert.deepEqual(drawing.figure?.words, 'cell 2, output');
  assert.deepEqual(index.cited.figure(drawing)?.picture, { kind: 'cell', cell: 1, output: 0 });
  assert.equal(cited('count_valves()').figure, undefined);
});

test('ignores images that aren’t local', async () => {
  const text = [
    '# A',
    '![One](https://a.example/one.png)',
    '![Two](//a.example/two.png)',
    '![Three](javascript:alert(1))',
    '![Four](file:///etc/passwd)',
    '![Five](five.png)',
    '![Six](data:image/png;base64,AAAA)',
    '![Seven](data:text/html,AAAA)',
  ].join('\n\n');
  const index = await openWith(readMarkdown(text), 'a.md');
  const cited = index.cited.cite(
    ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven'].map((quote) => {
      const start = text.indexOf(quote);
      const span = { start, end: start + quote.length };
      return { number: 1, documentId: 1, passage: span, span, quote };
    }),
  );
  assert.deepEqual(
    cited.flatMap(({ figure }) => figure?.words ?? []),
    ['Five', 'Six'],
  );
});
