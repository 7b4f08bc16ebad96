import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { readRegularFile, tooLargeError } from '../notebook/regular-file.ts';

/** Returns a file's content for the reader worker: its path if it is on this machine's disk, else its bytes. */
export async function readContent(
  uri: vscode.Uri,
): Promise<{ kind: 'path'; path: string } | { kind: 'bytes'; bytes: Uint8Array }> {
  if (uri.scheme === 'file') return { kind: 'path', path: uri.fsPath };
  return { kind: 'bytes', bytes: await vscode.workspace.fs.readFile(uri) };
}

/**
 * Reads a file that a workspace, a setting, or the user names, unless it is a pipe or device or has more than `most`
 * bytes.
 * @throws NotebookError `too-large`, `unsupported`, and errors of the file system
 */
export async function readSmallFile(uri: vscode.Uri, most: number): Promise<Uint8Array> {
  if (uri.scheme === 'file') {
    const bytes = await readRegularFile(uri.fsPath, { most: most + 1 });
    if (bytes.length > most) throw tooLargeError(lastSegment(uri));
    return bytes;
  }
  if ((await vscode.workspace.fs.stat(uri)).size > most) throw tooLargeError(lastSegment(uri));
  return vscode.workspace.fs.readFile(uri);
}

/** Undefined where nothing is there. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    return undefined;
  }
}

/** A place in the workspace's first folder that is one of this machine. */
export function inWorkspace(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder && vscode.Uri.joinPath(folder.uri, name);
}

/** Reports whether a file or folder is really below a folder, links followed; `true` for files that aren't on this machine. */
export async function isReallyIn(folder: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return true;
  try {
    const path = relative(await realpath(folder.fsPath), await realpath(uri.fsPath));
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    return false;
  }
}

/** The last part of a URI's path. */
export function lastSegment(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/** A name or path in a question, with what is not seen or turns the order of letters around made visible. */
export function plainly(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** A name as a glob that matches it alone. */
export function escapeGlob(name: string): string {
  return name.replaceAll(/[*?{}[\]]/g, '[$&]');
}

/** Opens a file with the system's program for it; returns whether it could: not where the editor runs on another machine. */
export async function openWithSystem(uri: vscode.Uri): Promise<boolean> {
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  return isHere && (await vscode.env.openExternal(uri));
}

/** Opens a file with the system's program for it, or with the editor if that runs on another machine. */
export async function openFile(uri: vscode.Uri): Promise<void> {
  if (!(await openWithSystem(uri))) await vscode.commands.executeCommand('vscode.open', uri);
}

/** Opens a web or mail address outside the editor. Ignores other addresses, which could run a program. */
export async function openLink(url: string): Promise<void> {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:')
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/**
 * The files of a folder whose names have an ending such as `.md`, in capitals or not, by their names; none where the
 * folder can't be read, as where it is not there. Links are followed nowhere.
 */
export async function filesEndingIn(folder: vscode.Uri, ending: string): Promise<vscode.Uri[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return entries
    .filter(([name, type]) => type === vscode.FileType.File && name.toLowerCase().endsWith(ending))
    .map(([name]) => name)
    .sort()
    .map((name) => vscode.Uri.joinPath(folder, name));
}
