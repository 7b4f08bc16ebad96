import * as vscode from 'vscode';
import type { EntryKind, ExcludeGlobs, FileSystem, ParentIgnore } from '../reading/folder-walker.ts';
import { walkFolder } from '../reading/folder-walker.ts';
import { statOf } from './workspace-files.ts';

/** The files of a folder that are worth reading, as paths below it: none that git ignores or that the editor hides. */
export async function* filesOf(folder: vscode.Uri, signal: AbortSignal): AsyncGenerator<string> {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  const within = root === undefined ? '' : folder.path.slice(root.path.length + 1);
  yield* walkFolder(fileSystemOf(folder), {
    excludes: ['files', 'search'].map((section) =>
      vscode.workspace.getConfiguration(section, folder).get<ExcludeGlobs>('exclude', {}),
    ),
    folderInWorkspace: within,
    parentIgnores: await ignoreFilesAbove(folder),
    signal,
  });
}

function fileSystemOf(folder: vscode.Uri): FileSystem {
  const at = (path: string): vscode.Uri => (path === '' ? folder : vscode.Uri.joinPath(folder, path));
  return {
    readDirectory: async (path) => {
      const entries = await vscode.workspace.fs.readDirectory(at(path));
      return entries.map(([name, type]) => [name, kindOf(type)]);
    },
    readText: async (path) => new TextDecoder().decode(await vscode.workspace.fs.readFile(at(path))),
  };
}

function kindOf(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  return (type & vscode.FileType.Directory) !== 0 ? 'directory' : 'file';
}

/** The `.gitignore` files that hold for a folder from above, up to its repository's root; none outside a repository. */
async function ignoreFilesAbove(folder: vscode.Uri): Promise<ParentIgnore[]> {
  const found: ParentIgnore[] = [];
  let directory = folder;
  while ((await statOf(vscode.Uri.joinPath(directory, '.git'))) === undefined) {
    const parent = vscode.Uri.joinPath(directory, '..');
    if (parent.path === directory.path) return [];
    directory = parent;
    const file = vscode.Uri.joinPath(directory, '.gitignore');
    if ((await statOf(file)) === undefined) continue;
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    found.unshift({ text, folder: folder.path.slice(directory.path.length).replace(/^\//, '') });
  }
  return found;
}
