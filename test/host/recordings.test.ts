import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { transcribe } from '../../src/answers/models/openai-transcription.ts';
import { WebMOutputFormat } from 'mediabunny';
import { saveClip } from '../../src/features/chat/editor/save-clip.ts';
import {
  askToTranscribe,
  findUntranscribed,
  showTranscriptionProblem,
} from '../../src/features/recordings/editor/ask-to-transcribe.ts';
import {
  Transcription,
  transcriptionJob,
  type TranscriptionJob,
} from '../../src/features/recordings/editor/transcription.ts';
import { Player } from '../../src/features/recordings/editor/player.ts';
import { generateChapters } from '../../src/features/recordings/editor/generate-chapters.ts';
import { removeChapters } from '../../src/features/recordings/editor/stored-chapters.ts';
import { renameSpeakers } from '../../src/features/recordings/editor/rename-speakers.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { sourceItem } from '../../src/features/sources/editor/source-items.ts';
import { makeGate } from '../support/gate.ts';
import { openToAdd, sharedReaders, type AddingNotebook } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { makePackets } from '../support/made-packets.ts';
import { MemoryMemento } from '../support/memory-storage.ts';
import { ScriptedUser } from '../support/scripted-user.ts';
import {
  countingRecording,
  hear,
  startTranscriptionServer,
  type TranscriptionServer,
} from '../support/transcription-server.ts';
import { makeWav } from '../support/recordings.ts';
import { until } from '../support/until.ts';

const isSilent = (second: number): boolean => second % 9 === 4;

suite('recordings', () => {
  const log = vscode.window.createOutputChannel('Recordings', { log: true });
  let own: AddingNotebook;
  let folder: string;
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(folder, name), content);
  const captions = (words: string): string => `WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n<v Ada>${words}\n`;
  const texts = async (): Promise<string[]> => {
    const [source] = await own.notebook.call('sources', {});
    const entries = await own.notebook.call('documents', { sourceId: source?.id ?? '' });
    const documents = await Promise.all(
      entries.map(({ id }) => own.notebook.call('document', { documentId: id })),
    );
    return documents.map(({ entry, text }) => `${entry.key} ${entry.mediaType}: ${text}`).sort();
  };
  const addAndWait = async (uri: vscode.Uri): Promise<void> => {
    await own.adder.addAll({ uris: [uri], isNamed: true });
    for (const { id } of await own.notebook.call('sources', {})) await own.reader.waitUntilIdle(id);
  };

  setup(() => {
    own = openToAdd('recordings-', log);
    folder = join(own.home, 'talks');
    mkdirSync(folder);
    write('talk.wav', makeWav([{ seconds: 3 }]));
  });
  teardown(() => own.end());
  suiteTeardown(() => log.dispose());

  test('are read from the captions beside them, again when these change', async () => {
    write('talk.vtt', captions('The ferry leaves at nine.'));
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    assert.deepEqual(await texts(), [' audio/wav: Ada: The ferry leaves at nine.']);
    write('talk.vtt', captions('The ferry leaves at half past nine.'));
    const [source] = await own.notebook.call('sources', {});
    assert.ok(source);
    await own.reader.read(source);
    assert.deepEqual(await texts(), [' audio/wav: Ada: The ferry leaves at half past nine.']);
  });

  test('open in one player when they are opened twice at once', async () => {
    const panels: vscode.WebviewPanel[] = [];
    const { createWebviewPanel } = vscode.window;
    const create = (...parameters: Parameters<typeof createWebviewPanel>): vscode.WebviewPanel => {
      const panel = createWebviewPanel(...parameters);
      panels.push(panel);
      return panel;
    };
    const registerWebviewPanelSerializer = (): vscode.Disposable => new vscode.Disposable(() => undefined);
    // The player of a file needs no other parts.
    const parts = {
      extensionUri: vscode.Uri.file(folder),
      readFile: () => Promise.resolve({ mediaType: 'audio/wav', text: '', spoken: undefined, headings: [] }),
    } as unknown as ConstructorParameters<typeof Player>[0];
    const uri = vscode.Uri.file(join(folder, 'talk.wav'));
    try {
      await instead({ createWebviewPanel: create, registerWebviewPanelSerializer }, async () => {
        const player = new Player(parts);
        await Promise.all([player.showFile(uri), player.showFile(uri)]);
      });
      assert.equal(panels.length, 1);
    } finally {
      for (const panel of panels) panel.dispose();
    }
  });

  test('fail with a reason without captions', async () => {
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    const [source] = await own.notebook.call('sources', {});
    assert.ok(source?.state.kind === 'failed');
    assert.equal(source.state.code, 'no-transcript');
  });

  test('are read again with the names that the user gives speakers, and citations of before open', async () => {
    write(
      'talk.vtt',
      'WEBVTT\n\n00:01.000 --> 00:01.500\n<v Ada>The ferry leaves at nine.\n\n00:02.000 --> 00:02.500\n<v Ben>At noon.\n',
    );
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    const { notebook, reader } = own;
    const [source] = await notebook.call('sources', {});
    assert.ok(source?.origin.kind === 'file');
    const { id: sourceId } = source;
    const recording = { sourceId, uri: source.origin.uri };
    const [entry] = await notebook.call('documents', { sourceId });
    const documentId = entry?.id ?? 0;
    const span = { start: 0, end: 'Ada: The ferry leaves at nine.'.length };
    const quote = 'Ada: The ferry leaves at nine.';
    const [cited] = await notebook.call('cite', {
      requests: [{ number: 1, documentId, passage: span, span, quote }],
    });
    assert.ok(cited?.locator.kind === 'saved');
    assert.deepEqual(cited.locator.time, { from: 1, to: 1.5 });
    const parts = {
      notebook,
      readers: sharedReaders(),
      transcripts: join(own.home, 'transcripts'),
      read: (one: Source) => reader.readPart(one, ''),
    };
    const user = new ScriptedUser();
    await user.during([{ pick: 'Ada' }, { enter: ' Countess ' }, 'dismiss'], () =>
      renameSpeakers(parts, recording),
    );
    assert.deepEqual(await texts(), [' audio/wav: Countess: The ferry leaves at nine.\nBen: At noon.']);
    assert.match(user.seen.at(-1) ?? '', /Countess.*“Ada” in the captions · 1 caption.*Reset All Names/s);
    const citedText = await notebook.call('find', { documentId, sourceId, span, quote });
    assert.ok(citedText.kind === 'found' && citedText.locator.kind === 'saved');
    assert.deepEqual(citedText.locator.time, { from: 1, to: 1.5 });
    await user.during(
      [{ pick: 'Countess' }, { enter: '' }, { pick: 'Ben' }, { enter: 'Eva' }, 'dismiss'],
      () => renameSpeakers(parts, recording),
    );
    assert.deepEqual(await texts(), [' audio/wav: Ada: The ferry leaves at nine.\nEva: At noon.']);
    await user.during([{ pick: 'Reset All Names' }, 'dismiss'], () => renameSpeakers(parts, recording));
    assert.deepEqual(await texts(), [' audio/wav: Ada: The ferry leaves at nine.\nBen: At noon.']);
  });

  test('get the chapters of a model that fit their transcript, after the user agreed', async () => {
    write(
      'talk.vtt',
      'WEBVTT\n\n00:00.000 --> 00:01.000\nThe ferry leaves at nine.\n\n00:25.000 --> 00:26.000\nThe pump was repaired.\n',
    );
    const uri = vscode.Uri.file(join(folder, 'talk.wav'));
    await addAndWait(uri);
    const [source] = await own.notebook.call('sources', {});
    const sourceId = source?.id ?? '';
    let replies = ['0:00 Elephants'];
    const parts = {
      notebook: own.notebook,
      answerModel: () =>
        Promise.resolve({
          model: {
            name: 'Scripted',
            async *stream() {
              yield await Promise.resolve(replies.join('\n'));
            },
          },
          prices: { input: 1, output: 1 },
        }),
      read: (one: Source, path: string) => own.reader.readPart(one, path),
    };
    const user = new ScriptedUser();
    const generate = (): Promise<void> =>
      user.during([{ press: 'Generate' }], () => generateChapters(parts, { sourceId, uri: uri.toString() }));
    const headings = async (): Promise<unknown> => {
      const [entry] = await own.notebook.call('documents', { sourceId });
      const [outline] = await own.notebook.call('outlines', { documentIds: [entry?.id ?? 0] });
      return outline?.headings;
    };
    await generate();
    assert.match(
      user.seen.join('\n'),
      /Generate chapters for “talk\.wav”\?.*to Scripted\.\nRequests: 1\. Estimated usage: [\d,]+ tokens, which cost about /s,
    );
    assert.match(user.seen.at(-1) ?? '', /^Scripted proposed no chapters that fit the transcript\./);
    assert.deepEqual(await headings(), []);
    replies = ['0:00 The ferry', '0:25 Repairs of the pump'];
    await generate();
    assert.deepEqual(await headings(), [
      { offset: 0, level: 1, title: 'The ferry' },
      { offset: 'The ferry leaves at nine.\n\n'.length, level: 1, title: 'Repairs of the pump' },
    ]);
    await assert.rejects(
      generateChapters(
        { ...parts, answerModel: () => Promise.resolve({ model: undefined }) },
        { sourceId, uri: uri.toString() },
      ),
      { code: 'model-missing' },
    );
    const remove = (): Promise<void> => removeChapters(parts, { sourceId, uri: uri.toString() });
    await user.during([{ press: 'Remove' }], remove);
    assert.deepEqual(await headings(), []);
    await user.during([], remove);
    assert.match(user.seen.at(-1) ?? '', /^talk\.wav has no generated chapters\./);
  });

  test('have the chapters of a file beside them, and are read again when these change', async () => {
    write('talk.vtt', captions('The ferry leaves at nine.'));
    const chapters = (title: string): string => `WEBVTT\n\n00:00.000 --> 00:03.000\n${title}\n`;
    write('talk.chapters.vtt', chapters('Departure'));
    await addAndWait(vscode.Uri.file(folder));
    const [source] = await own.notebook.call('sources', {});
    assert.ok(source);
    const titles = async (): Promise<unknown> => {
      const entries = await own.notebook.call('documents', { sourceId: source.id });
      const outlines = await own.notebook.call('outlines', { documentIds: entries.map(({ id }) => id) });
      return outlines.map(({ headings }) => headings.map(({ title }) => title));
    };
    assert.deepEqual(await titles(), [['Departure']]);
    write('talk.chapters.vtt', chapters('Departure of the ferry'));
    await own.reader.read({ ...source, state: { kind: 'ready' } }, new Set(['talk.chapters.vtt']));
    assert.deepEqual(await titles(), [['Departure of the ferry']]);
  });

  test('are found where they were moved, also with names of speakers', async () => {
    write('talk.vtt', captions('The ferry leaves at nine.'));
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    const { notebook, reader } = own;
    const [{ id: sourceId } = { id: '' }] = await notebook.call('sources', {});
    await notebook.call('nameSpeakers', { sourceId, speakers: { Ada: 'Countess' } });
    const present = async (): Promise<Source> => {
      const [source] = await notebook.call('sources', {});
      assert.ok(source);
      return source;
    };
    await reader.readPart(await present(), '');
    for (const ending of ['wav', 'vtt'])
      renameSync(join(folder, `talk.${ending}`), join(folder, `harbor.${ending}`));
    await reader.read(await present());
    const { origin, state } = await present();
    assert.ok(origin.kind === 'file' && origin.uri.endsWith('/harbor.wav'), JSON.stringify(state));
    assert.deepEqual(await texts(), [' audio/wav: Countess: The ferry leaves at nine.']);
  });

  test('of which a part is saved as a note link to its time', async () => {
    write(
      'talk.vtt',
      'WEBVTT\n\n00:01.000 --> 00:01.500\n<v Ada>The ferry leaves at nine.\n\n00:02.000 --> 00:02.500\n<v Ben>At noon.\n',
    );
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    const { notebook } = own;
    const [source] = await notebook.call('sources', {});
    const [entry] = await notebook.call('documents', { sourceId: source?.id ?? '' });
    const documentId = entry?.id ?? 0;
    const { text } = await notebook.call('document', { documentId });
    const start = text.indexOf('At noon');
    // The window shows another notebook, whose notes aren't those of this one.
    await saveClip(notebook, documentId, { start, end: start + 'At noon.'.length }).catch(() => undefined);
    const [note] = await notebook.call('notes', {});
    assert.equal(note?.title, 'At noon');
    const saved = await notebook.call('note', { title: 'At noon' });
    assert.match(saved.text, /At noon\./);
    const [stored] = saved.citations;
    assert.ok(stored?.citation.locator.kind === 'saved');
    assert.deepEqual(stored.citation.locator.time, { from: 2, to: 2.5 });
    await assert.rejects(saveClip(notebook, 9_999, { start: 0, end: 1 }), { code: 'not-found' });
  });

  test('without sound can’t be transcribed, with a reason', async () => {
    write('screen.webm', await makePackets(new WebMOutputFormat(), undefined, 3, true));
    await addAndWait(vscode.Uri.file(join(folder, 'screen.webm')));
    const parts = {
      notebook: own.notebook,
      readers: sharedReaders(),
      transcription: { add: () => Promise.reject(new Error('Nothing can be sent.')) },
      models: {} as never,
      providers: {} as never,
    };
    const settings = vscode.workspace.getConfiguration('openNotebook.transcription');
    const { Global } = vscode.ConfigurationTarget;
    try {
      await settings.update('baseUrl', 'https://speech.example/v1', Global);
      await settings.update('model', 'whisper-1', Global);
      const sources = await own.notebook.call('sources', {});
      await assert.rejects(askToTranscribe(parts, sources), {
        code: 'unsupported',
        message: 'screen.webm has no audio to transcribe.',
      });
    } finally {
      for (const key of ['baseUrl', 'model']) await settings.update(key, undefined, Global);
    }
  });

  test('whose transcription is paused by a problem have a button that helps', async () => {
    const job = { sourceId: 'a', path: '', uri: 'file:///talks/talk.wav', seconds: 700, done: 250 };
    const model = { name: 'whisper-1', baseUrl: 'https://speech.example/v1' };
    const user = new ScriptedUser();
    let resumed = 0;
    const parts = { providers: {} as never, resume: () => Promise.resolve(void resumed++) };
    const show = (action?: 'openSettings' | 'setApiKey'): void => {
      const error = new NotebookError('server', 'The server failed.', action && { action });
      showTranscriptionProblem(error, { ...job, isPaused: true, model }, parts);
    };
    await user.during(['dismiss', 'dismiss', { press: 'Resume' }], async () => {
      show('setApiKey');
      show('openSettings');
      show();
      await until(() => resumed === 1);
    });
    const sentences = 'Transcription of talk.wav is paused. The server failed. Saved: 4 of 12 minutes.';
    assert.deepEqual(
      user.seen,
      ['Set API Key', 'Open Settings', 'Resume'].map((button) => `${sentences}\n\n${button}`),
    );
  });

  test('without speakers have no names to change', async () => {
    write('talk.vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\nThe ferry leaves at nine.\n');
    const uri = vscode.Uri.file(join(folder, 'talk.wav'));
    await addAndWait(uri);
    const [source] = await own.notebook.call('sources', {});
    const user = new ScriptedUser();
    const parts = {
      notebook: own.notebook,
      readers: sharedReaders(),
      transcripts: join(own.home, 'transcripts'),
      read: (one: Source) => own.reader.readPart(one, ''),
    };
    await user.during([], () => renameSpeakers(parts, { sourceId: source?.id ?? '', uri: uri.toString() }));
    assert.deepEqual(user.seen, ['The transcript of talk.wav doesn’t name any speakers.\n']);
  });

  suite('without captions', () => {
    let server: TranscriptionServer;
    let problems: string[];
    let memento: MemoryMemento;
    const open: Transcription[] = [];
    const openWindow = (stored: vscode.Memento = memento): Transcription => {
      const transcription = new Transcription({
        notebook: own.notebook,
        memento: stored,
        lockTimes: { renewMs: 1_000, staleMs: 60_000, retryMs: 20 },
        readers: sharedReaders(),
        transcription: () => (name, part, options) =>
          transcribe({ baseUrl: server.baseUrl, name }, part, { ...options, wait: () => Promise.resolve() }),
        folder: join(own.home, 'transcripts'),
        read: (source, path) => own.reader.readPart(source, path),
        showProblem: ({ message }) => void problems.push(message),
        log,
      });
      open.push(transcription);
      return transcription;
    };
    const row = async (transcription: Transcription): Promise<string> => {
      const [source] = await own.notebook.call('sources', {});
      assert.ok(source);
      const state = { left: 0, isPaused: false, transcription: transcription.state(source.id) };
      const { description, iconPath } = sourceItem(source, true, state);
      icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : undefined;
      return String(description);
    };
    /** Icon of the row that was last looked at. */
    let icon: string | undefined;
    const model = { name: 'whisper-1', baseUrl: 'http://127.0.0.1/v1' };
    const jobs = async (): Promise<TranscriptionJob[]> => {
      const recordings = await findUntranscribed(own.notebook, await own.notebook.call('sources', {}));
      return recordings.map((one) => transcriptionJob({ ...one, seconds: 700 }, model));
    };

    setup(async () => {
      [server, problems, memento] = [await startTranscriptionServer(), [], new MemoryMemento()];
      write('talk.wav', countingRecording(700, isSilent));
    });
    teardown(async () => {
      for (const transcription of open.splice(0)) {
        await transcription.leave();
        transcription.dispose();
      }
      await server.close();
    });

    test('are transcribed, with progress in minutes, after a restart in a pause', async () => {
      await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
      let window = openWindow();
      const second = makeGate();
      server.reply(async ({ bytes, index }) => {
        if (index === 1) await second.pass();
        return { json: hear(bytes) };
      });
      assert.equal(await row(window), 'No transcript');
      assert.equal(icon, 'file');
      await window.add(await jobs());
      await second.reached;
      assert.equal(await row(window), 'Transcribing, 4 of 12 min');
      assert.equal(icon, 'loading~spin');
      await window.pause();
      await window.waitUntilIdle();
      assert.equal(await row(window), 'Transcription paused, 4 of 12 min');
      assert.equal(icon, 'debug-pause');
      second.open();
      window.dispose();
      window = openWindow();
      assert.equal(await row(window), 'Transcription paused, 4 of 12 min');
      const { length } = server.transcriptions;
      await window.resume();
      await window.waitUntilIdle();
      assert.equal(server.transcriptions.length - length, 2);
      const [text = ''] = await texts();
      assert.deepEqual(
        text.match(/w\d+/g),
        Array.from({ length: 700 }, (_, n) => n)
          .filter((n) => !isSilent(n))
          .map((n) => `w${String(n)}`),
      );
      assert.match(await row(window), /passages/);
      assert.deepEqual(problems, []);
    });

    test('are sent once if two windows transcribe them', async () => {
      await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
      const [one, other] = [openWindow(), openWindow(new MemoryMemento())];
      const second = makeGate();
      server.reply(async ({ bytes, index }) => {
        if (index === 1) await second.pass();
        return { json: hear(bytes) };
      });
      await one.add(await jobs());
      await second.reached;
      await other.add(await jobs());
      await until(async () => (await row(other)) === 'Transcribing in another window');
      assert.equal(await row(one), 'Transcribing, 4 of 12 min');
      second.open();
      await one.waitUntilIdle();
      await other.waitUntilIdle();
      assert.equal(server.transcriptions.length, 3);
      assert.deepEqual([one.state(), other.state()], [undefined, undefined]);
      assert.deepEqual(problems, []);
    });

    test('aren’t sent by a window whose recording another one took over', async () => {
      await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
      const window = openWindow();
      const second = makeGate();
      server.reply(async ({ bytes, index }) => {
        if (index === 1) await second.pass();
        return { json: hear(bytes) };
      });
      await window.add(await jobs());
      await second.reached;
      const locks = join(own.home, 'transcripts', 'locks');
      const [lock = ''] = readdirSync(locks);
      writeFileSync(join(locks, lock), 'another window');
      second.open();
      await until(async () => (await row(window)) === 'Transcribing in another window');
      assert.equal(server.transcriptions.length, 2);
      rmSync(join(locks, lock));
      await window.waitUntilIdle();
      assert.equal(server.transcriptions.length, 3);
      assert.equal(window.state(), undefined);
      assert.deepEqual(problems, []);
    });

    test('in a folder wait for a server that fails, and are resumed', async () => {
      write('other.wav', countingRecording(20, isSilent));
      await addAndWait(vscode.Uri.file(folder));
      const window = openWindow();
      server.reply(() => ({ status: 401 }));
      await window.add(await jobs());
      await window.waitUntilIdle();
      assert.equal(server.transcriptions.length, 1);
      assert.equal(problems.length, 1);
      assert.match(problems[0] ?? '', /requires an API key\. Set a key, then try again\.$/);
      assert.equal(window.state()?.isPaused, true);
      assert.match(await row(window), /^Transcription paused, 0 of 12 min · /);
      server.reply(({ bytes }) => ({ json: hear(bytes) }));
      await window.resume();
      await window.waitUntilIdle();
      assert.equal(window.state(), undefined);
      assert.deepEqual(
        (await texts()).map((text) => text.slice(0, 30)),
        ['other.wav audio/wav: w0 w1 w2 ', 'talk.wav audio/wav: w0 w1 w2 w'],
      );
    });

    test('are no longer transcribed when they are removed', async () => {
      await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
      const window = openWindow();
      const first = makeGate();
      server.reply(async ({ bytes }) => {
        await first.pass();
        return { json: hear(bytes) };
      });
      await window.add(await jobs());
      await first.reached;
      const sources = await own.notebook.call('sources', {});
      await own.notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
      await window.waitUntilIdle();
      first.open();
      assert.equal(window.state(), undefined);
      assert.equal(server.transcriptions.length, 1);
    });

    test('ask once, with minutes, the server, and the cost, before anything is sent', async () => {
      write('other.wav', countingRecording(80, isSilent));
      await addAndWait(vscode.Uri.file(folder));
      const user = new ScriptedUser();
      const added: TranscriptionJob[] = [];
      const settings = vscode.workspace.getConfiguration('openNotebook.transcription');
      const { Global } = vscode.ConfigurationTarget;
      try {
        await settings.update('baseUrl', 'https://speech.example/v1', Global);
        await settings.update('model', 'whisper-1', Global);
        await settings.update('price', 0.006, Global);
        const sources = await own.notebook.call('sources', {});
        const parts = {
          notebook: own.notebook,
          readers: sharedReaders(),
          transcription: {
            add: (some: readonly TranscriptionJob[]) => Promise.resolve(void added.push(...some)),
          },
          models: {} as never,
          providers: {} as never,
        };
        await user.during([{ press: 'Transcribe' }], () => askToTranscribe(parts, sources));
      } finally {
        for (const key of ['baseUrl', 'model', 'price']) await settings.update(key, undefined, Global);
      }
      assert.match(
        user.seen.join('\n'),
        /Transcribe 2 recordings\?.*Length: 13 minutes\. .* to speech\.example, where whisper-1 .* This costs about \$0\.078\./s,
      );
      assert.deepEqual(
        added.map(({ path, seconds, model: { baseUrl } }) => [path, seconds, baseUrl]).sort(),
        [
          ['other.wav', 80, 'https://speech.example/v1'],
          ['talk.wav', 700, 'https://speech.example/v1'],
        ],
      );
      assert.equal(server.transcriptions.length, 0);
    });
  });

  test('in a folder are one document with their captions, which are a separate document otherwise', async () => {
    write('talk.vtt', captions('The ferry leaves at nine.'));
    await addAndWait(vscode.Uri.file(folder));
    assert.deepEqual(await texts(), ['talk.wav audio/wav: Ada: The ferry leaves at nine.']);
    const [source] = await own.notebook.call('sources', {});
    assert.ok(source);
    rmSync(join(folder, 'talk.wav'));
    await own.reader.read(source, new Set(['talk.wav']));
    assert.deepEqual(await texts(), ['talk.vtt text/vtt: Ada: The ferry leaves at nine.']);
    write('talk.wav', makeWav([{ seconds: 3 }]));
    await own.reader.read({ ...source, state: { kind: 'ready' } }, new Set(['talk.wav']));
    assert.deepEqual(await texts(), ['talk.wav audio/wav: Ada: The ferry leaves at nine.']);
  });
});
