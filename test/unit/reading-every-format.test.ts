// Runs in a process of its own: regular expressions over a line of millions of characters can fail in a used one.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { locate, type Locator } from '../../src/core/domain/locator.ts';
import { readableLength } from '../../src/parsers/file-types.ts';
import { containerFormats, formats } from '../../src/parsers/formats.ts';
import { setPdfResources } from '../../src/parsers/pdf/engine.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { decodeText } from '../../src/parsers/text-decoding.ts';
import { makeZip } from '../../src/features/export/service/zip.ts';

setPdfResources(fileURLToPath(new URL('../../node_modules/pdfjs-dist/', import.meta.url)));

const megabyte = 1024 * 1024;
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (bytes: Uint8Array, name: string): Promise<ReadDocument> =>
  readDocument({ bytes, name, minimumLength: 1 }, {});

interface Case {
  /** Name of a file in test/fixtures/reading, or its bytes. */
  readonly file: string | Uint8Array;
  readonly name: string;
  /** Words that a citation leads to. */
  readonly words: string;
  /** File of this format without content. */
  readonly blank: Uint8Array;
  /** Hostile files, which must be read or rejected quickly. */
  readonly hostile: readonly (() => Uint8Array)[];
  /** Maximum file size in megabytes; undefined if the beginning of a larger file is read. */
  readonly limit: number | undefined;
}

const entities = Array.from(
  { length: 20 },
  (_, i) => `<!ENTITY e${String(i + 1)} "&e${String(i)};&e${String(i)};">`,
).join('');
const entityBomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e0 "ha">${entities}]>`;
const deepXml = `${'<a>'.repeat(200_000)}x`;

/** Returns containers whose named part contains a bomb, endless XML, or growing entities. */
const hostileContainers = (
  part: string,
  type = '',
  others: Readonly<Record<string, string>> = {},
): (() => Uint8Array)[] =>
  [() => '<a>'.padEnd(98 * megabyte, 'a'), () => deepXml, () => `${entityBomb}<a>&e20;</a>`].map(
    (text) => () => makeZip({ ...(type !== '' && { mimetype: type }), ...others, [part]: text() }),
  );
/** Returns the same for an Office file whose relations lead to the part. */
const hostileOffice = (part: string): (() => Uint8Array)[] =>
  hostileContainers(part, '', {
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${part}"/></Relationships>`,
  });
const openDocument = (kind: string): (() => Uint8Array)[] =>
  hostileContainers('content.xml', `application/vnd.oasis.opendocument.${kind}`);

const zipped = (type: string, part: string, text: string): Uint8Array =>
  makeZip({ ...(type !== '' && { mimetype: type }), [part]: text });

const pngBomb = (): Uint8Array => {
  const packed = deflateSync(Buffer.alloc(200 * megabyte));
  const chunk = Buffer.concat([Buffer.from('Description\0\0'), packed]);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(chunk.length);
  head.write('zTXt', 4);
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), head, chunk, Buffer.alloc(4)]);
};

const cases: readonly Case[] = [
  {
    file: 'office/ferry.docx',
    name: 'a.docx',
    words: 'dogs pay half of the fare',
    blank: zipped('', 'word/document.xml', '<w:document/>'),
    hostile: hostileOffice('word/document.xml'),
    limit: 100,
  },
  {
    file: 'office/orchard.pptx',
    name: 'a.pptx',
    words: 'Topaz',
    blank: zipped('', 'ppt/presentation.xml', '<p:presentation/>'),
    hostile: hostileOffice('ppt/presentation.xml'),
    limit: 200,
  },
  {
    file: 'office/stores.xlsx',
    name: 'a.xlsx',
    words: 'Town library',
    blank: zipped('', 'xl/workbook.xml', '<workbook/>'),
    hostile: hostileOffice('xl/workbook.xml'),
    limit: 100,
  },
  {
    file: 'office/ferry.odt',
    name: 'a.odt',
    words: 'dogs pay half of the fare',
    blank: zipped('application/vnd.oasis.opendocument.text', 'content.xml', '<office:document-content/>'),
    hostile: openDocument('text'),
    limit: 100,
  },
  {
    file: 'office/stores.ods',
    name: 'a.ods',
    words: 'Town library',
    blank: zipped(
      'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml',
      '<office:document-content/>',
    ),
    hostile: openDocument('spreadsheet'),
    limit: 100,
  },
  {
    file: 'office/orchard.odp',
    name: 'a.odp',
    words: 'Topaz',
    blank: zipped(
      'application/vnd.oasis.opendocument.presentation',
      'content.xml',
      '<office:document-content/>',
    ),
    hostile: openDocument('presentation'),
    limit: 200,
  },
  {
    file: 'office/lamps.epub',
    name: 'a.epub',
    words: 'nine litres in a winter night',
    blank: zipped('application/epub+zip', 'META-INF/container.xml', '<container/>'),
    hostile: hostileContainers('book.opf', 'application/epub+zip', {
      'META-INF/container.xml':
        '<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>',
    }),
    limit: 200,
  },
  {
    file: 'office/tides.ipynb',
    name: 'a.ipynb',
    words: 'sum(levels) / len(levels)',
    blank: utf8('{"cells": [], "nbformat": 4}'),
    hostile: [
      () => utf8('['.repeat(500_000)),
      () => utf8(`{"cells": [${'{"cell_type": "code", "source": "x"},'.repeat(100_000)}{}]}`),
      () => utf8('{"cells": [{"__proto__": {"source": "x"}, "source": 3, "outputs": {"length": 1e9}}]}'),
    ],
    limit: 100,
  },
  {
    file: 'office/buoys.csv',
    name: 'a.csv',
    words: 'swings 66 m',
    blank: utf8('\n\n'),
    hostile: [() => utf8('"'.repeat(2_000_001)), () => utf8(','.repeat(2_000_000))],
    limit: undefined,
  },
  {
    file: 'office/tolls.tsv',
    name: 'a.tsv',
    words: 'Upper lock',
    blank: utf8('\n\n'),
    hostile: [() => utf8('\t'.repeat(2_000_000)), () => utf8('"'.repeat(2_000_001))],
    limit: undefined,
  },
  {
    file: 'office/letter.eml',
    name: 'a.eml',
    words: 'stuck since Monday',
    blank: utf8('\r\n\r\n'),
    hostile: [
      () => utf8(`${'X-Header: a\r\n'.repeat(200_000)}\r\nwords`),
      () => utf8(`Subject: =?utf-8?B?${'QUFB'.repeat(300_000)}?=\r\n\r\nwords`),
    ],
    limit: 50,
  },
  {
    file: 'office/chain-ferry.mhtml',
    name: 'a.mhtml',
    words: 'crosses the Größe sound every twenty minutes',
    blank: utf8('Content-Type: text/html\r\n\r\n<p> </p>'),
    hostile: [
      () => utf8(`Content-Type: multipart/related; boundary=a\n\n${'--a\n'.repeat(200_000)}`),
      () =>
        utf8(
          `Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n${'='.repeat(2_000_000)}`,
        ),
    ],
    limit: 100,
  },
  {
    file: 'office/chain-ferry.webarchive',
    name: 'a.webarchive',
    words: 'crosses the Größe sound every twenty minutes',
    blank: utf8(`bplist00${'\0'.repeat(40)}`),
    hostile: [() => utf8(`bplist00${'\x0f'.repeat(2_000_000)}`)],
    limit: 100,
  },
  {
    file: 'office/ferry.rtf',
    name: 'a.rtf',
    words: 'dogs pay half of the fare',
    blank: utf8('{\\rtf1 }'),
    hostile: [
      () => utf8(`{\\rtf1 ${'{'.repeat(500_000)}a`),
      () => utf8(`{\\rtf1 \\bin999999999999 a}`),
      () => utf8(`{\\rtf1 ${'\\trowd\\cell '.repeat(200_000)}}`),
    ],
    limit: 100,
  },
  {
    file: 'office/tour.srt',
    name: 'a.srt',
    words: 'The tar was boiled',
    blank: utf8('1\n00:00:01,000 --> 00:00:02,000\n\n'),
    hostile: [() => utf8('1\n'.repeat(1_000_000)), () => utf8('00:00:01,000 --> '.repeat(100_000))],
    limit: 20,
  },
  {
    file: 'office/talk.vtt',
    name: 'a.vtt',
    words: 'before you anchor.',
    blank: utf8('WEBVTT\n\n'),
    hostile: [
      () => utf8(`WEBVTT\n\n00:01.000 --> 00:02.000\n${'<v '.repeat(300_000)}`),
      () => utf8(`WEBVTT\n\nNOTE ${'-->'.repeat(300_000)}`),
    ],
    limit: 20,
  },
  {
    file: 'office/quay.svg',
    name: 'a.svg',
    words: 'Customs house',
    blank: utf8('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    hostile: [
      () => utf8(`<svg>${'<g>'.repeat(300_000)}<text>deep</text>`),
      () => utf8(`${entityBomb}<svg><text>&e20;</text></svg>`),
    ],
    limit: 50,
  },
  {
    file: 'office/crane.png',
    name: 'a.png',
    words: 'The crane lifts twelve tonnes',
    blank: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    hostile: [
      pngBomb,
      () => Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(20, 0xff)]),
    ],
    limit: undefined,
  },
  {
    file: 'report.pdf',
    name: 'a.pdf',
    words: 'Apples are watered',
    blank: utf8('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer << /Root 1 0 R >>'),
    hostile: [
      () => utf8(`%PDF-1.7\n${'1 0 obj\n<< /Type /Page /Parent 1 0 R >>\n'.repeat(50_000)}`),
      () => utf8(`%PDF-1.7\n1 0 obj\n${'<<'.repeat(200_000)}`),
    ],
    limit: 200,
  },
  {
    file: 'article.html',
    name: 'a.html',
    words: 'Seventeen turns are enough for a week',
    blank: utf8('<!doctype html><html><body></body></html>'),
    hostile: [
      () => utf8(`<html>${'<div>'.repeat(100_000)}deep`),
      () => utf8(`<p>${'&amp;'.repeat(500_000)}`),
    ],
    limit: 20,
  },
  {
    file: utf8('# Locks\n\nThe upper gate is *closed* at night.\n'),
    name: 'a.md',
    words: 'is *closed* at',
    blank: utf8(' \n\n'),
    hostile: [() => utf8('>'.repeat(1_000_000)), () => utf8(`---\n${'a: &a [*a]\n'.repeat(50_000)}---\nx`)],
    limit: undefined,
  },
  {
    file: utf8('/** Shuts the gate. */\nexport function shut(): void {\n  gate.close();\n}\n'),
    name: 'a.ts',
    words: 'gate.close()',
    blank: utf8('\n\n\t'),
    hostile: [() => utf8('{'.repeat(500_000)), () => utf8(`x = ${'`${'.repeat(100_000)}`)],
    limit: undefined,
  },
  {
    file: utf8('Ordnung der Schleuse\r\nDas Tor schließt um zehn.\r\n'),
    name: 'a.txt',
    words: 'Tor schließt',
    blank: utf8('\r\n \r\n'),
    hostile: [() => utf8('\u0301'.repeat(1_000_000)), () => utf8('a'.repeat(5_000_000))],
    limit: undefined,
  },
];

const readBytes = async ({ file }: Case): Promise<Uint8Array> =>
  typeof file === 'string'
    ? new Uint8Array(await readFile(new URL(`../fixtures/reading/${file}`, import.meta.url)))
    : file;

/** Returns the document or the reason why it can't be read. Any other error fails the test. */
const readOrRefused = async (bytes: Uint8Array, name: string): Promise<ReadDocument | NotebookError> =>
  read(bytes, name).catch((error: unknown) => {
    assert.ok(error instanceof NotebookError, `${name}: ${String((error as Error).stack)}`);
    assert.match(error.message, /^\S[^\n]+\.$/);
    return error;
  });

/** Returns the text of an original at a locator; undefined if only the viewer of its kind can show it. */
function shownAt(original: string, { text }: ReadDocument, locator: Locator): string | undefined {
  if (locator.kind === 'saved') return text.slice(locator.span.start, locator.span.end);
  if (locator.kind !== 'lines') return undefined;
  const lines = original.split(/\r\n|\n|\r/).slice(locator.start.line, locator.end.line + 1);
  assert.equal(lines.length, 1);
  return lines[0]?.slice(locator.start.character, locator.end.character);
}

test('covers every format', () => {
  const named = new Set(cases.map(({ name }) => name.slice(2)));
  for (const { endings, mediaType } of formats)
    assert.ok(mediaType.startsWith('image/') || endings.some((ending) => named.has(ending)), mediaType);
});

for (const testCase of cases)
  describe(testCase.name, () => {
    test('rejects an empty or blank file with a reason', async () => {
      await assert.rejects(read(new Uint8Array(), testCase.name), { code: 'empty' });
      const blank = await readOrRefused(testCase.blank, testCase.name);
      assert.ok(blank instanceof NotebookError, `something was read of ${testCase.name}`);
    });

    test('reads a truncated file as far as possible, or rejects it with a reason', async () => {
      const whole = await readBytes(testCase);
      const { text } = await read(whole, testCase.name);
      const isContainer = containerFormats.some(({ endings }) => endings.includes(testCase.name.slice(2)));
      for (const share of [0.02, 0.3, 0.6, 0.9, 0.99]) {
        const rest = await readOrRefused(whole.subarray(0, Math.floor(share * whole.length)), testCase.name);
        if (rest instanceof NotebookError) continue;
        assert.ok(!isContainer && rest.text.length <= text.length);
      }
    });

    test('rejects a file that is too large, or reads its beginning', async () => {
      const head = (await readBytes(testCase)).subarray(0, 4096);
      if (testCase.limit === undefined) {
        // An image is read as a whole.
        const limit = testCase.name === 'a.png' ? 100 : 20;
        assert.ok(readableLength(testCase.name, 900 * megabyte, head) <= limit * megabyte);
        assert.throws(() => readableLength(testCase.name, 1025 * megabyte, head), { code: 'too-large' });
      } else {
        assert.equal(
          readableLength(testCase.name, testCase.limit * megabyte, head),
          testCase.limit * megabyte,
        );
        const { limit } = testCase;
        assert.throws(() => readableLength(testCase.name, limit * megabyte + 1, head), {
          code: 'too-large',
          message: new RegExp(`the limit for .* is ${String(limit)} MB`),
        });
      }
    });

    test('reads or rejects a hostile file quickly', async () => {
      for (const make of testCase.hostile) {
        const read = await readOrRefused(make(), testCase.name);
        if (!(read instanceof NotebookError)) assert.ok(read.text.length < 25 * megabyte);
      }
    });

    test('leads from a citation to the cited text', async () => {
      const bytes = await readBytes(testCase);
      const document = await read(bytes, testCase.name);
      const start = document.text.indexOf(testCase.words);
      assert.ok(start >= 0, testCase.words);
      const locator = locate(document.text, document.map, { start, end: start + testCase.words.length });
      const shown = shownAt(decodeText(bytes), document, locator);
      if (shown === undefined) assert.match(locator.kind, /^(?:pdf|cell)$/);
      else assert.equal(shown, testCase.words);
    });
  });
