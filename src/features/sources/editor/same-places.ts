import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import { pathBelow } from '../../../index/library/portable-places.ts';
import { originPlace, type Source, type SourceOrigin } from '../../../core/domain/source.ts';
import { addressKey, sameAddresses } from '../../../core/domain/web-address.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { isReadIn } from './folder-files.ts';

/** Source that contains a part, and the path of the part below it, or '' for the source itself. */
export interface KnownPlace {
  readonly source: Source;
  readonly path: string;
}

/**
 * Returns the real location of a file or folder, with links resolved; the same URI if it doesn't exist or isn't on this
 * machine.
 */
export async function realUri(uri: vscode.Uri): Promise<vscode.Uri> {
  if (uri.scheme !== 'file') return uri;
  try {
    return vscode.Uri.file(await realpath(uri.fsPath));
  } catch {
    // The file doesn't exist.
    return uri;
  }
}

/** Returns a key that two origins share if they lead to the same file, folder, or page, whatever their names are. */
export async function placeKey(origin: SourceOrigin): Promise<string> {
  if (origin.kind === 'page') return `page ${addressKey(origin.url)}`;
  if (origin.kind !== 'file' && origin.kind !== 'folder') return originPlace(origin);
  return `${origin.kind} ${(await realUri(vscode.Uri.parse(origin.uri))).toString()}`;
}

/**
 * Returns the source that contains a file, folder, or page: a folder that reads it, or a page or site with a document
 * at its URL. A file that a folder skips isn't part of it.
 */
export async function findWhole(
  notebook: NotebookClient,
  sources: readonly Source[],
  origin: SourceOrigin,
): Promise<KnownPlace | undefined> {
  if (origin.kind === 'page') return findPage(notebook, sources, origin.url);
  if (origin.kind !== 'file' && origin.kind !== 'folder') return undefined;
  for (const { source, path } of await foldersAround(sources, origin.uri)) {
    if (source.origin.kind !== 'folder') continue;
    const skippedFiles = await notebook.call('skippedFiles', { sourceId: source.id });
    if (skippedFiles.some((file) => file.path === path)) continue;
    if (await isReadIn(vscode.Uri.parse(source.origin.uri), path)) return { source, path };
  }
  return undefined;
}

/** Returns the folder sources that contain a file or folder, by its own or its real path, and the paths below them. */
export async function foldersAround(sources: readonly Source[], uri: string): Promise<KnownPlace[]> {
  const real = (await realUri(vscode.Uri.parse(uri))).toString();
  const placesByRoot = await Promise.all(
    sources.map(async (source): Promise<KnownPlace[]> => {
      if (source.origin.kind !== 'folder') return [];
      const folder = vscode.Uri.parse(source.origin.uri);
      const path =
        pathBelow(uri, [source.origin.uri]) ?? pathBelow(real, [(await realUri(folder)).toString()]);
      return path === undefined || path === '' || path === '.' ? [] : [{ source, path }];
    }),
  );
  return placesByRoot.flat();
}

/** Returns the real paths of the files and folders that sources other than one read, in the same file system. */
export async function placesElsewhere(
  sources: readonly Source[],
  { id, origin }: Source,
): Promise<ReadonlySet<string>> {
  const own = 'uri' in origin ? vscode.Uri.parse(origin.uri) : undefined;
  const others = sources.flatMap((source) =>
    source.id !== id && (source.origin.kind === 'file' || source.origin.kind === 'folder')
      ? [vscode.Uri.parse(source.origin.uri)]
      : [],
  );
  const near = others.filter(
    ({ scheme, authority }) => scheme === own?.scheme && authority === own.authority,
  );
  return new Set(await Promise.all(near.map(async (uri) => (await realUri(uri)).path)));
}

async function findPage(
  notebook: NotebookClient,
  sources: readonly Source[],
  url: string,
): Promise<KnownPlace | undefined> {
  for (const uri of sameAddresses(url)) {
    const documents = await notebook.call('documentsAt', { uri });
    for (const { sourceId, key } of documents) {
      const source = sources.find(({ id }) => id === sourceId);
      if (source?.origin.kind === 'page' || source?.origin.kind === 'site') return { source, path: key };
    }
  }
  return undefined;
}
