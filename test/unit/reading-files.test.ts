// Runs in a process of its own: regular expressions over a line of millions of characters can fail in a used one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { locate, formatLocator, type Locator } from '../../src/core/domain/locator.ts';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import { LineRuns } from '../../src/parsers/line-runs.ts';
import { escapeMarkdown, MarkdownWriter } from '../../src/parsers/markdown-writer.ts';
import { readMarkdown } from '../../src/parsers/markdown.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { decodeText, wholeLines } from '../../src/parsers/text-decoding.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const fixture = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(new URL(`../fixtures/reading/office/${name}`, import.meta.url)));

const read = (bytes: Uint8Array, name: string): Promise<ReadDocument> =>
  readDocument({ bytes, name, minimumLength: 1 }, {});

const locateWords = ({ text, map }: ReadDocument, words: string): Locator => {
  const start = text.indexOf(words);
  assert.ok(start >= 0, words);
  return locate(text, map, { start, end: start + words.length });
};

/** Returns the text of the file that a citation opens. */
const opened = (original: string, locator: Locator): string => {
  assert.ok(locator.kind === 'lines');
  const { start, end } = locator;
  const lines = original.split(/\r\n|\n|\r/).slice(start.line, end.line + 1);
  const last = lines.length - 1;
  lines[last] = (lines[last] ?? '').slice(0, end.character);
  lines[0] = (lines[0] ?? '').slice(start.character);
  return lines.join('\n');
};

describe('citations lead to the cited lines', () => {
  const cases: readonly (readonly [file: string, words: string, place: string, there?: string])[] = [
    ['buoys.csv', 'B23', 'L24'],
    ['buoys.csv', 'swings 66 m', 'L24'],
    ['buoys.csv', 'swings 66 m; "never" more', 'L24', 'swings 66 m; ""never"" more'],
    ['buoys.csv', 'repainted in May \\| by hand', 'L42–43', 'repainted\nin May | by hand'],
    ['tolls.tsv', 'Upper lock | 4.50 | 9', 'L2', 'Upper lock\t4.50\t9'],
    ['tour.srt', 'four hundred metres', '0:01–0:04'],
    [
      'tour.srt',
      'which is four hundred metres long.\nEvery rope',
      '0:01–0:09',
      'which is four hundred metres long.\n\n2\n00:00:04,500 --> 00:00:09,000\n{\\an8}Every rope',
    ],
    ['tour.srt', 'The tar was boiled', '1:12–1:15'],
    ['talk.vtt', 'Tides & currents', '0:05–0:08', 'Tides &amp; currents'],
    ['talk.vtt', 'before you anchor.', '1:00:00–1:00:04'],
    ['quay.svg', 'cranes & the customs', 'L3', 'cranes &amp; the customs'],
    ['quay.svg', 'Crane two', 'L6', 'Crane <tspan font-weight="bold">two'],
  ];
  for (const [file, words, place, there = words] of cases)
    test(`${file}: ${words}`, async () => {
      const bytes = await fixture(file);
      const locator = locateWords(await read(bytes, file), words);
      assert.equal(formatLocator(locator, []), place);
      assert.equal(opened(decodeText(bytes), locator), there);
    });

  test('aligns each run with identical text of the original', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '|', ' ') }), (original) => {
        const quotedText = original.replaceAll('""', '"').replace(/\s+/g, ' ').replaceAll('|', '\\|');
        const runs = new LineRuns(original);
        runs.addExtracted(0, quotedText, 0, original.length);
        const { starts, lengths, lines, characters } = runs.makeMap();
        const of = original.split('\n');
        for (const [i, start] of starts.entries()) {
          const from = characters[i] ?? 0;
          const there = of[lines[i] ?? 0]?.slice(from, from + (lengths[i] ?? 0));
          assert.equal(there, quotedText.slice(start, start + (lengths[i] ?? 0)));
          assert.ok(i === 0 || start >= (starts[i - 1] ?? 0) + (lengths[i - 1] ?? 0));
        }
      }),
    );
  });
});

describe('tables', () => {
  test('have their header in every passage of a long CSV file', async () => {
    const rows = Array.from({ length: 2000 }, (_, i) => `row ${String(i)},${String(i * 7)},some words`);
    const document = await read(utf8(`Name,Amount,Remark\n${rows.join('\n')}\n`), 'a.csv');
    const passages = splitDocument(document, { size: 1500, overlap: 0 });
    assert.ok(passages.length > 30);
    for (const { start, end } of passages)
      assert.match(document.text.slice(start, end), /^\| Name \| Amount \| Remark \|\n\| --- \|/);
    assert.equal(formatLocator(locateWords(document, 'row 1999'), []), 'L2001');
  });

  test('have numbered columns if there is no header', async () => {
    const { text } = await read(utf8('1,2\n3,4\n'), 'a.csv');
    assert.equal(text, '| Column 1 | Column 2 |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |');
  });

  test('keep a quotation mark that is never closed as a character', async () => {
    const { text } = await read(utf8(`a,b\n"open,1\n${'x,y\n'.repeat(60_000)}`), 'a.csv');
    assert.match(text, /\| "open \| 1 \|\n\| x \| y \|/);
  });

  test('are cut at a million columns, with a warning', async () => {
    const { text, warnings } = await read(
      utf8(`${'x,'.repeat(1_000_000)}x\n${'1,'.repeat(1_000_000)}1\n`),
      'a.csv',
    );
    assert.deepEqual(warnings, ['Only the first 500 columns were read.']);
    assert.ok(text.length < 10_000);
  });
});

describe('rich text', () => {
  test('keeps headings, code pages, Unicode, and fields, and leaves out what isn’t text', async () => {
    const source = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Calibri;}{\f1\fcharset204 Arial;}}{\stylesheet{\s1\outlinelevel0 heading 1;}}{\info{\title A {test} \'e9}{\author Me}}
\pard\s1 Heading one\par\pard Some {\b bold} text \u8211? dash and \'93quoted\'94. {\f1 \'cf\'f0\'e8\'e2\'e5\'f2}\par
\pard\outlinelevel1 Second\par\pard{\field{\*\fldinst HYPERLINK "https://example.org"}{\fldrslt linked}} end {\pict 89504e47}\bin4 }}{{x.\par}`;
    const { text, title, headings, warnings } = await read(utf8(source), 'a.rtf');
    assert.equal(
      text,
      '# Heading one\n\nSome bold text – dash and “quoted”. Привет\n\n## Second\n\nlinked end x.',
    );
    assert.deepEqual([title, headings.length, warnings], ['A test é', 2, []]);
  });

  test('is read as far as possible when it is truncated', async () => {
    const whole = await fixture('ferry.rtf');
    const { text, warnings } = await read(whole.subarray(0, whole.length - 400), 'ferry.rtf');
    assert.match(text, /forty minutes/);
    assert.deepEqual(warnings, ['The file is incomplete. Only the existing part was read.']);
  });

  test('is rejected when it is nested without end', async () => {
    await assert.rejects(read(utf8(`{\\rtf1 ${'{'.repeat(500_000)}a`), 'a.rtf'), { code: 'damaged' });
  });
});

describe('email', () => {
  test('is read as Markdown when it is written in HTML', async () => {
    const { text, title } = await read(
      utf8(
        'Subject: Hello\r\nContent-Type: text/html\r\n\r\n<h2>Plan</h2><ul><li>Paint</li></ul><script>x</script>',
      ),
      'a.eml',
    );
    assert.equal(text, '# Hello\n\n## Plan\n\n- Paint');
    assert.equal(title, 'Hello');
  });

  test('is rejected when its parts are nested without end', async () => {
    const parts = Array.from(
      { length: 5000 },
      (_, i) => `Content-Type: multipart/mixed; boundary="b${String(i)}"\r\n\r\n--b${String(i)}`,
    );
    await assert.rejects(read(utf8(`Subject: a\r\n${parts.join('\r\n')}\r\n\r\nx`), 'a.eml'), {
      code: 'damaged',
    });
  });
});

describe('images', () => {
  test('have the text of their XMP and EXIF metadata', async () => {
    const xmp =
      '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description><dc:title><rdf:Alt><rdf:li xml:lang="x-default">The mole</rdf:li></rdf:Alt></dc:title><Iptc4xmpCore:AltTextAccessibility><rdf:Alt><rdf:li>A man walks a dog on the mole.</rdf:li></rdf:Alt></Iptc4xmpCore:AltTextAccessibility></rdf:Description></rdf:RDF></x:xmpmeta>';
    const segment = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), Buffer.from(xmp)]);
    const description = Buffer.from('Seen from the ferry.\0');
    const tiff = Buffer.concat([
      Buffer.from('II*\0'),
      Buffer.from([8, 0, 0, 0, 1, 0, 0x0e, 1, 2, 0, description.length, 0, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0]),
      description,
    ]);
    const exif = Buffer.concat([Buffer.from('Exif\0\0'), tiff]);
    const part = (body: Buffer): Buffer => {
      const head = Buffer.from([0xff, 0xe1, 0, 0]);
      head.writeUInt16BE(body.length + 2, 2);
      return Buffer.concat([head, body]);
    };
    const jpeg = Buffer.concat([
      Buffer.from([0xff, 0xd8]),
      part(segment),
      part(exif),
      Buffer.from([0xff, 0xda, 0, 2, 0, 0]),
    ]);
    const { text, title, mediaType } = await read(new Uint8Array(jpeg), 'mole.jpg');
    assert.equal(text, '# The mole\n\nA man walks a dog on the mole.\n\nSeen from the ferry.');
    assert.deepEqual([title, mediaType], ['The mole', 'image/jpeg']);
  });
});

describe('Markdown writer', () => {
  test('escapes text so that it is shown as it is', () => {
    assert.equal(escapeMarkdown('# no\n1. no\n- no\n> no\n| no'), '\\# no\n1\\. no\n\\- no\n\\> no\n\\| no');
    assert.equal(
      escapeMarkdown('a*b snake_case _x_ <b> 1 < 2 [a](b)'),
      'a\\*b snake_case \\_x\\_ \\<b> 1 < 2 [a\\](b)',
    );
  });

  test('fences text in more backticks than it contains', () => {
    const writer = new MarkdownWriter();
    const text = 'a\n````\nb';
    const start = writer.writeFenced(text, 'text');
    assert.equal(writer.text, `\`\`\`\`\`text\n${text}\n\`\`\`\`\``);
    assert.equal(writer.text.slice(start, start + text.length), text);
  });
});

describe('reads long and hostile text in linear time', () => {
  const blank = ' '.repeat(1_000_000);
  const hostile: readonly (readonly [name: string, text: string])[] = [
    [
      'blanks.md',
      `---\ntitle: a${blank}b\n---\n# a${blank}b\n\n${'#'.repeat(100_000)}\n\n${'['.repeat(100_000)}](\n${'*a'.repeat(100_000)}`,
    ],
    ['blanks.csv', `a,b\n"${blank}",${'"'.repeat(500_000)}\n`],
    ['quotes.csv', `a,b\n${'"x'.repeat(500_000)}`],
    [
      'blanks.srt',
      `1\n00:00:01,000 --> 00:00:02,000\n${blank}b\n${'<i '.repeat(100_000)}\n${'{\\'.repeat(100_000)}`,
    ],
    ['blanks.svg', `<svg><text>${blank}b</text>${'<title>'.repeat(1000)}`],
    ['blanks.rtf', `{\\rtf1 ${blank}b${'\\u1'.repeat(100_000)}${"\\'e9".repeat(100_000)}}`],
    ['blanks.eml', `Subject: a${blank}b\n\n${blank}b${'>'.repeat(100_000)}`],
    ['line.log', 'word '.repeat(1_000_000)],
    ['line.json', `"${'x'.repeat(5_000_000)}"`],
    [
      'cells.ipynb',
      `{"cells": [{"cell_type": "code", "source": "${blank}b", "outputs": [{"text": "${'`'.repeat(500_000)}"}]}]}`,
    ],
  ];
  for (const [name, text] of hostile)
    test(name, async () => {
      const document = await read(utf8(text), name);
      assert.ok(document.text.length > 0);
    });
});

describe('the beginning of a long text', () => {
  test('ends with a whole line, or else a whole character', () => {
    const bytes = utf8('one\ntwo\nthr');
    assert.equal(decodeText(wholeLines(bytes)), 'one\ntwo\n');
    const umlauts = utf8('ü'.repeat(1_100_000));
    assert.equal(decodeText(wholeLines(umlauts.subarray(0, 2_100_001))), 'ü'.repeat(1_050_000));
    const wide = new Uint8Array(Buffer.from('\uFEFFone\ntwo\nthree', 'utf16le'));
    assert.equal(decodeText(wholeLines(wide.subarray(0, wide.length - 3))), 'one\ntwo\n');
  });
});

test('keeps links between Markdown files and reads the title from the front matter', () => {
  const text =
    '---\ntitle: "Locks"\n---\n\nSee [the gates](../gates/upper.md#hinges).\n\n| a | b |\n|---|---|\n| 1 | 2 |\n';
  const document = readMarkdown(text);
  assert.deepEqual([document.text, document.title, document.map.kind], [text, 'Locks', 'text']);
});
