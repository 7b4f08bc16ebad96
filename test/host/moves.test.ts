import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { SourceAdder } from '../../src/editor/sources/add-sources.ts';
import { followRenames } from '../../src/editor/sources/moved-sources.ts';
import type { NotebookClient } from '../../src/editor/notebook-client.ts';
import type { SourceReader } from '../../src/editor/sources/source-reader.ts';
import { SourceWatcher } from '../../src/editor/sources/source-watcher.ts';
import type { Source } from '../../src/notebook/source.ts';
import { instead } from '../support/instead.ts';
import { startSite } from '../support/site.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { until as untilHolds } from '../support/until.ts';

/** The editor does not see every change of a busy machine's disk: what was not seen in two minutes is done anew. */
function tryAgain(test: Mocha.Context): void {
  test.timeout(120_000);
  test.retries(3);
}

suite('sources that move', () => {
  const log = vscode.window.createOutputChannel('Moves', { log: true });
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let notebook: NotebookClient;
  let reader: SourceReader;
  let adder: SourceAdder;
  let own: AddingNotebook;
  let following: vscode.Disposable;
  let attempts = 0;

  /** Waits until something holds, in this try of a test alone: one that took too long must not touch the next one's files. */
  const until = (holds: () => boolean | Promise<boolean>): Promise<void> => {
    const mine = attempts;
    return untilHolds(() => {
      assert.equal(attempts, mine, 'This try is over.');
      return holds();
    });
  };
  const at = (path: string): vscode.Uri => vscode.Uri.file(join(workspace, path));
  const write = (path: string, subject: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), `# ${subject}\n\nThe ${subject} is painted green.\n`);
  };
  const sources = (): Promise<readonly Source[]> => notebook.call('sources', {});
  const readKeys = async (sourceId: string): Promise<string[]> =>
    (await notebook.call('documents', { sourceId })).map(({ key }) => key);
  /** Adds files or folders and waits until they are read; resolves to the last one. */
  const add = async (...paths: string[]): Promise<Source> => {
    await adder.addAll({ uris: paths.map(at) });
    await until(async () => (await sources()).every(({ state }) => state.kind === 'ready'));
    const last = (await sources()).at(-1);
    assert.ok(last);
    return last;
  };
  /** Waits until a source lies at a path, ready, and all its documents below it; they are the same ones. */
  const movedTo = async (source: Source, path: string, act: () => unknown): Promise<void> => {
    const readIds = async (): Promise<number[]> =>
      (await notebook.call('documents', { sourceId: source.id })).map(({ id }) => id).toSorted();
    const before = await readIds();
    await act();
    await until(async () => {
      const now = (await sources()).find(({ id }) => id === source.id);
      return (
        now?.state.kind === 'ready' &&
        'uri' in now.origin &&
        now.origin.uri === at(path).toString() &&
        now.title === path.split('/').at(-1) &&
        (await notebook.call('documents', { sourceId: source.id })).every(({ uri }) =>
          uri.startsWith(at(path).toString()),
        )
      );
    });
    assert.deepEqual(await readIds(), before);
  };
  const renameInEditor = async (from: string, to: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at(from), at(to));
    assert.ok(await vscode.workspace.applyEdit(edit));
  };

  setup(() => {
    attempts++;
    own = openToAdd('moves-', log);
    ({ notebook, reader, adder } = own);
    following = vscode.Disposable.from(new SourceWatcher(notebook, reader), followRenames(notebook, reader));
  });

  teardown(async () => {
    following.dispose();
    await own.end();
    for (const made of ['notes', 'papers', 'alpha', 'beta', '.notebookignore', 'lamp.md', 'lantern.md'])
      rmSync(join(workspace, made), { recursive: true, force: true });
  });

  test('are followed when they are renamed in the editor, and watched where they are then', async function () {
    tryAgain(this);
    write('notes/lamp.md', 'lamp');
    write('notes/boats/skiff.md', 'skiff');
    const file = await add('notes/lamp.md');
    await movedTo(file, 'notes/lantern.md', () => renameInEditor('notes/lamp.md', 'notes/lantern.md'));
    write('notes/lantern.md', 'chimney');
    await until(async () => {
      const [found] = await notebook.call('search', { question: 'chimney', limit: 1 });
      return found?.text.includes('The chimney is painted') === true;
    });
    const folder = await add('notes/boats');
    mkdirSync(join(workspace, 'papers'));
    // The folder above both is moved.
    await renameInEditor('notes', 'papers/notes');
    await until(async () => (await sources()).every(({ state }) => state.kind === 'ready'));
    await movedTo(folder, 'papers/notes/boats', () => undefined);
    await movedTo(file, 'papers/notes/lantern.md', () => undefined);
    write('papers/notes/boats/yawl.md', 'yawl');
    await until(async () => (await readKeys(folder.id)).includes('yawl.md'));
  });

  test('are found by their content when another program moved them', async function () {
    tryAgain(this);
    // What lands in a folder that was made a moment ago is seen even less.
    mkdirSync(join(workspace, 'papers'));
    write('notes/lamp.md', 'lamp');
    write('notes/boats/skiff.md', 'skiff');
    write('notes/boats/old/ferry.md', 'ferry');
    const file = await add('notes/lamp.md');
    const folder = await add('notes/boats');
    await movedTo(file, 'lantern.md', () => {
      renameSync(join(workspace, 'notes/lamp.md'), join(workspace, 'lantern.md'));
    });
    await movedTo(folder, 'notes/vessels', () => {
      renameSync(join(workspace, 'notes/boats'), join(workspace, 'notes/vessels'));
    });
    await movedTo(folder, 'papers/vessels', () => {
      renameSync(join(workspace, 'notes/vessels'), join(workspace, 'papers/vessels'));
    });
    rmSync(join(workspace, 'lantern.md'));
    await until(async () => {
      const state = (await sources()).find(({ id }) => id === file.id)?.state;
      return state?.kind === 'failed' && state.reason.includes('no longer there');
    });
  });

  test('an ignore file above a folder has its effect when it changes', async function () {
    tryAgain(this);
    write('notes/boats/skiff.md', 'skiff');
    write('notes/boats/ferry.md', 'ferry');
    const folder = await add('notes/boats');
    writeFileSync(join(workspace, '.notebookignore'), 'ferry.md\n');
    await until(async () => (await readKeys(folder.id)).join() === 'skiff.md');
    rmSync(join(workspace, '.notebookignore'));
    await until(async () => (await readKeys(folder.id)).join() === 'ferry.md,skiff.md');
  });

  test('files of one name are named apart, and what was passed over is told anew file by file', async function () {
    tryAgain(this);
    write('alpha/README.md', 'lamp');
    write('beta/README.md', 'boat');
    await add('alpha/README.md', 'beta/README.md');
    assert.deepEqual(
      (await sources()).map(({ title }) => title),
      ['alpha/README.md', 'beta/README.md'],
    );
    for (const name of ['one', 'two'])
      writeFileSync(join(workspace, `beta/${name}.bin`), new Uint8Array([0, 1, 2, 3, 0, 0]));
    const folder = await add('beta');
    const passedOver = async (): Promise<string> => {
      const now = (await sources()).find(({ id }) => id === folder.id);
      const files = await notebook.call('passedOver', { sourceId: folder.id });
      return [now?.skipped.binary, ...files.map(({ path }) => path).sort()].join();
    };
    assert.equal(await passedOver(), '2,one.bin,two.bin');
    rmSync(join(workspace, 'beta/one.bin'));
    await until(async () => (await passedOver()) === '1,two.bin');
    write('beta/two.bin', 'text');
    await until(async () => (await passedOver()) === '0');
  });

  test('a page whose server breaks off or refuses is asked for once', async function () {
    const site = await startSite({
      '/broken': { body: 'It begins', missing: 100 },
      '/closed': { status: 401, body: 'Sign in.' },
    });
    try {
      for (const path of ['/broken', '/closed', '/missing']) {
        // A page on this machine is asked about first.
        const agree = (_: string, __: unknown, read: string): Promise<string> => Promise.resolve(read);
        await instead('showWarningMessage', agree, () => adder.addPage(site.url + path));
        await until(async () => (await sources()).at(-1)?.state.kind === 'failed');
        assert.deepEqual(
          site.paths.filter((one) => one === path),
          [path],
        );
      }
    } finally {
      await site.close();
    }
  });
});
