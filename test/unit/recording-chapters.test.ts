import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BufferTarget, EncodedAudioPacketSource, EncodedPacket, OggOutputFormat, Output } from 'mediabunny';
import { joinAudio, type AudioFile } from '../../src/features/recordings/service/audio-file.ts';
import { scriptCaptions } from '../../src/features/audio/service/script-captions.ts';
import { writeCaptions } from '../../src/features/recordings/service/write-captions.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { pauseChapters } from '../../src/features/recordings/model/recording-chapters.ts';
import type { RecordingChapter } from '../../src/core/domain/recordings.ts';
import { readChapters } from '../../src/parsers/recordings/read-chapters.ts';
import { readRecording } from '../../src/parsers/recordings/read-recording.ts';
import { transcript } from '../../src/parsers/recordings/transcript.ts';
import { makeMp3, makeWav, MP3_FRAME } from '../support/made-audio.ts';

const chaptersOf = async (bytes: Uint8Array): Promise<RecordingChapter[]> =>
  readChapters({ kind: 'bytes', bytes }, 'talk');

async function joined({ bytes }: AudioFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

/** Returns a Matroska element. */
function element(id: string, content: Uint8Array | string | readonly Uint8Array[]): Buffer {
  const body =
    content instanceof Uint8Array || typeof content === 'string'
      ? Buffer.from(content)
      : Buffer.concat(content);
  const size = Buffer.alloc(8);
  size.writeBigUInt64BE(BigInt(body.length) | (1n << 56n));
  return Buffer.concat([Buffer.from(id, 'hex'), size, body]);
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

/** Returns an MP4 box. */
function box(name: string, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(name, 4);
  return Buffer.concat([head, body]);
}

function assertDamaged(error: unknown): RecordingChapter[] {
  assert.ok(error instanceof NotebookError && error.code === 'damaged', String(error));
  return [];
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
  return bytes;
}

/** Returns an MP4 file with a sound track that refers to a chapter track, in which each title lasts 30 seconds. */
function withChapterTrack(titles: readonly string[], kind: string): Buffer {
  const samples = titles.map((title) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(title));
    return Buffer.concat([length, Buffer.from(title, 'utf8')]);
  });
  const start = box('ftyp', Buffer.from('qt  \0\0\0\0qt  ', 'latin1'));
  const media = box('mdat', ...samples);
  const handler = (type: string): Buffer =>
    box('hdlr', numbers(0, 0), Buffer.from(type, 'latin1'), numbers(0, 0, 0));
  const header = (id: number): Buffer => box('tkhd', numbers(0, 0, 0, id), Buffer.alloc(68));
  const tables = box(
    'stbl',
    box('stts', numbers(0, 1, titles.length, 30_000)),
    box('stsz', numbers(0, 0, titles.length, ...samples.map(({ length }) => length))),
    box('stsc', numbers(0, 1, 1, titles.length, 1)),
    box('stco', numbers(0, 1, start.length + 8)),
  );
  const times = box('mdhd', numbers(0, 0, 0, 1_000, 30_000 * titles.length, 0));
  const sound = box('trak', header(1), box('tref', box('chap', numbers(2))), box('mdia', handler('soun')));
  const chapters = box('trak', header(2), box('mdia', times, handler(kind), box('minf', tables)));
  return Buffer.concat([start, media, box('moov', box('mvhd', Buffer.alloc(100)), sound, chapters)]);
}

/** Returns a FLAC file with comments and no sound. */
function makeFlac(comments: Readonly<Record<string, string>>): Buffer {
  const lengthAnd = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text, 'utf8')]);
  };
  const entries = Object.entries(comments).map(([name, value]) => lengthAnd(`${name}=${value}`));
  const count = Buffer.alloc(4);
  count.writeUInt32LE(entries.length);
  const list = Buffer.concat([lengthAnd('test'), count, ...entries]);
  const block = (type: number, content: Uint8Array): Buffer =>
    Buffer.concat([numbers(type * 2 ** 24 + content.length), content]);
  // 4,096 samples per block, 44,100 per second, one channel of 16 bits.
  const info = Buffer.from('10001000000000000000' + '0ac440f000000000', 'hex');
  return Buffer.concat([
    Buffer.from('fLaC', 'latin1'),
    block(0, Buffer.concat([info, Buffer.alloc(34 - info.length)])),
    block(0x84, list),
  ]);
}

async function makeOgg(comments: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format: new OggOutputFormat(), target });
  const source = new EncodedAudioPacketSource('opus');
  output.addAudioTrack(source);
  output.setMetadataTags({ raw: comments });
  await output.start();
  // One silent frame of 20 ms.
  const packet = new EncodedPacket(Uint8Array.of(0xf8, 0xff, 0xfe), 'key', 0, 0.02);
  const description = new Uint8Array(Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1'));
  await source.add(packet, {
    decoderConfig: { codec: 'opus', numberOfChannels: 1, sampleRate: 48_000, description },
  });
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}

describe('chapters in a container', () => {
  test('are read from the tag of MP3 and the cue points of WAV', async () => {
    for (const [format, sound, seconds] of [
      ['mp3', makeMp3(100), 100 * MP3_FRAME.seconds],
      ['wav', makeWav(24_000), 1],
    ] as const) {
      const load = (): Promise<Uint8Array> => Promise.resolve(sound);
      const audio = await joinAudio('Talk', format, [
        { title: 'The water', segments: [load, load] },
        { title: 'Die Blätter', segments: [load] },
      ]);
      const chapters = await chaptersOf(await joined(audio));
      assert.deepEqual(
        chapters.map(({ title }) => title),
        ['The water', 'Die Blätter'],
        format,
      );
      assert.ok(Math.abs((chapters[1]?.from ?? 0) - 2 * seconds) < 0.01, format);
      assert.deepEqual(
        audio.ends.map((end) => Math.round(end / seconds)),
        [1, 2, 3],
      );
    }
  });

  test('are read from Matroska, before and after the sound', async () => {
    const atom = (title: string, seconds: number): Buffer =>
      element('b6', [
        element('91', number(seconds * 1e9)),
        element('80', [element('85', title), element('437c', 'eng')]),
      ]);
    const list = element('1043a770', [
      element('45b9', [atom('Start', 0), atom('The ferry', 90.5)]),
      element('45b9', [atom('Other edition', 7)]),
    ]);
    const expected = [
      { title: 'Start', from: 0 },
      { title: 'The ferry', from: 90.5 },
    ];
    const head = element('1a45dfa3', element('4282', 'matroska'));
    const cluster = element('1f43b675', Buffer.alloc(5_000));
    const file = (...elements: readonly Uint8Array[]): Buffer =>
      Buffer.concat([head, element('18538067', elements)]);
    assert.deepEqual(await chaptersOf(file(list, cluster)), expected);
    const seek = (position: number): Buffer =>
      element('114d9b74', [
        element('4dbb', [element('53ab', Buffer.from('1043a770', 'hex')), element('53ac', number(position))]),
      ]);
    const position = seek(0).length + cluster.length;
    assert.deepEqual(await chaptersOf(file(seek(position), cluster, list)), expected);
    assert.deepEqual(await chaptersOf(file(cluster)), []);
    assert.deepEqual(await chaptersOf(file(list).subarray(0, 60)), []);
  });

  test('are read from the list of MP4', async () => {
    const chapter = (title: string, seconds: number): Buffer =>
      Buffer.concat([
        number(seconds * 1e7),
        Buffer.from([Buffer.byteLength(title)]),
        Buffer.from(title, 'utf8'),
      ]);
    const list = box(
      'chpl',
      Buffer.from([1, 0, 0, 0, 0, 0, 0, 0, 2]),
      chapter('Start', 0),
      chapter('Übersicht', 61),
    );
    const file = Buffer.concat([
      box('ftyp', Buffer.from('isom\0\0\0\0isommp42', 'latin1')),
      box('moov', box('mvhd', Buffer.alloc(100)), box('udta', list)),
    ]);
    assert.deepEqual(await chaptersOf(file), [
      { title: 'Start', from: 0 },
      { title: 'Übersicht', from: 61 },
    ]);
  });

  test('are read from the chapter track of MP4 and QuickTime', async () => {
    assert.deepEqual(await chaptersOf(withChapterTrack(['Start', 'Übersicht'], 'text')), [
      { title: 'Start', from: 0 },
      { title: 'Übersicht', from: 30 },
    ]);
    const pictures = withChapterTrack(['Start', 'Übersicht'], 'vide');
    assert.deepEqual(await chaptersOf(pictures), []);
    const whole = withChapterTrack(['Start'], 'sbtl');
    for (let length = 40; length < whole.length; length += 7)
      await chaptersOf(whole.subarray(0, length)).catch(assertDamaged);
  });

  test('are read from the comments of Ogg and FLAC', async () => {
    const comments = {
      CHAPTER001: '00:00:00.000',
      CHAPTER001NAME: 'Start',
      CHAPTER002: '01:00:30.500',
      CHAPTER002NAME: 'The ferry',
    };
    const expected = [
      { title: 'Start', from: 0 },
      { title: 'The ferry', from: 3_630.5 },
    ];
    assert.deepEqual(await chaptersOf(makeFlac(comments)), expected);
    assert.deepEqual(await chaptersOf(await makeOgg(comments)), expected);
    assert.deepEqual(await chaptersOf(makeFlac({ CHAPTER001: 'soon', CHAPTER001NAME: 'Start' })), []);
  });

  test('become headings of the transcript at the captions with which they start', async () => {
    const load = (): Promise<Uint8Array> => Promise.resolve(makeWav(48_000));
    const chapters = ['The water', 'Nobody speaks', 'The leaves'].map((title) => ({
      title,
      segments: [load],
    }));
    const bytes = await joined(await joinAudio('Talk', 'wav', chapters));
    const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.900\nWater it.\n\n00:03.900 --> 00:06.000\nLeaf by leaf.\n';
    const result = await readRecording(
      {
        content: { kind: 'bytes', bytes },
        name: 'talk.wav',
        minimumLength: 1,
        captions: { name: 'talk.vtt', content: { kind: 'bytes', bytes: new TextEncoder().encode(vtt) } },
      },
      {},
    );
    assert.ok(result.kind === 'read');
    const { text, headings } = result.document;
    assert.deepEqual(headings, [
      { offset: 0, level: 1, title: 'The water' },
      { offset: text.indexOf('Leaf'), level: 1, title: 'The leaves' },
    ]);
  });
});

describe('pauseChapters', () => {
  /** Returns a transcript of sentences of 10 seconds, with pauses before some of them, in seconds. */
  const talk = (
    sentences: number,
    pauses: Readonly<Record<number, number>>,
  ): Parameters<typeof pauseChapters> => {
    let [text, time] = ['', 0];
    const parts = Array.from({ length: sentences }, (_, n) => {
      time += pauses[n] ?? 0;
      const part = { start: text.length, from: time, to: time + 10 };
      time += 10;
      text += `Ada: Sentence ${String(n)} is said. More.\n`;
      return part;
    });
    return [text, transcript(text, parts).spoken];
  };

  test('start after the longest pauses, at least five minutes apart', () => {
    const [text, spoken] = talk(120, { 10: 4, 30: 5, 32: 3, 70: 6, 110: 9 });
    assert.deepEqual(pauseChapters(text, spoken), [
      { title: 'Sentence 0 is said.', from: 0 },
      { title: 'Sentence 30 is said.', from: 309 },
      { title: 'Sentence 70 is said.', from: 718 },
    ]);
  });

  test('are left out of short recordings, and of those without pauses', () => {
    assert.deepEqual(pauseChapters(...talk(80, { 20: 5, 40: 5 })), []);
    assert.deepEqual(pauseChapters(...talk(120, {})), []);
    assert.deepEqual(pauseChapters('', transcript('', []).spoken), []);
  });
});

describe('the captions of a spoken script', () => {
  test('have each sentence at its share of the time of its segment', () => {
    const segments = [
      { speaker: 'Ada', voice: 0, text: 'One two. Three four.' },
      { speaker: 'Ben', voice: 1, text: 'Why?' },
    ];
    const captions = scriptCaptions([{ title: '', segments }], [4, 5]);
    assert.deepEqual(
      captions.map(({ text, speaker, from }) => [text, speaker, Math.round(from)]),
      [
        ['One two.', 'Ada', 0],
        ['Three four.', 'Ada', 2],
        ['Why?', 'Ben', 4],
      ],
    );
    assert.equal(captions.at(-1)?.to, 5);
    assert.match(writeCaptions(captions, 'Script'), /<v Ben>Why\?/);
  });
});
