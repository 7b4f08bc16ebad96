import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cellContext } from '../../src/core/language/tables.ts';
import { cellSpans, withOuterBars } from '../../src/core/language/markdown-lines.ts';
import { checkText } from '../../src/answers/writing/check-text.ts';
import { joinTexts, withoutStatements, type CitedText } from '../../src/answers/writing/cited-text.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { withMarks } from '../../src/core/domain/answer-markdown.ts';
import { answerAsNote, noteAsMarkdown } from '../../src/core/domain/note-markdown.ts';
import type { FoundPassage } from '../../src/core/domain/passage.ts';
import { withHeadingsFrom } from '../../src/features/research/service/report/headings.ts';
import { testCitation } from '../support/test-citation.ts';
import { rounds } from '../support/test-size.mjs';

/** Passages with one document each: passage `[n]` is document `n`. */
const passages = Array.from({ length: 9 }, (_, i): FoundPassage => {
  const text = `Zzyzx ${'ABCDEFGHI'.charAt(i)} qwv.`;
  return {
    ...{
      passageId: i + 1,
      documentId: i + 1,
      sourceId: `s${String(i)}`,
      score: 1,
      start: 0,
      end: text.length,
    },
    ...{ text, headings: [], headingSpans: [], format: 'prose', languageId: undefined },
    ...{ sourceTitle: 'Source', documentTitle: '', documentKey: '' },
  };
});

const finder = {
  cite: (requests: readonly { number: number; passage: FoundPassage; span: Citation['span'] }[]) =>
    Promise.resolve(
      requests.map(({ number, passage, span }) =>
        testCitation({
          ...{ number, documentId: passage.documentId, span, title: `D${String(passage.documentId)}` },
          ...{ passage: { start: passage.start, end: passage.end } },
          quote: passage.text.slice(span.start, span.end),
        }),
      ),
    ),
};

interface Cell {
  readonly words: string;
  /** Passages that the cell cites. */
  readonly cited: readonly number[];
}

const words = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '4 °C',
        'Keep it closed.',
        'No.',
        'a\\|b',
        'one<br>two',
        '-20',
        '**bold**',
        'e.g. this',
        '`x`',
      ),
      fc.stringMatching(/^[a-z]{1,8}$/),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => `w ${parts.join(' ')}`);
const cellArbitrary: fc.Arbitrary<Cell> = fc.oneof(
  fc.record({ words, cited: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }) }),
  fc.constant({ words: '', cited: [] }),
);
const tableArbitrary = fc.integer({ min: 2, max: 4 }).chain((columns) =>
  fc.array(fc.array(cellArbitrary, { minLength: columns, maxLength: columns }), {
    minLength: 1,
    maxLength: 5,
  }),
);

const marksOf = (numbers: readonly number[]): string =>
  numbers.map((number) => `[${String(number)}]`).join('');

/** @param hasBars whether the lines have bars at both ends */
function writeTable(rows: readonly (readonly Cell[])[], hasBars: boolean): string {
  const line = (cells: readonly string[]): string =>
    hasBars ? `| ${cells.join(' | ')} |` : cells.join(' | ');
  const columns = rows[0]?.length ?? 0;
  const texts = rows.map((row) =>
    row.map((cell) => (cell.words === '' && !hasBars ? '…' : `${cell.words} ${marksOf(cell.cited)}`.trim())),
  );
  return [
    line(Array.from({ length: columns }, (_, i) => `H${String(i)}`)),
    line(Array.from({ length: columns }, () => '---')),
    ...texts.map(line),
  ].join('\n');
}

/** Returns the sorted passages that each cell cites, in a text whose citations match `mark`. */
function citedCells(table: string, mark: RegExp, documentOf: (found: string) => number): number[][][] {
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((row) =>
      cellSpans(row).map(({ start, end }) =>
        [
          ...new Set(Array.from(row.slice(start, end).matchAll(mark), ([, found = '']) => documentOf(found))),
        ].sort(),
      ),
    );
}

function marked(cited: CitedText): string {
  return withMarks(cited, (indexes) =>
    [...new Set(indexes.map((index) => cited.citations[index]?.documentId ?? 0))]
      .map((documentId) => `[${String(documentId)}]`)
      .join(''),
  );
}

const check = (text: string): Promise<CitedText> =>
  checkText(text, passages, finder, new AbortController().signal);

test('keeps the citations of each table cell through checks, later steps, reports, notes, and exports', async () => {
  await fc.assert(
    fc.asyncProperty(tableArbitrary, fc.boolean(), async (rows, hasBars) => {
      const wanted = rows.map((row) => row.map(({ cited }) => [...cited].sort()));
      const inCells = (text: string): number[][][] => citedCells(text, /\[(\d)\]/g, Number);
      const cited = await check(`Before it.\n\n${writeTable(rows, hasBars)}\n\nBehind it [2].`);
      assert.deepEqual(inCells(marked(cited)), wanted);
      // A later step reads the table with its marks, and submits it again.
      const again = await check(marked(cited));
      assert.deepEqual(inCells(marked(again)), wanted);
      const report = withHeadingsFrom(joinTexts([await check('# One\n\nFirst [9].'), again]), 3);
      assert.deepEqual(inCells(marked(report)), wanted);
      const note = answerAsNote('Q', { kind: 'written', model: 'm', ...report }, 'inline');
      const byId = new Map(note.citations.map(({ id, citation }) => [id, citation.documentId]));
      assert.deepEqual(
        citedCells(note.text, /\]\(citation\/([\da-f]{16})/g, (id) => byId.get(id) ?? 0),
        wanted,
      );
      const exported = noteAsMarkdown(note.text, note.citations);
      const documents = new Map(
        Array.from(exported.matchAll(/^\[\^(\d+)\]: D(\d)/gm), ([, number = '', id = '']) => [
          number,
          Number(id),
        ]),
      );
      assert.deepEqual(
        citedCells(exported, /\[\^(\d+)\]/g, (number) => documents.get(number) ?? 0),
        wanted,
      );
    }),
    { numRuns: rounds(60, 2_000) },
  );
});

test('keeps citations of cells without words in the previous cell', async () => {
  const head = '| A | B | C |\n|---|---|---|\n';
  for (const [row, shown] of [
    ['| x y | cold [5] | [1] |', '| x y | cold[5][1] | |'],
    ['| x y | [5] | cold [1] |', '| x y[5] | | cold[1] |'],
    ['| [3] | warm [5] | cold |', '| | warm[3][5] | cold |'],
    ['| x y | cold [5] | warm | [1]', '| x y | cold[5] | warm[1] |'],
    ['| x y | cold | [1] |', '| x y | cold |[1] |'],
  ] as const)
    assert.equal(marked(await check(head + row)).split('\n')[2], shown);
});

test('checks each cell with citations as a statement of its own', async () => {
  const { text, statements } = await check('| A | B | C |\n|---|---|---|\n| hen | red [1] | it is old [2] |');
  assert.deepEqual(
    statements.map(({ start, end }) => text.slice(start, end)),
    ['red', 'it is old'],
  );
});

test('leaves a cell empty when its statement is removed', async () => {
  const cited = await check('| A | B | C |\n|---|---|---|\n| hen | red [1] | it is old [2] |');
  const [first] = cited.statements;
  const left = withoutStatements(cited, (statement) => statement.start === first?.start);
  assert.equal(marked(left).split('\n')[2], '| hen | | it is old[2] |');
});

test('shows a cell with its header and the name of its row', () => {
  const text = '| A | B | C |\n|---|---|---|\n| hen | red | it is old |\n';
  const start = text.indexOf('it is');
  assert.deepEqual(cellContext(text, { start, end: start + 9 }), {
    before: '| A | B | C |\n|---|---|---|\n| hen | | ',
    after: ' |',
  });
  assert.equal(cellContext('It is old.', { start: 0, end: 10 }).before, '');
});

test('adds the outer bars of tables written without them', () => {
  assert.equal(
    withOuterBars('So:\n\nA | B\n--- | ---\nx | y\\|\n\na | b'),
    'So:\n\n| A | B |\n| --- | --- |\n| x | y\\| |\n\na | b',
  );
});
