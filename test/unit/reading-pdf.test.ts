// Runs in a process of its own: it replaces the clock.
import assert from 'node:assert/strict';
import { describe, mock, test } from 'node:test';
import fc from 'fast-check';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { locate, formatLocator } from '../../src/core/domain/locator.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { rounds } from '../support/test-size.mjs';
import { makeRightToLeftPdf } from '../support/right-to-left-pdf.ts';
import { column, tinyPdf, type TinyPage } from '../support/tiny-pdf.ts';
import { WatchedPdfReader } from '../support/watched-pdf-reader.ts';
import {
  assertRunsAreWords,
  fixture,
  pdfMap,
  read,
  readPages,
  findRectangles,
} from './reading-pdf-fixtures.ts';

/** Returns the runs that pdf.js finds on a page, each with the rectangle of its letters. */
async function readItems(bytes: Uint8Array, pageNumber: number) {
  const task = getDocument({ data: new Uint8Array(bytes), verbosity: 0 });
  const page = await (await task.promise).getPage(pageNumber);
  const { items } = await page.getTextContent();
  const textItems = items.flatMap((item) => {
    if (!('str' in item) || item.str.trim() === '') return [];
    const [x, y] = [item.transform[4] as number, item.transform[5] as number];
    return [{ text: item.str, x, y, width: item.width, height: item.height }];
  });
  await task.destroy();
  return textItems;
}

describe('a printed report', () => {
  test('has its title, headings by size, and text without running headers and footers', async () => {
    const document = await read(await fixture('report.pdf'));
    assert.equal(document.title, 'The Harrow Lake Report');
    assert.equal(document.format, 'markdown');
    assert.deepEqual(
      document.headings.map(({ level, title }) => `${String(level)} ${title}`),
      [
        '1 The Harrow Lake Report',
        '2 Sources of the water',
        '2 Turbine settings',
        '2 Loads on the gates',
        '2 Irrigation from the lake',
        '2 Cost of a dry year',
        '2 Records and archives',
      ],
    );
    for (const { offset, title } of document.headings)
      assert.equal(document.text.slice(offset, offset + title.length), title);
    assert.ok(!/Harrow Lake Authority|Page \d/.test(document.text));
    assert.deepEqual(document.warnings, []);
  });

  test('keeps paragraphs whole and the rows of a table together', async () => {
    const { text } = await read(await fixture('report.pdf'));
    assert.ok(
      text.includes('lower than in the drawings. Nobody at the station had expected the river to last'),
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

  test('maps every run to a word within its page, and every page to its start', async () => {
    for (const name of ['report.pdf', 'columns.pdf', 'right-to-left.pdf'])
      assertRunsAreWords(await read(await fixture(name)));
    const document = await read(await fixture('report.pdf'));
    const { pages } = pdfMap(document);
    const second = document.text.indexOf('Turbine settings');
    assert.ok(pages.some(({ start }) => start === second));
  });

  test('locates words in rectangles on their page', async () => {
    const bytes = await fixture('report.pdf');
    const document = await read(bytes);
    for (const words of ['brass plate numbered 703', 'Apples', 'South', 'ledger was measured again']) {
      const rectangles = findRectangles(document, words);
      const items = await readItems(bytes, rectangles[0]!.page);
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

  test('places each word at its run as pdf.js reports it', async () => {
    const bytes = await fixture('report.pdf');
    const document = await read(bytes);
    for (const word of ['Apples', 'Plums', 'South']) {
      const [box] = findRectangles(document, word);
      const item = (await readItems(bytes, box!.page)).find(({ text }) => text.startsWith(word));
      assert.ok(item && box, word);
      assert.ok(Math.abs(box.x - item.x) < 0.5, `${word} begins at ${String(box.x)}, not ${String(item.x)}`);
      assert.ok(box.x + box.width < item.x + item.width + 0.5, `${word} ends within its run`);
    }
  });
});

describe('columns', () => {
  test('are read one after the other, with hyphenated words joined', async () => {
    const { text } = await read(await fixture('columns.pdf'));
    assert.ok(text.includes('The committee asked for a second opinion on the basin; it came 2 months later'));
    assert.doesNotMatch(text, /[\u00ad\u2010]/);
    const headings = ['Sources of the water', 'Turbine settings', 'Loads on the gates'];
    const places = headings.map((heading) => text.indexOf(heading));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
  });

  test('come after a title over both, and are split by a line over both', async () => {
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
    const rectangles = findRectangles(document, 'expecting');
    assert.equal(rectangles.length, 2);
    assert.ok(rectangles[0]!.y > rectangles[1]!.y && rectangles[0]!.x > rectangles[1]!.x);
  });

  for (const [kind, first, second, joined] of [
    ['a compound of several words', 'The new state-of-the-', 'art radio', 'state-of-the-art radio'],
    ['a compound split before its link', 'The new state-of-', 'the-art radio', 'state-of-the-art radio'],
    ['a compound with a common first part', 'It is a well-', 'chosen berth', 'a well-chosen berth'],
    ['a compound with a common second part', 'It is a coal-', 'based fuel', 'a coal-based fuel'],
    ['a number before a word', 'There is the 10-', 'year plan', 'the 10-year plan'],
    ['a range of numbers', 'The years 1990-', '1995 were calm', '1990-1995 were'],
    ['a number after a word', 'The pre-', '1990 fleet is gone', 'pre-1990 fleet'],
    ['two names', 'This is the Anglo-', 'Saxon chronicle', 'Anglo-Saxon chronicle'],
    ['a compound with a participle', 'It is a peer-', 'reviewed text', 'a peer-reviewed text'],
    ['a verb with “in”', 'The passengers check-', 'in at six', 'passengers check-in at'],
    ['a time after another', 'In the post-', 'war years it', 'the post-war years'],
    ['a former office', 'The ex-', 'president spoke', 'The ex-president spoke'],
    ['a middle', 'A mid-', 'century house', 'A mid-century house'],
    ['a prefix before its own vowel', 'An anti-', 'inflammatory salve', 'An anti-inflammatory salve'],
    ['an acronym before a word', 'These are DNA-', 'binding parts', 'DNA-binding parts'],
    ['a single letter before a word', 'Send it by e-', 'mail today', 'by e-mail today'],
    ['an address', 'See http://example.org/long-', 'path/page.html', 'example.org/long-path/page.html'],
    ['a mail address', 'Write to harbor-', 'master@example.org', 'harbor-master@example.org'],
    ['a path', 'See /usr/share/harbor-', 'lights for more', '/usr/share/harbor-lights for'],
  ] as const)
    test(`stay in ${kind}`, async () => {
      const { text } = await readPages(page(first, second, 'and more of it.'));
      assert.ok(text.includes(joined), text);
    });

  for (const [first, second, whole] of [
    ['naviga-', 'tion', 'navigation'],
    ['short-', 'age', 'shortage'],
    ['ex-', 'pression', 'expression'],
    ['post-', 'card', 'postcard'],
    ['cab-', 'in', 'cabin'],
    ['high-', 'light', 'highlight'],
    ['cor-', 'related', 'correlated'],
    ['self-', 'ish', 'selfish'],
    ['under-', 'standing', 'understanding'],
    ['Lund-', 'gren', 'Lundgren'],
    ['socio-eco-', 'nomic', 'socio-economic'],
  ] as const)
    test(`are dropped in “${whole}”`, async () => {
      const { text } = await readPages(page(`The keeper wrote ${first}`, `${second} into the`, 'old book.'));
      assert.ok(text.includes(`wrote ${whole} into`), text);
    });

  test('are dropped if the document spells the word without a hyphen', async () => {
    const { text } = await readPages(page('A lowlevel lamp and a low-', 'level light are', 'here.'));
    assert.ok(text.includes('a lowlevel light'), text);
  });

  test('stay with a space before “and”', async () => {
    const { text } = await readPages(page('The plans are for two-', 'and three-year terms', 'here.'));
    assert.ok(text.includes('two- and three-year terms'), text);
  });

  test('stay if the word is hyphenated elsewhere', async () => {
    const { text } = await readPages(
      page('A well-known rule of every well-', 'known station is that a rule is a', 'rule.'),
    );
    assert.ok(text.includes('of every well-known station'));
  });
});

describe('right-to-left text', () => {
  test('is in reading order, with words located from right to left', async () => {
    const document = await read(await fixture('right-to-left.pdf'));
    assert.ok(document.text.includes('בשנת 1974 הגיעה תוכנה בשם Python אל התחנה.'));
    const [first] = findRectangles(document, 'המגדלור עומד');
    const [whole] = findRectangles(document, 'המגדלור עומד על הצוק');
    const [last] = findRectangles(document, 'על הצוק');
    assert.ok(first!.x > last!.x, 'what is read first stands further right');
    assert.ok(Math.abs(first!.x + first!.width - (whole!.x + whole!.width)) < 1);
  });
});

describe('pages', () => {
  test('have their printed labels, which locators show', async () => {
    const names = ['First', 'Second', 'Third'];
    const document = await read(
      tinyPdf({
        labels: '0 << /S /r /St 4 >> 2 << /S /D /P (A-) >>',
        pages: names.map((name) => ({ lines: column(72, 700, [`${name} page.`]) })),
      }),
    );
    const places = names.map((name) => {
      const start = document.text.indexOf(name);
      const locator = locate(document.text, document.map, { start, end: start + name.length });
      return locator.kind === 'pdf' && [locator.page, locator.label, formatLocator(locator, [])];
    });
    assert.deepEqual(places, [
      [1, 'iv', 'p. iv'],
      [2, 'v', 'p. v'],
      [3, 'A-1', 'p. A-1'],
    ]);
  });

  test('without text are listed, with scanned ones marked as such', async () => {
    const text = { lines: column(72, 600, ['There is text here.']) };
    const blank = { lines: [] };
    const scan = { lines: [], image: true };
    assert.deepEqual((await readPages(text, blank)).warnings, ['Page 2 has no text.']);
    const many = await readPages(text, blank, { ...text, image: true }, text, scan, scan, scan);
    assert.deepEqual(many.warnings, [
      'Pages 5–7 are images without text, so they can’t be searched or cited. Run text recognition (OCR) on the PDF, then refresh the source.',
      'Page 2 has no text.',
    ]);
    await assert.rejects(readPages(blank, blank), { code: 'too-short', message: /file\.pdf has no text\./ });
    await assert.rejects(readPages(scan, scan), { code: 'too-short', message: /all 2 pages are images/ });
    await assert.rejects(readPages(blank, scan), { code: 'too-short', message: /page 2 is an image/ });
  });

  test('with only an image and a page number count as scans', async () => {
    const pages = [1, 2, 3].map((n) => ({
      lines: [{ x: 300, y: 30, text: String(n) }, ...(n === 2 ? [] : column(72, 600, ['Some words.']))],
      image: true,
    }));
    assert.match((await readPages(...pages)).warnings.join(), /^Page 2 is an image without text/);
  });

  test('that a viewer rotates are read as seen, with rectangles of the unrotated page', async () => {
    const document = await readPages({
      rotate: 90,
      lines: [
        { x: 100, y: 72, text: 'First line of a landscape page.', upwards: true },
        { x: 114, y: 72, text: 'Second line of it.', upwards: true },
      ],
    });
    assert.equal(document.text, 'First line of a landscape page. Second line of it.');
    const [first] = findRectangles(document, 'First');
    const [page] = findRectangles(document, 'page.');
    assert.ok(first!.height > first!.width && first!.x < 101 && first!.x + first!.width > 100);
    assert.ok(page!.y > first!.y + first!.height, 'the line goes on upwards');
  });

  test('lose running headers with changing numbers and keep the text between', async () => {
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

describe('lines that repeat on pages with other numbers', () => {
  const numbers = [1, 2, 3, 4, 5];

  test('stay at the beginning of a text', async () => {
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          ...column(
            72,
            706,
            [`Ticket ${String(1000 + n)}`, `Valid on day ${String(n)} for one crossing`],
            12,
          ),
        ],
      })),
    );
    assert.equal(
      text,
      numbers
        .map((n) => `Ticket ${String(1000 + n)}\nValid on day ${String(n)} for one crossing`)
        .join('\n\n'),
    );
  });

  test('lose page numbers in several languages on two pages', async () => {
    for (const page of ['Page # of 2', 'Seite # von 2', 'Sida # av 2', 'Pagina #', 'Page # sur 2']) {
      const { text } = await readPages(
        ...[1, 2].map((n) => ({
          lines: [
            ...column(72, 700, ['The fare is paid on board.', n === 1 ? 'Keep this.' : 'And this.']),
            { x: 300, y: 30, text: page.replace('#', String(n)) },
          ],
        })),
      );
      assert.doesNotMatch(text, /\d/, page);
    }
  });

  test('stay at the end of a text, above the page number', async () => {
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          ...column(72, 110, ['The fare is paid on board.', 'Keep this part.', `Seat ${String(40 - n)}`]),
          { x: 300, y: 30, text: `Page ${String(n)} of 5` },
        ],
      })),
    );
    for (const n of numbers) assert.ok(text.includes(`Keep this part.\n\nSeat ${String(40 - n)}`), text);
    assert.doesNotMatch(text, /Page/);
  });

  test('stay if most pages have nothing else', async () => {
    const { text, warnings } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          { x: 72, y: 750, text: `Shelf ${String(n)} of the archive` },
          { x: 300, y: 30, text: String(n) },
        ],
      })),
    );
    assert.equal(text, numbers.map((n) => `Shelf ${String(n)} of the archive`).join('\n\n'));
    assert.deepEqual(warnings, []);
  });

  test('stay if their numbers don’t follow the pages', async () => {
    const { text } = await readPages(
      ...[731, 204, 655].map((n) => ({
        lines: [
          { x: 72, y: 760, text: `Invoice ${String(n)}` },
          ...column(72, 600, [`Paid in ${String(n)} days.`]),
        ],
      })),
    );
    assert.match(text, /Invoice 731[^]*Invoice 204[^]*Invoice 655/);
  });

  test('stay if they are larger than the text', async () => {
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          { x: 72, y: 740, text: `Lesson ${String(n)}`, size: 20 },
          ...column(72, 600, [`The lamp is lit in lesson ${String(n)}.`]),
        ],
      })),
    );
    for (const n of numbers) assert.ok(text.includes(`Lesson ${String(n)}\n`), text);
  });

  test('stay apart from the text of tickets and labels', async () => {
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: [
          ...column(72, 740, [`Ticket ${String(4000 + n)}`, `Seat ${String(n)}A`]),
          ...column(72, 500, ['Valid for one crossing.']),
        ],
      })),
    );
    for (const n of numbers) assert.ok(text.includes(`Ticket ${String(4000 + n)}\nSeat ${String(n)}A`), text);
  });

  test('are dropped with the number of their page, however close to the text', async () => {
    const { text } = await readPages(
      ...numbers.map((n) => ({
        lines: column(72, 706, [
          `Harbor report, page ${String(n)} of 5`,
          `Ships of day ${String(n)} came late.`,
        ]),
      })),
    );
    assert.equal(text, numbers.map((n) => `Ships of day ${String(n)} came late.`).join('\n\n'));
  });

  test('don’t hide that pages are scans', async () => {
    const stamped = numbers.map((n) => ({
      lines: [{ x: 72, y: 770, text: `Filed as document 45, sheet ${String(n)}` }],
      image: true,
    }));
    await assert.rejects(readPages(...stamped), { code: 'too-short', message: /all 5 pages are images/ });
  });
});

test('rejects a PDF that is too short', async () => {
  const bytes = tinyPdf({ pages: [{ lines: column(72, 700, ['Short.']) }] });
  await assert.rejects(read(bytes, 100), {
    code: 'too-short',
    message: /has only 6 characters of text, but a source needs at least 100/,
  });
});

test('reports progress page by page and stops when it is canceled', async () => {
  const stop = new AbortController();
  const progressReports: number[] = [];
  const reading = readDocument(
    { bytes: await fixture('report.pdf'), name: 'report.pdf', minimumLength: 1 },
    {
      signal: stop.signal,
      report: ({ done, total }) => {
        assert.ok(total >= 6);
        progressReports.push(done);
        if (done === 2) stop.abort();
      },
    },
  );
  await assert.rejects(reading, { code: 'cancelled' });
  assert.deepEqual(progressReports, [1, 2]);
});

test('reads a PDF of many pages in little memory, with words that lead to their pages', async () => {
  const count = rounds(400, 2_000);
  const sentence = 'The keeper counts the ships that pass at night and writes them down in the book.';
  const pages = Array.from({ length: count }, (_, index) => ({
    lines: [
      { x: 72, y: 770, text: 'Annals of the lighthouse' },
      ...column(72, 700, [
        ...Array.from({ length: 6 }, () => sentence),
        `This is leaf ${String(index + 1)} of it.`,
      ]),
      { x: 300, y: 20, text: String(index + 1) },
    ],
  }));
  const reader = new WatchedPdfReader(20_000, 256);
  const outcome = await reader.run({ kind: 'read', bytes: tinyPdf({ pages }), name: 'long.pdf' });
  await reader.close();
  assert.ok(outcome.kind === 'read', JSON.stringify(outcome).slice(0, 300));
  const { text, map } = outcome.document;
  assert.ok(!text.includes('Annals'));
  for (const page of [1, 100, 101, Math.floor(0.87 * count), count]) {
    const words = `leaf ${String(page)} of`;
    const start = text.indexOf(words);
    const place = locate(text, map, { start, end: start + words.length });
    assert.ok(place.kind === 'pdf' && place.page === page && place.rectangles[0]?.page === page);
  }
});

test('turns any lines of words into a text whose runs are those words', async () => {
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

test('reads a very slow PDF for a quarter of an hour, and reports that it is incomplete', async () => {
  const pages = Array.from({ length: 40 }, (_, i) => ({
    lines: [{ x: 72, y: 400, text: `The lamp of page ${String(i + 1)} is lit.` }],
  }));
  let minutes = 0;
  const clock = mock.method(performance, 'now', () => 60_000 * minutes);
  const progress: number[] = [];
  try {
    const document = await readDocument(
      { bytes: tinyPdf({ pages }), name: 'file.pdf', minimumLength: 1 },
      {
        report: ({ done, total }) => {
          minutes++;
          progress.push(done);
          assert.equal(total, 40);
        },
      },
    );
    assert.equal(progress.at(-1), 16);
    assert.equal(pdfMap(document).pages.length, 16);
    assert.match(document.text, /page 16 is lit\.$/);
    assert.deepEqual(document.warnings, [
      'Only the first 16 of 40 pages were read because the PDF is too long. To read the rest, split the PDF and add the remaining pages.',
    ]);
  } finally {
    clock.mock.restore();
  }
});

describe('right-to-left text in the order of its display', () => {
  const mirrored: Readonly<Record<string, string>> = { '(': ')', ')': '(' };
  const displayed = (text: string): string =>
    Array.from(text, (sign) => mirrored[sign] ?? sign)
      .reverse()
      .join('');
  const textOf = async (...lines: readonly string[]): Promise<string> =>
    (await read(makeRightToLeftPdf(lines))).text.replace(/\s+/g, ' ').trim();

  test('has its brackets around their words', async () => {
    assert.equal(
      await textOf(`.Wi-Fi${displayed(' (פרט לשבת) עם ')}2019${displayed('היא יוצאת בשנת ')}`),
      'היא יוצאת בשנת 2019 (פרט לשבת) עם Wi-Fi.',
    );
  });

  test('has marks after the letter that they belong to', async () => {
    assert.equal(await textOf(displayed('السَّلامُ عَلَيْكُم جميعا')), 'السَّلامُ عَلَيْكُم جميعا');
  });
});
