import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { locate } from '../../src/core/domain/locator.ts';
import { numberKind, numberText } from '../../src/parsers/office/number-format.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { epub, openDocument, word, xlsx } from '../support/office-files.ts';

const read = (bytes: Uint8Array, name: string): Promise<ReadDocument> =>
  readDocument({ bytes, name, minimumLength: 1 }, {});
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('OpenDocument files', () => {
  const style = (name: string, properties: string, family = 'text', more = ''): string =>
    `<style:style style:name="${name}" style:family="${family}" ${more}><style:text-properties ${properties}/></style:style>`;
  const span = (name: string, text: string): string =>
    `<text:span text:style-name="${name}">${text}</text:span>`;
  const styles = [
    style('Up', 'style:text-position="super 58%"'),
    style('Higher', 'style:text-position="33% 58%"'),
    style('Low', 'style:text-position="-20% 80%"'),
    style('Child', '', 'text', 'style:parent-style-name="Up"'),
    style('Gone', 'style:text-line-through-style="solid"'),
    style('Kept', 'style:text-line-through-style="none"'),
    style('Hidden', 'text:display="none"'),
  ].join('');
  const textOf = async (body: string, parts: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await read(openDocument('text', body, styles, parts), 'a.odt')).text;

  test('keep superscripts and subscripts apart from the digits beside them', async () => {
    assert.equal(
      await textOf(
        `<text:h>In 2018${span('Up', '1')}</text:h><text:p>10${span('Up', '6')} in 2019${span('Higher', '12')}, 2020${span('Child', '3')}, log${span('Low', '2')}8</text:p><table:table><table:table-row><table:table-cell><text:p>2021${span('Up', '4')}</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>c</text:p></table:table-cell></table:table-row></table:table>`,
      ),
      '# In 2018 [1]\n\n10^6 in 2019 [12], 2020 [3], log_2 8\n\n| 2021 [4] | b |\n| --- | --- |\n| c |  |',
    );
  });

  test('mark struck text and leave out hidden text', async () => {
    assert.equal(
      await textOf(
        `<text:p>${span('Gone', '12')} ${span('Kept', '15')}${span('Hidden', ' secret')}<text:hidden-text text:is-hidden="true" text:string-value="x">x</text:hidden-text></text:p><text:section text:display="none"><text:p>Internal.</text:p></text:section><text:section><text:p>Shown.</text:p></text:section>`,
      ),
      '~~12~~ 15\n\nShown.',
    );
  });

  test('keep numbers apart if they are damaged', async () => {
    assert.equal(
      (
        await textOf(
          '<text:p>1931<text:p>17</text:p><table:table-cell>18</table:table-cell><text:h>19</text:h></text:p>',
        )
      ).replace(/\s+/g, ' '),
      '1931 17 18 19',
    );
  });

  test('show formulas as TeX', async () => {
    const math = (content: string): string =>
      `<math:math><math:semantics>${content}<math:annotation math:encoding="StarMath 5.0">x</math:annotation></math:semantics></math:math>`;
    const half = '<math:mfrac><math:mn>1</math:mn><math:mn>2</math:mn></math:mfrac>';
    const square = '<math:msup><math:mi>r</math:mi><math:mn>2</math:mn></math:msup>';
    const frame = (object: string): string => `<draw:frame>${object}</draw:frame>`;
    assert.equal(
      await textOf(
        `<text:p>Dose ${frame(`<draw:object>${math(half)}</draw:object>`)}, area ${frame('<draw:object xlink:href="./Object 1"/><draw:image xlink:href="a.png"/>')}.</text:p>`,
        { 'Object 1/content.xml': math(square) },
      ),
      'Dose $\\frac{1}{2}$, area $r^{2}$.',
    );
  });

  test('keep superscripts and formulas without results in the cells of a sheet', async () => {
    const cell = (text: string): string =>
      `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
    const { text } = await read(
      openDocument(
        'spreadsheet',
        `<table:table table:name="S"><table:table-row>${cell('Item')}${cell('Cost')}</table:table-row><table:table-row>${cell(`2019${span('Up', '1')}`)}<table:table-cell table:formula="of:=SUM([.B2:.B3])" office:value-type="float"/></table:table-row></table:table>`,
        styles,
      ),
      'a.ods',
    );
    assert.equal(text, '# S\n\n| Item | Cost |\n| --- | --- |\n| 2019 [1] | =SUM(B2:B3) |');
  });
});

describe('RTF files', () => {
  const textOf = async (body: string): Promise<string> =>
    (await read(bytesOf(`{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}{\\f2\\fcharset2 Symbol;}}${body}}`), 'a.rtf'))
      .text;

  test('keep superscripts and subscripts apart from the digits beside them', async () => {
    assert.equal(
      await textOf(
        '10{\\super 6} in 2019\\super 12\\nosupersub , 2020{\\up6\\fs14 3}, H{\\sub 2}O, log{\\dn6 2}8{\\footnote A {\\super 1}note in 2021{\\super 2}.}',
      ),
      '10^6 in 2019 [12], 2020 [3], H2O, log_2 8[1]\n\n# Notes\n\n[1] A [1] note in 2021 [2].',
    );
  });

  test('mark struck text and leave out hidden and deleted text', async () => {
    assert.equal(
      await textOf(
        '{\\strike 12} 15 {\\striked1 16}{\\striked0  17}{\\v hidden}{\\deleted old} {\\revised new} \\v a\\plain b',
      ),
      '~~12~~ 15 ~~16~~ 17 new b',
    );
  });

  test('are read in UTF-16', async () => {
    const source = Buffer.from('\ufeff{\\rtf1\\ansi Die Fähre – 10{\\super 6} Паром.}', 'utf16le');
    assert.equal((await read(new Uint8Array(source), 'a.rtf')).text, 'Die Fähre – 10^6 Паром.');
  });

  test('keep the cells of a table in a footnote apart', async () => {
    assert.match(await textOf('A{\\footnote B \\trowd 1931\\cell 17\\cell\\row C}'), /\[1\] B 1931 17 +C/);
  });

  test('keep the last cell of a row that doesn’t end', async () => {
    assert.equal(
      await textOf('\\trowd 1931\\cell 17\\row\\trowd 1968\\cell 250\\cell\\row'),
      '| 1931 | 17 |\n| --- | --- |\n| 1968 | 250 |',
    );
  });

  test('show characters of Symbol', async () => {
    assert.equal(
      await textOf("5 {\\f2 \\'6d}m, {\\f2 \\'b1}2, {\\f2\\u-3917 ?}3, {\\f2 D}"),
      '5 μm, ±2, ≥3, Δ',
    );
  });
});

describe('Excel files', () => {
  test('show times over a day and fixed digits', () => {
    const shown = (value: number, code: string): string => numberText(value, numberKind(164, code), false);
    assert.equal(shown(1.5, '[h]:mm'), '36:00');
    assert.equal(shown(1.04241898148148, '[hh]:mm:ss'), '25:01:05');
    assert.equal(shown(-0.0625, '[h]:mm;[Red]-[h]:mm'), '-1:30');
    assert.equal(shown(0.0625, '[mm]:ss'), '90:00');
    assert.equal(shown(0.001, '[s]'), '86');
    assert.equal(numberText(2.104166666667, numberKind(46, undefined), false), '50:30:00');
    assert.equal(shown(1234, '00000'), '01234');
    assert.equal(shown(1020003, '000\\-00\\-0000'), '001-02-0003');
    assert.equal(shown(12, '"INV-"0000;@'), 'INV-0012');
    assert.equal(shown(123456, '0000'), '123456');
    assert.equal(shown(12.5, '0000'), '12.5');
    assert.equal(shown(12.5, '0.00'), '12.5');
    assert.equal(shown(1e300, '[h]:mm'), '1e+300');
    assert.equal(shown(1.5, 'yyyy "[h]"'), '1900-01-01 12:00');
  });

  test('decode escaped characters', async () => {
    const { text } = await read(
      xlsx(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="str"><v>a_x000A_b</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>',
        {
          'xl/sharedStrings.xml':
            '<sst><si><t>Quay 5_x000D_\nLund</t></si><si><t>id_x005F_x0041_b</t></si></sst>',
        },
      ),
      'a.xlsx',
    );
    assert.equal(text, '# Data\n\n| Quay 5 Lund | a b |\n| --- | --- |\n| id_x0041_b |  |');
  });

  test('keep superscripts apart and mark struck text in a cell', async () => {
    const run = (text: string, properties = ''): string => `<r><rPr>${properties}</rPr><t>${text}</t></r>`;
    const rich = (reference: string, content: string): string =>
      `<c r="${reference}" t="inlineStr"><is>${content}</is></c>`;
    const { text } = await read(
      xlsx(
        `<row r="1">${rich('A1', run('10') + run('6', '<vertAlign val="superscript"/>'))}${rich('B1', run('12', '<strike/>') + run(' 15'))}</row><row r="2">${word('A2', 'a')}</row>`,
      ),
      'a.xlsx',
    );
    assert.equal(text, '# Data\n\n| 10^6 | ~~12~~ 15 |\n| --- | --- |\n| a |  |');
  });

  test('show formulas without saved results, and warn', async () => {
    const { text, warnings } = await read(
      xlsx(
        `<row r="1">${word('A1', 'Item')}${word('B1', 'Cost')}</row><row r="2">${word('A2', 'Total')}<c r="B2"><f>SUM(B1:B1)</f><v/></c></row><row r="3">${word('A3', 'Empty')}<c r="B3" t="str"><f>""</f><v></v></c></row>`,
      ),
      'a.xlsx',
    );
    assert.equal(text, '# Data\n\n| Item | Cost |\n| --- | --- |\n| Total | =SUM(B1:B1) |\n| Empty |  |');
    assert.deepEqual(warnings, [
      'Data: The file has no results for some formulas. Open and save it in a spreadsheet program, then add it again.',
    ]);
  });
});

describe('CSV files', () => {
  const textOf = async (text: string): Promise<string> => (await read(bytesOf(text), 'a.csv')).text;

  test('use a row of years or a series of numbers as header', async () => {
    assert.match(await textOf('Town,2020,2021\nLund,5,6\n'), /^\| Town \| 2020 \| 2021 \|\n/);
    assert.match(await textOf('"Town";2019;2020\nLund;5;6\n'), /^\| Town \| 2019 \| 2020 \|\n/);
    assert.match(await textOf('Size,36,37,38\nLund,5,6,9\n'), /^\| Size \| 36 \| 37 \| 38 \|\n/);
    assert.match(
      await textOf('Lund,1990,2001\nAlm,1992,2004\n'),
      /^\| Column 1 \| Column 2 \| Column 3 \|\n/,
    );
    assert.match(await textOf('Lund,5,6\nAlm,7,8\n'), /^\| Column 1 \|/);
  });

  test('use the separator that they name', async () => {
    for (const first of ['sep=;', '"sep=;"', '\ufeffsep=;'])
      assert.equal(
        await textOf(`${first}\r\nName;Betrag\r\n"Müller; Anna";"1.234,50"\r\n`),
        '| Name | Betrag |\n| --- | --- |\n| Müller; Anna | 1.234,50 |',
      );
  });

  test('have their titles above the table, with their lines', async () => {
    const document = await read(
      bytesOf('Report of the harbour,,\nCreated 2024-03-01\n\nTown,Ships,Crew\nLund,5,7\nAlm,7,9\n'),
      'a.csv',
    );
    assert.equal(
      document.text,
      'Report of the harbour\n\nCreated 2024-03-01\n\n| Town | Ships | Crew |\n| --- | --- | --- |\n| Lund | 5 | 7 |\n| Alm | 7 | 9 |',
    );
    for (const [words, line] of [
      ['Created 2024', 1],
      ['Alm', 5],
    ] as const) {
      const start = document.text.indexOf(words);
      const locator = locate(document.text, document.map, { start, end: start + words.length });
      assert.ok(locator.kind === 'lines' && locator.start.line === line, JSON.stringify(locator));
    }
  });

  test('have a header of years alone', async () => {
    assert.equal(
      await textOf('2019,2020,2021\n12,7,3\n'),
      '| 2019 | 2020 | 2021 |\n| --- | --- | --- |\n| 12 | 7 | 3 |',
    );
  });

  test('have one column if no row has more', async () => {
    assert.equal(await textOf('Town\nLund\nAlm\n'), '| Town |\n| --- |\n| Lund |\n| Alm |');
  });
});

describe('EPUB books', () => {
  const xhtml = 'application/xhtml+xml';
  const page = (body: string, head = ''): string => `<html><head>${head}</head><body>${body}</body></html>`;

  test('keep the text behind elements that close themselves', async () => {
    const { text } = await read(
      epub([['a.xhtml', xhtml]], {
        'a.xhtml': page(
          '<h1>One</h1><p>Before <b/>the <em title="a > b"/>ferry<sup/> <a id="x"/>leaves.<br/>Now.</p><textarea/><p>After <iframe src="x"/>all.</p>',
          '<title/><style type="text/css"/><script src="x.js"/>',
        ),
      }),
      'a.epub',
    );
    assert.equal(text.replace(/\s+/g, ' '), '# One Before the ferry leaves. Now. After all.');
  });

  test('keep chapters of older types and in other letter case, but no images', async () => {
    const { text, warnings } = await read(
      epub(
        [
          ['Text/A.xhtml', 'text/x-oeb1-document'],
          ['b.xhtml', 'application/x-dtbook+xml'],
          ['c.html', 'text/plain'],
          ['d.png', 'image/png'],
        ],
        {
          'text/a.xhtml': page('<p>One.</p>'),
          'b.xhtml': page('<p>Two.</p>'),
          'C.HTML': page('<p>Three.</p>'),
          'd.png': 'x',
        },
      ),
      'a.epub',
    );
    assert.equal(text, 'One.\n\nTwo.\n\nThree.');
    assert.deepEqual(warnings, []);
  });

  const chapter = async (body: string): Promise<string> =>
    (await read(epub([['a.xhtml', xhtml]], { 'a.xhtml': page(body) }), 'a.epub')).text;

  test('have formulas as TeX, with or without a prefix', async () => {
    const math = 'xmlns="http://www.w3.org/1998/Math/MathML"';
    assert.equal(
      await chapter(`<p>Area <math ${math}><msup><mn>10</mn><mn>2</mn></msup></math> in all.</p>`),
      'Area $10^{2}$ in all.',
    );
    const prefixed = '<m:mfrac><m:mn>1</m:mn><m:mn>2</m:mn></m:mfrac>';
    assert.equal(
      await chapter(`<p>Half <m:math ${math.replace('xmlns', 'xmlns:m')}>${prefixed}</m:math> of it.</p>`),
      'Half $\\frac{1}{2}$ of it.',
    );
  });

  test('have no numbers of printed pages within their text', async () => {
    assert.equal(
      await chapter(
        '<p>In 19<span epub:type="pagebreak" id="p12">12</span>90 the fer<span role="doc-pagebreak">13</span>ry sailed.</p>',
      ),
      'In 1990 the ferry sailed.',
    );
  });
});

describe('Jupyter notebooks', () => {
  const textOf = async (data: Readonly<Record<string, unknown>>): Promise<string> => {
    const outputs = [{ output_type: 'display_data', data }];
    const notebook = { cells: [{ cell_type: 'code', source: 'x', outputs }], metadata: {} };
    return (await read(bytesOf(JSON.stringify(notebook)), 'a.ipynb')).text
      .split('\n')
      .slice(5, -1)
      .join('\n');
  };

  test('show outputs of HTML, LaTeX, or JSON alone', async () => {
    assert.equal(await textOf({ 'text/html': '<b>Only html</b> says <i>so</i>' }), 'Only html says so');
    assert.equal(
      await textOf({
        'text/html': '<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>',
      }),
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    );
    assert.equal(await textOf({ 'text/latex': ['$\\frac{1}', '{2}$'] }), '$\\frac{1}{2}$');
    assert.equal(await textOf({ 'application/json': { ferry: 'late' } }), '{\n "ferry": "late"\n}');
  });

  test('prefer the words of HTML to the name of an object', async () => {
    const html = 'The ferry is late';
    assert.equal(
      await textOf({ 'text/html': html, 'text/plain': '<IPython.core.display.HTML object>' }),
      html,
    );
    assert.equal(await textOf({ 'text/html': html, 'text/plain': '<a.B at 0x7f>' }), html);
    assert.equal(await textOf({ 'text/html': html, 'text/plain': 'Late' }), 'Late');
    assert.equal(await textOf({ 'image/png': 'x', 'text/plain': '<a.B at 0x7f>' }), '<a.B at 0x7f>');
  });

  test('are read with numbers that JSON doesn’t allow', async () => {
    const { text } = await read(
      bytesOf(
        '{"cells": [{"cell_type": "code", "source": "NaN, Infinity", "outputs": [], "metadata": {"a": NaN, "b": [-Infinity, Infinity, -1]}}]}',
      ),
      'a.ipynb',
    );
    assert.equal(text, '```python\nNaN, Infinity\n```');
  });
});

describe('Markdown files', () => {
  const data = 'iVBORw0KGgo'.repeat(2000);
  const cases: readonly (readonly [what: string, text: string, expected: string])[] = [
    ['an image', `Before\n\n![i](data:image/png;base64,${data}==)\n\nAfter`, 'Before\n\n![i]()\n\nAfter'],
    [
      'a reference',
      `![][image1]\n\n[image1]: <data:image/png;base64,${data}>\n\nAfter`,
      '![][image1]\n\n[image1]: <>\n\nAfter',
    ],
    [
      'an HTML image',
      `<img alt="A" src='data:image/svg+xml;charset=utf-8;base64,${data}'/> after`,
      `<img alt="A" src=''/> after`,
    ],
    [
      'data in lines',
      `<img src="data:image/png;base64,\n${(data.match(/.{1,76}/g) ?? []).join('\n')}"> after`,
      '<img src=""> after',
    ],
    ['an SVG in letters', `![i](data:image/svg+xml,%3Csvg${'%20x'.repeat(100)}%3E) after`, '![i]() after'],
    ['a short URI', 'See data:text/plain;base64,SGk= here', 'See data:text/plain;base64,SGk= here'],
  ];
  for (const [what, text, expected] of cases)
    test(`leave out the data of a file in ${what}`, async () => {
      const document = await read(bytesOf(text), 'a.md');
      assert.equal(document.text, expected);
      const start = document.text.search(/[Aa]fter/);
      if (start < 0) return;
      const locator = locate(document.text, document.map, { start, end: start + 5 });
      assert.ok(locator.kind === 'lines');
      const line = text.split('\n')[locator.start.line] ?? '';
      assert.match(line.slice(locator.start.character), /^[Aa]fter/);
    });
});
