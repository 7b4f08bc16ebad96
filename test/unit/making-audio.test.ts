// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { speak } from '../../src/answers/models/openai-speech.ts';
import { audioFormat, joinAudio, type AudioFile } from '../../src/features/recordings/service/audio-file.ts';
import { isScript } from '../../src/features/artifacts/service/is-script.ts';
import { StoredSegments } from '../../src/features/recordings/service/stored-segments.ts';
import { readScript } from '../../src/features/audio/service/script.ts';
import { countSpoken, speakScript, type Speaking } from '../../src/features/audio/service/speak-script.ts';
import type { ErrorCode } from '../../src/core/domain/errors.ts';
import { runScript } from '../support/durability-process.ts';
import { MP3_FRAME, makeMp3, mp3Tag, riffChunks, wavChapters, makeWav } from '../support/made-audio.ts';
import { silence, startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { smallDisk } from '../support/small-disk.ts';
import { SCRIPT } from '../support/spoken-script.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { TIMEOUT_MS } from '../support/until.ts';

const root = temporaryFolder('notebook-audio-');

async function wholeFile({ bytes }: AudioFile): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

describe('an audio script', () => {
  test('is read as chapters with speakers, in plain text without citations', async () => {
    assert.ok(isScript(SCRIPT));
    assert.ok(!isScript('# Briefing\n\n**Note:** One thing.\n\n**Note:** Another.'));
    assert.ok(!isScript('**Pros:** It is cheap.\n\n**Cons:** It is slow.'));
    const chapters = await readScript(SCRIPT);
    assert.deepEqual(
      chapters.map(({ title, segments }) => [title, segments.map(({ speaker }) => speaker).join(' ')]),
      [
        ['The water', 'Ada Ben Ada'],
        ['The leaves & roots', 'Ben Ada Ben'],
      ],
    );
    const [[first, second] = [], [, fifth] = []] = chapters.map(({ segments }) => segments);
    assert.deepEqual(first, {
      speaker: 'Ada',
      voice: 0,
      text: 'Tomatoes are watered every second morning, with rainwater from the barrel.',
    });
    assert.deepEqual(second, { speaker: 'Ben', voice: 1, text: 'Why rainwater?' });
    assert.equal(fifth?.text, 'Basil stands between them. It keeps the white fly away.');
  });

  test('is split at sentences when it is long, or else at spaces', async () => {
    const sentence = 'The mill keeps a hundred sacks of barley in its upper chamber.';
    const long = Array.from({ length: 60 }, () => sentence).join(' ');
    const [chapter] = await readScript(
      `**Ada:** ${long}\n\n**Ben:** ${'barley '.repeat(700)}\n\n**Ada:** ${'麦'.repeat(4_000)}`,
    );
    const segments = chapter?.segments ?? [];
    for (const { text } of segments) assert.ok(text.length <= 1_500 && text !== '');
    const spokenBy = (speaker: number): string =>
      segments
        .filter(({ voice }) => voice === speaker)
        .map(({ text }) => text)
        .join(' ');
    assert.equal(spokenBy(1), 'barley '.repeat(700).trim());
    assert.ok(spokenBy(0).startsWith(`${long} 麦`));
    assert.equal(spokenBy(0).replaceAll(/[^麦]/g, '').length, 4_000);
    assert.ok(
      segments
        .filter(({ text }) => text.startsWith('The mill'))
        .every(({ text }) => text.endsWith('chamber.')),
    );
  });
});

describe('an audio file', () => {
  const makeChapters = (
    ...chapters: readonly (readonly [string, ...Uint8Array[]])[]
  ): Parameters<typeof joinAudio>[2] =>
    chapters.map(([title, ...sounds]) => ({
      title,
      segments: sounds.map((bytes) => () => Promise.resolve(bytes)),
    }));

  test('joins WAV segments with chapters, whatever lengths they declare', async () => {
    const audio = await joinAudio(
      'Talk',
      'wav',
      makeChapters(
        ['Water', makeWav(24_000), makeWav(1_001, { isStreamed: true })],
        ['Leaves – 葉', makeWav(12_000, { extra: true })],
      ),
    );
    const bytes = await wholeFile(audio);
    assert.deepEqual(
      riffChunks(bytes).map(({ tag }) => tag),
      ['fmt ', 'data', 'cue ', 'LIST'],
    );
    assert.equal(riffChunks(bytes)[1]?.bytes.length, 2 * (24_000 + 1_001 + 12_000));
    assert.deepEqual(wavChapters(bytes), [
      { title: 'Water', sample: 0 },
      { title: 'Leaves – 葉', sample: 25_001 },
    ]);
    assert.ok(Math.abs(audio.seconds - 37_001 / 24_000) < 1e-9);
    assert.equal(audioFormat(bytes), 'wav');
  });

  test('joins MP3 segments without their tags, with chapters and its duration', async () => {
    const audio = await joinAudio(
      'Talk – 話',
      'mp3',
      makeChapters(
        ['Water', makeMp3(100, { isTagged: true }), makeMp3(50)],
        ['Leaves', makeMp3(30, { isTagged: true })],
      ),
    );
    const bytes = await wholeFile(audio);
    const { title, chapters, end } = mp3Tag(bytes);
    assert.equal(title, 'Talk – 話');
    const at = (frames: number): number => Math.round(1_000 * frames * MP3_FRAME.seconds);
    assert.deepEqual(chapters, [
      { title: 'Water', start: 0, end: at(150) },
      { title: 'Leaves', start: at(150), end: at(180) },
    ]);
    assert.equal(bytes.length - end, 181 * MP3_FRAME.bytes);
    const lead = Buffer.from(bytes).subarray(end);
    assert.equal(lead.toString('latin1', 21, 25), 'Xing');
    assert.equal(lead.readUInt32BE(29), 180);
    assert.equal(lead.toString('latin1').indexOf('Info'), -1);
    assert.equal(audioFormat(bytes), 'mp3');
  });

  test('rejects broken or mismatched segments in one sentence', async () => {
    for (const [format, code, ...sounds] of [
      ['wav', 'damaged', makeWav(0)],
      ['wav', 'damaged', makeWav(100).subarray(0, 30)],
      ['wav', 'unsupported', makeWav(100), makeWav(100, { rate: 44_100 })],
      ['mp3', 'damaged', makeMp3(1).subarray(0, 100)],
      ['mp3', 'damaged', new Uint8Array()],
    ] as const satisfies readonly (readonly ['mp3' | 'wav', ErrorCode, ...Uint8Array[]])[])
      await assert.rejects(joinAudio('Talk', format, makeChapters(['', ...sounds])), {
        code,
        message: /^[^.]*\.[^.]*\.$/,
      });
    assert.equal(audioFormat(Buffer.from('{"error": "no"}')), undefined);
    assert.equal(audioFormat(new Uint8Array()), undefined);
  });
});

describe('speaking an audio script', () => {
  const makeSpeaking = async (
    server: OpenAIServer,
    format: 'mp3' | 'wav' = 'wav',
    script = SCRIPT,
  ): Promise<Speaking> => ({
    ...{ title: 'Talk', chapters: await readScript(script), baseUrl: server.baseUrl, model: 'speaks-1' },
    ...{ voices: ['alloy', 'onyx'], format },
  });

  interface Run {
    readonly timeout?: number;
    readonly signal?: AbortSignal;
    readonly apiKey?: string;
    readonly onProgress?: Parameters<typeof speakScript>[1]['onProgress'];
  }

  const run = (
    speaking: Speaking,
    segments: StoredSegments,
    {
      timeout = TIMEOUT_MS,
      signal = new AbortController().signal,
      apiKey,
      onProgress = () => undefined,
    }: Run = {},
  ): Promise<AudioFile> =>
    speakScript(speaking, {
      ...{ segments, signal, onProgress },
      speak: (request) =>
        speak({ baseUrl: speaking.baseUrl, apiKey, name: speaking.model }, request, {
          ...{ signal, timeout, retries: 0 },
        }),
    });

  let count = 0;
  const newFolder = (): string => join(root, String(count++));

  async function started(context: { after(done: () => Promise<void>): void }): Promise<OpenAIServer> {
    const server = await startOpenAIServer();
    context.after(() => server.close());
    server.speak(({ input }) => makeWav(10 * input.length));
    return server;
  }

  test('uses two voices turn by turn, and speaks only an edited turn again', async (context) => {
    const server = await started(context);
    const segments = new StoredSegments(newFolder());
    const speaking = await makeSpeaking(server);
    const seen: number[] = [];
    const audio = await run(speaking, segments, { onProgress: ({ done }) => void seen.push(done) });
    for (const { model, response_format } of server.spoken)
      assert.deepEqual([model, response_format], ['speaks-1', 'wav']);
    const texts = speaking.chapters.flatMap(({ segments }) => segments.map(({ text }) => text));
    // Several turns are spoken at once, so their order may vary. Each has the voice of its speaker.
    const voices = ['alloy', 'onyx', 'alloy', 'onyx', 'alloy', 'onyx'];
    assert.deepEqual(
      server.spoken.map(({ input, voice }) => `${input} ${voice}`).sort(),
      texts.map((text, n) => `${text} ${voices[n] ?? ''}`).sort(),
    );
    assert.deepEqual(seen, seen.toSorted());
    assert.deepEqual([...new Set(seen)], [0, 1, 2, 3, 4, 5, 6]);
    const bytes = await wholeFile(audio);
    assert.equal(riffChunks(bytes)[1]?.bytes.length, 20 * texts.join('').length);
    assert.deepEqual(
      wavChapters(bytes).map(({ title }) => title),
      ['The water', 'The leaves & roots'],
    );
    const edited = await makeSpeaking(
      server,
      'wav',
      SCRIPT.replace('Why rainwater?', 'Why not from the tap?'),
    );
    assert.deepEqual(await countSpoken(edited, segments), { done: 5, total: 6, characters: 21 });
    await run(edited, segments);
    assert.equal(server.spoken.length, 7);
    assert.equal(server.spoken.at(-1)?.input, 'Why not from the tap?');
  });

  test('resumes after it was paused or killed', async (context) => {
    const server = await started(context);
    const folder = newFolder();
    const stopping = new AbortController();
    server.speak(({ input, index }) => {
      if (index === 5) stopping.abort();
      return makeWav(input.length);
    });
    const segments = new StoredSegments(folder);
    await assert.rejects(run(await makeSpeaking(server), segments, { signal: stopping.signal }), {
      code: 'cancelled',
    });
    // Four segments are requested at once, so the sixth is requested when two are saved.
    const { done } = await countSpoken(await makeSpeaking(server), segments);
    assert.ok(done >= 2 && done < 6, String(done));
    const last = 'So the neighbours help.';
    server.speak(({ input }) => (input === last ? silence : makeWav(input.length)));
    const running = runScript('spoken-script.ts', { folder, baseUrl: server.baseUrl });
    for await (const message of running.messages) if ((message as { done: number }).done === 5) break;
    running.kill();
    await running.ended;
    const before = server.spoken.length;
    server.speak(({ input }) => makeWav(input.length));
    await wholeFile(await run(await makeSpeaking(server), segments));
    assert.equal(server.spoken.length - before, 1);
    assert.ok(readdirSync(folder).every((name) => /^[\da-f]{40}(?:\.[\da-f]{8}\.unfinished)?$/.test(name)));
  });

  test('requests only a failed segment again', async (context) => {
    const server = await started(context);
    for (const [failure] of [[{ status: 500 }], [{ cut: makeWav(10_000) }]] as const) {
      const before = server.spoken.length;
      server.speak(({ input, index }) => (index === before + 1 ? failure : makeWav(input.length)));
      await wholeFile(await run(await makeSpeaking(server), new StoredSegments(newFolder())));
      const requestedTexts = server.spoken.slice(before).map(({ input }) => input);
      assert.equal(requestedTexts.length, 7);
      assert.equal(requestedTexts[6], requestedTexts[1]);
    }
  });

  test('explains a failure in one sentence, and keeps finished segments', async (context) => {
    const server = await started(context);
    for (const [failure, code, action] of [
      [{ status: 401 }, 'unauthorized', 'setApiKey'],
      [{ status: 404 }, 'not-found', 'openSettings'],
      [{ status: 405 }, 'not-found', 'openSettings'],
      [{ status: 400 }, 'unsupported', 'openSettings'],
      [{ status: 429 }, 'rate-limited', 'tryAgain'],
      [{ status: 429, message: 'insufficient_quota' }, 'rate-limited', 'setApiKey'],
      // After three failures in a row, the rest would fail, too.
      [{ status: 500 }, 'server', 'tryAgain'],
      [{ cut: makeWav(10_000) }, 'stream-cut', 'tryAgain'],
      [Buffer.from('<html>'), 'unsupported', 'openSettings'],
      [makeMp3(3), 'unsupported', 'tryAgain'],
      [makeWav(0), 'damaged', 'tryAgain'],
    ] as const) {
      const before = server.spoken.length;
      server.speak(({ input, index }) => (index < before + 2 ? makeWav(input.length) : failure));
      const segments = new StoredSegments(newFolder());
      await assert.rejects(run(await makeSpeaking(server), segments, { apiKey: 'key-1' }), {
        ...{ code, action },
        message: /^(?!.*key-1).{10,}\.$/,
      });
      // A segment is retried once at most.
      const requestsByText = Map.groupBy(server.spoken.slice(before), ({ input }) => input);
      for (const times of requestsByText.values()) assert.ok(times.length <= 2, code);
      assert.equal((await countSpoken(await makeSpeaking(server), segments)).done, 2);
    }
    server.speak(() => silence);
    await assert.rejects(run(await makeSpeaking(server), new StoredSegments(newFolder()), { timeout: 50 }), {
      code: 'timeout',
    });
    const closedServer = await startOpenAIServer();
    await closedServer.close();
    await assert.rejects(run(await makeSpeaking(closedServer), new StoredSegments(newFolder())), {
      ...{ code: 'connection', action: 'openSettings' },
    });
  });

  test('keeps finished segments on a full disk, and resumes once there is room', async (context) => {
    const disk = smallDisk(context);
    if (disk === undefined) return;
    const server = await started(context);
    server.speak(() => makeWav(1_000_000));
    const segments = new StoredSegments(join(disk, 'speech'));
    const speaking = await makeSpeaking(server);
    await assert.rejects(run(speaking, segments), {
      ...{ code: 'disk-full', action: 'tryAgain', message: /because the disk is full/ },
    });
    const { done } = await countSpoken(speaking, segments);
    assert.equal(done, 4);
    assert.deepEqual(
      readdirSync(join(disk, 'speech')).filter((name) => name.includes('.')),
      [],
    );
    server.speak(() => makeWav(1_000));
    const before = server.spoken.length;
    await run(speaking, segments);
    assert.equal(server.spoken.length - before, 2);
  });

  test('deletes the oldest segments beyond the size limit', async () => {
    const folder = newFolder();
    const segments = new StoredSegments(folder, 250);
    for (const key of ['a', 'b', 'c']) await segments.keep(key, new Uint8Array(100));
    await segments.clear(new Set(['a']));
    const names = readdirSync(folder).sort();
    assert.equal(names.length, 2);
    assert.ok(names.includes('a'));
  });
});
