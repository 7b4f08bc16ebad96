import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { column, utf16, type EastAsianFont, type TinyLine } from '../support/tiny-pdf.ts';
import { assertRunsAreWords, fixture, read, readPages, findRectangles } from './reading-pdf-fixtures.ts';

const headingsIn = async (name: string): Promise<string[]> =>
  (await read(await fixture(`east-asian/${name}`))).headings.map(
    ({ level, title }) => `${String(level)} ${title}`,
  );

test('reads printed Japanese, Chinese, and Korean as reviewed', async () => {
  for (const name of ['vertical.pdf', 'chinese.pdf', 'korean.pdf']) {
    const document = await read(await fixture(`east-asian/${name}`));
    const reviewed = new TextDecoder().decode(await fixture(`east-asian/${name}.md`));
    assert.equal(`<!-- ${document.title ?? ''} -->\n${document.text}\n`, reviewed);
    assert.deepEqual(document.warnings, []);
    assertRunsAreWords(document);
  }
  assert.deepEqual(await headingsIn('vertical.pdf'), [
    '1 灯台守の日誌',
    '2 第一章 岬の灯',
    '2 第二章 新しい記録',
  ]);
  assert.deepEqual(await headingsIn('chinese.pdf'), ['1 灯塔手册', '2 一、灯油', '2 二、雾号']);
});

describe('vertical writing', () => {
  const vertical: EastAsianFont = { encoding: 'UniJIS-UTF16-V', collection: 'Japan1' };
  const columns = (texts: readonly string[], right = 500, top = 700): TinyLine[] =>
    texts.map((text, index) => ({
      x: right - 18 * index,
      y: top,
      size: 12,
      text: utf16(text),
      eastAsian: vertical,
    }));
  const story = [
    '灯台守の日誌、',
    '　岬の灯台は百年ものあいだ海を照',
    'らしてきた。「灯を消すな」と言った。',
    '　翌年（春）。',
  ];

  test('is located with one rectangle per column', async () => {
    const document = await read(await fixture('east-asian/vertical.pdf'));
    const [across, ...rest] = findRectangles(document, '夕方になると灯台守は');
    assert.ok(across && rest.length === 0);
    assert.ok(Math.abs(across.width - 12) < 1 && across.height > 9.5 * 12 && across.height < 11 * 12);
    const over = findRectangles(document, '階段を登り、灯油');
    assert.equal(over.length, 2);
    assert.ok(over[1]!.x < over[0]!.x && over[1]!.y > over[0]!.y, 'it goes on at the top of the next column');
    const [first] = findRectangles(document, '夕');
    const [second] = findRectangles(document, '方');
    assert.ok(first!.y > second!.y && Math.abs(first!.y + first!.height - (across.y + across.height)) < 1);
    const mixed = findRectangles(document, '技師がPythonという');
    assert.equal(mixed.length, 1, 'turned words are on the line they stand in');
  });

  test('is read by character maps if its font isn’t embedded', async () => {
    const document = await readPages({ lines: columns(story) });
    assert.equal(
      document.text,
      '灯台守の日誌、\n\n岬の灯台は百年ものあいだ海を照らしてきた。「灯を消すな」と言った。\n\n翌年（春）。',
    );
    assertRunsAreWords(document);
    const [box] = findRectangles(document, 'の日誌');
    assert.ok(
      box && Math.abs(box.x + box.width / 2 - 500) < 1 && Math.abs(box.y + box.height - (700 - 36)) < 1,
    );
  });

  test('in two rows is read row by row, with spanning text before and after', async () => {
    const { text } = await readPages({
      lines: [
        { x: 300, y: 40, text: 'Printed in Kobe' },
        ...columns(
          [
            '下の段は右から始まり左',
            'へ進んで最後の行に至る',
            '二行目も同じ長さである',
            'そして終わりに着いた。',
          ],
          500,
          340,
        ),
        ...columns(
          [
            '上の段は右から始まり左',
            'へ進んで最後の行に至る',
            '二行目も同じ長さである',
            'そして終わりに着いた。',
          ],
          500,
          700,
        ),
        { x: 72, y: 760, text: 'A story from the cape' },
      ],
    });
    const column = 'の段は右から始まり左へ進んで最後の行に至る二行目も同じ長さであるそして終わりに着いた。';
    assert.equal(text, `A story from the cape\n\n上${column}\n\n下${column}\n\nPrinted in Kobe`);
  });

  test('isn’t assumed for horizontal lines whose characters have different fonts', async () => {
    const letters = Array.from('新聞の見出し', (letter, index): TinyLine => {
      const encoding = index % 2 === 0 ? 'UniJIS-UTF16-H' : 'UniJIS-UCS2-H';
      const font: EastAsianFont = { encoding, collection: 'Japan1' };
      return { x: 72 + 20 * index, y: 760, size: 20, text: utf16(letter), eastAsian: font };
    });
    const { text } = await readPages({ lines: [...letters, ...columns(story)] });
    assert.ok(text.startsWith('新聞の見出し\n\n灯台守の日誌、'), text);
  });

  test('isn’t assumed in a table with one character per cell', async () => {
    const across: EastAsianFont = { encoding: 'UniJIS-UTF16-H', collection: 'Japan1' };
    const cell = (x: number, y: number, text: string): TinyLine => ({
      x,
      y,
      size: 12,
      text: utf16(text),
      eastAsian: across,
    });
    const rows = [
      ['区分', '男', '有'],
      ['東京', '女', '無'],
      ['大阪', '男', '無'],
    ];
    const { text } = await readPages({
      lines: rows.flatMap((row, index) =>
        row.map((words, at) => cell(72 + 150 * at, 700 - 15 * index, words)),
      ),
    });
    assert.equal(text, '| 区分 | 男 | 有 |\n| - | - | - |\n| 東京 | 女 | 無 |\n| 大阪 | 男 | 無 |');
  });
});

test('reads text in fonts that aren’t embedded in every common encoding', async () => {
  const fonts: readonly [EastAsianFont, string, string][] = [
    [
      { encoding: '90ms-RKSJ-H', collection: 'Japan1' },
      '939491e48ee782cd93fa8e8f82f08f9182ad8142',
      '灯台守は日誌を書く。',
    ],
    [
      { encoding: 'GBK-EUC-H', collection: 'GB1' },
      'bfb4cad8c8cbc3bfcdedbcecb2e9d3cdcfe4a1a3',
      '看守人每晚检查油箱。',
    ],
    [
      { encoding: 'ETen-B5-H', collection: 'CNS1' },
      'acdda675a448a843b1dfc0cbac64aa6fbd63a143',
      '看守人每晚檢查油箱。',
    ],
    [
      { encoding: 'KSCms-UHC-H', collection: 'Korea1' },
      'b5eeb4ebc1f6b1e2b4c220b5eebad2c0bb20c4d2b4d92e',
      '등대지기는 등불을 켠다.',
    ],
  ];
  for (const [eastAsian, text, words] of fonts) {
    const document = await readPages({ lines: [{ x: 72, y: 700, size: 12, text, eastAsian }] });
    assert.equal(document.text, words, eastAsian.encoding);
    assertRunsAreWords(document);
  }
});

test('finds no headings in short lines whose font was split into many', async () => {
  const fonts: readonly EastAsianFont[] = (['Japan1', 'GB1', 'CNS1'] as const).flatMap((collection) =>
    ['UCS2', 'UTF16'].map((kind) => ({
      encoding: `Uni${{ Japan1: 'JIS', GB1: 'GB', CNS1: 'CNS' }[collection]}-${kind}-H`,
      collection,
    })),
  );
  const { headings, text } = await readPages({
    lines: fonts.flatMap((eastAsian, index) =>
      Array.from({ length: index % 2 === 0 ? 2 : 4 }, (_, line) => ({
        x: 72,
        y: 700 - 100 * index - 15 * line,
        text: utf16('灯台的油'),
        eastAsian,
      })),
    ),
  });
  assert.equal(text.split('\n\n').length, fonts.length);
  assert.deepEqual(headings, []);
});

test('joins lines with or without a space by the script of the surrounding text', async () => {
  const joined = async (first: string, second: string, collection: EastAsianFont['collection']) => {
    const prefix = { Japan1: 'JIS', GB1: 'GB', CNS1: 'CNS', Korea1: 'KS' }[collection];
    const eastAsian: EastAsianFont = { encoding: `Uni${prefix}-UCS2-H`, collection };
    const lines = [first, second].map((text, index) => ({
      x: 72,
      y: 700 - 15 * index,
      text: utf16(text),
      eastAsian,
    }));
    return (await readPages({ lines })).text;
  };
  assert.equal(
    await joined('翌年、町から若い技師が', 'Python言語で書いた', 'Japan1'),
    '翌年、町から若い技師がPython言語で書いた',
  );
  assert.equal(
    await joined('保险约款的解释为', '「感染病」的规定', 'GB1'),
    '保险约款的解释为「感染病」的规定',
  );
  assert.equal(
    await joined('보험약관의 해석은 위', '「감염병예방법」에', 'Korea1'),
    '보험약관의 해석은 위 「감염병예방법」에',
  );
  const english = await readPages({
    lines: [
      { x: 72, y: 700, text: 'It says that the word for it is' },
      {
        x: 72,
        y: 685,
        text: utf16('灯台守'),
        eastAsian: { encoding: 'UniJIS-UCS2-H', collection: 'Japan1' },
      },
    ],
  });
  assert.equal(english.text, 'It says that the word for it is 灯台守');
});

test('locates Latin words and digits among ideographs', async () => {
  const document = await read(await fixture('east-asian/chinese.pdf'));
  const [year] = findRectangles(document, '1974');
  const [word] = findRectangles(document, '年以后');
  assert.ok(year && word && Math.abs(year.x + year.width - word.x) < 1.5 && word.width > 30);
});

test('reads sideways pages in lines, and leaves out sideways text in many margins', async () => {
  const line = (x: number, text: string): TinyLine => ({ x, y: 72, text, upwards: true });
  const sideways = await readPages({
    lines: [line(100, 'A table that was turned to fit'), line(114, 'goes on in its second line.')],
  });
  assert.equal(sideways.text, 'A table that was turned to fit goes on in its second line.');
  const pages = [1, 2, 3, 4].map((n) => ({
    lines: [line(20, 'Downloaded from the library'), ...column(72, 600, [`Page ${String(n)} says so much.`])],
  }));
  assert.doesNotMatch((await readPages(...pages)).text, /Downloaded/);
});
