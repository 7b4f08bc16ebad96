import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { makeWav } from '../support/recordings.ts';

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
    for (const { id } of await own.notebook.call('sources', {})) await own.reader.idle(id);
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

  test('fail with a reason without captions', async () => {
    await addAndWait(vscode.Uri.file(join(folder, 'talk.wav')));
    const [source] = await own.notebook.call('sources', {});
    assert.ok(source?.state.kind === 'failed');
    assert.equal(source.state.code, 'no-transcript');
  });

  test('in a folder are one document with their captions, which are one of their own otherwise', async () => {
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
