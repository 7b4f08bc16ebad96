import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import markdownIt from 'markdown-it';
import { lexer, type Tokens } from 'marked';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import { writeCsv, writeWorkbook } from '../../src/features/export/service/tables.ts';
import {
  tableAsNote,
  asPlainTables,
  selectRows,
  type ExportedTable,
} from '../../src/features/tables/model/export.ts';
import { citationLinks } from '../../src/core/domain/citation-links.ts';
import type { ExtractionCell } from '../../src/features/tables/model/extraction-table.ts';
import { readCsv } from '../../src/parsers/separated-values.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { assertLinear } from '../support/growth.ts';
import { writtenAnswer } from '../support/extraction-tables.ts';
import { rounds } from '../support/test-size.mjs';

function makeCell(rowId: string, columnId: string, more: Partial<ExtractionCell>): ExtractionCell {
  return {
    ...{ rowId, columnId, rowTitle: rowId, answer: undefined, question: undefined, version: undefined },
    ...{ edited: undefined, was: undefined, failure: undefined, state: 'resting' as const },
    ...more,
  };
}

/** Returns a table of two columns with given titles, questions, and cells. */
function makeTable([title, question, answered, edited]: readonly [
  string,
  string,
  string,
  string,
]): ExportedTable {
  return {
    header: {
      title: 'Extraction Table',
      columns: [
        { id: 'a', question },
        { id: 'b', question: 'Plain' },
      ],
    },
    rows: [
      { id: 'one', title },
      { id: 'two', title: 'Two' },
    ],
    cells: [
      makeCell('one', 'a', { answer: writtenAnswer('s', answered) }),
      makeCell('one', 'b', { edited }),
      makeCell('two', 'a', { answer: { kind: 'nothing', text: answered, citations: [] } }),
    ],
  };
}

/** Texts with special characters of spreadsheets, Markdown, or XML. */
const hostile = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...[
          '|',
          '\\',
          '\\|',
          '\n',
          '\r',
          '\t',
          '`',
          '``',
          '=',
          '+',
          '-',
          '@',
          '"',
          "'",
          ',',
          ';',
          '<',
          '>',
          '&',
          '$',
          '~',
        ],
        ...[
          '![x](http://evil.example/a.png)',
          '<img src=x onerror=alert(1)>',
          '[a]: javascript:x',
          '[x](command:y)',
        ],
        ...[
          '=HYPERLINK("http://evil.example")',
          '@SUM(1+1)*cmd|" /C calc"!A0',
          '\u0000',
          '\uD800',
          '\uFFFE',
          ']]>',
          '_x0041_',
        ],
        ...[
          '| --- | --- |',
          '~~~\n',
          '```\n',
          '\n\n    ',
          '---',
          '# ',
          '- ',
          '1',
          'word ',
          ' ',
          '\u2028',
          '＝',
          '\u200b=1',
        ],
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
  fc.string({ maxLength: 40 }),
);
const four = fc.tuple(hostile, hostile, hostile, hostile);

test('exports a table with its citations, and deleted rows last', () => {
  const table = makeTable(['One', 'Who?', 'Ada Berg.', 'Mine']);
  const removedRow = makeCell('three', 'a', { rowTitle: 'Gone', edited: 'Kept' });
  const [cells, cited] = asPlainTables({ ...table, cells: [...table.cells, removedRow] }, true);
  assert.deepEqual(cells?.head, ['Source', 'Who?', 'Plain']);
  assert.deepEqual(cells.rows, [
    ['One', 'Ada Berg. [not fact-checked] [L1]', 'Mine'],
    ['Two', 'Ada Berg.', ''],
    ['Gone', 'Kept', ''],
  ]);
  assert.deepEqual(cited?.rows, [['One', 'Who?', 'Source', 'L1', 'quoted words', '']]);
});

test('exports only the shown rows, in their order', () => {
  const table = makeTable(['One', 'Who?', 'Ada Berg.', 'Mine']);
  const removedRowCell = makeCell('three', 'a', { rowTitle: 'Gone', edited: 'Kept' });
  const rowsOf = (rowIds: readonly string[]): string[] => {
    const [cells] = asPlainTables(
      selectRows({ ...table, cells: [...table.cells, removedRowCell] }, rowIds),
      false,
    );
    return cells?.rows.map(([title = '']) => title) ?? [];
  };
  assert.deepEqual(rowsOf(['three', 'one', 'unknown']), ['Gone', 'One']);
  assert.deepEqual(rowsOf(['two', 'one']), ['Two', 'One']);
});

test('writes no formula into a CSV file, and reads all cells back unchanged', () => {
  fc.assert(
    fc.property(four, (texts) => {
      const [table] = asPlainTables(makeTable(texts), false);
      assert.ok(table);
      const written = Buffer.from(writeCsv(table))
        .toString()
        .replace(/^\uFEFF/, '');
      const rows = readRecords(written);
      assert.equal(rows.length, 3);
      for (const [n, cells] of [table.head, ...table.rows].entries()) {
        assert.equal(rows[n]?.length, 3);
        for (const [column, cell] of cells.entries()) {
          const read = rows[n][column] ?? '';
          const shown = cell.toWellFormed().replaceAll(/[^\P{Cc}\t\n\r]/gu, '');
          assert.ok(read === shown || read === `'${shown}`, JSON.stringify([read, cell]));
          assert.doesNotMatch(read, /^[\s\p{Cf}\0]*[=+@|%＝＋＠]/u);
          assert.doesNotMatch(read, /^\s*-(?!\d+(?:[.,]\d+)?$)/);
        }
      }
    }),
    { numRuns: rounds(60, 300) },
  );
});

/** Parses the records of a CSV file as in RFC 4180. */
function readRecords(csv: string): string[][] {
  const records: string[][] = [];
  let fields: string[] = [];
  let [field, isQuoted] = ['', false];
  for (let at = 0; at < csv.length; at++) {
    const sign = csv[at] ?? '';
    if (isQuoted) {
      if (sign !== '"') field += sign;
      else if (csv[at + 1] === '"') field += csv[++at] ?? '';
      else isQuoted = false;
    } else if (sign === '"' && field === '') isQuoted = true;
    else if (sign === ',' || (sign === '\r' && csv[at + 1] === '\n')) {
      fields.push(field);
      field = '';
      if (sign === ',') continue;
      at++;
      records.push(fields);
      fields = [];
    } else field += sign;
  }
  return records;
}

test('reads an exported CSV file as a table', () => {
  const [table] = asPlainTables(makeTable(['One, "two"', 'Who\nis it?', 'Ada; Berg', '']), false);
  assert.ok(table);
  const { text } = readCsv(writeCsv(table));
  assert.match(text, /Ada; Berg/);
});

test('writes all cells of a workbook as text, in well-formed XML', () => {
  fc.assert(
    fc.property(four, (texts) => {
      const bytes = writeWorkbook(asPlainTables(makeTable(texts), false));
      const part = openContainer(bytes, 'a.xlsx').part('xl/worksheets/sheet1.xml');
      const sheet = Buffer.from(part ?? []).toString();
      const document = parseDocument(sheet, { xmlMode: true });
      const cells = DomUtils.getElementsByTagName('c', document);
      assert.deepEqual(
        cells.map(({ attribs }) => attribs.t),
        Array.from({ length: 9 }, () => 'inlineStr'),
      );
      assert.equal(DomUtils.getElementsByTagName('t', document).length, 9);
      assert.equal(DomUtils.getElementsByTagName('f', document).length, 0);
      assert.doesNotMatch(sheet, /[^\P{Cc}\t\n\r]|[\uFFFE\uFFFF]/u);
    }),
    { numRuns: rounds(20, 100) },
  );
});

const parser = markdownIt({ html: true });

test('cites by links in a note of a table', () => {
  const { text, citations } = tableAsNote(makeTable(['One', 'Who?', 'Ada Berg.', '']), 'inline');
  assert.deepEqual(
    citationLinks(text).map(({ id }) => id),
    citations.map(({ id }) => id),
  );
  assert.equal(citations.length, 1);
});

test('writes code of several lines as text in a cell, and loads and runs nothing', () => {
  for (const code of [
    '~~~\n<img src=x onerror=alert(1)>\n~~~',
    '```\n![x](http://evil.example/a.png)\n```',
    'Words.\n\n    <img src=x onerror=alert(1)>',
    '~~~~\n[x](command:y)\n~~~~\n\nWords.',
  ])
    for (const texts of [['One', code, code, code] as const, [code, 'Who?', `\t${code}`, ''] as const]) {
      const { text } = tableAsNote(makeTable(texts), 'inline');
      const html = parser.render(text);
      assert.doesNotMatch(html, /<img|href="(?!citation\/)/, text);
      assert.equal(html.match(/<td>/g)?.length, 6, text);
    }
});

test('keeps a table in a note intact in every parser, and loads and runs nothing', () => {
  fc.assert(
    fc.property(four, (texts) => {
      const { text, citations } = tableAsNote(makeTable(texts), 'inline');
      const lines = text.trimEnd().split('\n');
      assert.equal(lines.length, 6, text);
      const root = fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
      const tables = root.children.filter(({ type }) => type === 'table');
      assert.equal(tables.length, 1, text);
      for (const row of (tables[0] as Extract<(typeof root.children)[number], { type: 'table' }>).children)
        assert.equal(row.children.length, 3, text);
      const html = parser.render(text);
      assert.equal(html.match(/<th>/g)?.length, 3, text);
      assert.equal(html.match(/<td>/g)?.length, 6, text);
      assert.doesNotMatch(html, /<img|<script|href="(?!citation\/|https?:|mailto:)/i, text);
      const marked = lexer(text).find(({ type }) => type === 'table') as Tokens.Table | undefined;
      assert.deepEqual([marked?.header.length, marked?.rows.length], [3, 2], text);
      for (const row of marked?.rows ?? []) assert.equal(row.length, 3, text);
      assert.ok(citations.length <= 1);
    }),
    { numRuns: rounds(40, 200) },
  );
});

test('exports a table in linear time', () => {
  for (const sign of ['|', '\\', '`', '!['])
    assertLinear((length) => {
      const table = makeTable(['One', 'Who?', sign.repeat(length), sign.repeat(length)]);
      tableAsNote(table, 'inline');
      for (const plain of asPlainTables(table, true)) writeCsv(plain);
    }, 2_000);
});

test('keeps the citations of an edited cell in notes and tables', () => {
  const answer = writtenAnswer('s', 'The gate is red.');
  assert.ok(answer.citations.length > 0);
  const cells = [makeCell('one', 'b', { answer, edited: 'The gate | is blue.' })];
  const table = { ...makeTable(['One', 'Gate?', 'x', 'y']), cells };
  const note = tableAsNote(table, 'inline');
  assert.match(note.text, /The gate \\\| is blue\. \[1\]\(citation\//);
  assert.equal(note.citations.length, answer.citations.length);
  const [, cited] = asPlainTables(table, false);
  assert.equal(cited?.rows.length, answer.citations.length);
  const cleared = { ...table, cells: [makeCell('one', 'b', { answer, edited: '' })] };
  assert.deepEqual(tableAsNote(cleared, 'inline').citations, []);
});
