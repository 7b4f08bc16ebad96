import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { OffsetMap, ReadDocument } from '../../src/notebook/document.ts';
import type { PageRectangle } from '../../src/notebook/locator.ts';
import { locate } from '../../src/notebook/locator.ts';
import { setPdfResources } from '../../src/reading/pdf/engine.ts';
import { readDocument } from '../../src/reading/registry.ts';
import type { TinyPage } from '../support/tiny-pdf.ts';
import { column, tinyPdf } from '../support/tiny-pdf.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

type PdfMap = Extract<OffsetMap, { kind: 'pdf' }>;

const fixture = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(new URL(`../fixtures/reading/${name}`, import.meta.url)));

const read = (bytes: Uint8Array, minimumLength = 1): Promise<ReadDocument> =>
  readDocument({ bytes, name: 'file.pdf', minimumLength }, {});

const readPages = (...pages: readonly TinyPage[]): Promise<ReadDocument> => read(tinyPdf({ pages }));

function mapOf(document: ReadDocument): PdfMap {
  assert.ok(document.map.kind === 'pdf');
  return document.map;
}

function rectanglesOf(document: ReadDocument, words: string): readonly PageRectangle[] {
  const start = document.text.indexOf(words);
  assert.notEqual(start, -1, `“${words}” is not in the text`);
  const locator = locate(document.text, document.map, { start, end: start + words.length });
  assert.ok(locator.kind === 'pdf');
  return locator.rectangles;
}

/** What pdf.js itself finds on a page: each run with the rectangle of its letters. */
async function itemsOf(bytes: Uint8Array, pageNumber: number) {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const page = await (await task.promise).getPage(pageNumber);
  const { items } = await page.getTextContent();
  const found = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [x, y] = [item.transform[4] as number, item.transform[5] as number];
    return [{ text: item.str, x, y, width: item.width, height: item.height }];
  });
  await task.destroy();
  return found;
}

function assertRunsAreWords({ text, map }: ReadDocument): void {
  const { starts, ends, boxes, pageOf, pages } = map as PdfMap;
  let last = 0;
  for (const [run, start] of starts.entries()) {
    const end = ends[run]!;
    assert.ok(start >= last && end > start && end <= text.length, `run ${String(run)} is out of order`);
    assert.match(text.slice(start, end), /^\S+$/);
    const page = pages[pageOf[run]!]!;
    const [x, y, width, height] = boxes.subarray(4 * run, 4 * run + 4);
    assert.ok(width! > 0 && height! > 0);
    assert.ok(x! > -1 && y! > -1 && x! + width! < page.width + 1 && y! + height! < page.height + 1);
    last = end;
  }
  // All that the runs leave out is space and the marks of tables and code.
  let rest = '';
  for (let run = 0, at = 0; run <= starts.length; at = ends[run++] ?? 0) rest += text.slice(at, starts[run]);
  assert.match(rest, /^(?:\s|\||-(?= \|)|```)*$/);
}

describe('a printed report', () => {
  test('has its title, its headings by size, and its text without running headers and footers', async () => {
    const document = await read(await fixture('report.pdf'));
    assert.equal(document.title, 'The Harrow Lake Report');
    assert.equal(document.format, 'markdown');
    assert.deepEqual(
      document.headings.map(({ level, title }) => `${String(level)} ${title}`),
      [
        '1 The Harrow Lake Report',
        '2 Where the water comes from',
        '2 How the turbines are set',
        '2 What the gates have to bear',
        '2 Whom the lake feeds',
        '2 What a dry year costs',
        '2 Who keeps the records',
      ],
    );
    for (const { offset, title } of document.headings)
      assert.equal(document.text.slice(offset, offset + title.length), title);
    assert.ok(!/Harrow Lake Authority|Page \d/.test(document.text));
    assert.deepEqual(document.warnings, []);
  });

  test('keeps paragraphs whole and a table’s rows together', async () => {
    const { text } = await read(await fixture('report.pdf'));
    assert.ok(
      text.includes('lower than the drawings say. Nobody at the station had expected the river to hold'),
    );
    assert.ok(
      text.includes(
        '\n\n| Turbine | Built | Output |\n| - | - | - |\n| North | 1961 | 42 MW |\n| South | 1974 | 57 MW |\n| Spare | 1980 | 12 MW |\n\n',
      ),
    );
    assert.ok(
      text.includes('Apples are watered from May to August by the eastern channel, which is opened at six'),
    );
  });

  test('every run of the map is a word within its page, and every page begins at its text', async () => {
    for (const name of ['report.pdf', 'columns.pdf', 'right-to-left.pdf'])
      assertRunsAreWords(await read(await fixture(name)));
    const document = await read(await fixture('report.pdf'));
    const { pages } = mapOf(document);
    const second = document.text.indexOf('How the turbines are set');
    assert.ok(pages.some(({ start }) => start === second));
  });

  test('words of the text lead to rectangles that hold them on their page', async () => {
    const bytes = await fixture('report.pdf');
    const document = await read(bytes);
    for (const words of ['brass plate numbered 703', 'Apples', 'South', 'ledger was measured again']) {
      const rectangles = rectanglesOf(document, words);
      const items = await itemsOf(bytes, rectangles[0]!.page);
      const covered = items.filter(({ x, y, width, height }) =>
        rectangles.some(
          (box) =>
            box.x < x + width &&
            x < box.x + box.width &&
            box.y < y + 0.5 * height &&
            y + 0.5 * height < box.y + box.height,
        ),
      );
      const seen = covered.map(({ text }) => text).join(' ');
      for (const word of words.split(' ')) assert.ok(seen.includes(word), `${word} in ${seen}`);
    }
  });

  test('a word stands where pdf.js says that its run begins, and ends within it', async () => {
    const bytes = await fixture('report.pdf');
    const document = await read(bytes);
    for (const word of ['Apples', 'Plums', 'South']) {
      const [box] = rectanglesOf(document, word);
      const item = (await itemsOf(bytes, box!.page)).find(({ text }) => text.startsWith(word));
      assert.ok(item && box, word);
      assert.ok(Math.abs(box.x - item.x) < 0.5, `${word} begins at ${String(box.x)}, not ${String(item.x)}`);
      assert.ok(box.x + box.width < item.x + item.width + 0.5, `${word} ends within its run`);
    }
  });
});

describe('columns', () => {
  test('are read one after the other, with words joined over hyphens', async () => {
    const { text } = await read(await fixture('columns.pdf'));
    assert.ok(text.includes('The committee asked for a second opinion on the basin; it came 2 months later'));
    assert.doesNotMatch(text, /[\u00ad\u2010]/);
    const headings = [
      'Where the water comes from',
      'How the turbines are set',
      'What the gates have to bear',
    ];
    const places = headings.map((heading) => text.indexOf(heading));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test('a title over both columns comes first, a line over both parts what is above from what is below', async () => {
    const left = [
      'The left column begins with these',
      'words and goes on for some lines',
      'until it comes to its end here.',
    ];
    const right = [
      'The right column has other words',
      'that must not be mixed with those',
      'of the left one in any case.',
    ];
    const { text } = await readPages({
      lines: [
        { x: 72, y: 740, text: 'A title that reaches over the whole width', size: 22 },
        ...column(72, 700, left),
        ...column(320, 700, right),
        {
          x: 72,
          y: 640,
          text: 'One long line between them that reaches from the left margin over the gutter to the right margin.',
        },
        ...column(
          72,
          610,
          left.map((line) => line.toUpperCase()),
        ),
        ...column(
          320,
          610,
          right.map((line) => line.toUpperCase()),
        ),
      ],
    });
    const order = [
      'A title',
      'The left',
      'its end here',
      'The right',
      'any case',
      'One long',
      'THE LEFT',
      'ITS END',
      'THE RIGHT',
    ];
    const places = order.map((words) => text.indexOf(words));
    assert.ok(places.every((place) => place >= 0));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });
});

describe('tables', () => {
  const cells = (rows: readonly (readonly string[])[], xs: readonly number[], pitch: number) =>
    rows.flatMap((row, index) =>
      row.map((text, at) => ({ x: xs[at]!, y: 700 - pitch * index, text })).filter(({ text }) => text !== ''),
    );

  test('are written in Markdown, row by row, and their words lead to their cells', async () => {
    const rows = [1, 2, 3, 4, 5].map((n) => [`Item ${String(n)}`, `${String(n)}0 kg`, `a|b ${String(n)}.50`]);
    const document = await readPages({ lines: cells(rows, [72, 222, 372], 14) });
    const written = rows.map((row) => `| ${row.join(' | ').replace('a|b', 'a\\|b')} |`);
    assert.equal(document.text, [written[0], '| - | - | - |', ...written.slice(1)].join('\n'));
    assert.equal(document.format, 'markdown');
    assertRunsAreWords(document);
    const [box] = rectanglesOf(document, '30 kg');
    assert.ok(box && Math.abs(box.x - 222) < 1 && box.y < 700 - 2 * 14 + 10 && box.y > 700 - 3 * 14);
  });

  test('with wrapped cells keep each cell together', async () => {
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

  test('are not seen in text of two columns, in a table of contents, or in a single row', async () => {
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

test('code keeps its lines and their indentation', async () => {
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

test('items of a list stand on lines of their own with one mark for all', async () => {
  const { text } = await readPages({
    lines: column(72, 700, [
      '\\225 Oil the wheels in even years and',
      'wind the clock.',
      '\\225 Leave the dial alone.',
    ]),
  });
  assert.equal(text, '- Oil the wheels in even years and wind the clock.\n- Leave the dial alone.');
});

describe('hyphens at line ends', () => {
  const page = (first: string, second: string, third: string): TinyPage => ({
    lines: column(72, 700, [first, second, third]),
  });

  test('are dropped, and the joined word leads to both its parts', async () => {
    const document = await readPages(
      page('Nobody at the station had been expec-', 'ting the river to rise so far above', 'the mark.'),
    );
    assert.ok(document.text.includes('had been expecting the river'));
    assertRunsAreWords(document);
    const rectangles = rectanglesOf(document, 'expecting');
    assert.equal(rectangles.length, 2);
    assert.ok(rectangles[0]!.y > rectangles[1]!.y && rectangles[0]!.x > rectangles[1]!.x);
  });

  test('stay where the word is written with one elsewhere', async () => {
    const { text } = await readPages(
      page('A well-known rule of every well-', 'known station is that a rule is a', 'rule.'),
    );
    assert.ok(text.includes('of every well-known station'));
  });
});

describe('right-to-left text', () => {
  test('is in reading order, and its words stand from right to left', async () => {
    const document = await read(await fixture('right-to-left.pdf'));
    assert.ok(document.text.includes('בשנת 1974 הגיעה תוכנה בשם Python אל התחנה.'));
    const [first] = rectanglesOf(document, 'המגדלור עומד');
    const [whole] = rectanglesOf(document, 'המגדלור עומד על הצוק');
    const [last] = rectanglesOf(document, 'על הצוק');
    assert.ok(first!.x > last!.x, 'what is read first stands further right');
    assert.ok(Math.abs(first!.x + first!.width - (whole!.x + whole!.width)) < 1);
  });
});

describe('pages', () => {
  test('have their printed labels, which locators name', async () => {
    const document = await read(
      tinyPdf({
        labelPrefix: 'A-',
        pages: [{ lines: column(72, 700, ['First page.']) }, { lines: column(72, 700, ['Second page.']) }],
      }),
    );
    const start = document.text.indexOf('Second');
    const locator = locate(document.text, document.map, { start, end: start + 6 });
    assert.equal(locator.kind === 'pdf' && locator.label, 'A-2');
    assert.equal(locator.kind === 'pdf' && locator.page, 2);
  });

  test('without text are named, scanned ones as such', async () => {
    const text = { lines: column(72, 600, ['There is text here.']) };
    const blank = { lines: [] };
    const scan = { lines: [], image: true };
    assert.deepEqual((await readPages(text, blank)).warnings, ['Page 2 holds no text.']);
    const many = await readPages(text, blank, { ...text, image: true }, text, scan, scan, scan);
    assert.deepEqual(many.warnings, [
      'Pages 5–7 are images without text, so nothing on them can be found or cited; run text recognition on the PDF and refresh it.',
      'Page 2 holds no text.',
    ]);
    await assert.rejects(readPages(blank, blank), { code: 'too-short', message: /file\.pdf holds no text;/ });
    await assert.rejects(readPages(scan, scan), { code: 'too-short', message: /all 2 pages are images/ });
    await assert.rejects(readPages(blank, scan), { code: 'too-short', message: /page 2 is an image/ });
  });

  test('that show a picture and a page number alone are scans too', async () => {
    const pages = [1, 2, 3].map((n) => ({
      lines: [{ x: 300, y: 30, text: String(n) }, ...(n === 2 ? [] : column(72, 600, ['Some words.']))],
      image: true,
    }));
    assert.match((await readPages(...pages)).warnings.join(), /^Page 2 is an image without text/);
  });

  test('that a viewer turns are read as they are seen, with rectangles of the unturned page', async () => {
    const document = await readPages({
      rotate: 90,
      lines: [
        { x: 100, y: 72, text: 'First line of a landscape page.', upwards: true },
        { x: 114, y: 72, text: 'Second line of it.', upwards: true },
      ],
    });
    assert.equal(document.text, 'First line of a landscape page. Second line of it.');
    const [first] = rectanglesOf(document, 'First');
    const [page] = rectanglesOf(document, 'page.');
    assert.ok(first!.height > first!.width && first!.x < 101 && first!.x + first!.width > 100);
    assert.ok(page!.y > first!.y + first!.height, 'the line goes on upwards');
  });

  test('running headers with changing numbers are left out, the text between stays', async () => {
    const pages = [1, 2, 3, 4].map((n) => ({
      lines: [
        { x: 72, y: 760, text: `Annals of testing, volume ${String(n)}` },
        ...column(72, 600, [`Only page ${String(n)} says this.`]),
        { x: 300, y: 30, text: String(n) },
      ],
    }));
    const { text } = await readPages(...pages);
    assert.equal(text, [1, 2, 3, 4].map((n) => `Only page ${String(n)} says this.`).join('\n\n'));
  });
});

test('too short a PDF is refused', async () => {
  const bytes = tinyPdf({ pages: [{ lines: column(72, 700, ['Short.']) }] });
  await assert.rejects(read(bytes, 100), {
    code: 'too-short',
    message: /holds 6 characters of text, and 100 are needed/,
  });
});

test('progress is told page by page, and reading stops when asked to', async () => {
  const stop = new AbortController();
  const told: number[] = [];
  const reading = readDocument(
    { bytes: await fixture('report.pdf'), name: 'report.pdf', minimumLength: 1 },
    {
      signal: stop.signal,
      report: ({ done, total }) => {
        assert.ok(total >= 6);
        told.push(done);
        if (done === 2) stop.abort();
      },
    },
  );
  await assert.rejects(reading, { code: 'cancelled' });
  assert.deepEqual(told, [1, 2]);
});

test('any lines of words become a text whose runs are those words', async () => {
  const word = fc.stringMatching(/^[A-Za-z0-9.,()-]{1,12}$/);
  const line = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 3 }),
      async (pages) => {
        const document = await readPages(...pages.map((lines) => ({ lines: column(72, 600, lines) })));
        assertRunsAreWords(document);
        const letters = (text: string) => text.replace(/[\s-]/g, '');
        assert.equal(letters(document.text), letters(pages.flat().join('')));
      },
    ),
    { numRuns: 30 },
  );
});
