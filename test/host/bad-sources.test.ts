import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { openWebNotebook, type WebNotebook } from '../support/host-web.ts';
import { root } from '../support/paths.mjs';
import { until } from '../support/until.ts';

const fixture = (name: string): string => join(root, 'test', 'fixtures', 'reading', name);

suite('files that can’t be read', () => {
  const log = vscode.window.createOutputChannel('Bad', { log: true });
  let home: string;
  let own: WebNotebook;

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'bad-'));
    own = openWebNotebook(log);
  });

  teardown(async () => {
    await own.end();
    rmSync(home, { recursive: true, force: true });
  });

  const add = (name: string): Promise<unknown> =>
    own.adder.addAll({ uris: [vscode.Uri.file(join(home, name))], isNamed: true });

  test('an image without text is rejected with the reason', async () => {
    copyFileSync(fixture('picture.txt'), join(home, 'alone.png'));
    await add('alone.png');
    await own.shows('alone.png', /^Not supported · alone\.png is a PNG image without a title or description/);
  });

  test('a broken link is rejected with the reason', async () => {
    symlinkSync(join(home, 'nowhere'), join(home, 'link.md'));
    await assert.rejects(
      add('link.md'),
      /^NotebookError: link\.md is a symbolic link to a file that doesn’t exist\./,
    );
  });

  test('a folder is read without the files that can’t be read, whose reasons are listed', async () => {
    mkdirSync(join(home, 'archive'));
    for (const name of ['lamps.epub', 'ferry.rtf', 'letter.eml', 'tour.srt', 'talk.vtt', 'quay.svg'])
      copyFileSync(fixture(`office/${name}`), join(home, 'archive', name));
    copyFileSync(fixture('picture.txt'), join(home, 'archive', 'plain.png'));
    await add('archive');
    const { id } = await own.shows('archive', /^6 files · .*1 skipped/);
    const skippedFiles = await own.notebook.call('skippedFiles', { sourceId: id });
    assert.match(
      JSON.stringify(skippedFiles),
      /plain\.png.*is a PNG image without a title or description, so it can’t be searched/,
    );
  });

  test('a folder that is deleted during reading keeps its finished files', async () => {
    mkdirSync(join(home, 'gone'));
    const text = 'Wind and weather are written down here each morning. '.repeat(60);
    for (let i = 0; i < 600; i++)
      writeFileSync(join(home, 'gone', `note-${String(i)}.md`), `# Note ${String(i)}\n\n${text}`);
    await add('gone');
    await until(async () => {
      const { state } = await own.find('gone');
      return state.kind === 'reading' && state.done > 0;
    });
    rmSync(join(home, 'gone'), { recursive: true });
    await own.shows('gone', /(was deleted while|Can’t find the folder).* The text from its files is kept/);
    assert.match(await own.best('What is written down each morning?'), /Wind and weather/);
  });
});
