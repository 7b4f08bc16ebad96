import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as vscode from 'vscode';
import { importNotebook } from '../../src/features/notebooks/commands/import-notebook.ts';
import { Library } from '../../src/platform/library.ts';
import { NotebookClient } from '../../src/platform/notebook-client.ts';
import { Notebooks } from '../../src/features/notebooks/editor/notebooks.ts';
import { NotebookFolders } from '../../src/index/library/notebook-folders.ts';
import { worker } from '../support/host-sources.ts';
import { MemoryMemento } from '../support/memory-storage.ts';
import { ScriptedUser } from '../support/scripted-user.ts';

const text = (about: string): string =>
  `# Guide\n\nThe ${about} is painted green every spring before the boats come.\n`;

/** Returns an exported notebook whose harmless sources have paths that an attacker chose. */
function craftNotebook(paths: readonly string[]): Uint8Array {
  const at = Date.now();
  const sources = paths.flatMap((path, number) => [
    {
      type: 'source',
      id: `source-${String(number)}`,
      title: `Guide ${String(number)}`,
      addedAt: at,
      readAt: at,
      origin: { kind: 'file', path },
      skipped: { binary: 0, tooLarge: 0, tooShort: 0, failed: 0 },
    },
    {
      type: 'document',
      id: number + 1,
      key: '',
      title: 'Guide',
      url: '',
      mediaType: 'text/markdown',
      readAt: at,
      warnings: [],
      format: 'markdown',
      hash: 'x',
      size: 1,
      modifiedAt: 1,
      headings: [],
      text: text(`harmless gate ${String(number)}`),
      map: { kind: 'saved' },
    },
  ]);
  const lines = [
    { type: 'head', format: 'open-notebook', version: 1, name: 'Guides', exportedAt: 1 },
    ...sources,
  ];
  const end = { type: 'end', count: lines.length };
  return gzipSync([...lines, end].map((line) => `${JSON.stringify(line)}\n`).join(''));
}

const isWindows = process.platform === 'win32';

suite('the import of a notebook', () => {
  const log = vscode.window.createOutputChannel('Import', { log: true });
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const paths = ['docs/harbour.md', '.env', '.git/config', 'docs/out.md', 'docs/quay.md', '../outside.md'];
  let home: string;
  let notebooks: Notebooks;
  let library: Library;

  setup(() => {
    home = mkdtempSync(join(tmpdir(), 'import-'));
    library = new Library(worker('index-worker.cjs'));
    notebooks = new Notebooks({
      folders: new NotebookFolders(join(home, 'notebooks')),
      library,
      ownId: 'a'.repeat(32),
      workspaceState: new MemoryMemento(),
      clientFor: (place) =>
        new NotebookClient({
          ...place,
          workerPath: worker('index-worker.cjs'),
          indexSettings: () => ({ size: 1500, overlap: 50 }),
          log,
        }),
    });
    const files = {
      '.gitignore': '.env\n',
      '.env': text('secret swordfish'),
      '.git/config': text('hidden swordfish'),
      'docs/harbour.md': text('real harbour'),
      'docs/quay.md': text('real quay'),
      '../outside.md': text('outer swordfish'),
    };
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    }
    if (!isWindows) symlinkSync('../../outside.md', join(workspace, 'docs', 'out.md'));
    writeFileSync(join(home, 'guides.opennotebook'), craftNotebook(paths));
  });

  teardown(async () => {
    await notebooks.close();
    notebooks.dispose();
    for (const name of ['.gitignore', '.env', '.git', 'docs', '../outside.md', home])
      rmSync(name === home ? home : join(workspace, name), { recursive: true, force: true });
  });

  test('links only the selected sources to files in the workspace', async () => {
    const user = new ScriptedUser();
    await user.during([{ pick: 'New Notebook…' }, { enter: 'Guides' }, { pickAll: ['docs/quay.md'] }], () =>
      importNotebook({ library, notebooks }, vscode.Uri.file(join(home, 'guides.opennotebook'))),
    );
    assert.match(user.seen[1] ?? '', /Enter a name\. You can open the notebook by this name in any window\./);
    assert.deepEqual(user.seen[2]?.split('\n').slice(1), [
      'Select the sources to link to the files in this workspace. The others stay copies of the text.',
      'docs/harbour.md | Guide 0',
      'docs/quay.md | Guide 4',
    ]);
    assert.equal(notebooks.name, 'Guides');
    const sources = await notebooks.shown.call('sources', {});
    assert.deepEqual(
      sources.map(({ title, origin }) => [title, origin.kind]).sort(),
      paths.map((path, number) => [`Guide ${String(number)}`, path === 'docs/quay.md' ? 'file' : 'copy']),
    );
    const { origin } = sources.find(({ title }) => title === 'Guide 4')!;
    assert.partialDeepStrictEqual(origin, {
      uri: vscode.Uri.file(join(workspace, 'docs/quay.md')).toString(),
    });
    const passages = await notebooks.shown.call('search', {
      question: 'swordfish, or the real harbour',
      limit: 10,
    });
    assert.doesNotMatch(JSON.stringify(passages), /swordfish is|real harbour is/);
  });
});
