import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Library } from '../../src/platform/library.ts';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { NotebookMemento, Notebooks } from '../../src/features/notebooks/editor/notebooks.ts';
import { NoteFiles, noteUri } from '../../src/features/notes/editor/note-files.ts';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { showName } from '../../src/features/notebooks/commands/notebook-commands.ts';
import { until } from '../support/until.ts';
import { MemoryMemento } from '../support/memory-storage.ts';

const own = 'a'.repeat(32);

suite('notebooks of a window', () => {
  const extension = vscode.extensions.getExtension('open-notebook.open-notebook');
  assert.ok(extension);
  const workerPath = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'index-worker.cjs').fsPath;
  const log = vscode.window.createOutputChannel('Notebooks', { log: true });
  const windows: Notebooks[] = [];
  let folder: string;

  const open = (workspaceState: vscode.Memento = new MemoryMemento()): Notebooks => {
    const passageSettings = () => ({ size: 1500, overlap: 50 });
    const notebooks = new Notebooks({
      folders: new NotebookFolders(folder),
      library: new Library(workerPath),
      ownId: own,
      workspaceState,
      clientFor: (place) => new NotebookClient({ ...place, workerPath, indexSettings: passageSettings, log }),
    });
    windows.push(notebooks);
    return notebooks;
  };
  const titles = async (notebooks: Notebooks): Promise<string[]> =>
    (await notebooks.shown.call('notes', {})).map(({ title }) => title);
  const add = (notebook: NotebookClient, title: string): Promise<unknown> =>
    notebook.call('addNote', { title, text: title, citations: [] });

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'notebooks-'));
  });

  teardown(async () => {
    for (const notebooks of windows.splice(0)) {
      await notebooks.close();
      notebooks.dispose();
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('keep their own content, and open where they were left', async () => {
    const state = new MemoryMemento();
    const notebooks = open(state);
    const memento = new NotebookMemento(state, notebooks.shown);
    await memento.update('scope', 'of own');
    await add(notebooks.shown, 'Mine');
    assert.equal(notebooks.name, vscode.workspace.name);
    const { id } = await notebooks.folders.create('Garden');
    const left: string[] = [];
    notebooks.beforeLeaving(async () => {
      left.push(...(await titles(notebooks)));
    });
    let switches = 0;
    notebooks.shown.onDidSwitch(() => switches++);
    await notebooks.switchTo(id);
    assert.deepEqual([notebooks.shown.key, notebooks.name, switches], [id, 'Garden', 1]);
    assert.deepEqual(left, ['Mine'], 'it is left while it can still be asked');
    assert.deepEqual(await titles(notebooks), []);
    assert.equal(memento.get('scope'), undefined);
    await memento.update('scope', 'of garden');
    assert.deepEqual(memento.keys(), ['scope']);
    await add(notebooks.shown, 'Beds');
    const again = open(state);
    assert.equal(again.shown.key, id);
    assert.deepEqual(await titles(again), ['Beds']);
    await notebooks.switchTo('');
    assert.deepEqual(await titles(notebooks), ['Mine']);
    assert.equal(memento.get('scope'), 'of own');
    const counts = await notebooks.counts(['', id]);
    assert.deepEqual(counts.get(id), { sources: 0, notes: 1 });
  });

  test('answer a question that is asked during a switch from the new notebook', async () => {
    const notebooks = open();
    await add(notebooks.shown, 'Mine');
    const { id } = await notebooks.folders.create('Garden');
    const titleLists = Promise.all([titles(notebooks), notebooks.switchTo(id), titles(notebooks)]);
    const [before] = await titleLists;
    assert.deepEqual(before, ['Mine']);
    assert.deepEqual(await titles(notebooks), []);
    await Promise.all([notebooks.switchTo(''), notebooks.switchTo(id), notebooks.switchTo('')]);
    assert.deepEqual(await titles(notebooks), ['Mine']);
  });

  test('keep the open file of a note when another notebook is shown', async () => {
    const notebooks = open();
    const files = new NoteFiles(notebooks);
    const { id } = await notebooks.folders.create('Garden');
    const mine = noteUri('Plan', { key: '' });
    const garden = noteUri('Plan', { key: id });
    const write = { create: true, overwrite: true };
    await files.writeFile(mine, Buffer.from('of my own'), write);
    await notebooks.switchTo(id);
    await files.writeFile(garden, Buffer.from('of the garden'), write);
    const read = async (uri: vscode.Uri): Promise<string> =>
      Buffer.from(await files.readFile(uri)).toString();
    assert.equal(await read(mine), 'of my own');
    assert.equal(await read(garden), 'of the garden');
    await files.writeFile(mine, Buffer.from('changed'), write);
    await notebooks.switchTo('');
    assert.equal((await notebooks.shown.call('note', { title: 'Plan' })).text, 'changed');
    assert.equal(await read(garden), 'of the garden');
    await assert.rejects(files.rename(mine, garden, { overwrite: true }));
    await assert.rejects(files.readFile(noteUri('Plan', { key: 'none' })));
    files.dispose();
  });

  test('show a new name when another window renames the notebook', async () => {
    const [here, there] = [open(), open()];
    const { id } = await here.folders.create('Garden');
    await here.switchTo(id);
    await there.switchTo(id);
    const names: string[] = [];
    const shown = showName(here, (name) => names.push(name));
    await there.rename(id, 'Orchard');
    await until(() => here.name === 'Orchard');
    assert.equal(names.at(-1), 'Orchard');
    await here.switchTo('');
    assert.equal(names.at(-1), vscode.workspace.name);
    shown.dispose();
  });

  test('leave a notebook that another window deletes, and can restore it', async () => {
    const [here, there] = [open(), open()];
    const { id } = await here.folders.create('Garden');
    await here.switchTo(id);
    await there.switchTo(id);
    await add(there.shown, 'Beds');
    const entry = await here.folders.entry(id);
    assert.ok(entry);
    const trashed = await here.remove(entry);
    assert.equal(here.shown.key, '');
    await there.refresh();
    assert.equal(there.shown.key, '');
    await assert.rejects(there.switchTo(id), (error) => error instanceof NotebookError);
    assert.throws(() => there.client(id), NotebookError);
    const back = await there.folders.restore(trashed);
    await there.switchTo(back.id);
    assert.deepEqual(await titles(there), ['Beds']);
    await here.rename(back.id, 'Orchard');
    await there.refresh();
    assert.equal(there.name, 'Orchard');
    assert.ok(existsSync(join(folder, id)));
  });
});
