import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { Changes } from '../../src/features/sources/editor/change-settler.ts';
import type { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import { SourceWatcher } from '../../src/features/sources/editor/source-watcher.ts';
import type { DocumentEntry, Source } from '../../src/core/domain/source.ts';
import { note } from '../support/suite-report.ts';
import { makeReader, openNotebook } from '../support/host-sources.ts';
import { rounds } from '../support/test-size.mjs';
import { until } from '../support/until.ts';

const FOLDERS = 30;
const FILES = FOLDERS * rounds(10, 100);

/** Repeats an act every two seconds until a condition holds: the editor starts to watch a moment late. */
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

suite('watched folders', () => {
  const log = vscode.window.createOutputChannel('Folders', { log: true });
  let folder: string;
  let repository: string;
  let notebook: NotebookClient;
  let reader: SourceReader;
  let watcher: SourceWatcher;
  let source: Source;
  /** Finished readings: the source, and which of its files had changed. */
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
    const [first] = await notebook.call('sources', {});
    assert.ok(first);
    return first;
  };
  const bestPassage = async (question: string): Promise<string | undefined> =>
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
    reader = makeReader(notebook, log);
    const read = reader.read.bind(reader);
    reader.read = async (folderSource, changes) => {
      await read(folderSource, changes);
      looks.push({ sourceId: folderSource.id, changes });
    };
    // With a rest between checks, the duration of a test depends on the speed of the one before.
    watcher = new SourceWatcher(notebook, reader, { restRatio: 0 });
    source = await notebook.call('addSource', {
      title: 'repository',
      origin: { kind: 'folder', uri: vscode.Uri.file(repository).toString() },
    });
    await watcher.update();
    await reader.read(source);
  });

  suiteTeardown(async () => {
    watcher.dispose();
    reader.dispose();
    await notebook.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('skip ignored files, and don’t follow circular links', async () => {
    assert.equal((await current()).documents, FILES + 1);
    assert.equal(
      (await documents()).some(({ key }) => /out|circle|ignore/.test(key)),
      false,
    );
  });

  test('keep each document while another branch is read', async () => {
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
        ((await bestPassage(last)) ?? '').includes(last) &&
        ((await bestPassage('The boat of number 0')) ?? '').includes('The boat of number 0 ')
      );
    });
    listening.dispose();
    note('milliseconds until another branch is followed', Math.round(performance.now() - started));
    note('readings of the folder for it', reads);
    assert.ok(fewest >= FILES, `There were ${String(fewest)} documents at one time.`);
    // Fewer checks than files. Their number depends on how long git takes for the branch.
    assert.ok(reads <= 30, `It was read ${String(reads)} times.`);
    // The documents are the same, so their citations stay valid.
    assert.ok((await documents()).every(({ id }) => before.has(id)));
  });

  test('keep the documents of renamed files and folders', async () => {
    const findId = async (key: string): Promise<number | undefined> =>
      (await documents()).find((one) => one.key === key)?.id;
    git('reset', '-q', '--hard');
    const before = async () => [await findId('src/lamp.ts'), await findId('notes/7/note-7.md')];
    await until(async () => !(await before()).includes(undefined));
    const [lamp, note7] = await before();
    git('mv', 'src/lamp.ts', 'src/lantern.ts');
    git('mv', 'notes/7', 'notes/seven');
    await until(async () => (await findId('notes/seven/note-7.md')) === note7);
    await until(async () => (await findId('src/lantern.ts')) === lamp);
    await until(async () => (await findId('notes/7/note-7.md')) === undefined);
    await until(async () => (await current()).documents === FILES + 1);
    const [passage] = await notebook.call('search', { question: 'lantern', limit: 1 });
    assert.equal(passage?.documentKey, 'src/lantern.ts');
  });

  test('stay quiet when ignored files change', async () => {
    await until(() => reader.working === 0);
    const states = new Set<string>();
    const listening = notebook.onDidChange(() => void current().then(({ state }) => states.add(state.kind)));
    for (let round = 0; round < rounds(5, 20); round++) {
      for (let i = 0; i < 50; i++) write(`out/${String(i)}.js`, `made(${String(round)});\n`);
      await wait(100);
    }
    // Wait until the last change has been handled.
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
        await wait(1_000);
        const { user, system } = process.cpuUsage(used);
        share = (user + system) / 1_000_000;
        return share < 0.3;
      },
      () => share,
    );
    note('share of a processor used when all is quiet', Math.round(share * 100) / 100);
  });

  test('follow a .notebookignore', async () => {
    write('.notebookignore', 'notes/1*/\n');
    const ignoredFolders = Array.from({ length: FOLDERS }, (_, i) => String(i)).filter((name) =>
      name.startsWith('1'),
    );
    const ignored = (FILES / FOLDERS) * ignoredFolders.length;
    await until(async () => (await current()).documents === FILES + 1 - ignored);
    rmSync(join(repository, '.notebookignore'));
    await until(async () => (await current()).documents === FILES + 1);
  });

  test('follow ignore files above a folder, up to the root of the repository', async () => {
    const root = mkdtempSync(join(tmpdir(), 'outer-'));
    const inner = join(root, 'packages', 'inner');
    mkdirSync(inner, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: root, stdio: 'ignore' });
    for (const name of ['harbor', 'lantern', 'rope', 'sail'])
      writeFileSync(join(inner, `${name}.md`), `The ${name} is painted green.\n`);
    const added = await notebook.call('addSource', {
      title: 'inner',
      origin: { kind: 'folder', uri: vscode.Uri.file(inner).toString() },
    });
    const readKeys = async (): Promise<string> =>
      (await notebook.call('documents', { sourceId: added.id }))
        .map(({ key }) => key)
        .toSorted()
        .join();
    await watcher.update();
    await reader.read(added);
    assert.equal(await readKeys(), 'harbor.md,lantern.md,rope.md,sail.md');
    const rules = [
      ['.gitignore', 'packages/inner/harbor.md\n', 'lantern.md,rope.md,sail.md'],
      ['packages/.notebookignore', 'lantern.md\n', 'rope.md,sail.md'],
      ['.git/info/exclude', 'rope.md\n', 'sail.md'],
    ] as const;
    for (const [file, rule, keys] of rules)
      await doUntil(
        () => {
          writeFileSync(join(root, file), rule);
        },
        async () => (await readKeys()) === keys,
      );
    for (const [file] of rules) rmSync(join(root, file));
    await until(async () => (await readKeys()) === 'harbor.md,lantern.md,rope.md,sail.md');
    await notebook.call('removeSources', { sourceIds: [added.id] });
    rmSync(root, { recursive: true, force: true });
  });

  test('are no longer watched once they are removed', async () => {
    const sources = await notebook.call('sources', {});
    await notebook.call('removeSources', { sourceIds: sources.map(({ id }) => id) });
    await watcher.update();
    assert.equal(watcher.watching, 0);
    assert.deepEqual(await notebook.call('sources', {}), []);
    const other = join(folder, 'other');
    mkdirSync(other, { recursive: true });
    const { id } = await notebook.call('addSource', {
      title: 'other',
      origin: { kind: 'folder', uri: vscode.Uri.file(other).toString() },
    });
    await watcher.update();
    assert.equal(watcher.watching, 1);
    looks.length = 0;
    write('src/new.ts', 'export {};\n');
    // The change in the new folder is read, but not the change in the removed one.
    await doUntil(
      () => {
        writeFileSync(join(other, 'later.md'), 'Later.\n');
      },
      () => looks.length > 0,
    );
    assert.deepEqual(new Set(looks.map(({ sourceId }) => sourceId)), new Set([id]));
  });
});
