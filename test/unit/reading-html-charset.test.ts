import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { decodeHtml } from '../../src/parsers/html.ts';

const greeting = 'Grüße – “Привет”, 日本語';
const page = (head: string, words: string): string =>
  `<html><head>${head}</head><body><p>${words}</p></body></html>`;

describe('decoding a page', () => {
  test('prefers the byte order mark', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
      const bytes = iconv.encode(page('<meta charset="windows-1252">', greeting), encoding, { addBOM: true });
      assert.ok(decodeHtml(bytes, 'iso-8859-1').includes(greeting), encoding);
    }
  });

  test('prefers the charset of the server to that of the page', () => {
    const bytes = iconv.encode(page('<meta charset="utf-8">', 'Привет, мир'), 'windows-1251');
    assert.ok(decodeHtml(bytes, 'windows-1251').includes('Привет, мир'));
  });

  for (const [words, encoding, head] of [
    ['Привет, мир', 'koi8-r', '<meta charset=koi8-r>'],
    ['日本語の文', 'shift_jis', '<meta http-equiv="Content-Type" content="text/html; charset=x-sjis">'],
    ['漢字與假名', 'big5', "<META CHARSET='big5'>"],
    ['简体中文和镕', 'gbk', '<meta charset="gb2312">'],
    ['“quoted” – it’s', 'windows-1252', '<meta charset="iso-8859-1">'],
    ['한국어 문장', 'euc-kr', '<meta charset="ks_c_5601-1987">'],
  ] as const) {
    test(`uses the charset of the page: ${head}`, () => {
      const bytes = iconv.encode(page(`<title>x</title>${' '.repeat(3000)}${head}`, words), encoding);
      assert.ok(decodeHtml(bytes).includes(words));
      assert.ok(decodeHtml(bytes, 'no-such-charset').includes(words));
    });
  }

  test('supports encodings that only browsers know', () => {
    const words = Buffer.from('1b2442467c4b5c386c1b2842', 'hex');
    const bytes = Buffer.concat([Buffer.from('<meta charset="iso-2022-jp"><p>'), words]);
    assert.ok(decodeHtml(bytes).includes('日本語'));
  });

  test('detects the encoding from the bytes if the declared one is wrong', () => {
    const words = 'Die Gäste grüßten später schöne Mädchen in der Küche. '.repeat(20);
    const bytes = Buffer.from(page('<meta charset="utf-8">', words), 'latin1');
    assert.ok(decodeHtml(bytes, 'utf-8').includes(words));
  });

  test('keeps the declared encoding despite a few broken characters', () => {
    const bytes = Buffer.concat([Buffer.from(page('', greeting.repeat(50))), Buffer.from([0xc3, 0x28])]);
    assert.ok(decodeHtml(bytes, 'utf-8').includes(greeting));
  });
});
