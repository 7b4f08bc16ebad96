import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { ExportRequest } from '../../src/features/export/service/api.ts';
import { writeHtml } from '../../src/features/export/service/html.ts';
import { writeWord } from '../../src/features/export/service/word.ts';
import { toWriteError, writeWhole } from '../../src/platform/write-file.ts';
import type { Citation } from '../../src/core/domain/answer.ts';
import { citationLink } from '../../src/core/domain/citation-links.ts';
import type { StoredCitation } from '../../src/core/domain/note.ts';
import { readDocx } from '../../src/parsers/office/docx.ts';
import { eachElement } from '../../src/parsers/office/xml.ts';
import { openContainer } from '../../src/parsers/office/zip.ts';
import { smallDisk } from '../support/small-disk.ts';
import { findEnds, drawSvg, layoutMap } from '../../webview/maps/layout.ts';
import { writeCsv } from '../../src/features/export/service/tables.ts';
import { pngPicture } from '../support/png-picture.ts';
import { testCitation } from '../support/test-citation.ts';
import { rounds } from '../support/test-size.mjs';

function storedCitation(number: number, more: Partial<Citation> = {}): StoredCitation {
  return {
    id: number.toString(16).padStart(16, '0'),
    citation: testCitation({
      ...{ number, place: `L${String(number)}`, uri: 'file:///home/someone/garden.md' },
      quote: `Words ${String(number)} of it.`,
      ...more,
    }),
  };
}

const link = ({ id, citation }: StoredCitation): string =>
  citationLink(String(citation.number), id, citation);

const firstCitation = storedCitation(1);
const two = storedCitation(2, { uri: 'https://example.org/a?b=1&c=2', quote: 'Dig & <sow>.' });

const text = [
  '# The garden',
  `Tomatoes *need* **sun** ${link(firstCitation)} ${link(two)}. And water ${link(firstCitation)}.`,
  '## Steps',
  '3. dig\n4. sow `a<b`\n   - deep\n5. wait',
  '- [x] done\n- [ ] open',
  `| Kind | Water |\n|---|---|\n| basil | daily ${link(two)} |`,
  '> quoted words',
  '```js\nlet a = 1;\n  b();\n```',
  'So $E = mc^2$ and $$\\frac{a}{b} + \\sqrt{x}$$ and $$\\begin{matrix}1&2\\end{matrix}$$.',
  'A note[^1] of its own and [a page](https://example.com/b).',
  '[^1]: An *own* footnote.\n',
].join('\n\n');

const request = (more: Partial<ExportRequest>): ExportRequest => ({
  format: 'html',
  title: 'Garden',
  text,
  citations: [firstCitation, two],
  figures: [],
  ...more,
});

const makeHtml = (more: Partial<ExportRequest> = {}): string =>
  new TextDecoder().decode(writeHtml(request(more)));

/** Returns every XML part of a Word file. */
function unzipParts(bytes: Uint8Array): Map<string, string> {
  const container = openContainer(bytes, 'a.docx');
  const parts = new Map<string, string>();
  for (const name of container.names) {
    if (!/\.(xml|rels)$/.test(name)) continue;
    const part = container.part(name) ?? new Uint8Array();
    const xml = new TextDecoder('utf-8', { fatal: true }).decode(part);
    assertWellFormed(xml, name);
    parts.set(name, xml);
  }
  return parts;
}

/** Checks that each tag is closed in order, and that all characters are valid in XML. */
function assertWellFormed(xml: string, name: string): void {
  assert.doesNotMatch(xml, /[^\t\n\r -\u{10FFFF}]|[\uFFFE\uFFFF]|&(?!#?\w+;)/u, name);
  const open: string[] = [];
  for (const [, closes, tag, rest = ''] of xml.matchAll(/<(\/?)([\w:]+)((?:[^<>"]|"[^"<]*")*)>/g))
    if (closes === '/') assert.equal(open.pop(), tag, name);
    else if (!rest.endsWith('/')) open.push(tag ?? '');
  assert.deepEqual(open, [], name);
  assert.equal(xml.replaceAll(/<(?:[^<>"]|"[^"<]*")*>/g, '').search(/[<]/), -1, name);
}

test('exports a note as a Word file with the same headings, text, and footnotes', async () => {
  const bytes = await writeWord(request({}));
  assert.match(unzipParts(bytes).get('word/numbering.xml') ?? '', /<w:start w:val="3"\/>/);
  const read = readDocx(bytes, 'garden.docx');
  assert.deepEqual(
    read.headings.map(({ level, title }) => [level, title]),
    [
      [1, 'The garden'],
      [2, 'Steps'],
      [1, 'Notes'],
    ],
  );
  for (const words of [
    'Tomatoes need sun[1],[2]. And water[3].',
    '. sow a\\<b\n   - deep\n',
    '- ☑ done\n- ☐ open',
    '| Kind | Water |\n| --- | --- |\n| basil | daily[4] |',
    'quoted words',
    'let a = 1;\n  b();',
    'So $E=mc^{2}$ and',
    'A note[5] of its own and [a page](https://example.com/b).',
    '[1] garden.md, L1: “Words 1 of it.”',
    '[2] garden.md, L2, https://example.org/a?b=1&c=2: “Dig & \\<sow>.”',
    '[3] garden.md, L1\n',
    '[4] garden.md, L2\n',
    '[5] An own footnote.',
  ])
    assert.ok(read.text.includes(words), `${words}\n\n${read.text}`);
  // The file contains nothing about the machine that wrote it.
  for (const xml of unzipParts(bytes).values()) assert.doesNotMatch(xml, /someone/);
});

test('exports a note as one HTML file whose footnotes link back', () => {
  const html = makeHtml();
  const ids = new Set(Array.from(html.matchAll(/ id="([^"]+)"/g), ([, id]) => id));
  assert.equal(ids.size, [...html.matchAll(/ id="/g)].length, 'Ids are unique.');
  for (const [, anchor] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(anchor), anchor);
  assert.match(html, /<sup id="mention-1-2"><a href="#source-1" role="doc-noteref">\[1\]<\/a><\/sup>/);
  assert.match(html, /“Dig &amp; &lt;sow&gt;.” <a href="#mention-2-1"/);
  assert.match(html, /<ol start="3">/);
  assert.match(html, /<input(?=[^>]* checked="")[^>]*> done/);
  assert.match(html, /<math xmlns="http:\/\/www.w3.org\/1998\/Math\/MathML"/);
  assert.match(html, /<th>Kind<\/th>/);
  assert.match(html, /light-dark\(/);
  assert.doesNotMatch(html, /someone/);
});

test('puts figures after their first citation', async () => {
  const bytes = pngPicture(4, 3);
  const figures = [
    { id: two.id, caption: 'Figure 1: "Beds"', mediaType: 'image/png', bytes, width: 1_200, height: 900 },
  ] as const;
  const html = makeHtml({ figures });
  assert.match(html, /And water[^\n]*\n\n?<figure><img src="data:image\/png;base64,[^"]+" width="1200"/);
  assert.match(html, /alt="Figure 1: &quot;Beds&quot;"/);
  assert.equal(html.split('<figure>').length, 2);
  const word = await writeWord(request({ figures }));
  assert.ok(openContainer(word, 'a.docx').names.some((name) => name.startsWith('word/media/')));
  assert.match(readDocx(word, 'a.docx').text, /Figure 1: "Beds"/);
});

/** Text that a hostile source or model may have written into a note. */
const hostile = [
  '<script>alert(1)</script>',
  '<img src=https://evil.example/a.png onerror=alert(1)>',
  '![a](https://evil.example/b.png)',
  '[a](javascript:alert(1)) [b](file:///etc/passwd) [c](data:text/html,x) [d](vscode://x/y)',
  '<!--[if mso]><v:shape/><![endif]-->',
  '{ INCLUDEPICTURE "https://evil.example/c.png" } { DDEAUTO c:\\\\windows "calc" }',
  '</w:t></w:r><w:fldSimple w:instr="DDEAUTO x"/>',
  '$\\href{javascript:alert(1)}{x}$ $\\includegraphics{https://evil.example/d.png}$ $\\htmlStyle{a}{b}$',
  'a\u0000b\u0008c\uFFFEd\uD800e',
  '[1](#source-1) [^x]',
  '"></style><link rel=stylesheet href=https://evil.example>',
];

test('exports hostile content of a note as text in every format', async () => {
  const citation = storedCitation(1, {
    title: '</title><script>alert(1)</script>',
    place: '"\u0001',
    quote: hostile.join(' '),
    uri: 'javascript:alert(1)',
  });
  const note = {
    title: '</title><script>alert(1)</script>',
    text: `${hostile.join('\n\n')}\n\nIt is ${link(citation)}.`,
    citations: [citation],
  };
  assertHarmlessHtml(makeHtml(note));
  assertHarmlessWord(await writeWord(request(note)));
});

test('exports well-formed and harmless files whatever a note contains', async () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...hostile,
      link(firstCitation),
      link(two),
      '\n',
      '\n\n',
      '# ',
      '- ',
      '1. ',
      '> ',
      '|',
      '```',
      '$',
      '`',
    ),
    fc.string({ unit: 'binary', maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 25 }), async (pieces) => {
      const note = { title: pieces.slice(0, 3).join(' '), text: pieces.join(' ') };
      assertHarmlessHtml(makeHtml(note));
      assertHarmlessWord(await writeWord(request(note)));
    }),
    { numRuns: rounds(20, 60) },
  );
});

function assertHarmlessHtml(html: string): void {
  const walk = (nodes: ReturnType<typeof parseDocument>['children']): void => {
    for (const node of nodes) {
      if (!DomUtils.isTag(node)) continue;
      assert.doesNotMatch(
        node.name,
        /^(?:script|link|iframe|object|embed|base|form|svg|video|audio|v:shape)$/,
        html,
      );
      for (const [name, value] of Object.entries(node.attribs)) {
        assert.doesNotMatch(name, /^(?:on|style$|srcset$|action$)/, html);
        if (name === 'href') assert.match(value, /^(?:https?:\/\/|mailto:|#)/i, html);
        if (name === 'src') assert.match(value, /^data:image\//, html);
      }
      walk(node.children);
    }
  };
  walk(parseDocument(html).children);
  assert.equal(html.split('</style>').length, 2, html);
}

function assertHarmlessWord(bytes: Uint8Array): void {
  for (const [name, xml] of unzipParts(bytes)) {
    assert.doesNotMatch(xml, /<w:(?:instrText|fldSimple|altChunk|object|control)\b/, name);
    if (!name.endsWith('.rels')) continue;
    eachElement(
      new TextEncoder().encode(xml),
      new Set(['Relationship']),
      ({ attributes }) => {
        if (attributes.TargetMode !== 'External') return;
        assert.match(attributes.Type ?? '', /\/hyperlink$/, xml);
        assert.match(attributes.Target ?? '', /^(?:https?:\/\/|mailto:)/i, xml);
      },
      name,
    );
  }
}

test('exports a note without a title, and an empty one', async () => {
  assert.match(makeHtml({ text: 'Words.' }), /<h1>Garden<\/h1><p>Words\.<\/p>|<h1>Garden<\/h1>\s*<p>Words\./);
  assert.equal(readDocx(await writeWord(request({ text: '' })), 'a.docx').headings[0]?.title, 'Garden');
});

test('writes thousands of paragraphs that cite thousands of sources', async () => {
  const sources = rounds(400, 2_000);
  const count = rounds(1_000, 5_000);
  const citations = Array.from({ length: sources }, (_, index) => storedCitation(index + 1));
  const paragraphs = Array.from({ length: count }, (_, index) => {
    const cited = citations[index % citations.length];
    return `Paragraph ${String(index)} tells *much* of tomatoes and of water ${cited ? link(cited) : ''}.`;
  });
  const long = { text: `# Long\n\n${paragraphs.join('\n\n')}`, citations };
  assert.ok(makeHtml(long).includes(`id="mention-${String(sources)}-2"`));
  const read = readDocx(await writeWord(request(long)), 'long.docx');
  assert.ok(
    read.text.includes(
      `Paragraph ${String(count - 1)} tells much of tomatoes and of water[${String(count)}].`,
    ),
  );
});

test('writes a file completely or not at all, and explains a failure in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'export-'));
  try {
    const path = join(folder, 'a.html');
    writeFileSync(path, 'before');
    await writeWhole(path, 'after');
    assert.equal(readFileSync(path, 'utf8'), 'after');
    await assert.rejects(
      writeWhole(join(folder, 'missing', 'b.html'), 'x'),
      (error: Error) => error.message === 'Can’t save b.html to this location. Choose another location.',
    );
    assert.deepEqual(readdirSync(folder), ['a.html']);
    const full = toWriteError(Object.assign(new Error('no space'), { code: 'ENOSPC' }), 'c.docx');
    assert.equal(
      full.message,
      'Can’t save c.docx because the disk is full. Free up some space, then try again.',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('keeps the existing file when the disk is full, without a partial export', async (context) => {
  const disk = smallDisk(context);
  if (disk === undefined) return;
  const paragraphs = Array.from(
    { length: 900 },
    (_, n) => `Paragraph ${String(n)} tells of ${'rain '.repeat(20)}.`,
  );
  const head = ['Source', 'Who keeps it?'];
  const rows = paragraphs.map((words, n) => [`row-${String(n)}`, words]);
  const nodes = paragraphs.map((title, n) => ({ title, depth: n === 0 ? 0 : 1 }));
  const exports: Readonly<Record<string, () => Uint8Array>> = {
    'note.html': () => Buffer.from(writeHtml(request({ text: paragraphs.join('\n\n') }))),
    'matrix.csv': () => writeCsv({ name: 'Extraction Table', head, rows }),
    'map.svg': () =>
      Buffer.from(
        drawSvg(
          'Map',
          nodes,
          layoutMap(nodes, findEnds(nodes), () => false),
        ),
      ),
  };
  for (const [name, write] of Object.entries(exports)) {
    const path = join(disk, name);
    writeFileSync(path, 'before');
    writeFileSync(join(disk, 'full'), new Uint8Array(8_300_000));
    await assert.rejects(writeWhole(path, write()), {
      code: 'disk-full',
      message: `Can’t save ${name} because the disk is full. Free up some space, then try again.`,
    });
    assert.deepEqual(readdirSync(disk).sort(), ['full', name].sort());
    assert.equal(readFileSync(path, 'utf8'), 'before');
    rmSync(path);
    rmSync(join(disk, 'full'));
  }
});
