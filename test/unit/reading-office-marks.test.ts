import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { docx, paragraph, pptx, relation, relations, shape } from '../support/office-files.ts';

const read = (bytes: Uint8Array, name: string): Promise<ReadDocument> =>
  readDocument({ bytes, name, minimumLength: 1 }, {});

describe('Word files', () => {
  const textOf = async (body: string, parts: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await read(docx(body, parts), 'a.docx')).text;
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
  const above = '<w:vertAlign w:val="superscript"/>';
  const numbered = (level: number, id = 1): string =>
    `<w:numPr><w:ilvl w:val="${String(level)}"/><w:numId w:val="${String(id)}"/></w:numPr>`;
  const level = (at: number, format: string, text: string, more = ''): string =>
    `<w:lvl w:ilvl="${String(at)}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;

  test('keep superscripts apart from the digits before them', async () => {
    assert.equal(
      await textOf(
        `<w:p>${run('About 10')}${run('6', above)}${run(' cars in 2019')}${run('12', above)}${run(' on 60 m')}${run('2', above)}</w:p>`,
      ),
      'About 10^6 cars in 2019 [12] on 60 m^2',
    );
  });

  test('keep superscripts by a style, a position, in a table, and in a link within the file', async () => {
    const styles = `<w:styles><w:style w:styleId="Base"><w:rPr>${above}</w:rPr></w:style><w:style w:styleId="Mark"><w:basedOn w:val="Base"/></w:style></w:styles>`;
    const marked = `<w:p>${run('2019')}${run('1', '<w:rStyle w:val="Mark"/>')}</w:p>`;
    const raised = `<w:p>${run('2020')}${run('2', '<w:position w:val="8"/><w:sz w:val="13"/>')}</w:p>`;
    const linked = `<w:p>${run('2021')}<w:hyperlink w:anchor="n3">${run('3', above)}</w:hyperlink></w:p>`;
    const level = `<w:p>${run('2022')}${run('4', '<w:rStyle w:val="Mark"/><w:vertAlign w:val="baseline"/>')}</w:p>`;
    const cell = (content: string): string => `<w:tc>${content}</w:tc>`;
    assert.equal(
      await textOf(
        `${raised}${linked}${level}<w:tbl><w:tr>${cell(marked)}${cell(paragraph('b'))}</w:tr><w:tr>${cell(marked)}${cell(raised)}</w:tr></w:tbl>`,
        { 'word/styles.xml': styles },
      ),
      '2020 [2]\n\n2021 [3]\n\n20224\n\n| 2019 [1] | b |\n| --- | --- |\n| 2019 [1] | 2020 [2] |',
    );
  });

  test('mark struck text and leave out hidden text', async () => {
    const styles = '<w:styles><w:style w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style></w:styles>';
    assert.equal(
      await textOf(
        `<w:p>${run('Fare ')}${run('12', '<w:strike/>')}${run(' 15', '<w:strike w:val="0"/>')}${run(' 16', '<w:dstrike w:val="true"/>')}${run(' hidden', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="false"/>')}${run(' by style', '<w:rStyle w:val="Secret"/>')}</w:p>${paragraph('all hidden', '<w:pStyle w:val="Secret"/>')}`,
        { 'word/styles.xml': styles },
      ),
      'Fare ~~12~~ 15 ~~16~~ shown',
    );
  });

  test('number paragraphs and headings as Word does', async () => {
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="5">${level(0, 'decimal', '%1.', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2')}${level(2, 'lowerLetter', '(%3)')}${level(3, 'lowerRoman', '%4)')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num></w:numbering>`;
    const styles =
      '<w:styles><w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style></w:styles>';
    const heading = (text: string): string => paragraph(text, '<w:pStyle w:val="H1"/>');
    const { text, headings } = await read(
      docx(
        `${heading('Terms')}${paragraph('Rent', numbered(1))}${paragraph('monthly', numbered(2))}${paragraph('', numbered(2))}${paragraph('in cash', numbered(3))}${paragraph('yearly', numbered(2))}${heading('End')}${paragraph('Notice', numbered(1))}`,
        { 'word/numbering.xml': numbering, 'word/styles.xml': styles },
      ),
      'a.docx',
    );
    assert.equal(
      text,
      '# 1. Terms\n\n- 1.1 Rent\n   - (a) monthly\n      - i) in cash\n   - (c) yearly\n\n# 2. End\n\n- 2.1 Notice',
    );
    assert.deepEqual(
      headings.map(({ title }) => title),
      ['1. Terms', '2. End'],
    );
  });

  test('start lists again where they say so, and share numbers between lists of one kind', async () => {
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="5">${level(0, 'upperRoman', 'Article %1')}${level(1, 'decimalZero', '%1.%2', '<w:isLgl/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="5"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="5"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="4"/></w:lvlOverride></w:num></w:numbering>`;
    assert.equal(
      await textOf(
        [
          paragraph('a', numbered(0)),
          paragraph('b', numbered(1)),
          paragraph('c', numbered(0, 2)),
          paragraph('d', numbered(0, 3)),
          paragraph('e', numbered(0, 3)),
        ].join(''),
        { 'word/numbering.xml': numbering },
      ),
      '- Article I a\n   - 1.1 b\n- Article II c\n- Article IV d\n- Article V e',
    );
  });

  test('number the cells of a table', async () => {
    const numbering = `<w:numbering><w:abstractNum w:abstractNumId="5">${level(0, 'decimal', '%1.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num></w:numbering>`;
    const row = (text: string): string =>
      `<w:tr><w:tc>${paragraph('', numbered(0))}</w:tc><w:tc>${paragraph(text)}</w:tc></w:tr>`;
    assert.equal(
      await textOf(`<w:tbl>${row('Mast')}${row('Sail')}</w:tbl>`, { 'word/numbering.xml': numbering }),
      '| 1. | Mast |\n| --- | --- |\n| 2. | Sail |',
    );
  });

  test('keep rows and cells in content controls, but not deleted rows', async () => {
    const row = (...cells: readonly string[]): string =>
      `<w:tr>${cells.map((text) => `<w:tc>${paragraph(text)}</w:tc>`).join('')}</w:tr>`;
    const control = (content: string): string =>
      `<w:sdt><w:sdtPr/><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    assert.equal(
      await textOf(
        `<w:tbl>${row('Name', 'Berth')}${control(row('Alda', '17') + control(row('Bo', '18')))}<w:customXml>${row('Cy', '19')}</w:customXml><w:tr><w:trPr><w:del/></w:trPr><w:tc>${paragraph('Gone')}</w:tc></w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>${control(`<w:tc>${paragraph('20')}</w:tc>`)}</w:tr></w:tbl>`,
      ),
      '| Name | Berth |\n| --- | --- |\n| Alda | 17 |\n| Bo | 18 |\n| Cy | 19 |\n|  | 20 |',
    );
  });

  test('show symbols of Symbol and Wingdings', async () => {
    const symbol = (font: string, code: string): string =>
      `<w:r><w:sym w:font="${font}" w:char="${code}"/></w:r>`;
    assert.equal(
      await textOf(
        `<w:p>${symbol('Wingdings', 'F0A8')}${run(' no ')}${symbol('Wingdings 2', 'F052')}${run(' yes, 5 ')}${symbol('Symbol', 'F06D')}${run('m, ')}${symbol('Symbol', '00B1')}${run('2, ')}${run('\uf0b3 3 ')}${run('D', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>')}</w:p>`,
      ),
      '☐ no ☒ yes, 5 μm, ±2, ≥ 3 Δ',
    );
  });

  test('show check boxes of older form fields', async () => {
    const box = (state: string): string =>
      `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="0"/>${state}</w:checkBox></w:ffData></w:fldChar></w:r>`;
    assert.equal(
      await textOf(`<w:p>${box('<w:checked/>')}${run(' yes ')}${box('')}${run(' no')}</w:p>`),
      '☒ yes ☐ no',
    );
  });

  test('show the values of form fields and content controls, but no prompts', async () => {
    const list =
      '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="Alm"/><w:listEntry w:val="Lund"/></w:ddList></w:ffData></w:fldChar></w:r>';
    const control = (properties: string, content: string): string =>
      `<w:sdt><w:sdtPr>${properties}</w:sdtPr><w:sdtContent>${content}</w:sdtContent></w:sdt>`;
    const choices = '<w:listItem w:displayText="Ferry A" w:value="a"/>';
    assert.equal(
      await textOf(
        [
          list,
          control('<w:dropDownList/>', run(' Brek ')),
          control(`<w:dropDownList w:lastValue="a">${choices}</w:dropDownList>`, ''),
          control('<w:showingPlcHdr/><w:text/>', run(' Enter text.')),
          run(' on '),
          control('<w:date w:fullDate="2024-03-03T00:00:00Z"/>', ''),
          run(' '),
          control('<w14:checkbox><w14:checked w14:val="1"/></w14:checkbox>', ''),
        ]
          .join('')
          .replace(/^(.*)$/s, '<w:p>$1</w:p>'),
      ),
      'Lund Brek Ferry A on 2024-03-03 ☒',
    );
  });

  test('keep text that only web layout hides, and leave out separators of styles', async () => {
    assert.equal(
      await textOf(
        `<w:p>${run('Page ')}${run('12', '<w:webHidden/>')}${run(' no', '<w:specVanish/>')}</w:p>`,
      ),
      'Page 12',
    );
  });

  test('show formulas as TeX', async () => {
    const r = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`;
    const math = (content: string): string => `<m:oMath>${content}</m:oMath>`;
    const formulas: readonly (readonly [omml: string, tex: string])[] = [
      [`<m:f><m:num>${r('1')}</m:num><m:den>${r('2')}</m:den></m:f>`, '\\frac{1}{2}'],
      [`<m:sSup><m:e>${r('r')}</m:e><m:sup>${r('2')}</m:sup></m:sSup>`, 'r^{2}'],
      [
        `<m:sSubSup><m:e>${r('x')}</m:e><m:sub>${r('i')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>${r('≤5')}`,
        'x_{i}^{2}\\le 5',
      ],
      [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>${r('2')}</m:e></m:rad>`, '\\sqrt{2}'],
      [
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup><m:e>${r('i')}</m:e></m:nary>`,
        '\\sum_{i=1}^{n} i',
      ],
      [`<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${r('0')}</m:e></m:d>`, '[0]'],
      [`<m:func><m:fName>${r('sin')}</m:fName><m:e>${r('x')}</m:e></m:func>`, '\\sin x'],
      [
        `<m:m><m:mr><m:e>${r('1')}</m:e><m:e>${r('0')}</m:e></m:mr><m:mr><m:e>${r('0')}</m:e><m:e>${r('1')}</m:e></m:mr></m:m>`,
        '\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}',
      ],
      [`<m:acc><m:accPr><m:chr m:val="\u0304"/></m:accPr><m:e>${r('x')}</m:e></m:acc>`, '\\bar{x}'],
    ];
    assert.equal(
      await textOf(
        `<w:p>${formulas.map(([omml]) => math(omml)).join(run(' or '))}</w:p><m:oMathPara>${math(r('a=b'))}</m:oMathPara>`,
      ),
      `${formulas.map(([, tex]) => `$${tex}$`).join(' or ')}\n\n$a=b$`,
    );
  });

  test('leave out the readings above Japanese characters', async () => {
    const ruby = `<w:r><w:ruby><w:rubyPr/><w:rt>${run('とうだい')}</w:rt><w:rubyBase>${run('灯台')}</w:rubyBase></w:ruby></w:r>`;
    assert.equal(await textOf(`<w:p>${run('港の')}${ruby}</w:p>`), '港の灯台');
  });

  test('keep numbers apart if they are damaged', async () => {
    const nested = `<w:p>${run('1931')}<w:p>${run('17')}</w:p><w:tc>${run('18')}</w:tc></w:p>`;
    assert.equal((await textOf(nested)).replace(/\s+/g, ' '), '1931 17 18');
    const parts = '<m:num><m:r><m:t>71</m:t></m:r></m:num><m:den><m:r><m:t>82</m:t></m:r></m:den>';
    assert.equal(await textOf(`<w:p><m:oMath>${parts}</m:oMath></w:p>`), '$71 82$');
    assert.equal((await textOf(`<w:p><w:r>${parts}</w:r></w:p>`)).replace(/\s+/g, ' '), '71 82');
    assert.equal(await textOf('<w:p><w:r><w:t>19<w:t>31</w:t></w:t></w:r></w:p>'), '19 31');
  });

  test('read the files that they contain, and warn about those of other formats', async () => {
    const chunk = (id: string): string => `<w:altChunk r:id="${id}"/>`;
    const { text, warnings } = await read(
      docx(`${paragraph('Begins.')}${chunk('rId1')}${chunk('rId2')}${chunk('rId3')}${chunk('rId4')}`, {
        'word/_rels/document.xml.rels': relations(
          relation('rId1', 'aFChunk', 'a.html'),
          relation('rId2', 'aFChunk', 'a.rtf'),
          relation('rId3', 'aFChunk', 'a.txt'),
          relation('rId4', 'aFChunk', 'a.mht'),
        ),
        'word/a.html': '<html><body><h2>Rust</h2><p>On beam 12.</p></body></html>',
        'word/a.rtf': '{\\rtf1 Some words.}',
        'word/a.txt': 'Plain words.',
        'word/a.mht': 'MIME-Version: 1.0\n\nx',
      }),
      'a.docx',
    );
    assert.equal(text, 'Begins.\n\n## Rust\n\nOn beam 12.\n\nSome words.\n\nPlain words.');
    assert.deepEqual(warnings, ['Skipped an embedded file because its format isn’t supported.']);
  });

  test('contain their charts as tables', async () => {
    assert.equal(
      await textOf(`<w:p><w:r><w:drawing><c:chart r:id="rId5"/></w:drawing></w:r></w:p>`, {
        'word/_rels/document.xml.rels': relations(relation('rId5', 'chart', 'charts/chart1.xml')),
        'word/charts/chart1.xml': chart,
      }),
      chartText,
    );
  });
});

const points = (...values: readonly string[]): string =>
  values.map((value, index) => `<c:pt idx="${String(index)}"><c:v>${value}</c:v></c:pt>`).join('');
const chart = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Cars per day</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>${points('Cars')}</c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache>${points('2019', '2020')}</c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache>${points('310', '275')}</c:numCache></c:numRef></c:val></c:ser><c:ser><c:tx><c:v>Share</c:v></c:tx><c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode>${points('0.5', '0.25')}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;
const chartText =
  'Cars per day\n\n|  | Cars | Share |\n| --- | --- | --- |\n| 2019 | 310 | 50% |\n| 2020 | 275 | 25% |';

describe('PowerPoint files', () => {
  const textOf = async (shapes: string, parts: Readonly<Record<string, string>> = {}): Promise<string> =>
    (await read(pptx(shapes, parts), 'a.pptx')).text.replace('# Slide 1\n\n', '');
  const run = (text: string, properties = ''): string =>
    `<a:r><a:rPr ${properties}/><a:t>${text}</a:t></a:r>`;

  test('keep superscripts apart and mark struck text', async () => {
    assert.equal(
      await textOf(
        shape(
          `${run('10')}${run('6', 'baseline="30000"')}${run(' in 2019')}${run('4', 'baseline="30%"')}${run(' for ')}${run('12', 'strike="sngStrike"')}${run(' 15', 'strike="noStrike"')}${run(' of 5')}${run('2', 'baseline="-25000"')}`,
        ),
      ),
      '10^6 in 2019 [4] for ~~12~~ 15 of 5_2',
    );
  });

  test('keep numbers apart if they are damaged', async () => {
    assert.equal(await textOf(shape('<a:r><a:t>2019</a:t><a:t>12</a:t></a:r>')), '2019 12');
  });

  test('decode escaped characters', async () => {
    assert.equal(
      await textOf(shape(run('2019_x000B_late, id_x005F_x0041_b stays'))),
      '2019 late, id_x0041_b stays',
    );
  });

  test('show each formula once', async () => {
    const formula =
      '<mc:AlternateContent><mc:Choice><a14:m><m:oMath><m:r><m:t>a</m:t></m:r></m:oMath></a14:m></mc:Choice><mc:Fallback><a:r><a:t>a</a:t></a:r></mc:Fallback></mc:AlternateContent>';
    assert.equal(await textOf(shape(`${run('Dose ')}${formula}`)), 'Dose $a$');
  });

  test('contain charts as tables', async () => {
    assert.equal(
      await textOf(
        '<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId5"/></a:graphicData></a:graphic></p:graphicFrame>',
        {
          'ppt/slides/_rels/slide1.xml.rels': relations(relation('rId5', 'chart', '../charts/chart1.xml')),
          'ppt/charts/chart1.xml': chart,
        },
      ),
      chartText,
    );
  });

  test('contain charts of newer kinds as tables', async () => {
    const part =
      '<cx:chartSpace><cx:chartData><cx:data id="0"><cx:strDim type="cat"><cx:lvl><cx:pt idx="0">Sales</cx:pt><cx:pt idx="1">Costs</cx:pt></cx:lvl></cx:strDim><cx:numDim type="val"><cx:lvl><cx:pt idx="0">40</cx:pt><cx:pt idx="1">-15</cx:pt></cx:lvl></cx:numDim></cx:data></cx:chartData><cx:chart><cx:plotArea><cx:plotAreaRegion><cx:series><cx:tx><cx:txData><cx:v>Crowns</cx:v></cx:txData></cx:tx><cx:dataId val="0"/></cx:series></cx:plotAreaRegion></cx:plotArea></cx:chart></cx:chartSpace>';
    assert.equal(
      await textOf(
        '<p:graphicFrame><a:graphic><a:graphicData><cx:chart r:id="rId5"/></a:graphicData></a:graphic></p:graphicFrame>',
        {
          'ppt/slides/_rels/slide1.xml.rels': relations(
            relation('rId5', 'chartEx', '../charts/chartEx1.xml'),
          ),
          'ppt/charts/chartEx1.xml': part,
        },
      ),
      '|  | Crowns |\n| --- | --- |\n| Sales | 40 |\n| Costs | -15 |',
    );
  });
});
