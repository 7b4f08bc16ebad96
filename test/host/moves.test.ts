import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { followRenames } from '../../src/features/sources/editor/moved-sources.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import { SourceWatcher } from '../../src/features/sources/editor/source-watcher.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { instead } from '../support/instead.ts';
import { startSite } from '../support/site.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { until } from '../support/until.ts';

/** File watchers that a test triggers: on a busy machine, the editor's own report changes late or never. */
class ScriptedWatchers {
  readonly #watching = new Set<{
    pattern: vscode.RelativePattern;
    changed: vscode.EventEmitter<vscode.Uri>;
  }>();

  /** Stands in for `vscode.workspace.createFileSystemWatcher`. */
  readonly create = (pattern: vscode.RelativePattern): vscode.FileSystemWatcher => {
    const changed = new vscode.EventEmitter<vscode.Uri>();
    const never = new vscode.EventEmitter<vscode.Uri>();
    const watching = { pattern, changed };
    this.#watching.add(watching);
    return {
      ignoreCreateEvents: false,
      ignoreChangeEvents: false,
      ignoreDeleteEvents: false,
      onDidChange: changed.event,
      onDidCreate: never.event,
      onDidDelete: never.event,
      dispose: () => {
        this.#watching.delete(watching);
        changed.dispose();
        never.dispose();
      },
    };
  };

  report(uri: vscode.Uri): void {
    for (const { pattern, changed } of [...this.#watching]) {
      const base = `${pattern.baseUri.path}/`;
      if (uri.path.startsWith(base) && isMatch(pattern.pattern, uri.path.slice(base.length)))
        changed.fire(uri);
    }
  }
}

/** Matches the patterns of sources: everything in a folder, one name, or a list of names. */
function isMatch(pattern: string, path: string): boolean {
  return (
    pattern === '**/*' ||
    pattern
      .replace(/^\{|\}$/g, '')
      .split(',')
      .includes(path)
  );
}

suite('moved sources', () => {
  const log = vscode.window.createOutputChannel('Moves', { log: true });
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let notebook: NotebookClient;
  let reader: SourceReader;
  let adder: SourceAdder;
  let own: AddingNotebook;
  let watcher: SourceWatcher;
  let following: vscode.Disposable;
  let watchers: ScriptedWatchers;
  const { createFileSystemWatcher } = vscode.workspace;

  const at = (path: string): vscode.Uri => vscode.Uri.file(join(workspace, path));
  const writeText = (path: string, text: string | Uint8Array): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
    watchers.report(at(path));
  };
  const write = (path: string, subject: string): void => {
    writeText(path, `# ${subject}\n\nThe ${subject} is painted green.\n`);
  };
  const remove = (path: string): void => {
    rmSync(join(workspace, path));
    watchers.report(at(path));
  };
  /** Renames as another program does: watchers see the old path go and the new one come. */
  const renameOnDisk = (from: string, to: string): void => {
    const isFolder = statSync(join(workspace, from)).isDirectory();
    const below = isFolder ? readdirSync(join(workspace, from), { recursive: true, encoding: 'utf8' }) : [];
    renameSync(join(workspace, from), join(workspace, to));
    for (const top of [from, to])
      for (const path of [top, ...below.map((name) => join(top, name))]) watchers.report(at(path));
  };
  const sources = (): Promise<readonly Source[]> => notebook.call('sources', {});
  const readKeys = async (sourceId: string): Promise<string[]> =>
    (await notebook.call('documents', { sourceId })).map(({ key }) => key);
  /** Adds files or folders and waits until they are read; resolves to the last one. */
  const add = async (...paths: string[]): Promise<Source> => {
    await adder.addAll({ uris: paths.map(at) });
    await until(async () => (await sources()).every(({ state }) => state.kind === 'ready'));
    await watcher.update();
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
    await watcher.update();
  };
  const renameInEditor = async (from: string, to: string): Promise<void> => {
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(at(from), at(to));
    assert.ok(await vscode.workspace.applyEdit(edit));
  };

  setup(() => {
    watchers = new ScriptedWatchers();
    Reflect.set(vscode.workspace, 'createFileSystemWatcher', watchers.create);
    own = openToAdd('moves-', log);
    ({ notebook, reader, adder } = own);
    watcher = new SourceWatcher(notebook, reader, { settleMs: 50 });
    following = vscode.Disposable.from(watcher, followRenames(notebook, reader));
  });

  teardown(async () => {
    following.dispose();
    Reflect.set(vscode.workspace, 'createFileSystemWatcher', createFileSystemWatcher);
    await own.end();
    for (const path of ['notes', 'papers', 'alpha', 'beta', '.notebookignore', 'lamp.md', 'lantern.md'])
      rmSync(join(workspace, path), { recursive: true, force: true });
  });

  test('are watched at their new location after a rename in VS Code', async () => {
    write('notes/lamp.md', 'lamp');
    write('notes/boats/skiff.md', 'skiff');
    const file = await add('notes/lamp.md');
    await movedTo(file, 'notes/lantern.md', () => renameInEditor('notes/lamp.md', 'notes/lantern.md'));
    write('notes/lantern.md', 'chimney');
    await until(async () => {
      const [passage] = await notebook.call('search', { question: 'chimney', limit: 1 });
      return passage?.text.includes('The chimney is painted') === true;
    });
    const folder = await add('notes/boats');
    mkdirSync(join(workspace, 'papers'));
    // The parent folder of both is moved.
    await renameInEditor('notes', 'papers/notes');
    await until(async () => (await sources()).every(({ state }) => state.kind === 'ready'));
    await movedTo(folder, 'papers/notes/boats', () => undefined);
    await movedTo(file, 'papers/notes/lantern.md', () => undefined);
    write('papers/notes/boats/yawl.md', 'yawl');
    await until(async () => (await readKeys(folder.id)).includes('yawl.md'));
  });

  test('are found by their content when another program moved them', async () => {
    mkdirSync(join(workspace, 'papers'));
    write('notes/lamp.md', 'lamp');
    write('notes/boats/skiff.md', 'skiff');
    write('notes/boats/old/ferry.md', 'ferry');
    const file = await add('notes/lamp.md');
    const folder = await add('notes/boats');
    await movedTo(file, 'lantern.md', () => {
      renameOnDisk('notes/lamp.md', 'lantern.md');
    });
    await movedTo(folder, 'notes/vessels', () => {
      renameOnDisk('notes/boats', 'notes/vessels');
    });
    await movedTo(folder, 'papers/vessels', () => {
      renameOnDisk('notes/vessels', 'papers/vessels');
    });
    remove('lantern.md');
    await until(async () => {
      const state = (await sources()).find(({ id }) => id === file.id)?.state;
      return state?.kind === 'failed' && state.reason.startsWith('Can’t find lantern.md.');
    });
  });

  test('are read again when an ignore file above them changes', async () => {
    write('notes/boats/skiff.md', 'skiff');
    write('notes/boats/ferry.md', 'ferry');
    const folder = await add('notes/boats');
    writeText('.notebookignore', 'ferry.md\n');
    await until(async () => (await readKeys(folder.id)).join() === 'skiff.md');
    remove('.notebookignore');
    await until(async () => (await readKeys(folder.id)).join() === 'ferry.md,skiff.md');
  });

  test('are read again when they changed before they were watched', async () => {
    following.dispose();
    const addAndRead = async (path: string): Promise<void> => {
      await adder.addAll({ uris: [at(path)] });
      await until(async () => (await sources()).every(({ state }) => state.kind === 'ready'));
    };
    write('notes/lamp.md', 'lamp');
    await addAndRead('notes/lamp.md');
    write('notes/lamp.md', 'chimney');
    following = new SourceWatcher(notebook, reader, { settleMs: 50 });
    // Watching follows each change of the notebook.
    write('alpha/boat.md', 'boat');
    await addAndRead('alpha/boat.md');
    await until(async () => {
      const [passage] = await notebook.call('search', { question: 'chimney', limit: 1 });
      return passage?.text.includes('The chimney is painted') === true;
    });
  });

  test('stay unchanged after reading was stopped', async () => {
    write('alpha/boat.md', 'boat');
    write('beta/lamp.md', 'lamp');
    const stopped = await add('alpha');
    const other = await add('beta');
    const state = { kind: 'stopped', done: 1, total: 2 } as const;
    await notebook.call('setSourceState', { sourceId: stopped.id, state });
    write('alpha/skiff.md', 'skiff');
    write('beta/wick.md', 'wick');
    await until(async () => (await readKeys(other.id)).join() === 'lamp.md,wick.md');
    assert.deepEqual(await readKeys(stopped.id), ['boat.md']);
    assert.deepEqual((await sources()).find(({ id }) => id === stopped.id)?.state, state);
  });

  test('show their folders in their titles if their names are equal', async () => {
    write('alpha/README.md', 'lamp');
    write('beta/README.md', 'boat');
    await add('alpha/README.md', 'beta/README.md');
    assert.deepEqual(
      (await sources()).map(({ title }) => title),
      ['alpha/README.md', 'beta/README.md'],
    );
  });

  test('update the list of skipped files', async () => {
    for (const name of ['one', 'two']) writeText(`beta/${name}.bin`, new Uint8Array([0, 1, 2, 3, 0, 0]));
    const folder = await add('beta');
    const skippedFiles = async (): Promise<string> => {
      const now = (await sources()).find(({ id }) => id === folder.id);
      const files = await notebook.call('skippedFiles', { sourceId: folder.id });
      return [now?.skipped.binary, ...files.map(({ path }) => path).sort()].join();
    };
    assert.equal(await skippedFiles(), '2,one.bin,two.bin');
    remove('beta/one.bin');
    await until(async () => (await skippedFiles()) === '1,two.bin');
    write('beta/two.bin', 'text');
    await until(async () => (await skippedFiles()) === '0');
  });

  test('request a page once if its server closes the connection', async () => {
    const site = await startSite({
      '/broken': { body: 'It begins', missing: 100 },
      '/closed': { status: 401, body: 'Sign in.' },
    });
    try {
      for (const path of ['/broken', '/closed', '/missing']) {
        // A page on this machine requires consent first.
        const agree = (_: string, __: unknown, read: string): Promise<string> => Promise.resolve(read);
        await instead({ showWarningMessage: agree }, () => adder.addPage(site.url + path));
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
