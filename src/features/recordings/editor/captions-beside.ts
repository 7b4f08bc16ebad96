import * as vscode from 'vscode';
import {
  belongsToRecording,
  filesOfRecording,
  isCaptionsName,
  isRecordingName,
} from '../../../core/domain/recordings.ts';
import type { ReadRequest } from '../../../parsers/api.ts';
import { lastSegment, readContent, statFile } from '../../../platform/workspace-files.ts';

/** Names of the files in folders that were listed already, by the folder's URI. */
export type Listings = Map<string, Promise<readonly string[]>>;

/** Files beside a recording. */
interface FilesBeside {
  readonly captions?: vscode.Uri | undefined;
  readonly chapters?: vscode.Uri | undefined;
}

/** Returns the captions and the chapters beside a recording; none for other files. */
async function filesBeside(uri: vscode.Uri, listings: Listings = new Map()): Promise<FilesBeside> {
  const name = lastSegment(uri);
  if (!isRecordingName(name)) return {};
  const folder = vscode.Uri.joinPath(uri, '..');
  const key = folder.toString();
  const listing = listings.get(key) ?? fileNames(folder);
  listings.set(key, listing);
  const { captions, chapters } = filesOfRecording(name, await listing);
  const inFolder = (path: string | undefined): vscode.Uri | undefined =>
    path === undefined ? undefined : vscode.Uri.joinPath(folder, path);
  return { captions: inFolder(captions), chapters: inFolder(chapters) };
}

/** Returns the captions and the chapters beside a recording for the reader. */
export async function contentBeside(uri: vscode.Uri): Promise<Pick<ReadRequest, 'captions' | 'chapters'>> {
  const { captions, chapters } = await filesBeside(uri);
  const contentOf = async (file: vscode.Uri | undefined): Promise<ReadRequest['captions']> =>
    file && { content: await readContent(file), name: lastSegment(file) };
  return { captions: await contentOf(captions), chapters: await contentOf(chapters) };
}

/** Size of a file in bytes, and time of its last change in milliseconds since 1970. */
export type OriginalStat = Pick<vscode.FileStat, 'mtime' | 'size'>;

/**
 * Returns the size and the time of the last change of a file, including the captions and the chapters of a recording;
 * undefined if the file doesn't exist.
 */
export async function statOriginal(uri: vscode.Uri, listings?: Listings): Promise<OriginalStat | undefined> {
  const stat = await statFile(uri);
  if (stat === undefined) return undefined;
  let { size, mtime } = stat;
  const { captions, chapters } = await filesBeside(uri, listings);
  for (const file of [captions, chapters]) {
    const beside = file && (await statFile(file));
    if (beside === undefined) continue;
    size += beside.size;
    mtime = Math.max(mtime, beside.mtime);
  }
  return { size, mtime };
}

/** Adds to changed paths of a folder the recordings of changed captions, and the captions of changed recordings. */
export async function withRecordings(
  folder: vscode.Uri,
  changes: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const affected = new Set(changes);
  for (const path of changes) {
    const at = path.lastIndexOf('/') + 1;
    const name = path.slice(at);
    if (!isCaptionsName(name) && !isRecordingName(name)) continue;
    for (const other of await fileNames(vscode.Uri.joinPath(folder, path.slice(0, at))))
      if (belongsToRecording(name, other) || belongsToRecording(other, name))
        affected.add(path.slice(0, at) + other);
  }
  return affected;
}

/** Returns the names of the files in a folder, without links; empty if it can't be listed. */
async function fileNames(folder: vscode.Uri): Promise<readonly string[]> {
  const entries = await Promise.resolve(vscode.workspace.fs.readDirectory(folder)).catch(() => []);
  return entries.filter(([, type]) => type === vscode.FileType.File).map(([name]) => name);
}
