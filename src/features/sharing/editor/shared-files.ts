import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { fileName } from '../../../core/domain/note.ts';
import { readShared, SHARED_FILE, SHARED_FOLDER, type SharedNotebook } from '../model/shared-notebook.ts';
import { tooLargeError } from '../../../core/domain/regular-file.ts';
import { diskStore, outsideFolderError, type SharedStore } from './shared-store.ts';
import { MAX_TEXT_SIZE, writeShared, type MayOverwrite, type SharedText } from './shared-writing.ts';
import { statFile } from '../../../platform/workspace-files.ts';

/** Maximum size of the list of shared items, in bytes. */
const MAX_LIST_SIZE = 1_000_000;

/** Returns the list of shared sources of the repository in a folder. */
export function sharedListUri(root: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(root, SHARED_FOLDER, SHARED_FILE);
}

/**
 * Returns the sources and notes that the repository in a folder shares; undefined if it shares nothing.
 * @throws NotebookError `damaged`, `unsupported`, `too-large`
 */
export async function readSharedNotebook(root: vscode.Uri): Promise<SharedNotebook | undefined> {
  const list = await openStore(root).read(`${SHARED_FOLDER}/${SHARED_FILE}`, MAX_LIST_SIZE);
  return list && readShared(new TextDecoder().decode(list));
}

/**
 * Returns a text that a repository shares, by its path below `.notebook`.
 * @throws NotebookError `not-found`, `too-large`, `unsupported` if it is a link
 */
export async function readSharedText(root: vscode.Uri, path: string): Promise<string> {
  const place = `${SHARED_FOLDER}/${path}`;
  const text = await openStore(root).read(place, MAX_TEXT_SIZE);
  if (text === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('Can’t find {0}. It may have been moved or deleted.', place),
    );
  return new TextDecoder().decode(text);
}

/** Writes the shared items of a repository, as `writeShared` does. @throws NotebookError */
export async function writeSharedNotebook(
  root: vscode.Uri,
  shared: SharedNotebook,
  texts: readonly SharedText[],
  mayOverwrite: MayOverwrite,
): Promise<readonly string[] | undefined> {
  const before = await readSharedNotebook(root);
  return writeShared(openStore(root), { shared, texts, before }, mayOverwrite);
}

/** Returns a unique path for a text, from its title. */
export function textPath(folder: 'notes' | 'texts', title: string, usedPaths: Set<string>): string {
  const name = fileName(title, folder);
  let path = `${folder}/${name}.md`;
  for (let count = 2; usedPaths.has(path.toLowerCase()); count++)
    path = `${folder}/${name} ${String(count)}.md`;
  usedPaths.add(path.toLowerCase());
  return path;
}

/** Returns the files below a folder of the workspace. Links that lead elsewhere are neither read nor written. */
export function openStore(root: vscode.Uri): SharedStore {
  return root.scheme === 'file' ? diskStore(root.fsPath) : editorStore(root);
}

/** Returns the files below a folder of one of VS Code's file systems. */
function editorStore(root: vscode.Uri): SharedStore {
  const { fs } = vscode.workspace;
  /** Returns the file at a path. @throws NotebookError `unsupported` if it or a folder above it is a link */
  const statAt = async (path: string): Promise<vscode.FileStat | undefined> => {
    const names = path.split('/');
    for (const count of names.keys()) {
      const above = names.slice(0, count + 1).join('/');
      const stat = await statFile(vscode.Uri.joinPath(root, above));
      if (stat === undefined) return undefined;
      const type = above === path ? vscode.FileType.File : vscode.FileType.Directory;
      if (stat.type !== type) throw outsideFolderError(above);
      if (above === path) return stat;
    }
    return undefined;
  };
  return {
    async read(path, limit) {
      const stat = await statAt(path);
      if (stat === undefined) return undefined;
      if (stat.size > limit) throw tooLargeError(path);
      return fs.readFile(vscode.Uri.joinPath(root, path));
    },
    async write(path, bytes) {
      await statAt(path);
      await fs.writeFile(vscode.Uri.joinPath(root, path), bytes);
    },
    async remove(path) {
      if ((await statAt(path)) !== undefined) await fs.delete(vscode.Uri.joinPath(root, path));
    },
  };
}
