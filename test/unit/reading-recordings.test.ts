import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mapFromJson, mapToJson } from '../../src/index/library/map-codec.ts';
import { packMap, unpackMap } from '../../src/index/store/sources/packing.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { formatLocator, locate } from '../../src/core/domain/locator.ts';
import {
  belongsToRecording,
  filesOfRecording,
  isHashOfRecording,
  recordingKey,
  withoutUsedCaptions,
  type SpeakerNames,
} from '../../src/core/domain/recordings.ts';
import type { ReadRequest } from '../../src/parsers/api.ts';
import { describeRecording } from '../../src/parsers/recordings/open-recording.ts';
import { listSpeakers, readRecording } from '../../src/parsers/recordings/read-recording.ts';
import { recordingType } from '../../src/parsers/recordings/recording-type.ts';
import { readCaptions } from '../../src/parsers/subtitles.ts';
import { makeWav } from '../support/recordings.ts';

const talk = makeWav([{ seconds: 2 }, { seconds: 1, isSilent: true }, { seconds: 1 }]);
const captions = `WEBVTT

00:00:01.250 --> 00:00:02.000
<v Ada>The ferry leaves at nine.

00:00:03.000 --> 00:00:04.000
<v Ben>It returns at noon.
`;

const request = (bytes: Uint8Array, vtt?: string): ReadRequest => ({
  content: { kind: 'bytes', bytes },
  name: 'talk.wav',
  minimumLength: 1,
  captions:
    vtt === undefined
      ? undefined
      : { name: 'talk.vtt', content: { kind: 'bytes', bytes: new TextEncoder().encode(vtt) } },
});

describe('a recording', () => {
  test('has a transcript from the captions beside it, with times and speakers', async () => {
    const result = await readRecording(request(talk, captions), {});
    assert.ok(result.kind === 'read');
    const { text, map, mediaType } = result.document;
    assert.equal(mediaType, 'audio/wav');
    assert.equal(text, 'Ada: The ferry leaves at nine.\nBen: It returns at noon.');
    const start = text.indexOf('returns');
    const locator = locate(text, map, { start, end: start + 7 });
    assert.ok(locator.kind === 'saved');
    assert.deepEqual(locator.time, { from: 3, to: 4 });
    assert.equal(formatLocator(locator, []), '0:03');
  });

  test('keeps its times in the store and in an exported notebook', async () => {
    const result = await readRecording(request(talk, captions), {});
    assert.ok(result.kind === 'read');
    const { text, map } = result.document;
    assert.deepEqual(unpackMap(packMap(map)), map);
    const json: unknown = JSON.parse(JSON.stringify(mapToJson(map)));
    assert.deepEqual(mapFromJson(json, text.length), map);
  });

  test('is unchanged while it and its captions are', async () => {
    const result = await readRecording(request(talk, captions), {});
    assert.ok(result.kind === 'read');
    const knownHash = result.hash;
    assert.deepEqual(await readRecording({ ...request(talk, captions), knownHash }, {}), {
      kind: 'unchanged',
    });
    const changed = request(talk, captions.replace('nine', 'ten'));
    assert.equal((await readRecording({ ...changed, knownHash }, {})).kind, 'read');
  });

  test('has the names that the user gave its speakers, and is read again when they change', async () => {
    const read = async (speakers?: SpeakerNames): Promise<{ text: string; hash: string }> => {
      const result = await readRecording({ ...request(talk, captions), speakers }, {});
      assert.ok(result.kind === 'read');
      return { text: result.document.text, hash: result.hash };
    };
    const before = await read();
    const named = await read({ Ada: 'Countess of Lovelace' });
    assert.equal(named.text, 'Countess of Lovelace: The ferry leaves at nine.\nBen: It returns at noon.');
    assert.notEqual(named.hash, before.hash);
    assert.ok(isHashOfRecording(named.hash, before.hash));
    assert.deepEqual(await read({}), before);
    assert.equal((await read({ Ada: 'Ada', Ben: 'Ada' })).text.match(/Ada: /g)?.length, 1);
  });

  test('has its generated chapters, or else those beside it, and is read again when they change', async () => {
    const outline = async (
      more: Partial<ReadRequest>,
    ): Promise<{ titles: readonly string[]; hash: string }> => {
      const result = await readRecording({ ...request(talk, captions), ...more }, {});
      assert.ok(result.kind === 'read');
      return { titles: result.document.headings.map(({ title }) => title), hash: result.hash };
    };
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:03.000\nDeparture\n\n00:03.000 --> 00:04.000\nReturn\n';
    const chapters = {
      name: 'talk.chapters.vtt',
      content: { kind: 'bytes', bytes: new TextEncoder().encode(vtt) },
    } as const;
    const plain = await outline({});
    const beside = await outline({ chapters });
    assert.deepEqual([plain.titles, beside.titles], [[], ['Departure', 'Return']]);
    const generatedChapters = { [recordingKey(plain.hash)]: [{ title: 'The ferry', from: 1 }] };
    const generated = await outline({ chapters, generatedChapters });
    assert.deepEqual(generated.titles, ['The ferry']);
    assert.equal(new Set([plain.hash, beside.hash, generated.hash]).size, 3);
    const other = await outline({ generatedChapters: { other: [{ title: 'The ferry', from: 1 }] } });
    assert.deepEqual(other, plain);
  });

  test('lists the speakers of voice spans, and names that begin several captions', async () => {
    assert.deepEqual(await listSpeakers(request(talk, captions)), [
      { name: 'Ada', captions: 1, words: 'The ferry leaves at nine.' },
      { name: 'Ben', captions: 1, words: 'It returns at noon.' },
    ]);
    const cue = (second: number, text: string): string =>
      `\n\n00:00:0${String(second)}.000 --> 00:00:0${String(second + 1)}.000\n${text}`;
    const zoom = `WEBVTT${cue(1, 'Ada Lovelace: One thing: it leaves.')}${cue(2, 'Note: this is written once.')}${cue(3, 'Ada Lovelace: At nine.')}`;
    assert.deepEqual(await listSpeakers(request(talk, zoom)), [
      { name: 'Ada Lovelace', captions: 2, words: 'One thing: it leaves.' },
    ]);
    const result = await readRecording({ ...request(talk, zoom), speakers: { 'Ada Lovelace': 'Ada' } }, {});
    assert.ok(result.kind === 'read');
    assert.equal(
      result.document.text,
      'Ada: One thing: it leaves.\nNote: this is written once.\nAda: At nine.',
    );
  });

  const reasonFor = async (bytes: Uint8Array, vtt?: string): Promise<string> =>
    readRecording(request(bytes, vtt), {}).then(
      () => '',
      (error: unknown) =>
        error instanceof NotebookError ? `${error.code}: ${error.message}` : String(error),
    );

  test('is refused with a reason without captions, with empty captions, and if it is damaged', async () => {
    assert.match(await reasonFor(talk), /^no-transcript: talk\.wav has no transcript\./);
    assert.equal(await reasonFor(talk, 'WEBVTT\n\n'), 'empty: talk.vtt has no text. Replace or delete it.');
    const damaged = new Uint8Array(Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'));
    assert.match(await reasonFor(damaged), /^damaged: talk\.wav is damaged or incomplete\./);
    assert.match(await reasonFor(damaged, captions), /^damaged: /);
    const empty = new Uint8Array(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp42', 'latin1'));
    assert.match(await reasonFor(empty, captions), /^damaged: /);
  });

  test('has a duration and codecs', async () => {
    assert.deepEqual(await describeRecording({ kind: 'bytes', bytes: talk }, 'talk.wav'), {
      mediaType: 'audio/wav',
      duration: 4,
      codecs: { audio: 'audio/wav; codecs="pcm-s16"' },
    });
  });
});

describe('recordingType', () => {
  const typeOf = (start: string, name: string): string | undefined =>
    recordingType(name, new Uint8Array(Buffer.from(start.padEnd(64, '\0'), 'latin1')));

  test('finds the container by the first bytes', () => {
    assert.equal(typeOf('\0\0\0\x20ftypisom', 'a.mp4'), 'video/mp4');
    assert.equal(typeOf('\0\0\0\x20ftypM4A ', 'a'), 'audio/mp4');
    assert.equal(typeOf('\0\0\0\x14ftypqt  ', 'a.mov'), 'video/quicktime');
    assert.equal(typeOf('\x1a\x45\xdf\xa3\x01\0\0\0\0\0\0\x1f\x42\x82\x84webm', 'a'), 'video/webm');
    assert.equal(typeOf('OggS', 'a.opus'), 'audio/ogg');
    assert.equal(typeOf('fLaC', 'a'), 'audio/flac');
    assert.equal(typeOf('ID3\x04', 'a.mp3'), 'audio/mpeg');
    assert.equal(typeOf('\xff\xfb\x90\x64', 'a.mp3'), 'audio/mpeg');
    assert.equal(typeOf('\xff\xf1\x50\x80', 'a.aac'), 'audio/aac');
  });

  test('leaves pictures, text, and programs alone', () => {
    assert.equal(typeOf('\0\0\0\x18ftypheic', 'a.heic'), undefined);
    assert.equal(typeOf('\0\0\0\x1cftypavif', 'a.avif'), undefined);
    assert.equal(typeOf('RIFF\0\0\0\0WEBPVP8 ', 'a.webp'), undefined);
    assert.equal(typeOf('\xff\xfea\0b\0', 'a.txt'), undefined);
    assert.equal(typeOf('\xff\xd8\xff\xe0', 'a.jpg'), undefined);
    assert.equal(typeOf('The moov', 'a.txt'), undefined);
  });
});

describe('captions', () => {
  test('belong to the recording with their name', () => {
    for (const name of ['talk.vtt', 'talk.en.srt', 'Talk.mp4.VTT', 'talk.transcript.vtt'])
      assert.ok(belongsToRecording(name, 'talk.mp4'), name);
    for (const name of ['talk2.vtt', 'talk.txt', 'talk-notes.vtt', 'other.vtt'])
      assert.ok(!belongsToRecording(name, 'talk.mp4'), name);
    assert.ok(belongsToRecording('GMT2024_Recording.transcript.vtt', 'GMT2024_Recording_1920x1080.mp4'));
    assert.ok(!belongsToRecording('talk.vtt', 'talk.txt'));
  });

  test('with the shortest name win, and WebVTT wins over other formats', () => {
    const captionsOf = (...names: readonly string[]): string | undefined =>
      filesOfRecording('talk.mp4', names).captions;
    assert.equal(captionsOf('talk.de.vtt', 'talk.srt', 'talk.vtt', 'talk.en.vtt'), 'talk.vtt');
    assert.equal(captionsOf('talk.fr.vtt', 'talk.de.vtt'), 'talk.de.vtt');
    assert.equal(captionsOf('talk.en.srv3', 'talk.en.json3', 'talk.en.srt'), 'talk.en.srt');
    assert.equal(captionsOf('notes.vtt'), undefined);
  });

  test('are kept apart from the chapters of the recording', () => {
    assert.deepEqual(filesOfRecording('talk.mp4', ['talk.chapters.vtt', 'talk.en.vtt']), {
      captions: 'talk.en.vtt',
      chapters: 'talk.chapters.vtt',
    });
    assert.deepEqual(withoutUsedCaptions(['talk.mp4', 'talk.chapters.vtt']), ['talk.mp4']);
  });

  test('are a separate file unless a recording is in the same folder', () => {
    const paths = ['a/talk.mp4', 'a/talk.vtt', 'a/talk.de.vtt', 'b/talk.vtt', 'c.txt'];
    assert.deepEqual(withoutUsedCaptions(paths), ['a/talk.mp4', 'a/talk.de.vtt', 'b/talk.vtt', 'c.txt']);
  });

  const json3 = JSON.stringify({
    wireMagic: 'pb3',
    events: [
      { tStartMs: 0, dDurationMs: 9_000, id: 1, wpWinPosId: 1 },
      {
        tStartMs: 1_250,
        dDurationMs: 2_000,
        segs: [{ utf8: 'The ferry' }, { utf8: ' leaves', tOffsetMs: 400 }],
      },
      { tStartMs: 3_000, dDurationMs: 500, aAppend: 1, segs: [{ utf8: '\n' }] },
      { tStartMs: 3_600_000, dDurationMs: 1_000, segs: [{ utf8: 'at nine\n& returns.' }] },
    ],
  });
  const srv3 = `<?xml version="1.0" encoding="utf-8" ?><timedtext format="3"><head><ws id="0"/></head><body>
<p t="1250" d="2000"><s>The ferry</s><s t="400"> leaves</s></p><p t="3000" d="500" a="1">
</p><p t="3600000" d="1000">at nine
&amp;amp; returns.</p></body></timedtext>`;
  const srv1 =
    '<?xml version="1.0"?><transcript><text start="1.25" dur="2">The ferry leaves</text><text start="3600">at nine\n&amp;amp; returns.</text></transcript>';

  for (const [name, file] of Object.entries({ json3, srv3, srv1 }))
    test(`are read in the format ${name} of YouTube`, () => {
      const { text, spoken } = readCaptions(new TextEncoder().encode(file));
      assert.equal(text, 'The ferry leaves\n\nat nine\n& returns.');
      assert.deepEqual([...spoken.from], [1.25, 3_600]);
    });

  test('in a damaged format of YouTube are none', () => {
    for (const file of [json3.slice(0, -20), srv3.slice(0, 80), '{"events":{}}'])
      assert.equal(readCaptions(new TextEncoder().encode(file)).text, '');
  });
});
