// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { Mp4OutputFormat, WebMOutputFormat } from 'mediabunny';
import { transcribe } from '../../src/answers/models/openai-transcription.ts';
import { StoredSegments } from '../../src/features/recordings/service/stored-segments.ts';
import { joinTranscripts } from '../../src/features/recordings/service/join-transcripts.ts';
import { transcribeRecording } from '../../src/features/recordings/service/transcribe-recording.ts';
import { writeCaptions } from '../../src/features/recordings/service/write-captions.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { transcriptName } from '../../src/core/domain/recordings.ts';
import type { ReadRequest } from '../../src/parsers/api.ts';
import { cutRecording, planRecording } from '../../src/parsers/recordings/cut-recording.ts';
import { describeRecording } from '../../src/parsers/recordings/open-recording.ts';
import { readRecording } from '../../src/parsers/recordings/read-recording.ts';
import { recordingType } from '../../src/parsers/recordings/recording-type.ts';
import { readCaptions } from '../../src/parsers/subtitles.ts';
import { runScript } from '../support/durability-process.ts';
import { makeMp3 } from '../support/made-audio.ts';
import { makePackets } from '../support/made-packets.ts';
import { smallDisk } from '../support/small-disk.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { transcribeFile } from '../support/transcribing-process.ts';
import {
  countingRecording,
  hear,
  startTranscriptionServer,
  type TranscriptionServer,
} from '../support/transcription-server.ts';

const root = temporaryFolder('transcription-');
let folders = 0;
const newFolder = (): string => {
  const folder = join(root, String(folders++));
  mkdirSync(folder);
  return folder;
};

const MINUTES = 40;
const SECONDS = 60 * MINUTES;
const isSilent = (second: number): boolean => second % 9 === 4;
const words = (isSilentAt: (second: number) => boolean, seconds = SECONDS): string[] =>
  Array.from({ length: seconds }, (_, second) => second)
    .filter((second) => !isSilentAt(second))
    .map((second) => `w${String(second)}`);
const wordsIn = (vtt: string): string[] =>
  readCaptions(new TextEncoder().encode(vtt)).text.match(/\w+/g) ?? [];

async function started(context: TestContext): Promise<TranscriptionServer> {
  const server = await startTranscriptionServer();
  context.after(() => server.close());
  return server;
}

/** Writes a recording into a folder of its own. */
function newRecording(bytes: Uint8Array): { readonly path: string; readonly folder: string } {
  const folder = newFolder();
  const path = join(folder, 'talk.wav');
  writeFileSync(path, bytes);
  return { path, folder: join(folder, 'parts') };
}

const isPlain = (): boolean => false;
const talk = countingRecording(SECONDS, isSilent);

describe('a recording of 40 minutes', () => {
  test('has each word once, in order, after a kill in the middle', async (context) => {
    const server = await started(context);
    const { baseUrl } = server;
    const file = newRecording(talk);
    const running = runScript('transcribing-process.ts', { ...file, baseUrl });
    server.reply(({ bytes, index }) => (index === 3 ? 'silent' : { json: hear(bytes) }));
    for await (const message of running.messages) if ((message as { seconds: number }).seconds > 600) break;
    running.kill();
    await running.ended;
    const stored = readdirSync(file.folder).length;
    assert.ok(stored >= 3, String(stored));
    server.reply(({ bytes }) => ({ json: hear(bytes) }));
    const before = server.transcriptions.length;
    const seen: number[] = [];
    const vtt = await transcribeFile({ ...file, baseUrl }, (seconds) => void seen.push(seconds));
    assert.deepEqual(wordsIn(vtt), words(isSilent));
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.ok((seen[0] ?? 0) > 600);
    assert.ok(Math.abs((seen.at(-1) ?? 0) - SECONDS) < 1);
    const parts = server.transcriptions.length - before + stored;
    assert.ok(parts >= SECONDS / 300 && parts <= SECONDS / 240, String(parts));
    for (const { model, format, granularities, fileName } of server.transcriptions)
      assert.deepEqual(
        [model, format, granularities, fileName],
        ['whisper-1', 'verbose_json', ['word', 'segment'], 'audio.wav'],
      );
    await transcribeFile({ ...file, baseUrl }, () => undefined);
    assert.equal(server.transcriptions.length - before + stored, parts);
  });

  test('has each word once if it is cut in the middle of words', async (context) => {
    const server = await started(context);
    const file = newRecording(countingRecording(SECONDS, isPlain));
    const vtt = await transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined);
    assert.deepEqual(wordsIn(vtt), words(isPlain));
  });

  test('has each word once if the endpoint doesn’t return times of words', async (context) => {
    const server = await started(context);
    server.reply(({ bytes, granularities }) => {
      const { words: _, ...heard } = hear(bytes);
      return granularities.length > 0
        ? { status: 400, message: 'Unknown parameter timestamp_granularities' }
        : { json: heard };
    });
    const file = newRecording(talk);
    const vtt = await transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined);
    assert.deepEqual(wordsIn(vtt), words(isSilent));
    assert.equal(server.transcriptions.filter(({ granularities }) => granularities.length > 0).length, 1);
  });

  test('has the time of each sentence', async (context) => {
    const server = await started(context);
    const file = newRecording(countingRecording(700, isSilent));
    const vtt = await transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined);
    const { text, spoken } = readCaptions(new TextEncoder().encode(vtt));
    assert.ok(spoken.starts.length > 100);
    for (const [i, start] of spoken.starts.entries()) {
      const second = Number(/w(\d+)/.exec(text.slice(start))?.[1]);
      assert.ok(
        Math.abs(second - (spoken.from[i] ?? 0)) < 0.1,
        `${String(second)} ${String(spoken.from[i])}`,
      );
    }
  });

  test('sends only a failed part again', async (context) => {
    const server = await started(context);
    const file = newRecording(countingRecording(1_200, isSilent));
    server.reply(({ bytes, index }) => (index === 1 ? { cut: hear(bytes) } : { json: hear(bytes) }));
    const vtt = await transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined);
    assert.deepEqual(wordsIn(vtt), words(isSilent, 1_200));
    const sent = server.transcriptions.map(({ bytes }) => bytes.length);
    assert.equal(sent.length, 6);
    assert.equal(sent[5], sent[1]);
  });
});

describe('a transcript', () => {
  test('joins parts without words that both have, in scripts without spaces too', () => {
    const segment = (from: number, to: number, text: string) => ({ from, to, text });
    const part = (from: number, to: number, ...segments: ReturnType<typeof segment>[]) => ({
      ...{ from, to, transcript: { segments, words: [] } },
    });
    const text = (...parts: ReturnType<typeof part>[]): string =>
      joinTranscripts(parts)
        .map((one) => one.text)
        .join('|');
    assert.equal(
      text(
        part(0, 10, segment(5, 10, 'The ferry leaves at nine.')),
        part(8, 20, segment(0, 4, 'Leaves at nine. It returns at noon.')),
      ),
      'The ferry leaves at nine.|It returns at noon.',
    );
    assert.equal(
      text(part(0, 10, segment(6, 10, '渡轮九点离开。')), part(8, 20, segment(0, 4, '点离开。中午返回。'))),
      '渡轮九点离开。|中午返回。',
    );
    assert.equal(
      text(part(0, 10, segment(2, 6, 'No. No.')), part(8, 20, segment(4, 6, 'No.'))),
      'No.|No.|No.',
    );
  });

  test('keeps repeated sentences, speakers, and marks in WebVTT', () => {
    const vtt = writeCaptions(
      [
        { text: 'Yes.', from: 1, to: 2, speaker: 'Ada & <Ben>' },
        { text: 'Yes.', from: 2, to: 3, speaker: 'Ada & <Ben>' },
        { text: 'Yes. 1 < 2 --> 3.', from: 3, to: 4, speaker: 'Ada & <Ben>' },
        { text: 'Yes.', from: 4, to: 5, speaker: 'Cy' },
        { text: 'No.', from: 3_661.5, to: 3_662 },
      ],
      'Transcribed by whisper-1 --> here',
    );
    assert.match(vtt, /01:01:01\.500 --> 01:01:02\.000/);
    const { text } = readCaptions(new TextEncoder().encode(vtt));
    assert.equal(text.replaceAll(/\s+/g, ' '), 'Ada & <Ben>: Yes. Yes. Yes. 1 < 2 --> 3. Cy: Yes. No.');
  });

  test('is read in place of captions', async (context) => {
    const server = await started(context);
    const bytes = countingRecording(20, isSilent);
    const { path, folder } = newRecording(bytes);
    const transcripts = newFolder();
    const request: ReadRequest = {
      content: { kind: 'path', path },
      name: 'talk.wav',
      ...{},
      minimumLength: 1,
      transcripts,
    };
    await assert.rejects(readRecording(request, {}), {
      code: 'no-transcript',
      message:
        'talk.wav has no transcript. Run “Transcribe…”, or save captions as talk.vtt in the same folder.',
    });
    const vtt = await transcribeFile({ path, folder, baseUrl: server.baseUrl }, () => undefined);
    const plan = await planRecording({ content: request.content, name: 'talk.wav' });
    writeFileSync(join(transcripts, transcriptName(plan)), vtt);
    const result = await readRecording(request, {});
    assert.ok(result.kind === 'read');
    assert.match(result.document.text, /^w0 w1 w2 w3\./);
    writeFileSync(join(transcripts, transcriptName(plan)), 'WEBVTT\n');
    await assert.rejects(readRecording(request, {}), {
      code: 'empty',
      message: 'talk.wav has no speech. Check that the recording isn’t silent.',
    });
  });
});

const contentOf = (bytes: Uint8Array) => ({ kind: 'bytes', bytes }) as const;

describe('the sound of a recording', () => {
  for (const [name, format, codec, ending] of [
    ['talk.mp4', new Mp4OutputFormat(), 'aac', 'audio.m4a'],
    ['talk.webm', new WebMOutputFormat(), 'opus', 'audio.ogg'],
  ] as const)
    test(`is taken out of ${name} without the picture, in parts cut where packets are small`, async () => {
      const content = contentOf(await makePackets(format, codec, 400, true));
      const { parts, duration } = await planRecording({ content, name });
      assert.ok(Math.abs(duration - 400) < 0.1);
      assert.deepEqual(
        parts.map(({ from, to }) => [Math.round(from), Math.round(to)]),
        [
          [0, 301],
          [299, 400],
        ],
      );
      let heard = 0;
      for (const part of parts) {
        const sound = await cutRecording({ content, name }, part);
        assert.equal(sound.name, ending);
        assert.ok(Math.abs(sound.from - part.from) <= 1);
        const details = await describeRecording(contentOf(sound.bytes), sound.name);
        assert.equal(details.codecs.video, undefined);
        // Opus packets tell their length, which made ones don't.
        if (codec === 'opus') continue;
        assert.ok(Math.abs(sound.from + details.duration - part.to) <= 1);
        heard += details.duration;
      }
      assert.ok(codec === 'opus' || heard >= 402);
    });

  test('stays MP3', async () => {
    const content = contentOf(makeMp3(400));
    const plan = await planRecording({ content, name: 'talk.mp3' });
    assert.equal(plan.parts.length, 1);
    const sound = await cutRecording({ content, name: 'talk.mp3' }, { from: 2, to: 5 });
    assert.equal(sound.name, 'audio.mp3');
    assert.equal(recordingType(sound.name, sound.bytes), 'audio/mpeg');
    const { duration } = await describeRecording(contentOf(sound.bytes), sound.name);
    assert.ok(Math.abs(duration - 3) < 0.2, String(duration));
  });
});

describe('transcription explains in one sentence', () => {
  const reasonOf = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => '',
      (error: unknown) =>
        error instanceof NotebookError ? `${error.code}: ${error.message}` : String(error),
    );
  const plan = (bytes: Uint8Array, name: string): Promise<string> =>
    reasonOf(planRecording({ content: contentOf(bytes), name }));

  test('a video without sound, a damaged file, and a recording of 10 hours', async () => {
    const silent = await makePackets(new WebMOutputFormat(), undefined, 3, true);
    assert.equal(
      await plan(silent, 'screen.webm'),
      'unsupported: screen.webm has no audio to transcribe. Save captions as screen.vtt in the same folder.',
    );
    const damaged = new Uint8Array(Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1'));
    assert.match(await plan(damaged, 'talk.wav'), /^damaged: talk\.wav is damaged or incomplete\./);
    assert.equal(
      await plan(
        countingRecording(36_000, () => true),
        'day.wav',
      ),
      'too-large: day.wav is longer than 8 hours. Split it, then transcribe the parts.',
    );
  });

  test('a silent recording, by a transcript without captions', async (context) => {
    const server = await started(context);
    const file = newRecording(countingRecording(400, () => true));
    const vtt = await transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined);
    assert.deepEqual(wordsIn(vtt), []);
  });

  test('what a server replies', async (context) => {
    const server = await started(context);
    const file = newRecording(countingRecording(20, isSilent));
    const host = new URL(server.baseUrl).host;
    for (const [status, reason] of [
      [404, `not-found: ${host} can’t transcribe recordings, or has no model named whisper-1.`],
      [400, `unsupported: ${host} rejected the audio or the model whisper-1.`],
      [401, `unauthorized: ${host} requires an API key.`],
      [413, `too-large: ${host} doesn’t accept audio files of this size.`],
      [429, `rate-limited: http://${host} is limiting requests.`],
      [500, `server: The server at http://${host} reported an error.`],
    ] as const) {
      server.reply(() => ({ status }));
      const { length } = server.transcriptions;
      const shown = await reasonOf(transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined));
      assert.ok(shown.startsWith(reason), shown);
      assert.equal(shown.split('. ').length, 2, shown);
      assert.ok(server.transcriptions.length - length <= 8);
    }
    server.reply(({ bytes }) => ({ cut: hear(bytes) }));
    assert.match(
      await reasonOf(transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined)),
      /^stream-cut: .* stopped before the whole transcript arrived\./,
    );
    server.reply(() => ({ json: { text: 'The ferry leaves at nine.' } }));
    assert.match(
      await reasonOf(transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined)),
      /^unsupported: The model whisper-1 on .* doesn’t return timestamps\./,
    );
    await server.close();
    assert.match(
      await reasonOf(transcribeFile({ ...file, baseUrl: server.baseUrl }, () => undefined)),
      /^connection: No response from /,
    );
  });

  const part = { bytes: countingRecording(2, isSilent), name: 'audio.wav', mediaType: 'audio/wav' };

  test('a server that is too slow', async (context) => {
    const server = await started(context);
    server.reply(() => 'silent');
    const { signal } = new AbortController();
    const options = { signal, timeout: 50, wait: () => Promise.resolve() };
    assert.match(
      await reasonOf(transcribe({ baseUrl: server.baseUrl, name: 'whisper-1' }, part, options)),
      /^timeout: .* didn’t transcribe the recording in time\./,
    );
  });

  test('a full disk, and keeps the parts that it has room for', async (context) => {
    const disk = smallDisk(context);
    if (disk === undefined) return;
    const server = await started(context);
    const plan = {
      hash: 'a',
      size: 1,
      duration: 40,
      parts: [0, 10, 20, 30].map((from) => ({ from, to: from + 10 })),
    };
    const { signal } = new AbortController();
    let isFull = true;
    let sent = 0;
    const run = (): Promise<string> =>
      transcribeRecording(plan, {
        ...{ model: { baseUrl: server.baseUrl, name: 'whisper-1' }, signal, onProgress: () => undefined },
        segments: new StoredSegments(join(disk, 'parts')),
        cut: ({ from }) => Promise.resolve({ ...part, from }),
        send: () => {
          const text = isFull && ++sent === 3 ? 'w'.repeat(9_000_000) : 'word';
          return Promise.resolve({ segments: [{ text, from: 0, to: 1 }], words: [] });
        },
      });
    assert.match(await reasonOf(run()), /^disk-full: .* because the disk is full\./);
    isFull = false;
    assert.equal(wordsIn(await run()).length, 4);
    assert.equal(readdirSync(join(disk, 'parts')).length, 4);
  });
});

describe('a transcription request', () => {
  const part = { bytes: countingRecording(2, isPlain), name: 'audio.wav', mediaType: 'audio/wav' };

  test('waits as long as the server requests before it is sent again', async (context) => {
    const server = await started(context);
    server.reply(({ bytes, index }) =>
      index === 0
        ? { status: 429, headers: { 'retry-after': '90' } }
        : index === 1
          ? { status: 503 }
          : { json: hear(bytes) },
    );
    const waits: number[] = [];
    const { signal } = new AbortController();
    const wait = (ms: number): Promise<void> => {
      waits.push(ms);
      return Promise.resolve();
    };
    const endpoint = { baseUrl: server.baseUrl, name: 'whisper-1', apiKey: 'secret' };
    const { words: heard } = await transcribe(endpoint, part, { signal, timeout: 10_000, wait });
    assert.deepEqual(
      heard.map(({ text }) => text),
      ['w0', 'w1'],
    );
    assert.deepEqual(waits, [90_000, 4_000]);
    assert.equal(server.transcriptions[0]?.authorization, 'Bearer secret');
  });

  test('ends at once if it is stopped, even during a wait', async (context) => {
    const server = await started(context);
    server.reply(() => ({ status: 429, headers: { 'retry-after': '60' } }));
    const stop = new AbortController();
    const wait = (_: number, signal: AbortSignal): Promise<void> => {
      stop.abort();
      return signal.aborted ? Promise.reject(new Error('aborted')) : Promise.resolve();
    };
    const endpoint = { baseUrl: server.baseUrl, name: 'whisper-1' };
    await assert.rejects(transcribe(endpoint, part, { signal: stop.signal, timeout: 10_000, wait }));
    assert.equal(server.transcriptions.length, 1);
  });
});
