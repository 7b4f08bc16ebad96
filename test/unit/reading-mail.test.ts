import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import iconv from 'iconv-lite';
import { readMail } from '../../src/parsers/mail.ts';

const HEAD = 'From: Ada <ada@example.org>\r\nTo: bo@example.org\r\nMIME-Version: 1.0\r\n';
const read = async (source: string, encoding = 'utf8'): Promise<string> =>
  (await readMail(new Uint8Array(iconv.encode(source, encoding)), 'a.eml')).text;

const alternative = (plain: string, html: string): string =>
  `${HEAD}Subject: News\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n${plain}\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`;

describe('mail', () => {
  test('is read from its HTML if the plain text only refers to it', async () => {
    const html = '<html><body><h1>Timetable</h1><p>The ferry leaves at 9 from November on.</p></body></html>';
    for (const stub of [
      'This is a multi-part message in MIME format. Please use an HTML-capable mail reader.',
      'View this email in your browser: https://example.org/n/1',
      'Hello,',
    ])
      assert.match(await read(alternative(stub, html)), /# Timetable\n\nThe ferry leaves at 9/);
    assert.match(
      await read(alternative('Timetable\n\nThe ferry leaves at 9 from November on.', html)),
      /Timetable\n\nThe ferry leaves at 9/,
    );
  });

  test('is read in the encoding of its bytes if it names none', async () => {
    const body = 'Die Fähre kostet 5 Kronen, und die Überfahrt dauert länger.';
    const eightBit = 'Content-Transfer-Encoding: 8bit\r\n';
    for (const type of [
      '',
      'Content-Type: text/plain\r\n',
      'Content-Type: text/plain;\r\n format=flowed\r\n',
    ])
      assert.match(
        await read(`${HEAD}Subject: Fähre\r\n${type}${eightBit}\r\n${body}\r\n`, 'windows-1252'),
        /^# Fähre[^]*Die Fähre kostet 5 Kronen, und die Überfahrt/,
      );
    assert.match(
      await read(
        `${HEAD}Subject: x\r\nContent-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nDie F=E4hre kostet=\r\n f=FCnf Kronen.\r\n`,
      ),
      /Die Fähre kostet fünf Kronen\./,
    );
  });

  test('keeps headers that it quotes as they are', async () => {
    const quoted = 'Content-Type: text/plain\r\nDie Fähre kostet 5 Kronen, und die Überfahrt dauert länger.';
    const text = await read(
      `${HEAD}Subject: x\r\nContent-Type: text/plain\r\n\r\n${quoted}\r\n`,
      'windows-1252',
    );
    assert.match(text, /Content-Type: text\/plain\nDie Fähre kostet 5 Kronen/);
    assert.doesNotMatch(text, /charset/);
  });

  test('reads layout tables in its HTML as blocks', async () => {
    const html =
      '<table><tr><td>Logo</td><td><h1>Timetable</h1><p>In 2019<sup>12</sup> it left at 9.</p></td></tr></table>';
    assert.match(
      await read(`${HEAD}Subject: x\r\nContent-Type: text/html\r\n\r\n${html}`),
      /# Timetable\n\nIn 2019 \[12\] it left at 9\./,
    );
  });
});
