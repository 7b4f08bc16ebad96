// Changes the structure of files at random: nesting, order, attributes, encodings, and parts. Each file must be read or
// rejected with a sentence, and no number may come that isn't in the file. Numbers are compared after the decoding of
// the format, and these sources of other numbers are allowed:
// - the numbers of lists, numbered headings, and numbered cells, at the beginning of a line or cell
// - the names of columns without a header (`Column 2`), of slides (`Slide 3`), of notes (`[1]`), and of the points of
//   charts without one (`1`)
// - the date of a mail, which is written in UTC
// - the numbers of cells as their formats show them, such as dates and percentages
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeZip } from '../../src/features/export/service/zip.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { numberKind, numberText } from '../../src/parsers/office/number-format.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';

import { wholeBelow } from '../support/durability-random.ts';
import {
  numbersInHtml,
  numbersInRtf,
  numbersInText,
  numbersInXml,
  unknownNumbers,
} from '../support/known-numbers.ts';
import { mutatedBytes, randomOf } from '../support/mutations.ts';
import {
  docx,
  epub,
  openDocument,
  paragraph,
  pptx,
  relation,
  relations,
  shape,
  word,
  xlsx,
} from '../support/office-files.ts';
import {
  inAnyEncoding,
  pickOne,
  withOtherStructure,
  type Structure,
} from '../support/structural-mutations.ts';
import { rounds } from '../support/test-size.mjs';
import { tinyPdf, type TinyLine } from '../support/tiny-pdf.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

type Random = () => number;

/** A changed file, and the numbers that its text may contain. */
interface ChangedFile {
  readonly bytes: Uint8Array;
  readonly numbers: ReadonlySet<string>;
}

/** Number of parts, so that each ends in time on a busy machine. */
const PARTS = rounds(1, 8);

/** Tests a format with `usual` changed files, or with 2,000 in all tests. */
function testChanges(
  name: string,
  usual: number,
  change: (random: Random, seed: number) => ChangedFile,
  { computed, pageUrl }: { readonly computed?: RegExp; readonly pageUrl?: string } = {},
): void {
  const count = rounds(usual, 2_000 / PARTS);
  for (let part = 0; part < PARTS; part++)
    test(`reads or rejects ${name} with another structure, part ${String(part + 1)}`, async () => {
      let readCount = 0;
      const failures: string[] = [];
      for (let seed = part * count + 1; seed <= (part + 1) * count; seed++) {
        const { bytes, numbers } = change(randomOf(seed), seed);
        const text = await readOrRefused(bytes, name, pageUrl, seed);
        if (text === undefined) continue;
        readCount++;
        const shown = text.replace(/\bColumn \d+/g, ' ');
        const unknown = unknownNumbers(
          computed === undefined ? shown : shown.replace(computed, ' '),
          numbers,
        );
        if (unknown.length > 0) failures.push(`Seed ${String(seed)}: ${unknown.join(', ')}\n${text}`);
      }
      assert.deepEqual(failures, [], name);
      assert.ok(readCount > 0, `no file was read of ${name}`);
    });
}

/** Returns the text of a file; undefined if it was rejected with a sentence. Any other error fails the test. */
async function readOrRefused(
  bytes: Uint8Array,
  name: string,
  pageUrl: string | undefined,
  seed: number,
): Promise<string | undefined> {
  try {
    const type = pageUrl === undefined ? {} : { pageUrl, mediaType: 'text/html' };
    return (await readDocument({ bytes, name: pageUrl ?? name, minimumLength: 1, ...type }, {})).text;
  } catch (error) {
    if (!(error instanceof NotebookError)) throw new Error(`${name}, seed ${String(seed)}`, { cause: error });
    assert.match(error.message, /^\S[^\n]+\.$/, `${name}, seed ${String(seed)}`);
    return undefined;
  }
}

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/reading/${name}`, import.meta.url));

/** Tests a text format: the structure of its fixtures changes, and then their encoding. */
function testTexts(
  name: string,
  usual: number,
  texts: readonly string[],
  structure: Structure,
  numbersIn: (text: string) => Set<string>,
  options?: { readonly computed?: RegExp; readonly pageUrl?: string },
): void {
  testChanges(
    name,
    usual,
    (random, seed) => {
      const text = withOtherStructure(texts[seed % texts.length] ?? '', structure, random);
      const bytes = inAnyEncoding(text, random);
      // A wrong byte can end a control word or a tag.
      return { bytes, numbers: new Set([...numbersIn(text), ...numbersIn(bytes.toString('latin1'))]) };
    },
    options,
  );
}

type Parts = Readonly<Record<string, Uint8Array>>;

function partsOf(bytes: Uint8Array): Parts {
  const container = openContainer(bytes, 'a.zip');
  return Object.fromEntries(container.names.map((name) => [name, container.part(name) ?? new Uint8Array()]));
}

/** Returns a container with changes to one or two of its parts, or to which part is where. */
function changedContainer(parts: Parts, random: Random): { bytes: Uint8Array; texts: string[] } {
  const changed: Record<string, Uint8Array> = { ...parts };
  const names = Object.keys(parts);
  const pickName = (): string => {
    // The parts with the text are the largest.
    const markup = names.filter((name) => /(?:xml|rels|opf|html)$/.test(name));
    const [one, other] = [pickOne(markup, random) ?? '', pickOne(markup, random) ?? ''];
    return (parts[one]?.length ?? 0) > (parts[other]?.length ?? 0) ? one : other;
  };
  const texts = names.map((name) => Buffer.from(parts[name] ?? []).toString());
  for (let count = 1 + wholeBelow(random, 2); count > 0; count--) {
    const name = pickName();
    const content = changed[name] ?? new Uint8Array();
    const kind = random();
    if (kind < 0.04) changed[`${name}.old`] = content;
    if (kind < 0.04) changed[name] = new Uint8Array();
    else if (kind < 0.08) {
      const other = pickName();
      [changed[name], changed[other]] = [changed[other] ?? content, content];
    } else {
      const text = withOtherStructure(Buffer.from(content).toString(), 'markup', random);
      const encoded = inAnyEncoding(text, random);
      // A wrong byte can end a tag.
      texts.push(text, encoded.toString('latin1'));
      changed[name] = encoded;
    }
  }
  const bytes = makeZip(changed);
  return { bytes: random() < 0.03 ? bytes.subarray(0, wholeBelow(random, bytes.length)) : bytes, texts };
}

function testContainers(
  name: string,
  usual: number,
  files: readonly Uint8Array[],
  kind: 'html' | 'office',
  computed?: RegExp,
  moreNumbers: (texts: readonly string[]) => Iterable<string> = () => [],
): void {
  const all = files.map(partsOf);
  testChanges(
    name,
    usual,
    (random, seed) => {
      const { bytes, texts } = changedContainer(all[seed % all.length] ?? {}, random);
      const numbers = new Set(
        texts.flatMap((text) => [...(kind === 'html' ? numbersInHtml(text) : numbersInXml(text))]),
      );
      for (const number of moreNumbers(texts)) numbers.add(number);
      return { bytes, numbers };
    },
    computed === undefined ? {} : { computed },
  );
}

const LIST_NUMBER =
  /^\s*(?:(?:[-#|>]|\\?\[\d+\]) ?)*[(\p{L}§ ]{0,12}\d{1,3}(?:\.\d{1,3})*[.)]*(?= |$)|(?<=[| ])\d{1,2}\.(?= )/gmu;
const NOTE = /\[\d{1,2}\]/g;
const LIST_NUMBER_OR_NOTE = new RegExp(
  `${LIST_NUMBER.source}|${NOTE.source}|(?<=[| ])\\d{1,2}\\.(?= )`,
  'gmu',
);

const raisedRun = (text: string, raised: string): string =>
  `<w:r><w:t>${text}</w:t></w:r><w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>${raised}</w:t></w:r>`;
const numberedBy = (level: number): string =>
  `<w:numPr><w:ilvl w:val="${String(level)}"/><w:numId w:val="1"/></w:numPr>`;
const wordFile = docx(
  `${paragraph('Terms', '<w:pStyle w:val="Heading1"/>')}<w:p>${raisedRun('In 2019', '12')}<w:r><w:t> there were 10</w:t></w:r>${raisedRun('', '6')}<w:r><w:t> cars.</w:t></w:r></w:p>${paragraph('Rent of 450 crowns', numberedBy(0))}${paragraph('due on day 15', numberedBy(1))}<w:tbl><w:tr><w:tc>${paragraph('1931')}</w:tc><w:tc>${paragraph('17')}</w:tc></w:tr><w:tr><w:tc>${paragraph('1968')}</w:tc><w:tc><w:p>${raisedRun('2020', '3')}</w:p></w:tc></w:tr></w:tbl><w:p><m:oMath><m:f><m:num><m:r><m:t>71</m:t></m:r></m:num><m:den><m:r><m:t>82</m:t></m:r></m:den></m:f></m:oMath></w:p>`,
  {
    'word/styles.xml':
      '<w:styles><w:style w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>',
    'word/numbering.xml':
      '<w:numbering><w:abstractNum w:abstractNumId="5"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl><w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1.%2"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="5"/></w:num></w:numbering>',
  },
);
testContainers('a.docx', 60, [wordFile, fixture('office/ferry.docx')], 'office', LIST_NUMBER_OR_NOTE);

const slideFile = pptx(
  `${shape('<a:r><a:t>In 2019</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>12</a:t></a:r><a:r><a:t> cars</a:t></a:r>')}${shape('<a:r><a:t>Fare of 450</a:t></a:r>')}<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="rId5"/></a:graphicData></a:graphic></p:graphicFrame>`,
  {
    'ppt/slides/_rels/slide1.xml.rels': relations(relation('rId5', 'chart', '../charts/chart1.xml')),
    'ppt/charts/chart1.xml':
      '<c:chartSpace><c:chart><c:plotArea><c:barChart><c:ser><c:tx><c:v>Cars</c:v></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>1990</c:v></c:pt><c:pt idx="1"><c:v>1995</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>310</c:v></c:pt><c:pt idx="1"><c:v>275</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>',
  },
);
testContainers(
  'a.pptx',
  30,
  [slideFile, fixture('office/orchard.pptx')],
  'office',
  /\bSlide \d+|^\| \d+ \|/gm,
);

const FORMATS = ['0.0%', 'yyyy-mm-dd', '[h]:mm', '00000', 'h:mm'];
const bookFile = xlsx(
  `<row r="1">${word('A1', 'Year')}${word('B1', 'Share')}${word('C1', 'Day')}</row>${[1, 2, 3]
    .map(
      (n) =>
        `<row r="${String(n + 1)}"><c r="A${String(n + 1)}"><v>${String(1990 + n)}</v></c><c r="B${String(n + 1)}" s="1"><v>0.${String(124 + n)}</v></c><c r="C${String(n + 1)}" s="2"><v>${String(45_000 + n)}</v></c><c r="D${String(n + 1)}" s="3"><v>1.5</v></c><c r="E${String(n + 1)}" t="inlineStr"><is><r><t>2019</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>12</t></r></is></c></row>`,
    )
    .join('')}`,
  {
    'xl/styles.xml': `<styleSheet><numFmts>${FORMATS.map((code, index) => `<numFmt numFmtId="${String(164 + index)}" formatCode="${code}"/>`).join('')}</numFmts><cellXfs><xf numFmtId="0"/>${FORMATS.map((_, index) => `<xf numFmtId="${String(164 + index)}"/>`).join('')}</cellXfs></styleSheet>`,
  },
);
/** Returns the numbers of the values in the sheets of a workbook as every format shows them. */
function* shownNumbers(texts: readonly string[]): Generator<string> {
  const values = new Set(
    texts.flatMap((text) => text.replace(/<[^<>]*>/g, ' ').match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi) ?? []),
  );
  const codes = texts.flatMap((text) =>
    Array.from(text.matchAll(/formatCode\s*=\s*["']([^"']*)["']/g), ([, code = '']) => code),
  );
  const kinds = [
    ...[...FORMATS, ...codes].map((code) => numberKind(164, code.replaceAll('&quot;', '"'))),
    ...[9, 14, 18, 22, 45, 46].map((id) => numberKind(id, undefined)),
    'number' as const,
  ];
  for (const value of values)
    for (const kind of kinds)
      for (const is1904 of [false, true]) yield* numberText(Number(value), kind, is1904).match(/\d+/g) ?? [];
}
testContainers('a.xlsx', 30, [bookFile, fixture('office/stores.xlsx')], 'office', undefined, shownNumbers);

const openStyles =
  '<style:style style:name="Up" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style>';
const openText = openDocument(
  'text',
  '<text:h text:outline-level="1">Terms of 1850</text:h><text:p>In 2019<text:span text:style-name="Up">12</text:span> there were 10<text:span text:style-name="Up">6</text:span> cars.</text:p><text:list><text:list-item><text:p>Rent of 450</text:p></text:list-item><text:list-item><text:p>Day 15</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>1931</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>17</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>1968</text:p></table:table-cell><table:table-cell><text:p>250</text:p></table:table-cell></table:table-row></table:table>',
  openStyles,
);
testContainers('a.odt', 30, [openText, fixture('office/ferry.odt')], 'office', LIST_NUMBER_OR_NOTE);
testContainers('a.ods', 10, [fixture('office/stores.ods')], 'office');
testContainers('a.odp', 15, [fixture('office/orchard.odp')], 'office', /\bSlide \d+/g);

const book = epub(
  [
    ['a.xhtml', 'application/xhtml+xml'],
    ['b.xhtml', 'application/xhtml+xml'],
  ],
  {
    'a.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>One</title></head><body><h1>Part 17</h1><p>In 2019<sup>12</sup> there were 10<sup>6</sup> cars in 450 days.</p><ol start="41"><li>Rope of 82 m</li><li>Chain of 93 m</li></ol></body></html>',
    'b.xhtml':
      '<html><body><h1>Two</h1><table><tr><td rowspan="2">1931</td><td>17</td></tr><tr><td>250</td></tr></table><p>By 1968 <em>71</em><b>4</b> ships.</p></body></html>',
  },
);
testContainers('a.epub', 60, [book, fixture('office/lamps.epub')], 'html', LIST_NUMBER_OR_NOTE);

const page =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The ferry of 1850</title></head><body><nav><a href="/1">Start 61</a></nav><main><article><h1>The ferry</h1><p>The chain ferry crosses the sound every 23 minutes, and in 2019<sup>12</sup> there were 10<sup>6</sup> cars on weekdays.</p><p>In winter the chain is heated, because ice would stop the ferry in the middle of the sound for 74 hours, as in <b>19</b>63.</p><table><tr><th>Line</th><th>Day</th><th>Fare</th></tr><tr><td rowspan="2">North</td><td>81</td><td>92</td></tr><tr><td>83</td><td>94</td></tr></table><ol start="31"><li>First of 46</li><li>Second of 57</li></ol><pre><code><span class="ln">1</span>let a = 88;\n<span class="ln">2</span>let b = 99;</code></pre><p>Mass is <math><mfrac><mn>71</mn><mn>82</mn></mfrac><msup><mi>r</mi><mn>3</mn></msup></math> and CO<sub>2</sub>, log<sub>2</sub>8.</p><ul role="tablist"><li role="tab">npm</li></ul><div role="tabpanel" hidden>Install 65</div><details><summary>Question 52?</summary><p>Dogs pay half of the fare, and bicycles travel free of charge when there is room for 36 of them on the deck.</p></details></article></main><footer>Copyright 2024</footer></body></html>';
testTexts('a page', 60, [page], 'markup', numbersInHtml, {
  computed: LIST_NUMBER,
  pageUrl: 'https://example.org/ferry',
});
testTexts('a.html', 60, [page, fixture('article.html').toString()], 'markup', numbersInHtml, {
  computed: LIST_NUMBER,
});
testTexts(
  'a.svg',
  40,
  [
    fixture('office/quay.svg').toString(),
    '<svg><title>Plan 12</title><text>Crane <tspan>41</tspan>7</text><text>88</text><a><text>93</text></a></svg>',
  ],
  'markup',
  numbersInXml,
);

const rtf =
  '{\\rtf1\\ansi{\\fonttbl{\\f0 Times;}{\\f2\\fcharset2 Symbol;}}{\\info{\\title Terms}}In 2019{\\super 12} there were 10{\\super 6} cars, {\\strike 450} 475 crowns.\\par In 1850{\\footnote A note of 1851.} it began.\\par\\trowd 1931\\cell 17\\cell\\row\\trowd 1968\\cell 250\\cell\\row\\pard log{\\sub 2}8\\par}';
testTexts('a.rtf', 60, [rtf, fixture('office/ferry.rtf').toString('latin1')], 'rtf', numbersInRtf, {
  computed: LIST_NUMBER_OR_NOTE,
});

testTexts('a.ipynb', 60, [fixture('office/tides.ipynb').toString()], 'json', (text) => {
  const numbers = numbersInText(text);
  try {
    const strings: string[] = [];
    JSON.parse(text, (_, value: unknown) => {
      if (typeof value === 'string') strings.push(value);
      if (Array.isArray(value)) strings.push(value.filter((line) => typeof line === 'string').join(''));
      return value;
    });
    for (const string of strings) for (const number of numbersInText(string)) numbers.add(number);
  } catch {
    // JSON that can't be read has no other numbers.
  }
  return numbers;
});

testTexts(
  'a.csv',
  60,
  [fixture('office/buoys.csv').toString(), 'Town,2020,2021\n"Lund, 17",5,6\nAlm,"7\n8",9\n'],
  'lines',
  numbersInText,
);
testTexts(
  'a.tsv',
  40,
  [fixture('office/tolls.tsv').toString(), 'Town\t2020\nLund\t51\nAlm\t62\n'],
  'lines',
  numbersInText,
);
testTexts(
  'a.srt',
  60,
  [
    fixture('office/tour.srt').toString(),
    '1\n00:00:01,000 --> 00:00:04,000\nIn 2019 <i>there</i> were 450.\n\n2\n00:00:04,500 --> 00:00:09,000\n17 of them\nwere 18.\n\n3\n00:01:12,000 --> 00:01:15,500\n1931\n',
  ],
  'lines',
  numbersInText,
);
testTexts(
  'a.vtt',
  60,
  [
    fixture('office/talk.vtt').toString(),
    'WEBVTT\n\n00:01.000 --> 00:02.000 align:start\n<v Ada>In 2019\n\n00:02.000 --> 00:03.000\n<v Ada>In 2019\nthere<00:02.500><c> were 450</c>\n\n00:03.000 --> 00:04.000\n<v Bo>1931\n',
  ],
  'lines',
  numbersInText,
);

const letter =
  'From: Ada <ada@example.org>\nTo: Bo 7 <bo@example.org>\nSubject: Fare of 450\nDate: Tue, 3 Mar 2026 08:15:00 +0100\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary="b"\n\n--b\nContent-Type: text/plain\n\nView this in a browser.\n--b\nContent-Type: text/html; charset=utf-8\n\n<table><tr><td>17</td><td><h1>Timetable of 1850</h1><p>In 2019<sup>12</sup> it left at 9.</p></td></tr></table>\n--b--\n';
const MAIL_HEAD = /^- (?:Date|From|To): .*/gm;
for (const structure of ['lines', 'markup'] as const)
  testTexts(
    'a.eml',
    30,
    [letter, fixture('office/letter.eml').toString('latin1')],
    structure,
    (text) => {
      const numbers = numbersInText(text);
      const words = text
        .replace(/=\r?\n/g, '')
        .replace(/=([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
      const attached = Buffer.from('JVBERi0xLjQ=', 'base64').toString('latin1');
      for (const number of numbersInText(`${words} ${attached}`)) numbers.add(number);
      return numbers;
    },
    { computed: MAIL_HEAD },
  );
testTexts(
  'a.mhtml',
  30,
  [
    `From: <Saved>\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\nContent-Location: https://example.org/ferry\n\n${page}\n--b--\n`,
  ],
  'markup',
  numbersInHtml,
  { computed: LIST_NUMBER },
);

for (const [name, file] of [
  ['a.webarchive', fixture('office/chain-ferry.webarchive')],
  ['a.png', fixture('office/crane.png')],
] as const)
  testChanges(name, 60, (random) => {
    const changed = mutatedBytes(file, random);
    // In the container, most offsets are wrong after a change of the length.
    const bytes =
      random() < 0.5
        ? changed
        : Buffer.concat([changed, file.subarray(changed.length)]).subarray(0, file.length);
    return { bytes, numbers: numbersInText(bytes.toString('latin1')) };
  });

testTexts(
  'a.md',
  60,
  [
    '---\ntitle: Terms of 1850\n---\n# Part 17\n\nIn 2019 there were 10^6 cars.\n\n| a | b |\n| --- | --- |\n| 1931 | 250 |\n\n1. one\n2. two\n\n```js\nlet a = 88;\n```\n',
  ],
  'lines',
  numbersInText,
);
testTexts(
  'a.txt',
  60,
  ['Ordnung von 1850\nDas Tor schließt um 22 Uhr.\n\nKosten: 450 Kronen\n'],
  'lines',
  numbersInText,
);
testTexts(
  'a.ts',
  60,
  ['/** Shuts gate 17. */\nexport function shut(): void {\n  gate.close(450);\n}\nconst a = `${1931}`;\n'],
  'lines',
  numbersInText,
);
testTexts('a.json', 20, ['{"a": [17, {"b": "2019"}], "c": 450}'], 'json', numbersInText);
testTexts('a.xml', 20, ['<a><b c="17">2019</b><d>450</d></a>'], 'markup', numbersInText);

const PDF_LINES = [
  'In 2019',
  'Cars 450',
  '1931',
  '17',
  'Page 3',
  '250 crowns',
  'Lund',
  'Fare of 36',
  '88',
  'the year 1850',
];

/** Returns lines at random places of a grid, in random order and size. */
function otherLines(random: Random): TinyLine[] {
  return Array.from({ length: 6 + wholeBelow(random, 30) }, () => ({
    x: 72 + 130 * wholeBelow(random, 4),
    y: 740 - 18 * wholeBelow(random, 38) + wholeBelow(random, 4),
    text: pickOne(PDF_LINES, random) ?? '',
    size: 7 + wholeBelow(random, 8),
    bold: random() < 0.1,
  }));
}

testChanges('a.pdf', 10, (random) => {
  const pages = Array.from({ length: 1 + wholeBelow(random, 3) }, () => ({
    lines: otherLines(random),
    rotate: random() < 0.1 ? (90 as const) : (0 as const),
  }));
  return { bytes: tinyPdf({ pages }), numbers: numbersInText(PDF_LINES.join('\n')) };
});
