import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { locate } from '../../src/core/domain/locator.ts';
import { column, tinyPdf, type TinyLine } from '../support/tiny-pdf.ts';
import { assertRunsAreWords, read, readPages, findRectangles } from './reading-pdf-fixtures.ts';

describe('tables', () => {
  const cells = (rows: readonly (readonly string[])[], xs: readonly number[], pitch: number) =>
    rows.flatMap((row, index) =>
      row.map((text, at) => ({ x: xs[at]!, y: 700 - pitch * index, text })).filter(({ text }) => text !== ''),
    );

  test('are read as Markdown row by row, with words that lead to their cells', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => [`Item ${String(n)}`, `${String(n)}0 kg`, `a|b ${String(n)}.50`]);
    const document = await readPages({ lines: cells(rows, [72, 222, 372], 14) });
    const written = rows.map((row) => `| ${row.join(' | ').replace('a|b', 'a\\|b')} |`);
    assert.equal(document.text, [written[0], '| - | - | - |', ...written.slice(1)].join('\n'));
    assert.equal(document.format, 'markdown');
    assertRunsAreWords(document);
    const [box] = findRectangles(document, '30 kg');
    assert.ok(box && Math.abs(box.x - 222) < 1 && box.y < 700 - 2 * 14 + 10 && box.y > 700 - 3 * 14);
  });

  test('keep wrapped cells together', async () => {
    const { text } = await readPages({
      lines: [
        ...[
          ['Part', 'What it does'],
          ['Pump', 'Lifts the water out of the'],
          ['', 'well into the tank.'],
          ['Valve', 'Closes.'],
        ].flatMap((row, index) =>
          row.flatMap((cell, at) =>
            cell === '' ? [] : [{ x: 72 + 150 * at, y: [700, 680, 668, 648][index]!, text: cell }],
          ),
        ),
      ],
    });
    assert.equal(
      text,
      '| Part | What it does |\n| - | - |\n| Pump | Lifts the water out of the well into the tank. |\n| Valve | Closes. |',
    );
  });

  test('are read without lines under spanning headers', async () => {
    const right = (edge: number, y: number, text: string): TinyLine => ({
      x: edge - 5.56 * text.length,
      y,
      text,
    });
    const row = (y: number, name: string, numbers: readonly string[], sign = ''): TinyLine[] => [
      { x: 72, y, text: `${name} ${'.'.repeat(20)}` },
      ...numbers.flatMap((text, at) => [
        ...(sign === '' ? [] : [{ x: 225 + 80 * at, y, text: sign }]),
        right(280 + 80 * at, y, text),
      ]),
    ];
    const { text } = await readPages({
      lines: [
        { x: 250, y: 700, text: 'Three months ended' },
        { x: 410, y: 700, text: 'Year ended' },
        ...['2022', '2021', '2022', '2021'].map((year, at) => right(280 + 80 * at, 684, year)),
        ...row(668, 'Net sales', ['1,210', '1,105', '4,998', '4,310'], '$'),
        ...row(654, 'Cost of grain', ['(812)', '(790)', '(3,001)', '(2,900)']),
        { x: 72, y: 640, text: 'Other:' },
        ...row(626, 'Interest', ['12', '13', '44', '41']),
      ],
    });
    assert.equal(
      text,
      [
        '| | Three months ended | | Year ended | |',
        '| - | - | - | - | - |',
        '| | 2022 | 2021 | 2022 | 2021 |',
        '| Net sales | $ 1,210 | $ 1,105 | $ 4,998 | $ 4,310 |',
        '| Cost of grain | (812) | (790) | (3,001) | (2,900) |',
        '| Other: | | | | |',
        '| Interest | 12 | 13 | 44 | 41 |',
      ].join('\n'),
    );
  });

  for (const [kind, header, pitch] of [
    ['', [], 18],
    [' under a running header', [{ x: 72, y: 760, text: 'Harbor Office' }], 18],
    [' with rows far apart', [], 27],
  ] as const)
    test(`have their header once if it repeats on each page${kind}`, async () => {
      const rowsOf = (n: number): string[][] =>
        [1, 2, 3, 4].map((row) => [
          `Town${String(n)}${String(row)}`,
          String(10 * n + row),
          String(2000 + row),
        ]);
      const numbers = [1, 2, 3, 4];
      const document = await readPages(
        ...numbers.map((n) => ({
          lines: [
            ...header,
            ...cells([['Town', 'Ships', 'Year'], ...rowsOf(n)], [72, 222, 372], pitch),
            { x: 300, y: 30, text: `${String(n)} of 4` },
          ],
        })),
      );
      const rows = numbers.flatMap(rowsOf).map((row) => `| ${row.join(' | ')} |`);
      assert.equal(document.text, ['| Town | Ships | Year |', '| - | - | - |', ...rows].join('\n'));
      assertRunsAreWords(document);
      assert.equal(findRectangles(document, 'Town33')[0]?.page, 3);
      assert.ok(document.map.kind === 'pdf');
      assert.deepEqual(
        document.map.pages.map(({ start }) => document.text.slice(start, start + 6)),
        ['Town |', 'Town21', 'Town31', 'Town41'],
      );
    });

  test('have a header of two lines once if it repeats on each page', async () => {
    const numbers = [1, 2, 3];
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          ...cells([['Ship', 'Berth', 'Length']], [72, 222, 372], 12),
          ...cells([[], ['', 'number', 'in m'], [`Ship${String(n)}`, String(n), '20']], [72, 222, 372], 12),
        ],
      })),
    );
    assert.equal(text.match(/Length/g)?.length, 1);
    assert.equal(text.match(/in m/g)?.length, 1);
    assert.match(text, /Ship1 [^]*Ship2 [^]*Ship3 /);
  });

  test('aren’t assumed in two columns, a table of contents, or a single row', async () => {
    const prose = Array.from(
      { length: 6 },
      (_, n) => `and so it goes on in line ${String(n)} of this column`,
    );
    const entries = Array.from({ length: 4 }, (_, n) => [
      `Chapter ${String(n)} . . . . . . . . . .`,
      String(n),
    ]);
    const pages = [
      { lines: [...column(40, 700, prose), ...column(330, 700, prose)] },
      { lines: cells(entries, [72, 400], 14) },
      { lines: cells([['Left', 'Right']], [72, 400], 14) },
    ];
    for (const page of pages) assert.doesNotMatch((await readPages(page)).text, /\|/);
  });
});

test('keeps lines of code and their indentation', async () => {
  const lines = ['if (turns > 17) {', '    throw new Error("no");', '    // never', '', '}'];
  const document = await readPages({
    lines: [
      { x: 72, y: 720, text: 'This is how it is wound:' },
      ...lines.flatMap((line, index) => {
        const indent = line.length - line.trimStart().length;
        return line === ''
          ? []
          : [{ x: 72 + 6 * indent, y: 690 - 12 * index, text: line.trim(), monospaced: true }];
      }),
    ],
  });
  assert.equal(document.text, `This is how it is wound:\n\n\`\`\`\n${lines.join('\n')}\n\`\`\``);
  assertRunsAreWords(document);
});

test('puts list items on lines of their own with the same marker', async () => {
  const { text } = await readPages({
    lines: column(72, 700, [
      '\\225 Oil the wheels in even years and',
      'wind the clock.',
      '\\225 Leave the dial alone.',
    ]),
  });
  assert.equal(text, '- Oil the wheels in even years and wind the clock.\n- Leave the dial alone.');
});

describe('lists', () => {
  const item = (depth: number, y: number, text: string): TinyLine => ({ x: 72 + 18 * depth, y, text });

  test('keep their levels by indentation, whatever their markers', async () => {
    const long = 'so much that it goes on until the end of its line and then some more in the';
    const { text } = await readPages({
      lines: [
        {
          x: 72,
          y: 720,
          text: `The keeper has a list of things to do before the night, and it holds ${long}`,
        },
        item(1, 707, '\\225 Oil'),
        item(2, 694, '- Fill the tank'),
        item(3, 681, '1. in winter twice,'),
        item(3, 668, '2. in summer once'),
        item(2, 655, `- Wipe the glass, which gets ${long}`),
        item(3, 642, 'autumn storms'),
        item(2, 629, '- Close the door'),
        item(1, 616, '\\225 Clock'),
        {
          x: 72,
          y: 590,
          text: `That is all of it. A list that comes after it is a list of its own, with ${long}`,
        },
        item(2, 577, '\\225 one item'),
      ],
    });
    assert.deepEqual(
      text.split('\n').filter((line) => !/^(?:The|That|$)/.test(line)),
      [
        '- Oil',
        '  - Fill the tank',
        '    1. in winter twice,',
        '    2. in summer once',
        `  - Wipe the glass, which gets ${long} autumn storms`,
        '  - Close the door',
        '- Clock',
        '- one item',
      ],
    );
  });

  test('continue on the next page and in the next column', async () => {
    const words = 'is an item that fills its line';
    const { text } = await readPages(
      { lines: [item(0, 100, `1. This ${words}`), item(1, 87, `a. This ${words}`)] },
      { lines: [item(1, 700, `b. This ${words}`), item(0, 687, `2. This ${words}`)] },
    );
    assert.equal(text, `1. This ${words}\n  a. This ${words}\n  b. This ${words}\n2. This ${words}`);
    const rows = (x: number, first: number): TinyLine[] =>
      [0, 1, 1, 0, 1].map((depth, index) => ({
        x: x + 14 * depth,
        y: 700 - 12.5 * index,
        text: `\\225 Item ${String(first + index)} of them ${words}`,
      }));
    const columns = await readPages({ lines: [...rows(72, 1), ...rows(330, 6)] });
    assert.deepEqual(
      columns.text.split('\n').map((line) => line.indexOf('-')),
      [0, 2, 2, 0, 2, 0, 2, 2, 0, 2],
    );
  });
});

describe('headings', () => {
  const body = (top: number): TinyLine[] =>
    column(
      72,
      top,
      Array.from({ length: 6 }, () => 'The keeper counts the ships that pass at night and writes them down.'),
    );
  const describeHeadings = ({ headings }: ReadDocument): string[] =>
    headings.map(({ level, title }) => `${String(level)} ${title}`);

  test('follow the outline, found by text or position, with others nested below them', async () => {
    const document = await read(
      tinyPdf({
        pages: [
          { lines: [{ x: 72, y: 720, text: '1   The Lamp', size: 16 }, ...body(690), ...body(500)] },
          { lines: [{ x: 72, y: 720, text: 'Oil', size: 14 }, ...body(690), ...body(400)] },
        ],
        outline: [
          { title: '1 The lamp', page: 0, items: [{ title: 'Lighting it', page: 0, top: 512 }] },
          { title: '2 Of ships', page: 1, top: 412 },
        ],
      }),
    );
    assert.deepEqual(describeHeadings(document), ['1 1 The lamp', '2 Lighting it', '3 Oil', '1 2 Of ships']);
    const heights = document.headings.map(({ offset }) => {
      const [word = ''] = document.text.slice(offset).split(/\s/, 1);
      const place = locate(document.text, document.map, { start: offset, end: offset + word.length });
      return place.kind === 'pdf' && [place.page, Math.round((place.rectangles[0]?.y ?? 0) / 10)];
    });
    assert.deepEqual(heights, [
      [1, 72],
      [1, 50],
      [2, 72],
      [2, 40],
    ]);
  });

  test('of the size of the text are recognized by their weight, unlike captions and sentences', async () => {
    const bold = (y: number, text: string): TinyLine => ({ x: 72, y, text, bold: true });
    const document = await readPages({
      lines: [
        { x: 72, y: 740, text: 'On lamps', size: 18 },
        bold(710, 'Winding'),
        ...body(690),
        bold(600, 'Figure 3: The lamp from below'),
        ...body(580),
        bold(490, 'Never touch it.'),
        ...body(470),
      ],
    });
    assert.deepEqual(describeHeadings(document), ['1 On lamps', '2 Winding']);
  });

  test('directly above text are recognized by their weight, unlike labels of a figure', async () => {
    const sentence =
      'The keeper counts the ships that pass at night and writes them down in the book of the station.';
    const text = (top: number): TinyLine[] => column(72, top, [sentence, sentence, 'That is all.']);
    const label = (y: number, text: string): TinyLine => ({ x: 250, y, text, bold: true });
    const document = await readPages({
      lines: [
        ...text(720),
        { x: 72, y: 682.5, text: '(1) Counting', bold: true },
        ...text(670),
        ...['Lens', 'Lamp', 'Oil tank'].map((words, index) => label(600 - 40 * index, words)),
        ...text(480),
      ],
    });
    assert.deepEqual(describeHeadings(document), ['1 (1) Counting']);
    assert.ok(document.text.includes('That is all.\n\n(1) Counting\n\nThe keeper'));
  });

  test('are read from an outline that is circular or leads nowhere', async () => {
    const text = Buffer.from(
      tinyPdf({
        pages: [{ lines: body(700) }],
        outline: [
          { title: 'One', page: 0 },
          { title: 'Two', page: 7 },
          { title: 'Three', page: 0, top: 1e9 },
        ],
      }),
    ).toString('latin1');
    const circle = text.replace(
      /\/Next (\d+) 0 R >>/g,
      (_, next) => `/First ${String(next)} 0 R /Next 7 0 R >>`,
    );
    for (const file of [text, circle]) {
      const document = await read(Buffer.from(file, 'latin1'));
      assert.ok(document.headings.every(({ offset }) => offset < document.text.length));
    }
  });
});

test('keeps superscripts and subscripts apart from the digits beside them', async () => {
  const at = (text: string, x: number, y = 600, size = 12): TinyLine => ({ text, x, y, size });
  const document = await readPages({
    lines: [
      at('About 10', 72),
      at('6', 120.04, 604.5, 7),
      at(' cars crossed in 2019', 123.93),
      at('12', 237.98, 604.5, 7),
      at(', at 60 m', 245.76),
      at('2', 292.45, 604.5, 7),
      at(' each and CO', 296.34),
      at('2', 370.38, 598, 7),
      at(' fell.', 374.28),
    ],
  });
  assert.equal(document.text, 'About 10^6 cars crossed in 2019 [12], at 60 m2 each and CO2 fell.');
  assert.equal(findRectangles(document, '[12]').length, 1);
  assertRunsAreWords(document);
});
