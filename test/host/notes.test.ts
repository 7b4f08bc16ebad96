import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CitationChips } from '../../src/features/citations/editor/citation-chips.ts';
import { NoteFiles, noteUri as noteUriIn } from '../../src/features/notes/editor/note-files.ts';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { SourceWatcher } from '../../src/features/sources/editor/source-watcher.ts';
import { makeReader, worker } from '../support/host-sources.ts';
import { instead } from '../support/instead.ts';
import { until } from '../support/until.ts';

const { fs } = vscode.workspace;

/** URI of a note in the workspace's own notebook. */
const noteUri = (title: string): vscode.Uri => noteUriIn(title, { key: '' });

const bytes = (text: string): Uint8Array => Buffer.from(text);

const read = async (uri: vscode.Uri): Promise<string> => Buffer.from(await fs.readFile(uri)).toString();

/** Returns the code of a file system's error, or `none`. */
async function failure(operation: Thenable<unknown>): Promise<string> {
  try {
    await operation;
    return 'none';
  } catch (error) {
    return error instanceof vscode.FileSystemError ? error.code : String(error);
  }
}

suite('notes as files', () => {
  test('VS Code writes, reads, lists, renames, and deletes them', async () => {
    const uri = noteUri('What? 100% “käse” #1 [a]');
    const text = '\u{feff}# Käse\r\n\r\n🧀\r\n';
    await fs.writeFile(uri, bytes(text));
    assert.equal(await read(uri), text);
    const { type, size, mtime } = await fs.stat(uri);
    assert.deepEqual([type, size], [vscode.FileType.File, Buffer.byteLength(text)]);
    await fs.writeFile(uri, bytes('2'));
    assert.ok((await fs.stat(uri)).mtime > mtime);
    assert.deepEqual(await fs.readDirectory(noteUri('').with({ path: '/' })), [
      ['What? 100% “käse” #1 [a].md', vscode.FileType.File],
    ]);

    const other = noteUri('Other');
    await fs.rename(uri, other);
    assert.equal(await read(other), '2');
    assert.equal(await failure(fs.stat(uri)), 'FileNotFound');
    await fs.writeFile(uri, bytes('3'));
    assert.equal(await failure(fs.rename(uri, other, { overwrite: false })), 'FileExists');
    await fs.rename(uri, other, { overwrite: true });
    assert.equal(await read(other), '3');

    for (const path of ['/folder/Note.md', '/Note.txt', '/.md', '/citation/0123456789abcdef'])
      assert.equal(await failure(fs.writeFile(other.with({ path }), bytes('x'))), 'NoPermissions', path);
    assert.equal(await failure(fs.createDirectory(other.with({ path: '/folder' }))), 'NoPermissions');
    assert.equal(await failure(fs.writeFile(other, Uint8Array.of(0xff, 0xfe, 0))), 'Unavailable');
    assert.equal(await read(other), '3');
    await fs.delete(other);
    assert.equal(await failure(fs.readFile(other)), 'FileNotFound');
    assert.equal(await failure(fs.delete(other)), 'FileNotFound');
  });

  test('complete links to other notes, which open them', async () => {
    const [compost, march, april] = ['Compost', 'March', 'April'].map(noteUri) as [
      vscode.Uri,
      vscode.Uri,
      vscode.Uri,
    ];
    await fs.writeFile(compost, bytes('# Compost\n'));
    await fs.writeFile(march, bytes('[[Com'));
    await fs.writeFile(april, bytes('See [[Compost]].\n'));
    await vscode.workspace.openTextDocument(march);
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      march,
      new vscode.Position(0, 5),
    );
    const labels = items.map(({ label }) => (typeof label === 'string' ? label : label.label));
    assert.ok(labels.includes('Compost'), labels.join(', '));
    await vscode.workspace.openTextDocument(april);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      april,
    );
    const { path, query } = links[0]?.target ?? april;
    const parameters = JSON.parse(query) as unknown[];
    await vscode.commands.executeCommand(path, ...parameters);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), compost.toString());
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const uri of [compost, march, april]) await fs.delete(uri);
  });

  test('an open note follows changes, renames, and deletion elsewhere', async () => {
    const uri = noteUri('Beans');
    await fs.writeFile(uri, bytes('one\n'));
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'markdown');
    await vscode.window.showTextDocument(document);
    await fs.writeFile(uri, bytes('two\n'));
    await until(() => document.getText() === 'two\n');

    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 0), 'typed ');
    await vscode.workspace.applyEdit(typing);
    assert.equal(document.isDirty, true);
    const renaming = new vscode.WorkspaceEdit();
    const peas = noteUri('Peas');
    renaming.renameFile(uri, peas);
    assert.ok(await vscode.workspace.applyEdit(renaming));
    await until(() => vscode.window.activeTextEditor?.document.uri.toString() === peas.toString());
    const renamed = await vscode.workspace.openTextDocument(peas);
    assert.equal(renamed.getText(), 'typed two\n');
    assert.equal(renamed.isDirty, true);
    assert.ok(await renamed.save());
    assert.equal(await read(peas), 'typed two\n');

    const deleting = new vscode.WorkspaceEdit();
    deleting.deleteFile(peas);
    assert.ok(await vscode.workspace.applyEdit(deleting));
    await until(() => vscode.window.activeTextEditor === undefined);
  });

  test('changes saved elsewhere aren’t overwritten', async () => {
    // VS Code keeps the text of a closed editor for a while.
    const uri = noteUri(`Twice ${randomUUID()}`);
    await fs.writeFile(uri, bytes('first\n'));
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(uri, new vscode.Position(0, 0), 'mine ');
    await vscode.workspace.applyEdit(typing);
    await fs.writeFile(uri, bytes('theirs\n'));
    assert.equal(await document.save(), false);
    assert.equal(await read(uri), 'theirs\n');
    assert.equal(document.getText(), 'mine first\n');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until(() => document.getText() === 'theirs\n' && !document.isDirty);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await fs.delete(uri);
  });
});

suite('notes in two windows', () => {
  const log = vscode.window.createOutputChannel('Notes', { log: true });
  const opened: { dispose(): unknown }[] = [];
  let folder: string;

  const open = (): { files: NoteFiles; notebook: NotebookClient; events: string[] } => {
    const passageSettings = () => ({ size: 1500, overlap: 50 });
    const notebook = new NotebookClient({
      workerPath: worker('index-worker.cjs'),
      directory: join(folder, 'notebook'),
      indexSettings: passageSettings,
      log,
    });
    const changed = new vscode.EventEmitter<NotebookClient>();
    notebook.onDidChange(() => {
      changed.fire(notebook);
    });
    const files = new NoteFiles({ client: () => notebook, onDidChange: changed.event });
    const events: string[] = [];
    files.onDidChangeFile((changes) => {
      events.push(...changes.map(({ type, uri }) => `${vscode.FileChangeType[type]} ${uri.path}`));
    });
    opened.push(files, notebook);
    return { files, notebook, events };
  };

  setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'notes-'));
  });

  teardown(async () => {
    for (const disposable of opened.splice(0))
      await (disposable instanceof NotebookClient ? disposable.close() : disposable.dispose());
    rmSync(folder, { recursive: true, force: true });
  });

  test('report what the other window created, saved, renamed, and deleted', async () => {
    const [here, there] = [open(), open()];
    const [beans, peas] = [noteUri('Beans'), noteUri('Peas')];
    await there.files.readDirectory(beans.with({ path: '/' }));
    await here.files.writeFile(beans, bytes('one'), { create: true, overwrite: false });
    await until(() => there.events.includes('Created /Beans.md'));
    await here.files.writeFile(beans, bytes('two'), { create: false, overwrite: true });
    await until(() => there.events.includes('Changed /Beans.md'));
    assert.equal(Buffer.from(await there.files.readFile(beans)).toString(), 'two');
    assert.equal((await there.files.stat(beans)).mtime, (await here.files.stat(beans)).mtime);
    await here.files.rename(beans, peas, { overwrite: false });
    await until(
      () => there.events.includes('Deleted /Beans.md') && there.events.includes('Created /Peas.md'),
    );
    await there.files.delete(peas);
    await until(() => here.events.includes('Deleted /Peas.md'));
    assert.equal(await failure(here.files.stat(peas)), 'FileNotFound');
  });

  test('are read again when one that is a source is saved', async () => {
    const { notebook } = open();
    const reader = makeReader(notebook, log);
    const watcher = new SourceWatcher(notebook, reader, { settleMs: 50 });
    opened.push(reader, watcher);
    const answers = async (question: string, words: string): Promise<boolean> =>
      (await notebook.call('search', { question, limit: 1 }))[0]?.text.trim().endsWith(words) === true;
    const uri = noteUri('Lamps');
    await fs.writeFile(uri, bytes('The lamp is lit at nine. [1](citation/0123456789abcdef "a.md")\n'));
    const origin = { kind: 'file', uri: uri.toString() } as const;
    const source = await notebook.call('addSource', { title: 'Lamps.md', origin });
    await watcher.update();
    await reader.read(source);
    assert.ok(await answers('When is the lamp lit?', 'at nine.'));
    await fs.writeFile(uri, bytes('The lamp is lit at ten.\n'));
    await until(() => answers('When is the lamp lit?', 'at ten.'));
    await fs.delete(uri);
  });
});

suite('citation chips', () => {
  test('draw their background with their text, which VS Code also shows in wrapped lines', async () => {
    const drawn: vscode.DecorationRenderOptions[] = [];
    const create = vscode.window.createTextEditorDecorationType;
    const record = (options: vscode.DecorationRenderOptions): vscode.TextEditorDecorationType => {
      drawn.push(options);
      return create(options);
    };
    const chips = await instead({ createTextEditorDecorationType: record }, () => new CitationChips());
    chips.dispose();
    assert.match(drawn[0]?.textDecoration ?? '', /background-color: var\(--vscode-badge-background\)/);
    assert.equal(drawn[0]?.backgroundColor, undefined);
  });
});
