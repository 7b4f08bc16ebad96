import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { readRegularFile, tooLargeError } from '../core/domain/regular-file.ts';

/**
 * Returns a file's content for the reader worker: its path if it is on this machine's disk, else its bytes. `size` is
 * the size of the file in bytes, if known.
 */
export async function readContent(
  uri: vscode.Uri,
  size?: number,
): Promise<{ kind: 'path'; path: string; size?: number } | { kind: 'bytes'; bytes: Uint8Array }> {
  if (uri.scheme === 'file') return { kind: 'path', path: uri.fsPath, ...(size !== undefined && { size }) };
  return { kind: 'bytes', bytes: await vscode.workspace.fs.readFile(uri) };
}

/**
 * Reads a file that a workspace, a setting, or the user names, unless it is a pipe or device or has more than `limit`
 * bytes.
 * @throws NotebookError `too-large`, `unsupported`, and errors of the file system
 */
export async function readSmallFile(uri: vscode.Uri, limit: number): Promise<Uint8Array> {
  if (uri.scheme === 'file') {
    const bytes = await readRegularFile(uri.fsPath, { maxBytes: limit + 1 });
    if (bytes.length > limit) throw tooLargeError(lastSegment(uri));
    return bytes;
  }
  if ((await vscode.workspace.fs.stat(uri)).size > limit) throw tooLargeError(lastSegment(uri));
  return vscode.workspace.fs.readFile(uri);
}

/** Returns undefined if nothing exists there. */
export async function statFile(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch {
    // Nothing exists there, or its provider can't find it.
    return undefined;
  }
}

/** Returns the URI of a name in the workspace's first folder on this machine. */
export function inWorkspace(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder && vscode.Uri.joinPath(folder.uri, name);
}

/**
 * Reports whether a file or folder is really below a folder, with links resolved; `true` for files that aren't on this
 * machine.
 */
export async function isReallyIn(folder: vscode.Uri, uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme !== 'file') return true;
  try {
    const path = relative(await realpath(folder.fsPath), await realpath(uri.fsPath));
    return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path);
  } catch {
    // A file that can't be resolved isn't known to be in the folder.
    return false;
  }
}

/** Returns the last part of a URI's path. */
export function lastSegment(uri: vscode.Uri): string {
  return uri.path.slice(uri.path.lastIndexOf('/') + 1);
}

/**
 * Returns a name or path for a question. Invisible characters and those that change the text direction are made
 * visible.
 */
export function plainly(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
}

/** Returns a name as a glob that matches only the name. */
export function escapeGlob(name: string): string {
  return name.replaceAll(/[*?{}[\]]/g, '[$&]');
}

/**
 * Opens a file with the system's program for it. Returns whether it could; it can't if VS Code runs on another machine.
 */
export async function openWithSystem(uri: vscode.Uri): Promise<boolean> {
  const isHere = uri.scheme === 'file' && vscode.env.remoteName === undefined;
  return isHere && (await vscode.env.openExternal(uri));
}

/** Opens a file with the system's program for it, or with VS Code if that runs on another machine. */
export async function openFile(uri: vscode.Uri): Promise<void> {
  if (!(await openWithSystem(uri))) await vscode.commands.executeCommand('vscode.open', uri);
}

/** Opens a web or mail address outside VS Code. Ignores other addresses, which could run a program. */
export async function openLink(url: string): Promise<void> {
  const protocol = URL.parse(url)?.protocol;
  if (protocol === 'http:' || protocol === 'https:' || protocol === 'mailto:')
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
}

/**
 * Returns the files of a folder with a file extension such as `.md`, in any case, sorted by name; empty if the folder
 * can't be read or doesn't exist. Links aren't followed.
 */
export async function filesEndingIn(folder: vscode.Uri, ending: string): Promise<vscode.Uri[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return entries
    .filter(([name, type]) => type === vscode.FileType.File && name.toLowerCase().endsWith(ending))
    .map(([name]) => name)
    .sort()
    .map((name) => vscode.Uri.joinPath(folder, name));
}

/** Returns the workspace folders on this machine, as URIs. */
export function roots(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders
    .map(({ uri }) => uri)
    .filter(({ scheme }) => scheme === 'file')
    .map(String);
}
