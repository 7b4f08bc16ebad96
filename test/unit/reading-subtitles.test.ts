import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSubtitles } from '../../src/parsers/subtitles.ts';

const read = (text: string): string => readSubtitles(Buffer.from(text)).text;

test('has each line of rolling captions once', () => {
  const captions = `WEBVTT
Kind: captions

00:00:00.160 --> 00:00:02.310 align:start position:0%
 
the<00:00:00.400><c> boat</c><00:00:00.800><c> leaves</c>

00:00:02.310 --> 00:00:02.320 align:start position:0%
the boat leaves
 

00:00:02.320 --> 00:00:04.789 align:start position:0%
the boat leaves
at<00:00:02.600><c> nine</c>

00:00:04.789 --> 00:00:04.799 align:start position:0%
at nine
 

00:00:04.799 --> 00:00:07.000 align:start position:0%
at nine
and<00:00:05.000><c> returns</c>
`;
  assert.equal(read(captions), 'the boat leaves\nat nine\nand returns');
});

test('has the words of a growing caption once', () => {
  const cue = (second: number, text: string): string =>
    `00:0${String(second)}.000 --> 00:0${String(second + 1)}.000\n${text}\n\n`;
  assert.equal(
    read(
      `WEBVTT\n\n${cue(1, 'the')}${cue(2, 'the boat')}${cue(3, 'the boat leaves\nat')}${cue(4, 'the boat leaves\nat nine')}`,
    ),
    'the boat leaves\nat nine',
  );
});

test('keeps a line that two people say', () => {
  const cues = ['No.', 'No. I can’t.\nNo.', 'Why?', 'Because.', 'Go.'].map(
    (text, i) => `${String(i + 1)}\n00:00:0${String(i)},000 --> 00:00:0${String(i + 1)},000\n${text}\n`,
  );
  assert.equal(read(cues.join('\n')), 'No.\nNo. I can’t.\nNo.\nWhy?\nBecause.\nGo.');
});

test('names the speakers of voice spans', () => {
  const captions = `WEBVTT

8a2f/11-0
00:01.000 --> 00:03.000
<v Ada Ek>The boat is late.</v>

8a2f/11-1
00:03.000 --> 00:04.000
<v Ada Ek>Wait here.</v>

8a2f/12-0
00:04.000 --> 00:05.000
<v.loud Bo &amp; Co>Why?</v> <v Ada Ek>Ice.</v>
`;
  assert.equal(read(captions), 'Ada Ek: The boat is late.\nWait here.\nBo & Co: Why?\nAda Ek: Ice.');
});

test('decodes all character references once, after the tags', () => {
  assert.equal(
    read(
      'WEBVTT\n\n00:01.000 --> 00:03.000\n<i>It&#39;s &lt;late&gt;</i> &amp;amp; caf&eacute;&lrm;&#x2026;\n',
    ),
    "It's <late> &amp; café…",
  );
});

test('keeps words after blank lines in a caption', () => {
  assert.equal(
    read(
      '1\n00:00:01,000 --> 00:00:03,000\n\nFirst\n\nsecond\n\n2\n00:00:04,000 --> 00:00:06,000\nThird\n3\n00:00:07,000 --> 00:00:09,000\nFourth\n\n42\n',
    ),
    'First\nsecond\nThird\nFourth\n42',
  );
  assert.equal(
    read(
      'WEBVTT\n\n00:01.000 --> 00:03.000\nFirst\n\nsecond\n\n00:04.000 --> 00:06.000\nThird\n\nNOTE not\nsaid\n\nintro\n00:07.000 --> 00:09.000\nFourth\n',
    ),
    'First\nsecond\nThird\nFourth',
  );
});

test('reads times in the forms of many programs', () => {
  for (const times of [
    '0:00:01.00 --> 0:00:03.00',
    '00:00:01:000 --> 00:00:03:000',
    '00:00:01,000 -> 00:00:03,000',
    '00:00:01,0000 --> 00:00:03,0000',
    '00:00:01 --> 00:00:03',
    '00:01.000-->00:03.000',
    '00: 00: 01, 000 --> 00: 00: 03, 000',
    '1 00:00:01,000 --> 00:00:03,000 X1:100',
  ]) {
    const { text, map } = readSubtitles(Buffer.from(`1\n${times}\nThe boat leaves.\n`));
    assert.equal(text, 'The boat leaves.', times);
    assert.deepEqual(map.kind === 'aligned' && map.places?.labels, ['0:01–0:03'], times);
  }
});

test('leaves out the readings of ruby text', () => {
  assert.equal(
    read('WEBVTT\n\n00:01.000 --> 00:03.000\n<ruby>港<rp>(</rp><rt>みなと</rt><rp>)</rp></ruby>の船\n'),
    '港の船',
  );
});

test('keeps exponents apart from their number', () => {
  assert.equal(read('WEBVTT\n\n00:01.000 --> 00:03.000\n10<sup>6</sup> cars\n'), '10^6 cars');
});

test('leaves out the heads of joined files and dashes before voices', () => {
  assert.equal(
    read(
      'WEBVTT\n\n00:01.000 --> 00:03.000\n- <v Ada>One\n- <v Bo>Two\nWEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:9\n\n00:03.000 --> 00:04.000\nThree\n',
    ),
    'Ada: One\nBo: Two\nThree',
  );
});

test('reads lines that end with a carriage return alone', () => {
  assert.equal(
    read('1\r00:00:01,000 --> 00:00:02,000\rOne\r\r2\r00:00:02,000 --> 00:00:03,000\rTwo\r'),
    'One\nTwo',
  );
});
