import * as vscode from 'vscode';
import { areCaptionsOf, captionsOf, isCaptionsName, isRecordingName } from '../../notebook/recordings.ts';
import type { ReadRequest } from '../../reading/api.ts';
import { lastSegment, readContent, statFile } from '../workspace-files.ts';

/** Names of the files in folders that were listed already, by the folder's URI. */
export type Listings = Map<string, Promise<readonly string[]>>;

/** Returns the captions beside a recording; undefined if it has none, and for other files. */
async function captionsBeside(
  uri: vscode.Uri,
  listings: Listings = new Map(),
): Promise<vscode.Uri | undefined> {
  const name = lastSegment(uri);
  if (!isRecordingName(name)) return undefined;
  const folder = vscode.Uri.joinPath(uri, '..');
  const key = folder.toString();
  const listing = listings.get(key) ?? fileNames(folder);
  listings.set(key, listing);
  const captions = captionsOf(name, await listing);
  return captions === undefined ? undefined : vscode.Uri.joinPath(folder, captions);
}

/** Returns the captions beside a recording for the reader. */
export async function captionsContent(uri: vscode.Uri): Promise<ReadRequest['captions']> {
  const captions = await captionsBeside(uri);
  return captions && { content: await readContent(captions), name: lastSegment(captions) };
}

/**
 * Returns the size and the time of the last change of a file, including the captions of a recording; undefined if the
 * file doesn't exist.
 */
export async function statOriginal(
  uri: vscode.Uri,
  listings?: Listings,
): Promise<Pick<vscode.FileStat, 'size' | 'mtime'> | undefined> {
  const stat = await statFile(uri);
  if (stat === undefined) return undefined;
  const captions = await captionsBeside(uri, listings);
  const beside = captions && (await statFile(captions));
  return beside === undefined
    ? stat
    : { size: stat.size + beside.size, mtime: Math.max(stat.mtime, beside.mtime) };
}

/** Adds to changed paths of a folder the recordings of changed captions, and the captions of changed recordings. */
export async function withRecordings(
  folder: vscode.Uri,
  changes: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const all = new Set(changes);
  for (const path of changes) {
    const at = path.lastIndexOf('/') + 1;
    const name = path.slice(at);
    if (!isCaptionsName(name) && !isRecordingName(name)) continue;
    for (const other of await fileNames(vscode.Uri.joinPath(folder, path.slice(0, at))))
      if (areCaptionsOf(name, other) || areCaptionsOf(other, name)) all.add(path.slice(0, at) + other);
  }
  return all;
}

/** Returns the names of the files in a folder, without links; empty if it can't be listed. */
async function fileNames(folder: vscode.Uri): Promise<readonly string[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return entries.filter(([, type]) => type === vscode.FileType.File).map(([name]) => name);
}
