import { portableFeatures } from '../../features/store.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import { recordingChanges, type Source, type SourceOrigin } from '../../core/domain/source.ts';
import type { DocumentStamp } from '../store/sources/sources-api.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import type { Statements } from '../store/database/statements.ts';
import { Store } from '../store/store.ts';
import type { LibraryProgress } from './library-api.ts';
import { mapToJson } from './map-codec.ts';
import { FORMAT, Version } from './notebook-file.ts';
import { pathBelow, webAddress } from './portable-places.ts';
import { embeddingLines, vectorLines } from './portable-vectors.ts';

/** Parts of the exported notebook in addition to its lines. */
interface ExportedParts {
  readonly name: string;
  readonly roots: readonly string[];
  /** Entities of features in the head, by the field of their `PortableFeature`. */
  readonly entities: Readonly<Record<string, readonly string[]>>;
}

/**
 * Yields the lines of an exported notebook: sources with their texts, and the entities of features. Files below `roots` have their path there. Other files only have their names. Includes embeddings with
 * the name of their model. Keys, settings, and endpoint addresses aren't exported.
 */
export function* exportedLines(
  sql: Statements,
  { name, roots, entities }: ExportedParts,
  report: (progress: LibraryProgress) => void,
): Generator<object> {
  const store = new Store(sql);
  const total = store.counts().documents;
  let done = 0;
  const embeddings = [...embeddingLines(sql)];
  const version = embeddings.length === 0 ? Version.plain : Version.withVectors;
  yield {
    type: 'head',
    format: FORMAT,
    version,
    name,
    exportedAt: Date.now(),
    ...entities,
  };
  yield* embeddings;
  for (const source of store.sources()) {
    yield { ...sourceLine(source, roots), failure: portableFailure(source) };
    for (const stamp of store.documents.stamps(source.id)) {
      const line = documentLine(store, stamp);
      if (line !== undefined) yield line;
      report({ done: ++done, total });
    }
  }
  yield* vectorLines(sql);
  for (const { lines } of portableFeatures) if (lines !== undefined) yield* lines.exported(sql, roots);
}

/** Returns the line of a source. */
export function sourceLine(
  { id, title, origin, addedAt, readAt, skipped }: Source,
  roots: readonly string[],
): object {
  return { type: 'source', id, title, origin: portableOrigin(origin, roots), addedAt, readAt, skipped };
}

/** Returns the error of a page or site. The error of a file may contain a local path, so it isn't exported. */
function portableFailure({ origin, state }: Source): string | undefined {
  const isOfWeb = origin.kind === 'page' || origin.kind === 'site';
  return isOfWeb && state.kind === 'failed' ? state.reason : undefined;
}

function portableOrigin(origin: SourceOrigin, roots: readonly string[]): object {
  switch (origin.kind) {
    case 'file':
    case 'folder':
      return { kind: origin.kind, path: pathBelow(origin.uri, roots), ...recordingChanges(origin) };
    case 'selection': {
      const { kind, start, languageId } = origin;
      return { kind, start, languageId, path: pathBelow(origin.uri, roots) };
    }
    case 'text':
    case 'copy':
      return origin;
    // The user's consent to read a private host is only valid here.
    case 'page':
      return { kind: origin.kind, url: origin.url };
    case 'site':
      return { ...origin, privateHosts: [] };
  }
}

/** Returns a document's line; undefined if the document is damaged. */
export function documentLine(
  store: Store,
  { id, hash, size, modifiedAt }: Omit<DocumentStamp, 'key'>,
): object | undefined {
  const stored = hash === '' ? undefined : store.documents.document(id);
  if (stored === undefined) return undefined;
  const { entry, format, languageId, headings } = stored;
  const { key, title, uri, mediaType, readAt, warnings, byline } = entry;
  const { key: citationKey, found, edited, library } = store.documents.references.toPortable(id);
  const named = { citationKey, bibliography: found, editedBibliography: edited, library };
  const described = { id, key, title, url: webAddress(uri), mediaType, readAt, warnings, byline, ...named };
  const content = readContent(stored);
  if (content === undefined) return undefined;
  return { type: 'document', ...described, format, languageId, hash, size, modifiedAt, headings, ...content };
}

function readContent(stored: StoredDocument): object | undefined {
  try {
    return { text: stored.text, map: mapToJson(stored.map) };
  } catch (error) {
    if (error instanceof NotebookError && error.code === 'damaged') return undefined;
    throw error;
  }
}
