import * as vscode from 'vscode';
import type { DocumentStamp } from '../../../index/store/sources/sources-api.ts';
import { pathBelow } from '../../../index/library/portable-places.ts';
import { throwIfCanceled } from '../../../core/domain/errors.ts';
import { recordingChanges, type Source, type SourceOrigin } from '../../../core/domain/source.ts';
import { movedTitle, movedUri } from './moved-uris.ts';
import { contentBeside, statOriginal } from '../../recordings/editor/captions-beside.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { ReaderPool } from '../../../platform/reader-pool.ts';
import { readContent, escapeGlob, lastSegment, statFile } from '../../../platform/workspace-files.ts';

/** Maximum number of files with the right name or type that are checked to find a missing source. */
const MAX_CANDIDATE_FILES = 2_000;

/** Number of its largest files by which a moved folder is recognized. */
const SAMPLES = 5;

interface Parts {
  readonly notebook: NotebookClient;
  readonly readers: ReaderPool;
  /** Folder with the stored transcripts of recordings. */
  readonly transcripts: string | undefined;
}

/** Functions that read sources. */
interface Reader {
  stop(sourceId: string): void;
  /** Resolves when a source is not being read. */
  waitUntilIdle(sourceId: string): Promise<void>;
  read(source: Source): Promise<void>;
}

/** Updates sources when their files and folders are renamed or moved in the editor. */
export function followRenames(notebook: NotebookClient, reader: Reader): vscode.Disposable {
  const follow = async (from: vscode.Uri, to: vscode.Uri): Promise<void> => {
    for (const source of await notebook.call('sources', {})) {
      const { origin, id } = source;
      const uri = 'uri' in origin ? movedUri(origin.uri, from.toString(), to.toString()) : undefined;
      if (uri === undefined) continue;
      // Stops reading first, because it would save documents with the old address.
      reader.stop(id);
      await reader.waitUntilIdle(id);
      const moved = await relocate(notebook, source, vscode.Uri.parse(uri));
      if (origin.kind !== 'selection') void reader.read(moved);
    }
  };
  return vscode.workspace.onDidRenameFiles(async ({ files }) => {
    if (!notebook.isOpen) return;
    for (const { oldUri, newUri } of files) await follow(oldUri, newUri);
  });
}

/**
 * Returns a source at its current location. If its file or folder is missing and the same content is found elsewhere in
 * the workspace or beside the former location, the source is moved there.
 * @throws NotebookError `cancelled`
 */
export async function followMovedSource(source: Source, parts: Parts, signal: AbortSignal): Promise<Source> {
  const { origin } = source;
  if (origin.kind !== 'file' && origin.kind !== 'folder') return source;
  const uri = vscode.Uri.parse(origin.uri);
  if ((await statFile(uri)) !== undefined) return source;
  const { notebook } = parts;
  const sources = await notebook.call('sources', {});
  const latest = sources.find(({ id }) => id === source.id);
  // Another window has already moved the source.
  if (latest !== undefined && 'uri' in latest.origin && latest.origin.uri !== origin.uri) return latest;
  const stamps = await notebook.call('stamps', { sourceId: source.id });
  const samples = stamps
    .filter(({ size }) => size > 0)
    .toSorted((a, b) => b.size - a.size)
    .slice(0, SAMPLES);
  const knownUris = new Set(
    sources.flatMap((knownSource) => ('uri' in knownSource.origin ? [knownSource.origin.uri] : [])),
  );
  for (const place of await placesFor(uri, samples)) {
    throwIfCanceled(signal);
    if (!knownUris.has(place.toString()) && (await holds(place, { samples, origin }, parts, signal)))
      return relocate(notebook, latest ?? source, place);
  }
  return source;
}

async function relocate(notebook: NotebookClient, source: Source, to: vscode.Uri): Promise<Source> {
  const { origin, id } = source;
  if (!('uri' in origin)) return source;
  const uri = to.toString();
  const title = movedTitle(source.title, vscode.Uri.parse(origin.uri).path, to.path);
  if (!('within' in origin) || origin.within === undefined) {
    await notebook.call('relocateSource', { sourceId: id, title, uri });
    return { ...source, title, origin: { ...origin, uri } };
  }
  // A source that must be inside a workspace folder may have been moved to another one, or together with the folder.
  const isInside = pathBelow(uri, [origin.within]) !== undefined;
  const other = isInside ? undefined : vscode.workspace.getWorkspaceFolder(to)?.uri.toString();
  const within = other ?? origin.within;
  await notebook.call('relocateSource', { sourceId: id, title, uri, within });
  return { ...source, title, origin: { ...origin, uri, within } };
}

/**
 * Returns possible locations of a missing file or folder, likely ones first: those with its name, and its former
 * siblings.
 */
async function placesFor(missing: vscode.Uri, samples: readonly DocumentStamp[]): Promise<vscode.Uri[]> {
  const [first] = samples;
  if (first === undefined) return [];
  const isFolder = first.key !== '';
  const name = lastSegment(missing);
  const ending = /\.[^.]+$/.exec(name)?.[0] ?? '';
  const parent = vscode.Uri.joinPath(missing, '..');
  const beside = await vscode.workspace.fs.readDirectory(parent).then(
    (entries) => entries.map(([entry]) => vscode.Uri.joinPath(parent, entry)),
    () => [],
  );
  const up = isFolder ? first.key.split('/').map(() => '..') : [];
  const withPattern = async (pattern: string): Promise<vscode.Uri[]> => {
    const files = await vscode.workspace.findFiles(
      `**/${pattern}`,
      '**/node_modules/**',
      MAX_CANDIDATE_FILES,
    );
    return files.map((file) => vscode.Uri.joinPath(file, ...up));
  };
  const namesakes = isFolder ? [] : await withPattern(escapeGlob(name));
  const others = await withPattern(isFolder ? escapeGlob(first.key) : `*${escapeGlob(ending)}`);
  const alike = [...beside.slice(0, MAX_CANDIDATE_FILES), ...others].filter(
    (place) => isFolder || lastSegment(place).endsWith(ending),
  );
  const isNamesake = (place: vscode.Uri): boolean => lastSegment(place) === name;
  const likelyFirst = [...namesakes, ...alike.filter(isNamesake), ...alike];
  return [...new Map(likelyFirst.map((place) => [place.toString(), place])).values()];
}

/** Reports whether a location contains most of the sample files with unchanged content. */
async function holds(
  place: vscode.Uri,
  { samples, origin }: { readonly samples: readonly DocumentStamp[]; readonly origin: SourceOrigin },
  { readers, transcripts }: Parts,
  signal: AbortSignal,
): Promise<boolean> {
  const { speakers, chapters: generatedChapters } = recordingChanges(origin);
  let same = 0;
  for (const { key, size, hash } of samples) {
    const uri = key === '' ? place : vscode.Uri.joinPath(place, key);
    if ((await statOriginal(uri))?.size !== size) continue;
    const request = {
      name: lastSegment(uri),
      mediaType: undefined,
      pageUrl: undefined,
      ...(await contentBeside(uri)),
      ...{ transcripts, speakers, generatedChapters },
      knownHash: hash,
      minimumLength: 1,
    };
    const isSame = await readers.read({ ...request, content: await readContent(uri) }, { signal }).then(
      ({ kind }) => kind === 'unchanged',
      () => false,
    );
    if (isSame) same++;
  }
  return same > samples.length / 2;
}
