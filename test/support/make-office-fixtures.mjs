// Generates test/fixtures/reading/office/: node test/support/make-office-fixtures.mjs
// Needs LibreOffice (soffice) with Writer, Calc, and Impress. Commit the files that it writes.
import { execFileSync } from 'node:child_process';
import { Buffer } from 'node:buffer';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';
import { makeZip } from '../../src/features/export/service/zip.ts';

const folder = fileURLToPath(new URL('../fixtures/reading/office/', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'office-'));
await mkdir(folder, { recursive: true });

/**
 * @param {string} source
 * @param {string} text
 * @param {readonly string[]} targets
 */
const convert = async (source, text, targets) => {
  await writeFile(join(work, source), text);
  for (const target of targets)
    execFileSync(
      'soffice',
      [
        `-env:UserInstallation=file://${work}/profile`,
        '--headless',
        '--convert-to',
        target,
        '--outdir',
        folder,
        join(work, source),
      ],
      { stdio: 'ignore' },
    );
};

const namespaces = [
  ['office', 'office'],
  ['style', 'style'],
  ['text', 'text'],
  ['table', 'table'],
  ['draw', 'drawing'],
  ['presentation', 'presentation'],
  ['number', 'datastyle'],
]
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .concat(
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    'xmlns:dc="http://purl.org/dc/elements/1.1/"',
    'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
    'xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0"',
  )
  .join(' ');

/**
 * @param {string} kind
 * @param {string} title
 * @param {string} styles
 * @param {string} body
 */
const flat = (kind, title, styles, body) => `<?xml version="1.0" encoding="UTF-8"?>
<office:document ${namespaces} office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.${kind}">
<office:meta><dc:title>${title}</dc:title></office:meta>
${styles}
<office:body>${body}</office:body></office:document>`;

/** @param {string} text */
const cell = (text) =>
  /^\d{4}-\d\d-\d\d$/.test(text)
    ? `<table:table-cell table:style-name="day" office:value-type="date" office:date-value="${text}"><text:p>${text}</text:p></table:table-cell>`
    : /^[\d.]+$/.test(text)
      ? `<table:table-cell office:value-type="float" office:value="${text}"><text:p>${text}</text:p></table:table-cell>`
      : text === ''
        ? '<table:table-cell/>'
        : `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
/** @param {readonly string[]} cells */
const row = (...cells) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`;
/**
 * @param {string} name
 * @param {readonly string[]} rows
 */
const sheet = (name, ...rows) =>
  `<table:table table:name="${name}"><table:table-column/>${rows.join('')}</table:table>`;
/** @param {string} text */
const p = (text) => `<text:p text:style-name="Standard">${text}</text:p>`;
/**
 * @param {number} level
 * @param {string} text
 */
const h = (level, text) =>
  `<text:h text:style-name="Heading_20_${level}" text:outline-level="${level}">${text}</text:h>`;
/** @param {readonly string[]} items */
const list = (...items) =>
  `<text:list>${items.map((item) => `<text:list-item>${p(item)}</text:list-item>`).join('')}</text:list>`;

const report = flat(
  'text',
  'The ferry at Lund Sound',
  '',
  `<office:text>
${h(1, 'The ferry at Lund Sound')}
${p('The ferry <text:span>Marguerite</text:span> crosses the sound every forty minutes and carries thirty cars. In storms above nine Beaufort it stays in the harbour.')}
${h(2, 'Fares')}
${p('Children under six travel free of charge; dogs pay half of the fare.<text:note text:id="n1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body>' + p('Guide dogs pay nothing.') + '</text:note-body></text:note> The <text:a xlink:href="https://example.org/tariff">tariff</text:a> is set each March.')}
<table:table table:name="Fares"><table:table-column table:number-columns-repeated="3"/>
${row('Passenger', 'Single', 'Return')}${row('Adult', '12 crowns', '20 crowns')}${row('Cyclist', '15 crowns', '26 crowns')}</table:table>
${h(2, 'Keeping it running')}
${p('Before each first crossing the engineer goes through these steps.')}
${list('Drain the water from the fuel filter.', 'Check the oil of both engines.', 'Test the horn &lt;twice&gt;.')}
${h(3, 'Winter')}
${p('From December on the ramp is strewn with salt, and the passage takes 50&#160;% longer because of drifting ice.')}
</office:text>`,
);

/** @type {[title: string, lines: string[], notes: string][]} */
const pages = [
  ['The orchard in numbers', ['What eleven years of records tell'], 'Greet the growers by name.'],
  [
    'Yield by variety',
    ['Boskoop bears every other year', 'Topaz bears 31 kilograms a tree', 'Rubinette was given up in 2019'],
    '',
  ],
  ['', ['A map of the rows hangs in the barn.'], ''],
];
const slides = flat(
  'presentation',
  'The orchard in numbers',
  `<office:automatic-styles><style:page-layout style:name="wide"><style:page-layout-properties fo:page-width="28cm" fo:page-height="21cm"/></style:page-layout>${['title', 'outline1', 'notes'].map((name) => `<style:style style:name="pr-${name}" style:family="presentation" style:parent-style-name="Default-${name}"/>`).join('')}</office:automatic-styles><office:styles><style:presentation-page-layout style:name="AL"><presentation:placeholder presentation:object="title" svg:x="1cm" svg:y="1cm" svg:width="25cm" svg:height="3cm"/><presentation:placeholder presentation:object="outline" svg:x="1cm" svg:y="5cm" svg:width="25cm" svg:height="10cm"/></style:presentation-page-layout></office:styles><office:master-styles><style:master-page style:name="Default" style:page-layout-name="wide"/></office:master-styles>`,
  `<office:presentation>
${pages
  .map(
    (
      [title, lines, notes],
      i,
    ) => `<draw:page draw:name="page${i + 1}" draw:master-page-name="Default" presentation:presentation-page-layout-name="AL">
${title === '' ? '' : `<draw:frame presentation:class="title" presentation:style-name="pr-title" draw:layer="layout" svg:x="1cm" svg:y="1cm" svg:width="25cm" svg:height="3cm"><draw:text-box>${p(title)}</draw:text-box></draw:frame>`}
<draw:frame presentation:class="outline" presentation:style-name="pr-outline1" draw:layer="layout" svg:x="1cm" svg:y="5cm" svg:width="25cm" svg:height="10cm"><draw:text-box>${lines.length > 1 ? list(...lines) : p(lines[0] ?? '')}</draw:text-box></draw:frame>
<presentation:notes><draw:frame presentation:class="notes" presentation:style-name="pr-notes" svg:x="1cm" svg:y="15cm" svg:width="18cm" svg:height="10cm"><draw:text-box>${notes === '' ? '' : p(notes)}</draw:text-box></draw:frame></presentation:notes>
</draw:page>`,
  )
  .join('\n')}
</office:presentation>`,
);

const dayStyle =
  '<office:automatic-styles><number:date-style style:name="iso"><number:year number:style="long"/><number:text>-</number:text><number:month number:style="long"/><number:text>-</number:text><number:day number:style="long"/></number:date-style><style:style style:name="day" style:family="table-cell" style:data-style-name="iso"/></office:automatic-styles>';
const instruments = [
  'Anemometer',
  'Barograph',
  'Hygrometer',
  'Rain gauge',
  'Sunshine recorder',
  'Thermograph',
];
const sheets = flat(
  'spreadsheet',
  'Stores of the weather station',
  dayStyle,
  `<office:spreadsheet>
${sheet(
  'Instruments',
  row('Stores of the weather station'),
  row(),
  row('Instrument', 'Shelf', 'Bought', 'Price'),
  ...Array.from({ length: 60 }, (_, i) =>
    row(
      `${instruments[i % 6]} ${i + 1}`,
      `S${(i * 7) % 20}`,
      `20${String(10 + (i % 14))}-0${1 + (i % 9)}-1${i % 9}`,
      String(100 + i * 12.5),
    ),
  ),
)}
${sheet('Loans', row('', 'Borrower', 'Instrument', 'Until'), row('', 'School of Navigation', 'Barograph 8', '2026-05-04'), row('', 'Town library', 'Rain gauge 16', '2026-06-11'))}
</office:spreadsheet>`,
);

await convert('ferry.fodt', report, ['docx', 'odt', 'rtf']);
await convert('orchard.fodp', slides, ['pptx', 'odp']);
await convert('stores.fods', sheets, ['xlsx', 'ods']);
await rm(work, { recursive: true });

const notebook = {
  cells: [
    {
      cell_type: 'markdown',
      metadata: {},
      source: ['# Tide gauge\n', '\n', 'The gauge in the old harbour is read every six minutes.'],
    },
    {
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      outputs: [
        { name: 'stdout', output_type: 'stream', text: ['mean level 412.7 cm\n', 'spread 88.1 cm\n'] },
      ],
      source: [
        'levels = read_levels("harbour.csv")\n',
        'mean = sum(levels) / len(levels)\n',
        'print(f"mean level {mean:.1f} cm")\n',
      ],
    },
    {
      cell_type: 'markdown',
      metadata: {},
      source: '## Storm surges\n\nA surge is a level of more than two spreads above the mean.',
    },
    {
      cell_type: 'code',
      execution_count: 2,
      metadata: {},
      outputs: [
        {
          data: { 'text/html': ['<b>7</b>'], 'text/plain': ['7 surges since 1953'] },
          execution_count: 2,
          metadata: {},
          output_type: 'execute_result',
        },
        {
          ename: 'ValueError',
          evalue: 'no level for 29 February',
          output_type: 'error',
          traceback: ['\u001b[0;31mValueError\u001b[0m'],
        },
      ],
      source: 'surges = [level for level in levels if level > mean + 2 * spread]\nlen(surges)',
    },
  ],
  metadata: {
    kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
    language_info: { name: 'python' },
  },
  nbformat: 4,
  nbformat_minor: 5,
};
await writeFile(join(folder, 'tides.ipynb'), `${JSON.stringify(notebook, null, 1)}\n`);

/** @param {string} body */
const chapter = (body) => `<?xml version="1.0" encoding="utf-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Lamps</title></head><body>${body}</body></html>`;
await writeFile(
  join(folder, 'lamps.epub'),
  makeZip({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml':
      '<container><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    'META-INF/encryption.xml':
      '<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/fonts/serif.otf"/></CipherData></EncryptedData></encryption>',
    'OEBPS/book.opf': `<package><metadata><dc:title>A short history of lamps</dc:title></metadata><manifest>
<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
<item id="two" href="text/oil%20lamps.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="text/first.xhtml" media-type="application/xhtml+xml"/>
</manifest><spine><itemref idref="one"/><itemref idref="two"/></spine></package>`,
    'OEBPS/nav.xhtml': chapter(
      '<nav><ol><li><a href="text/first.xhtml">Before glass</a></li><li><a href="text/oil%20lamps.xhtml#start">Oil lamps</a></li></ol></nav>',
    ),
    'OEBPS/text/first.xhtml': chapter(
      '<a id="start"/><p>The first lamps were hollow stones filled with tallow; a wick of moss burned for an hour.</p>',
    ),
    'OEBPS/text/oil lamps.xhtml': chapter(
      '<h1>Oil lamps</h1><p>Argand’s burner of 1780 drew air through a <em>hollow</em> wick.</p><h2>Whale oil</h2><p>A harbour lamp used nine litres in a winter night.</p><table><tr><th>Oil</th><th>Hours</th></tr><tr><td>Rape</td><td>14</td></tr><tr><td>Whale</td><td>19</td></tr></table>',
    ),
  }),
);

await writeFile(
  join(folder, 'buoys.csv'),
  `\uFEFFBuoy;Colour;Remark\r\n${Array.from({ length: 40 }, (_, i) => `B${i + 1};${['red', 'green', 'yellow'][i % 3]};"swings ${i * 3} m; ""never"" more"`).join('\r\n')}\r\nB41;white;"repainted\r\nin May | by hand"\r\n`,
);
await writeFile(join(folder, 'tolls.tsv'), 'Lock\tToll\tNight toll\nUpper lock\t4.50\t9\nLower lock\t3\t"\n');
await writeFile(
  join(folder, 'letter.eml'),
  [
    'From: =?utf-8?Q?Ren=C3=A9e_Holm?= <renee@example.org>',
    'To: Harbour Office <office@example.org>, "Smit, J." <smit@example.org>',
    'Subject: =?iso-8859-1?Q?Die_T=FCr?= of the pump house',
    'Date: Tue, 3 Mar 2026 08:15:00 +0100',
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="b"',
    '',
    '--b',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'The door of the pump house has been stuck since Monday; the key turns, but t=',
    'he bolt stays.',
    '',
    '> Who has the spare key?',
    '',
    'The spare key hangs in the caf=C3=A9.',
    '--b',
    'Content-Type: application/pdf; name="plan.pdf"',
    'Content-Disposition: attachment; filename="plan.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    'JVBERi0xLjQ=',
    '--b--',
    '',
  ].join('\r\n'),
);
await writeFile(
  join(folder, 'tour.srt'),
  '1\r\n00:00:01,000 --> 00:00:04,200\r\n<i>Welcome to the old rope walk,</i>\r\nwhich is four hundred metres long.\r\n\r\n2\r\n00:00:04,500 --> 00:00:09,000\r\n{\\an8}Every rope of the fleet was laid here.\r\n\r\n3\r\n00:01:12,000 --> 00:01:15,500\r\nThe tar was boiled in that shed.\r\n',
);
await writeFile(
  join(folder, 'talk.vtt'),
  'WEBVTT\n\nNOTE for editors only\n\nSTYLE\n::cue { color: red }\n\n00:05.000 --> 00:08.000 align:start\n<v Ada>Tides &amp; currents are not the same.\n\nlast\n1:00:00.000 --> 1:00:04.000\nAsk the pilot before you anchor.\n',
);
await writeFile(
  join(folder, 'quay.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 60">
  <title>Plan of the quay</title>
  <desc>The quay with its three cranes &amp; the customs house.</desc>
  <style>text { font: 4px serif }</style>
  <path d="M0 0 L100 0"/>
  <text x="10" y="20">Crane <tspan font-weight="bold">two</tspan></text>
  <text x="10" y="40">Customs house</text>
</svg>
`,
);

/**
 * @param {string} type
 * @param {Uint8Array} data
 */
const chunk = (type, data) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p9f0GQAAAABJRU5ErkJggg==',
  'base64',
);
await writeFile(
  join(folder, 'crane.png'),
  Buffer.concat([
    pixel.subarray(0, 33),
    chunk('tEXt', Buffer.from('Title\0Crane number two')),
    chunk('tEXt', Buffer.from('Software\0a drawing program')),
    chunk(
      'iTXt',
      Buffer.from('Description\0\0\0en\0\0The crane lifts twelve tonnes; its jib was lengthened in 1998.'),
    ),
    pixel.subarray(33),
  ]),
);
