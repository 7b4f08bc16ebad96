import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import { noteTitle } from '../../notebook/note.ts';
import type { SharedNotebook } from '../../notebook/shared-notebook.ts';
import { readShared, sharedFile, sharedFolder, sharedText } from '../../notebook/shared-notebook.ts';
import { statOf } from '../workspace-files.ts';

/** What a repository shares is not read where it is larger, in bytes. */
const LARGEST_LIST = 1_000_000;
const LARGEST_TEXT = 10_000_000;

/** A text to write beside `notebook.json`. */
export interface SharedText {
  /** Below `.notebook`. */
  readonly path: string;
  readonly text: string;
}

export function sharedListUri(root: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(root, sharedFolder, sharedFile);
}

/** What the repository in a folder shares; undefined where it shares nothing. @throws NotebookError `damaged`, `unsupported`, `too-large` */
export async function readSharedNotebook(root: vscode.Uri): Promise<SharedNotebook | undefined> {
  const uri = sharedListUri(root);
  const stat = await statOf(uri);
  return stat === undefined ? undefined : readShared(await readText(uri, LARGEST_LIST));
}

/** A text that a repository shares, by its path below `.notebook`. @throws NotebookError `not-found`, `too-large` */
export async function readSharedText(root: vscode.Uri, path: string): Promise<string> {
  return readText(vscode.Uri.joinPath(root, sharedFolder, path), LARGEST_TEXT);
}

/** Writes what a repository shares: first the texts, then the list that names them; those it names no more go. */
export async function writeSharedNotebook(
  root: vscode.Uri,
  shared: SharedNotebook,
  texts: readonly SharedText[],
): Promise<void> {
  const { fs } = vscode.workspace;
  const before = await readSharedNotebook(root).catch(() => undefined);
  const uriOf = (path: string): vscode.Uri => vscode.Uri.joinPath(root, sharedFolder, path);
  for (const { path, text } of texts) await fs.writeFile(uriOf(path), Buffer.from(text));
  await fs.writeFile(sharedListUri(root), Buffer.from(sharedText(shared)));
  const kept = new Set(texts.map(({ path }) => path));
  for (const path of textsOf(before))
    if (!kept.has(path)) await Promise.resolve(fs.delete(uriOf(path))).catch(() => undefined);
}

/** A path for a text, by its title; none is taken twice. */
export function textPath(folder: 'notes' | 'texts', title: string, taken: Set<string>): string {
  const name = noteTitle(title.replaceAll(/[<>:"|?*]/g, ' ')).replace(/[. ]+$/, '') || folder;
  let path = `${folder}/${name}.md`;
  for (let count = 2; taken.has(path.toLowerCase()); count++) path = `${folder}/${name} ${String(count)}.md`;
  taken.add(path.toLowerCase());
  return path;
}

function textsOf(shared: SharedNotebook | undefined): string[] {
  if (shared === undefined) return [];
  return [...shared.notes, ...shared.sources.flatMap((one) => (one.kind === 'text' ? [one.path] : []))];
}

async function readText(uri: vscode.Uri, most: number): Promise<string> {
  const stat = await statOf(uri);
  if (stat === undefined)
    throw new NotebookError('not-found', vscode.l10n.t('{0} is not there any more.', uri.path));
  if (stat.size > most)
    throw new NotebookError('too-large', vscode.l10n.t('{0} is too large to be read.', uri.path));
  return Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8');
}
