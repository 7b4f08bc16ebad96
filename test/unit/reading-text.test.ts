import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import type { ReadDocument } from '../../src/core/domain/document.ts';
import { languageByName } from '../../src/parsers/code.ts';
import { contentHash } from '../../src/parsers/content-hash.ts';
import { guessMediaType, readableLength } from '../../src/parsers/file-types.ts';
import { readDocument } from '../../src/parsers/registry.ts';
import { decodeText } from '../../src/parsers/text-decoding.ts';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const fixture = async (name: string): Promise<Uint8Array> =>
  new Uint8Array(await readFile(new URL(`../fixtures/reading/${name}`, import.meta.url)));

const read = (
  bytes: Uint8Array,
  name: string,
  minimumLength = 1,
  mediaType?: string,
): Promise<ReadDocument> => readDocument({ bytes, name, minimumLength, mediaType }, {});

describe('decoding', () => {
  test('drops byte order marks and keeps line breaks', () => {
    const text = 'first\r\nsecond\rthird\n';
    for (const encoding of ['utf8', 'utf16le', 'utf16be'])
      assert.equal(decodeText(iconv.encode(text, encoding, { addBOM: true })), text, encoding);
  });

  test('recognizes UTF-16 without a byte order mark', () => {
    for (const encoding of ['utf16-le', 'utf16-be'])
      assert.equal(
        decodeText(iconv.encode('plain words, twice', encoding, { addBOM: false })),
        'plain words, twice',
        encoding,
      );
  });

  test('recognizes legacy code pages', async () => {
    assert.ok(
      (await read(await fixture('latin-1.txt'), 'latin-1.txt')).text.startsWith(
        'Die Größe der Türen wäre für Bären',
      ),
    );
    const russian = 'Смотритель маяка поднимается по лестнице каждый вечер и зажигает свет.'.repeat(3);
    assert.equal(decodeText(iconv.encode(russian, 'windows-1251')), russian);
    const japanese = '灯台守は毎晩階段を上って明かりをともす。船は遠くからその光を見る。'.repeat(3);
    assert.equal(decodeText(iconv.encode(japanese, 'shift_jis')), japanese);
  });

  test('uses a declared charset, unless a byte order mark contradicts it', () => {
    assert.equal(decodeText(iconv.encode('žluťoučký', 'iso-8859-2'), 'ISO-8859-2'), 'žluťoučký');
    assert.equal(decodeText(iconv.encode('žluťoučký', 'utf8', { addBOM: true }), 'iso-8859-1'), 'žluťoučký');
    assert.equal(decodeText(utf8('plain'), 'no-such-charset'), 'plain');
  });

  test('keeps UTF-8 with a few invalid bytes', () => {
    const text = '# Fähre\n\nDie Größe der Fähre – „übrig“.\n'.repeat(20);
    assert.equal(decodeText(Buffer.concat([utf8(text), Uint8Array.of(0xff)])), `${text}\uFFFD`);
    assert.equal(
      decodeText(Buffer.concat([utf8('Fähre Größe '), Uint8Array.of(0xff), utf8(' später')])),
      'Fähre Größe \ufffd später',
    );
    const chinese = '港町の船。'.repeat(30);
    assert.equal(decodeText(utf8(chinese).subarray(0, -1)), `${chinese.slice(0, -1)}\uFFFD`);
  });

  test('recognizes the code pages of DOS, Macintosh, and Thai', () => {
    const german =
      'Die Fähre über den Öresund fährt täglich. Die Größe der Fähre ist für Autos genügend.\n'.repeat(3);
    for (const page of ['cp437', 'cp850', 'macroman', 'windows-1252'])
      assert.equal(decodeText(iconv.encode(german, page)), german, page);
    const czech = 'Přívoz přes řeku jezdí každý den, a když je vítr, kapitán čeká u břehu.\n'.repeat(3);
    for (const page of ['cp852', 'windows-1250'])
      assert.equal(decodeText(iconv.encode(czech, page)), czech, page);
    const russian = 'Паром ходит каждый день, и капитан ждёт у берега, когда дует ветер.\n'.repeat(3);
    for (const page of ['cp866', 'koi8-r', 'windows-1251'])
      assert.equal(decodeText(iconv.encode(russian, page)), russian, page);
    for (const [text, page] of [
      ['Το πλοίο φεύγει κάθε μέρα από το λιμάνι της πόλης.\n', 'windows-1253'],
      ['המעבורת יוצאת כל יום מהנמל בבוקר.\n', 'windows-1255'],
      ['العبارة تغادر الميناء كل يوم في الصباح.\n', 'windows-1256'],
      ['Gemi her gün limandan ayrılır; şehir ve ığdır güzel, çoğu İstanbul’da.\n', 'windows-1254'],
      ['Ferjan fer á hverjum morgni, það kostar þrjár krónur og börn ferðast ókeypis.\n', 'windows-1252'],
      ['Łódź, żółta gęś, źdźbło, ćma i świerszcz.\n', 'iso-8859-2'],
      ['Färjan går över sundet på måndagar, båten är på väg till ön.\n', 'macroman'],
      ['Feribotul pleacă în fiecare zi şi copiii plătesc mai puţin decât părinţii.\n', 'windows-1250'],
      ['Trajekt pluje vsak dan čez ožino, otroci plačajo manj in še več.\n', 'windows-1250'],
      ['Пором ходить щодня, діти платять менше, її їжа є тут.\n', 'koi8-u'],
      ['Το πλοίο φεύγει κάθε μέρα από το λιμάνι της πόλης.\n', 'cp737'],
      ['Gemi her gün limandan ayrılır; şehir çok güzel, çoğu gider.\n', 'cp857'],
      ['המעבורת יוצאת כל יום מהנמל בבוקר.\n', 'cp862'],
      ['It costs 5 €, £3, or ½ of it.\n', 'windows-1252'],
      ['Žiemą ledas uždaro praėjimą, ir keleiviai laukia šešių ryto.\n', 'windows-1257'],
    ] as const)
      assert.equal(decodeText(iconv.encode(text.repeat(4), page)), text.repeat(4), page);
    const inSevenBits = '1b2442454f24374125244f4b68467c394124723d50245e243921231b2842';
    assert.equal(decodeText(Buffer.from(inSevenBits, 'hex')), '渡し船は毎日港を出ます。');
    const thai = 'เรือข้ามฟากออกทุกวันตั้งแต่เช้าจนถึงเย็น และค่าโดยสารสามบาท\n'.repeat(3);
    assert.equal(decodeText(iconv.encode(thai, 'cp874')), thai);
  });

  test('reads a text with single zeros, and refuses one with many', async () => {
    const text = 'The keeper climbs the stairs every evening and lights the lamp.\n'.repeat(40);
    assert.equal((await read(utf8(`${text}\0${text}`), 'log.txt')).text, `${text} ${text}`);
    await assert.rejects(read(utf8('keeper\0'.repeat(200)), 'log.txt'), { code: 'binary' });
  });

  test('keeps any text in UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.startsWith('\uFEFF') && !text.includes('\0'));
        assert.equal(decodeText(utf8(text)), text);
      }),
    );
  });
});

describe('text files', () => {
  test('keep their text and its location', async () => {
    const { text, format, map, languageId } = await read(await fixture('utf-16.txt'), 'utf-16.txt');
    assert.equal(text, 'The keeper’s log, kept in UTF-16.\r\nWind from the north.\r\n');
    assert.deepEqual(
      { format, map, languageId },
      {
        format: 'prose',
        map: { kind: 'text', origin: { line: 0, character: 0 } },
        languageId: undefined,
      },
    );
  });

  test('have the code language of their file name', async () => {
    const { format, languageId } = await read(utf8('export const x = 1;\n'), 'src/index.ts');
    assert.deepEqual({ format, languageId }, { format: 'code', languageId: 'typescript' });
    const known = {
      'a/Dockerfile': 'dockerfile',
      'x.PY': 'python',
      'CMakeLists.txt': 'cmake',
      'a.b/c': undefined,
      '.env': undefined,
    };
    for (const [name, language] of Object.entries(known)) assert.equal(languageByName(name), language, name);
  });

  test('have their type by name and first bytes', () => {
    assert.equal(guessMediaType('a.md', utf8('# A')), 'text/markdown');
    assert.equal(guessMediaType('A.HTM', utf8('<p>')), 'text/html');
    assert.equal(guessMediaType('unnamed', utf8('%PDF-1.7')), 'application/pdf');
    assert.equal(guessMediaType('notes.txt', utf8('PK\x03\x04')), 'application/octet-stream');
  });

  test('have the type that a server declares', async () => {
    assert.equal(
      (await read(utf8('# Words\n\nand more'), 'readme', 1, 'text/markdown; charset=utf-8')).format,
      'markdown',
    );
    assert.equal(
      (await read(utf8('{"a": 1}'), 'https://example.org/data', 1, 'application/json')).languageId,
      'json',
    );
  });

  test('open the saved copy if they come from a page', async () => {
    const { map, text } = await readDocument(
      { bytes: utf8('Some text.'), name: 'a.txt', pageUrl: 'https://example.org/a.txt', minimumLength: 1 },
      {},
    );
    assert.deepEqual({ map, text }, { map: { kind: 'saved' }, text: 'Some text.' });
  });
});

describe('unsupported files are rejected in one sentence', () => {
  test('rejects images and archives under any name', async () => {
    await assert.rejects(read(await fixture('picture.txt'), 'picture.txt'), {
      code: 'binary',
      message:
        'picture.txt is a PNG image without a title or description, so it can’t be searched. Add a title to the file, or add text that describes it.',
    });
    await assert.rejects(read(utf8('PK\x03\x04 and more'), 'reports.zip'), {
      code: 'binary',
      message: 'reports.zip is a zip archive. Extract it, then add the files.',
    });
    await assert.rejects(read(utf8('words \0 and zeros'), 'data.txt'), {
      code: 'binary',
      message: /is a binary file/,
    });
  });

  test('rejects empty and blank files', async () => {
    await assert.rejects(read(await fixture('empty.txt'), 'empty.txt'), { code: 'empty' });
    await assert.rejects(read(utf8(' \n\t\n'), 'blank.txt'), { code: 'empty' });
  });

  test('rejects short texts with the limit and the length', async () => {
    await assert.rejects(read(utf8('twelve chars'), 'note.txt', 100), {
      code: 'too-short',
      message:
        'note.txt has only 12 characters of text, but a source needs at least 100. Add a longer source.',
    });
  });

  test('rejects large files by their size alone', () => {
    const megabyte = 1024 * 1024;
    assert.equal(readableLength('debug.log', 50 * megabyte, utf8('a line')), 20 * megabyte);
    assert.throws(
      () => {
        readableLength('debug.log', 1500 * megabyte, utf8('a line'));
      },
      {
        code: 'too-large',
        message:
          'debug.log is 1500 MB, but the limit for text files is 1024 MB. Split the file, then add the parts.',
      },
    );
    assert.throws(
      () => {
        readableLength('scan.pdf', 201 * megabyte, utf8('%PDF-1.4'));
      },
      { code: 'too-large', message: /the limit for PDFs is 200 MB/ },
    );
    assert.equal(readableLength('book.pdf', 150 * megabyte, utf8('%PDF-1.4')), 150 * megabyte);
  });

  test('rejects a file that only claims to be a PDF', async () => {
    await assert.rejects(read(utf8('<html>Not found</html>'), 'paper.pdf'), { code: 'damaged' });
  });
});

test('hashes content with SHA-256 in hexadecimal', () => {
  assert.equal(contentHash(utf8('abc')), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
