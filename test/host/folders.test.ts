import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/editor/notebook-client.ts';
import type { Changes } from '../../src/editor/sources/change-settler.ts';
import type { ReaderPool } from '../../src/editor/sources/reader-pool.ts';
import type { SourceReader } from '../../src/editor/sources/source-reader.ts';
import { SourceWatcher } from '../../src/editor/sources/source-watcher.ts';
import type { DocumentEntry, Source } from '../../src/notebook/source.ts';
import { note } from '../support/suite-report.ts';
import { openNotebook, makeReaders } from '../support/host-sources.ts';
import { rounds } from '../support/test-size.mjs';
import { until } from '../support/until.ts';

const FOLDERS = 30;
const FILES = FOLDERS * rounds(30, 100);

/** Does something every two seconds until something holds: the editor watches a moment late. */
async function doUntil(act: () => void, holds: () => boolean | Promise<boolean>): Promise<void> {
  let last = 0;
  await until(() => {
    if (Date.now() - last >= 2_000) {
      act();
      last = Date.now();
    }
    return holds();
  });
}

suite('folders that live', () => {
  const log = vscode.window.createOutputChannel('Folders', { log: true });
  let folder: string;
  let repository: string;
  let notebook: NotebookClient;
  let readers: ReaderPool;
  let reader: SourceReader;
  let watcher: SourceWatcher;
  let source: Source;
  /** What was looked at, to its end: the source, and which of its files had changed. */
  const looks: { readonly sourceId: string; readonly changes: Changes | undefined }[] = [];

  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.org', '-c', 'gc.auto=0'];
    execFileSync('git', [...who, ...args], { cwd: repository, stdio: 'ignore' });
  };
  const write = (path: string, text: string): void => {
    const file = join(repository, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const writeNotes = (subject: string): void => {
    for (let i = 0; i < FILES; i++)
      write(
        `notes/${String(i % FOLDERS)}/note-${String(i)}.md`,
        `# Note ${String(i)}\n\nThe ${subject} of number ${String(i)} is painted green.\n`,
      );
  };
  const documents = (): Promise<readonly DocumentEntry[]> =>
    notebook.call('documents', { sourceId: source.id });
  const current = async (): Promise<Source> => {
    const [found] = await notebook.call('sources', {});
    assert.ok(found);
    return found;
  };
  const foundFor = async (question: string): Promise<string | undefined> =>
    (await notebook.call('search', { question, limit: 1 }))[0]?.text;

  suiteSetup(async () => {
    folder = mkdtempSync(join(tmpdir(), 'folders-'));
    repository = join(folder, 'repository');
    mkdirSync(repository);
    git('init', '-q', '-b', 'main');
    write('.gitignore', 'out/\n');
    write('src/lamp.ts', '/** Lights the lamp. */\nexport function light(): void {}\n');
    write('out/made.js', 'made();\n');
    symlinkSync('.', join(repository, 'circle'));
    writeNotes('lamp');
    git('add', '.');
    git('commit', '-q', '-m', 'lamps');
    git('checkout', '-q', '-b', 'boats');
    writeNotes('boat');
    git('commit', '-q', '-a', '-m', 'boats');
    git('checkout', '-q', 'main');
    notebook = openNotebook(join(folder, 'notebook'), log);
    ({ reader, readers } = makeReaders(notebook, log));
    const read = reader.read.bind(reader);
    reader.read = async (given, changes) => {
      await read(given, changes);
      looks.push({ sourceId: given.id, changes });
    };
    watcher = new SourceWatcher(notebook, reader);
    source = await notebook.call('addSource', {
      title: 'repository',
      origin: { kind: 'folder', uri: vscode.Uri.file(repository).toString() },
      document: undefined,
    });
    await watcher.update();
    await reader.read(source);
  });

  suiteTeardown(async () => {
    watcher.dispose();
    reader.dispose();
    readers.dispose();
    await notebook.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('a folder is read without what git ignores and without going in circles', async () => {
    assert.equal((await current()).documents, FILES + 1);
    assert.equal(
      (await documents()).some(({ key }) => /out|circle|ignore/.test(key)),
      false,
    );
  });

  test('follows another branch with many changes, and misses nothing meanwhile', async () => {
    const before = new Set((await documents()).map(({ id }) => id));
    git('checkout', '-q', 'boats');
    const started = performance.now();
    const last = `The boat of number ${String(FILES - 1)}`;
    let fewest = Infinity;
    let reads = 0;
    let wasReading = false;
    const listening = reader.onDidChangeActivity(() => {
      if (reader.working > 0 && !wasReading) reads++;
      wasReading = reader.working > 0;
    });
    await until(async () => {
      const { state, documents: count } = await current();
      fewest = Math.min(fewest, count);
      return (
        state.kind === 'ready' &&
        reader.working === 0 &&
        ((await foundFor(last)) ?? '').includes(last) &&
        ((await foundFor('The boat of number 0')) ?? '').includes('The boat of number 0 ')
      );
    });
    listening.dispose();
    note('milliseconds until another branch is followed', Math.round(performance.now() - started));
    note('readings of the folder for it', reads);
    assert.ok(fewest >= FILES, `There were ${String(fewest)} documents at one time.`);
    // Not for each file: how often depends on how long git takes for the branch.
    assert.ok(reads <= 30, `It was read ${String(reads)} times.`);
    // The documents are the same ones, so that what cites them still does.
    assert.ok((await documents()).every(({ id }) => before.has(id)));
  });

  test('a renamed file and a renamed folder stay the same documents', async () => {
    const findId = async (key: string): Promise<number | undefined> =>
      (await documents()).find((one) => one.key === key)?.id;
    const [lamp, note7] = [await findId('src/lamp.ts'), await findId('notes/7/note-7.md')];
    assert.ok(lamp !== undefined && note7 !== undefined);
    git('mv', 'src/lamp.ts', 'src/lantern.ts');
    git('mv', 'notes/7', 'notes/seven');
    await until(async () => (await findId('notes/seven/note-7.md')) === note7);
    await until(async () => (await findId('src/lantern.ts')) === lamp);
    await until(async () => (await findId('notes/7/note-7.md')) === undefined);
    await until(async () => (await current()).documents === FILES + 1);
    const [found] = await notebook.call('search', { question: 'lantern', limit: 1 });
    assert.equal(found?.documentKey, 'src/lantern.ts');
  });

  test('a generated folder that churns is not read, and all is quiet afterwards', async () => {
    await until(() => reader.working === 0);
    const states = new Set<string>();
    const listening = notebook.onDidChange(() => void current().then(({ state }) => states.add(state.kind)));
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 50; i++) write(`out/${String(i)}.js`, `made(${String(round)});\n`);
      await wait(100);
    }
    // What was written last is looked at, too, before it is told that nothing was read.
    write('out/last.js', 'made();\n');
    await until(() => looks.some(({ changes }) => changes instanceof Set && changes.has('out/last.js')));
    listening.dispose();
    assert.equal(states.has('reading'), false);
    assert.equal((await current()).documents, FILES + 1);
    await until(() => reader.working === 0);
    // The snapshot is written some seconds after the last change.
    let share = 1;
    await until(
      async () => {
        const used = process.cpuUsage();
        await wait(2_000);
        const { user, system } = process.cpuUsage(used);
        share = (user + system) / 2_000_000;
        return share < 0.3;
      },
      () => share,
    );
    note('share of a processor used when all is quiet', Math.round(share * 100) / 100);
  });

  test('a .notebookignore that is written leaves out what it names', async () => {
    write('.notebookignore', 'notes/1*/\n');
    const ignoredFolders = Array.from({ length: FOLDERS }, (_, i) => String(i)).filter((name) =>
      name.startsWith('1'),
    );
    const ignored = (FILES / FOLDERS) * ignoredFolders.length;
    await until(async () => (await current()).documents === FILES + 1 - ignored);
    rmSync(join(repository, '.notebookignore'));
    await until(async () => (await current()).documents === FILES + 1);
  });

  test('an ignore file above a folder leaves out what it names, up to the root of the repository', async () => {
    const root = mkdtempSync(join(tmpdir(), 'outer-'));
    const inner = join(root, 'packages', 'inner');
    mkdirSync(inner, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: root, stdio: 'ignore' });
    writeFileSync(join(inner, 'kept.md'), 'This is kept.\n');
    writeFileSync(join(inner, 'left-out.md'), 'This is left out.\n');
    const added = await notebook.call('addSource', {
      title: 'inner',
      origin: { kind: 'folder', uri: vscode.Uri.file(inner).toString() },
      document: undefined,
    });
    const holds = (count: number) => async (): Promise<boolean> =>
      (await notebook.call('documents', { sourceId: added.id })).length === count;
    await watcher.update();
    await reader.read(added);
    await until(holds(2));
    for (const [file, rule] of [
      ['.gitignore', 'packages/inner/left-out.md\n'],
      ['packages/.notebookignore', 'left-out.md\n'],
      ['.git/info/exclude', 'left-out.md\n'],
    ] as const) {
      await doUntil(() => {
        writeFileSync(join(root, file), rule);
      }, holds(1));
      rmSync(join(root, file));
      await until(holds(2));
    }
    await notebook.call('removeSources', { sourceIds: [added.id] });
    rmSync(root, { recursive: true, force: true });
  });

  test('nothing is watched where nothing was added', async () => {
    await notebook.call('removeSources', { sourceIds: [source.id] });
    await watcher.update();
    assert.equal(watcher.watching, 0);
    assert.deepEqual(await notebook.call('sources', {}), []);
    const other = join(folder, 'other');
    mkdirSync(other);
    const { id } = await notebook.call('addSource', {
      title: 'other',
      origin: { kind: 'folder', uri: vscode.Uri.file(other).toString() },
      document: undefined,
    });
    await watcher.update();
    assert.equal(watcher.watching, 1);
    looks.length = 0;
    write('src/new.ts', 'export {};\n');
    // What comes later is looked at in this folder, and nothing was in the other; a watcher may begin a moment late.
    await doUntil(
      () => {
        writeFileSync(join(other, 'later.md'), 'Later.\n');
      },
      () => looks.length > 0,
    );
    assert.deepEqual(new Set(looks.map(({ sourceId }) => sourceId)), new Set([id]));
  });
});
