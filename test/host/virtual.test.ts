import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as vscode from 'vscode';
import { root } from '../support/paths.mjs';
import { until } from '../support/until.ts';

/** File system in memory, like those of virtual workspaces: no disk, and no file events. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly #files = new Map<string, Uint8Array>();
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  set(path: string, content: string | Uint8Array): void {
    this.#files.set(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat({ path }: vscode.Uri): vscode.FileStat {
    const content = this.#files.get(path);
    if (content === undefined && !this.#below(path).length) throw vscode.FileSystemError.FileNotFound(path);
    const type = content === undefined ? vscode.FileType.Directory : vscode.FileType.File;
    return { type, ctime: 0, mtime: 0, size: content?.length ?? 0 };
  }

  readDirectory({ path }: vscode.Uri): [string, vscode.FileType][] {
    const entries = this.#below(path).map(
      (file) => file.slice(path.length).split('/').filter(Boolean) as [string, ...string[]],
    );
    return [
      ...new Map(
        entries.map(([name, ...deeper]) => [
          name,
          deeper.length > 0 ? vscode.FileType.Directory : vscode.FileType.File,
        ]),
      ),
    ];
  }

  readFile({ path }: vscode.Uri): Uint8Array {
    const content = this.#files.get(path);
    if (content === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return content;
  }

  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;

  #below(path: string): string[] {
    return [...this.#files.keys()].filter((file) => file.startsWith(`${path.replace(/\/$/, '')}/`));
  }
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}

async function invoke(name: string, input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

/** Returns the passages that a search finds, once there are some. */
async function found(query: string, words: string): Promise<string> {
  let answerText = '';
  await until(
    async () => {
      answerText = await invoke('openNotebook_search', { queries: [query] });
      return answerText.includes(words);
    },
    () => answerText,
  );
  return answerText;
}

/** Returns the source of the document with a URI, in any notebook of this test's user data. */
function findSource(uri: string): string {
  const home = dirname(process.env.E2E_RESULTS ?? '');
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('notebook.sqlite'))) {
    const database = new DatabaseSync(join(home, file), { readOnly: true });
    const row = database.prepare('SELECT source_id FROM documents WHERE uri = ?').get(uri);
    database.close();
    if (row !== undefined) return String(row.source_id);
  }
  throw new Error(`No notebook has ${uri}.`);
}

suite('a virtual workspace', () => {
  const files = new MemoryFiles();
  const at = (path: string): vscode.Uri => vscode.Uri.from({ scheme: 'memory', authority: 'here', path });
  const add = (path: string): Thenable<unknown> =>
    vscode.commands.executeCommand('openNotebook.addToNotebook', at(path));
  let registered: vscode.Disposable;

  suiteSetup(async () => {
    registered = vscode.workspace.registerFileSystemProvider('memory', files);
    files.set('/moth.md', '# Moths\n\nThe emperor moth finds its mate over eleven kilometres.\n');
    files.set('/pond/newt.txt', 'The crested newt winters under the third stone of the pond.\n');
    files.set('/pond/deep/eel.md', '# Eels\n\nAn eel crosses the wet meadow at night in October.\n');
    files.set('/pond/.gitignore', 'left-out.md\n');
    files.set('/pond/left-out.md', 'The heron stands in the left-out file.\n');
    files.set('/report.pdf', readFileSync(join(root, 'test', 'fixtures', 'reading', 'report.pdf')));
    await vscode.extensions.getExtension('open-notebook.open-notebook')?.activate();
  });

  suiteTeardown(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    registered.dispose();
  });

  test('a file is added and found, and its citation opens', async () => {
    await add('/moth.md');
    const searchResult = await found('How far does the emperor moth find its mate?', 'eleven kilometres');
    const [, documentId, start = 0, end = 0] =
      /document="(\d+)-[\da-f]{8}" start="(\d+)" end="(\d+)"/.exec(searchResult)?.map(Number) ?? [];
    const quote = 'The emperor moth finds its mate over eleven kilometres.';
    const uri = at('/moth.md').toString();
    // A link without all parts of a citation isn't followed.
    await vscode.commands.executeCommand('openNotebook.openCitation', {
      number: 1,
      documentId,
      sourceId: findSource(uri),
      sourceKind: 'file',
      title: 'moth.md',
      place: 'L3',
      uri,
      mediaType: 'text/markdown',
      quote,
      span: { start: 9, end: 9 + quote.length },
      passage: { start, end },
      locator: {
        kind: 'lines',
        start: { line: 2, character: 0 },
        end: { line: 2, character: quote.length },
      },
    });
    // A window that is still loading reports its active editor and cursor late.
    const inFront = (): string => {
      const editor = vscode.window.activeTextEditor;
      return `${String(editor?.document.uri)}:${String(editor?.selection.active.line)}`;
    };
    await until(() => inFront() === `${uri}:2`, inFront);
  });

  test('a folder is added with its subfolders, without ignored files', async () => {
    await add('/pond');
    await found('Where does the crested newt winter?', 'third stone');
    assert.match(await found('When does an eel cross the meadow?', 'in October'), /source="[^"]*eel/i);
    assert.doesNotMatch(await invoke('openNotebook_search', { queries: ['"heron stands"'] }), /left-out/);
  });

  test('a PDF is read through the editor', async () => {
    await add('/report.pdf');
    assert.match(await invoke('openNotebook_sources', {}), /"title": "report\.pdf"/);
    const sources = (): Promise<string> => invoke('openNotebook_sources', {});
    await until(async () => /report\.pdf[^}]*"state": "ready"/.test(await sources()), sources);
  });
});
