import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { readSharedText, writeSharedNotebook } from '../../src/features/sharing/editor/shared-files.ts';
import { addShared } from '../../src/features/sharing/editor/shared-notebook.ts';
import type { NotebookClient } from '../../src/platform/notebook-client.ts';
import type { SourceAdder } from '../../src/features/sources/editor/add-sources.ts';
import { isIgnored } from '../../src/features/sources/editor/folder-files.ts';
import { confirmedAddresses } from '../../src/features/sources/editor/drop-consent.ts';
import type { SourceReader } from '../../src/features/sources/editor/source-reader.ts';
import type { Source } from '../../src/core/domain/source.ts';
import { instead } from '../support/instead.ts';
import { openToAdd, type AddingNotebook } from '../support/host-sources.ts';
import { until } from '../support/until.ts';

const isWindows = process.platform === 'win32';

/** Files that the tests create in the workspace. */
const created = [
  'pit',
  'links',
  'docs',
  '.git',
  '.gitignore',
  '.env',
  '.notebook',
  'pipe.md',
  'real.md',
  'plan.md',
  'out.md',
  'linked',
];

suite('hostile folders and repositories', () => {
  const log = vscode.window.createOutputChannel('Hostile', { log: true });
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  let home: string;
  let notebook: NotebookClient;
  let reader: SourceReader;
  let adder: SourceAdder;
  let own: AddingNotebook;

  const at = (path: string): vscode.Uri => vscode.Uri.file(join(workspace, path));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  };
  const link = (path: string, target: string): void => {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    symlinkSync(target, join(workspace, path));
  };
  const outside = (name: string, text: string): string => {
    const path = join(home, 'outside', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const sources = (): Promise<readonly Source[]> => notebook.call('sources', {});
  /** Returns the sources when none is being read. */
  const settled = async (): Promise<readonly Source[]> => {
    const isSettled = ({ state }: Source): boolean => state.kind === 'ready' || state.kind === 'failed';
    await until(async () => (await sources()).every(isSettled), sources);
    return await sources();
  };
  /** Reads a source again, after what is still being done of it. */
  const readAnew = async (source: Source): Promise<void> => {
    await reader.waitUntilIdle(source.id);
    await reader.read(source);
  };
  const readKeys = async (sourceId: string): Promise<string[]> =>
    (await notebook.call('documents', { sourceId })).map(({ key }) => key).sort();
  const readText = async (sourceId: string): Promise<string> => {
    const [entry] = await notebook.call('documents', { sourceId });
    return entry === undefined ? '' : (await notebook.call('document', { documentId: entry.id })).text;
  };

  setup(() => {
    own = openToAdd('hostile-', log);
    ({ home, notebook, reader, adder } = own);
  });

  teardown(async () => {
    await own.end();
    for (const name of created) rmSync(join(workspace, name), { recursive: true, force: true });
  });

  test('a folder with pipes, devices, sockets, and links is read without them', async function () {
    if (isWindows) this.skip();
    const key = outside('key.txt', 'The harbour password is swordfish.');
    write('pit/gate.md', 'The gate is painted green.');
    write('pit/deep/b\u202Ecod\u0007.md', 'The oddly named gate is painted blue.');
    write('pit/.gitignore', 'hidden.md\n');
    write('pit/hidden.md', 'Hidden.');
    write('.gitignore', '.env\n');
    write('.env', 'KEY=swordfish');
    const pipes = ['a.md', 'b.txt', 'c.pdf', 'd.html', 'e.json', '.ignore', 'deep/.gitignore'];
    execFileSync(
      'mkfifo',
      pipes.map((name) => join(workspace, 'pit', name)),
    );
    for (const [name, target] of Object.entries({
      'zero.md': '/dev/zero',
      'random.txt': '/dev/urandom',
      'pipe.md': 'a.md',
      circle: '.',
      above: '..',
      itself: 'itself',
      'out.md': key,
      out: join(home, 'outside'),
      'settings.md': '../.env',
      'deep/circle': '../deep',
    }))
      link(`pit/${name}`, target);
    write('pit/locked.md', 'Locked.');
    if (process.getuid?.() !== 0) execFileSync('chmod', ['000', join(workspace, 'pit', 'locked.md')]);
    const socket = createServer();
    await new Promise<void>((resolve) => socket.listen(join(workspace, 'pit', 'socket.md'), resolve));
    try {
      await adder.addAll({ uris: [at('pit')] });
      const [pit] = await settled();
      assert.equal(pit?.state.kind, 'ready');
      const keys = await readKeys(pit.id);
      assert.deepEqual(
        keys.filter((name) => name !== 'locked.md'),
        ['deep/b\u202Ecod\u0007.md', 'gate.md'],
      );
      // None of the threads that read files is blocked.
      for (let i = 0; i < 8; i++) readFileSync(join(workspace, 'pit', 'gate.md'));
      const bytes = vscode.workspace.fs.readFile(at('pit/gate.md'));
      assert.equal(new TextDecoder().decode(await bytes), 'The gate is painted green.');
    } finally {
      await new Promise((resolve) => socket.close(resolve));
    }
  });

  test('a pipe is rejected with one sentence', async function () {
    if (isWindows) this.skip();
    execFileSync('mkfifo', [join(workspace, 'pipe.md')]);
    await assert.rejects(adder.addAll({ uris: [at('pipe.md')] }), {
      code: 'unsupported',
      message: /^Can’t read pipe\.md because it’s a pipe, a socket, or a device\./,
    });
    write('real.md', 'The gate is painted green.');
    await adder.addAll({ uris: [at('real.md')] });
    const [real] = await settled();
    assert.ok(real);
    rmSync(join(workspace, 'real.md'));
    execFileSync('mkfifo', [join(workspace, 'real.md')]);
    await readAnew(real);
    const [now] = await settled();
    assert.match(JSON.stringify(now?.state), /Can’t read real\.md because it’s a pipe/);
  });

  test('a folder of circular links is checked against ignore files quickly', async () => {
    for (const name of ['a', 'b', 'c']) link(`links/${name}`, '.');
    assert.equal(await isIgnored(at('links'), true), false);
  });

  test('a repository with shared links reads and changes nothing outside it', async () => {
    outside('key.txt', 'The harbour password is swordfish.');
    outside('Guide.md', 'Outside.');
    const root = at('');
    write('docs/inside.md', 'The lamp is lit at nine.');
    write('real.md', 'The real gate is painted green.');
    write('.git/config', '[core]');
    link('docs/out.md', join(home, 'outside', 'key.txt'));
    link('.notebook/notes', join(home, 'outside'));
    link('.notebook/texts/Guide.md', join(home, 'outside', 'Guide.md'));
    await assert.rejects(readSharedText(root, 'notes/key.txt'), { code: 'unsupported' });
    await assert.rejects(readSharedText(root, 'texts/Guide.md'), { code: 'unsupported' });
    const shared = {
      sources: [
        { kind: 'file', path: 'docs/out.md' },
        { kind: 'file', path: '.git/config' },
        { kind: 'folder', path: 'docs' },
        { kind: 'file', path: 'real.md' },
        { kind: 'text', path: 'texts/Guide.md' },
      ],
      notes: ['notes/key.txt'],
    } as const;
    write('.notebook/notebook.json', JSON.stringify({ version: 1, ...shared }));
    const shownMessages: string[] = [];
    const all = (items: readonly unknown[]): Promise<readonly unknown[]> => Promise.resolve(items);
    const showMessage = (message: string): Promise<undefined> => {
      shownMessages.push(message);
      return Promise.resolve(undefined);
    };
    await instead({ showQuickPick: all, showWarningMessage: showMessage }, () =>
      addShared(root, shared, { notebook, adder }),
    );
    const added = await settled();
    assert.deepEqual(
      added.map(({ origin }) => ('uri' in origin ? origin.uri : origin.kind)),
      [at('docs').toString(), at('real.md').toString()],
    );
    for (const { id } of added) assert.doesNotMatch(await readText(id), /swordfish|core/);
    assert.deepEqual(await readKeys(added[0]?.id ?? ''), ['inside.md']);
    assert.deepEqual(await notebook.call('notes', {}), []);
    assert.match(shownMessages.join(), /docs\/out\.md.*\.git\/config.*Guide\.md/s);

    // An imported note has no active content.
    rmSync(join(workspace, '.notebook', 'notes'));
    write('.notebook/notes/Lamp.md', 'Lit at nine.\n\n![x](https://evil.example/) [`<img src=x>` `');
    await instead({ showQuickPick: all }, () =>
      addShared(root, { sources: [], notes: ['notes/Lamp.md'] }, { notebook, adder }),
    );
    const { text: lamp } = await notebook.call('note', { title: 'Lamp' });
    assert.match(lamp, /^Lit at nine\./);
    assert.doesNotMatch(lamp, /!\[|<img/);
    await notebook.call('removeNote', { title: 'Lamp' });

    // A file that became a link after it was added isn't followed either.
    rmSync(join(workspace, 'real.md'));
    link('real.md', join(home, 'outside', 'key.txt'));
    for (const source of added) await readAnew(source);
    for (const { id } of await settled()) assert.doesNotMatch(await readText(id), /swordfish/);
    assert.match(
      JSON.stringify((await sources()).map(({ state }) => state)),
      /now leads to a different location/,
    );

    const text = { path: 'texts/Guide.md', text: 'Ours.' };
    const list = { sources: [{ kind: 'text', path: text.path }], notes: [] } as const;
    await assert.rejects(
      writeSharedNotebook(root, list, [text], () => Promise.resolve(true)),
      { code: 'unsupported' },
    );
    await writeSharedNotebook(root, { sources: [], notes: [] }, [], () => Promise.resolve(true));
    assert.equal(readFileSync(join(home, 'outside', 'Guide.md'), 'utf8'), 'Outside.');
    assert.deepEqual(readdirSync(join(home, 'outside')).sort(), ['Guide.md', 'key.txt']);
  });

  test('the chat page asks before it adds a file from outside the workspace', async () => {
    const key = vscode.Uri.file(outside('key.txt', 'swordfish')).toString();
    write('plan.md', 'The plan.');
    write('.git/config', '[core]');
    link('out.md', join(home, 'outside', 'key.txt'));
    link('linked', join(home, 'outside'));
    const web = 'https://example.com/page';
    const free = [at('plan.md').toString(), web];
    const refused = [key, 'out.md', 'linked/key.txt', '.git/config', '../x', 'gone.md'].map((one) =>
      one.includes(':') ? one : at(one).toString(),
    );
    const requests: string[] = [];
    const answering =
      (button: number | undefined) =>
      (_: string, { detail = '' }: vscode.MessageOptions, ...buttons: string[]): Promise<unknown> => {
        requests.push(...detail.split('\n'));
        return Promise.resolve(button === undefined ? undefined : buttons[button]);
      };
    for (const button of [undefined, 0])
      await instead({ showWarningMessage: answering(button) }, async () => {
        assert.deepEqual(await confirmedAddresses(free, []), free);
        assert.deepEqual(requests.splice(0), []);
        assert.deepEqual(await confirmedAddresses([...free, ...refused], []), free);
        assert.equal(requests.splice(0).length, refused.length);
      });
    await instead({ showWarningMessage: answering(1) }, async () => {
      assert.deepEqual(await confirmedAddresses([key], []), [key]);
      assert.deepEqual(requests.splice(0), [join(home, 'outside', 'key.txt')]);
      const many = Array.from({ length: 21 }, (_, number) => `${key}${String(number)}`);
      await assert.rejects(confirmedAddresses(many, []), { code: 'unsupported' });
      const odd = vscode.Uri.file('/made/a\n/etc/b\u202Ec').toString();
      await confirmedAddresses([odd], []);
      assert.deepEqual(requests, ['/made/a\uFFFD/etc/b\uFFFDc']);
    });
  });
});
