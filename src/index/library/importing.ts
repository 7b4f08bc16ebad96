import * as v from 'valibot';
import { portableFeatures } from '../../features/store.ts';
import { isCitationKey } from '../../core/domain/cite-keys.ts';
import type { ReadDocument } from '../../core/domain/document.ts';
import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import { notebookName } from '../../core/domain/notebook.ts';
import type { PassageSettings } from '../../core/domain/settings.ts';
import { plainTitle } from '../../core/domain/plain-title.ts';
import type { SourceOrigin, SourceState } from '../../core/domain/source.ts';
import type { DocumentInput } from '../store/sources/sources-api.ts';
import { storedBibliography, storedCslItem } from '../store/database/stored-json.ts';
import { DocumentCache } from '../store/sources/document-cache.ts';
import { Embeddings } from '../search/vectors/embeddings.ts';
import { splitForWindows } from '../documents/splitter.ts';
import type { Statements } from '../store/database/statements.ts';
import { Store } from '../store/store.ts';
import { address, count, finite, optional, title, wholeNumber } from './exported-values.ts';
import { mapFromJson } from './map-codec.ts';
import { damagedNotebook, readNotebookFile, tooLarge } from './notebook-file.ts';
import type { ExportedPlace, FollowedPlace, ImportParams } from './library-api.ts';
import { isWithin, placeBelow, uriBelow, webAddress } from './portable-places.ts';
import {
  dropEmptySets,
  embeddingSet,
  importEmbeddings,
  importVectors,
  vectorsOfTexts,
  type ImportedSets,
} from './portable-vectors.ts';
import { position, type ImportedPlaces } from './read-citations.ts';

/** Maximum number of places that can be followed. Sources beyond it stay copies. */
const MAX_PLACES = 10_000;

const recordings = {
  speakers: optional(v.record(v.string(), title)),
  chapters: optional(v.record(v.string(), v.array(v.object({ title, from: v.number() })))),
};

/** Origin of a source; files have their path in a workspace. */
const origin = v.variant('kind', [
  v.object({ kind: v.picklist(['file', 'folder']), path: optional(v.string()), ...recordings }),
  v.object({
    kind: v.literal('selection'),
    path: optional(v.string()),
    start: optional(position),
    languageId: optional(v.string()),
  }),
  v.object({ kind: v.literal('page'), url: address }),
  v.object({
    kind: v.literal('site'),
    starts: v.array(address),
    depth: count(100),
    limit: count(100_000),
    include: v.array(v.string()),
    exclude: v.array(v.string()),
  }),
  v.object({ kind: v.literal('text') }),
  v.object({ kind: v.literal('copy'), of: v.picklist(['file', 'folder', 'selection']), ...recordings }),
]);

/** Maximum length of an error, in UTF-16 code units; the rest is dropped. */
const MAX_FAILURE_LENGTH = 1_000;

const source = v.object({
  type: v.literal('source'),
  id: v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/)),
  title,
  origin,
  addedAt: wholeNumber,
  readAt: optional(wholeNumber),
  skipped: v.object({ binary: finite, tooLarge: finite, tooShort: finite, failed: finite }),
  failure: optional(
    v.pipe(
      v.string(),
      v.transform((reason) => plainTitle(reason.slice(0, MAX_FAILURE_LENGTH))),
    ),
  ),
});

/** Entry of a bibliography file. Its file names belong to another machine. */
const libraryEntry = v.pipe(
  v.object({ item: storedCslItem, line: count() }),
  v.transform((entry) => ({ ...entry, files: [] })),
);

const document = v.object({
  type: v.literal('document'),
  id: finite,
  key: v.string(),
  title,
  url: optional(v.string()),
  mediaType: v.string(),
  format: v.picklist(['code', 'markdown', 'prose']),
  languageId: optional(v.string()),
  text: v.string(),
  map: v.unknown(),
  headings: v.array(v.object({ offset: count(), level: count(1_000), title })),
  warnings: v.array(v.string()),
  byline: optional(
    v.object({
      author: optional(v.string()),
      published: optional(v.string()),
      canonicalUrl: optional(v.pipe(v.string(), v.transform(webAddress))),
      language: optional(v.string()),
    }),
  ),
  bibliography: optional(storedBibliography),
  editedBibliography: optional(storedBibliography),
  citationKey: optional(
    v.pipe(
      v.string(),
      v.transform((key) => (isCitationKey(key) ? key : undefined)),
    ),
  ),
  library: optional(v.pipe(v.array(libraryEntry), v.maxLength(100_000))),
  readAt: wholeNumber,
  hash: v.string(),
  size: wholeNumber,
  modifiedAt: wholeNumber,
});

/** Schemas of the lines of an exported notebook, by type, without those of features. */
const exportedLine = v.variant('type', [
  // Features parse their own fields.
  v.looseObject({
    type: v.literal('head'),
  }),
  embeddingSet,
  source,
  document,
  vectorsOfTexts,
]);

const typedLine = v.object({ type: v.string() });

type ExportedLine = v.InferOutput<typeof exportedLine>;

/** Line of a source with a file path. */
const lineOfPlace = v.object({
  type: v.literal('source'),
  title,
  origin: v.object({ kind: v.picklist(['file', 'folder', 'selection']), path: v.string() }),
});

/** Maximum number of lines of each type in an imported notebook, as a small file can expand to millions. */
const MAX_LINES: Readonly<Partial<Record<ExportedLine['type'], number>>> = {
  head: 1,
  source: 20_000,
  document: 500_000,
};

/** Lines of a type that a feature adds. */
interface FeatureLine {
  readonly limit: number;
  readonly add: (json: unknown) => void;
}

/** State of an import. */
interface Importing {
  readonly sql: Statements;
  readonly store: Store;
  readonly fileAt: ImportedPlaces['fileAt'];
  readonly followed: ReadonlyMap<string, FollowedPlace>;
  readonly passages: PassageSettings;
  readonly embeddings: Embeddings;
  readonly sets: ImportedSets;
  readonly documentIds: Map<number, number>;
  source: { readonly id: string; readonly origin: SourceOrigin } | undefined;
  /** Lines of features by their type. */
  readonly featureLines: Map<string, FeatureLine>;
  /** Entities of features in the head, by their field. Imported last, since they cite documents. */
  entities: ReadonlyMap<string, readonly string[]>;
  readonly lines: Map<string, number>;
}

/** Returns the name of an exported notebook. @throws NotebookError `unsupported`, `damaged` */
export async function exportedName(path: string): Promise<string> {
  for await (const line of readNotebookFile(path))
    return notebookName(readChecked(() => v.parse(v.object({ name: v.string() }), line)).name);
  throw damagedNotebook();
}

/**
 * Returns the files and folders of an exported notebook's sources, without duplicates, up to a maximum number.
 * @throws NotebookError `unsupported`, `damaged`, `too-large`
 */
export async function exportedPlaces(
  path: string,
  afterEach: (lines: number) => Promise<void>,
): Promise<ExportedPlace[]> {
  const places = new Map<string, ExportedPlace>();
  let read = 0;
  for await (const line of readNotebookFile(path)) {
    const named = v.safeParse(lineOfPlace, line);
    if (named.success && places.size < MAX_PLACES) {
      const { title, origin } = named.output;
      places.set(placeKey(origin.kind, origin.path), { ...origin, title });
    }
    await afterEach(++read);
  }
  return [...places.values()];
}

/**
 * Imports an exported notebook into an empty one. Files of `followed` sources are read from now on; the texts of all
 * others stay as they are. Doesn't download anything. Any invalid data ends the import.
 * @throws NotebookError `unsupported`, `damaged`, `too-large`
 */
export async function importLines(
  sql: Statements,
  { path, roots, followed, passages, limits }: ImportParams,
  afterEach: (lines: number) => Promise<void>,
): Promise<void> {
  const store = new Store(sql);
  const documents = new DocumentCache((id) => store.documents.document(id));
  const importing: Importing = {
    sql,
    store,
    embeddings: new Embeddings(sql, (id) => documents.get(id)),
    sets: new Map(),
    fileAt: (_, path) => placeBelow(path, roots) ?? '',
    followed: new Map(followed.map((place) => [placeKey(place.kind, place.path), place])),
    passages,
    documentIds: new Map(),
    source: undefined,
    featureLines: new Map(),
    entities: new Map(),
    lines: new Map(),
  };
  for (const { lines } of portableFeatures) {
    if (lines === undefined) continue;
    const add = lines.importer(sql, importing);
    for (const [type, limit] of Object.entries(lines.limits))
      importing.featureLines.set(type, { limit, add });
  }
  let read = 0;
  for await (const line of readNotebookFile(path)) {
    readChecked(() => importLine(importing, line));
    await afterEach(++read);
  }
  for (const { field, head } of portableFeatures)
    readChecked(() => head?.imported(sql, importing.entities.get(field) ?? [], importing, limits));
  if (importing.sets.size > 0) dropEmptySets(sql);
}

function importLine(importing: Importing, json: unknown): void {
  const { type } = v.parse(typedLine, json);
  const ofFeature = importing.featureLines.get(type);
  if (ofFeature !== undefined) {
    countLine(importing, type, ofFeature.limit);
    ofFeature.add(json);
    return;
  }
  const line = v.parse(exportedLine, json);
  countLine(importing, line.type, MAX_LINES[line.type]);
  switch (line.type) {
    case 'head':
      importing.entities = featureEntities(line);
      return;
    case 'embeddings':
      importEmbeddings(importing.sql, importing.sets, line);
      return;
    case 'vectors':
      importVectors(importing.sql, importing.sets, line);
      return;
    case 'source':
      importSource(importing, line);
      return;
    case 'document':
      importDocument(importing, line);
  }
}

/** Counts a line of a type. @throws NotebookError `too-large` if there are more than the limit */
function countLine({ lines }: Importing, type: string, limit = Infinity): void {
  const count = (lines.get(type) ?? 0) + 1;
  if (count > limit) throw tooLarge();
  lines.set(type, count);
}

/** Parses the source of an exported line. @throws ValiError if it isn't valid */
export function readSourceLine(json: unknown): v.InferOutput<typeof source> {
  return v.parse(source, json);
}

/** Parses the document of an exported line that belongs to a source of `from`. @throws Error if it isn't valid */
export function readDocumentLine(
  json: unknown,
  from: SourceOrigin,
): { readonly input: DocumentInput; readonly line: v.InferOutput<typeof document> } {
  const line = v.parse(document, json);
  return { input: documentInput(line, from), line };
}

function importSource(importing: Importing, line: v.InferOutput<typeof source>): void {
  const { id, title: name, addedAt, readAt = null, skipped, failure } = line;
  const state: SourceState = failure === undefined ? { kind: 'ready' } : { kind: 'failed', reason: failure };
  const from = importedOrigin(line.origin, importing.followed);
  importing.source = { id, origin: from };
  importing.sql.transaction(() =>
    importing.sql.insert('sources', {
      id,
      title: name,
      origin: JSON.stringify(from),
      state: JSON.stringify(state),
      added_at: addedAt,
      read_at: readAt,
      skipped: JSON.stringify(skipped),
    }),
  );
}

/** Returns the origin of an imported source. A source that isn't followed becomes a copy of its text. */
export function importedOrigin(
  from: v.InferOutput<typeof origin>,
  followed: Importing['followed'],
): SourceOrigin {
  switch (from.kind) {
    case 'file':
    case 'folder':
    case 'selection': {
      const { kind, path } = from;
      const place = path === undefined ? undefined : followed.get(placeKey(kind, path));
      if (kind === 'selection')
        return place === undefined
          ? { kind: 'copy', of: kind }
          : { kind, uri: place.uri, start: from.start, languageId: from.languageId };
      const changes = {
        ...(from.speakers && { speakers: from.speakers }),
        ...(from.chapters && { chapters: from.chapters }),
      };
      return place === undefined
        ? { kind: 'copy', of: kind, ...changes }
        : { kind, uri: place.uri, within: place.within, ...changes };
    }
    case 'site':
      return { ...from, privateHosts: [] };
    default:
      return from;
  }
}

function placeKey(kind: ExportedPlace['kind'], path: string): string {
  return `${kind} ${path}`;
}

function importDocument(importing: Importing, line: v.InferOutput<typeof document>): void {
  const { sql, store, embeddings, sets, passages, documentIds } = importing;
  const { source: owner } = importing;
  if (owner === undefined) throw new Error('A document without a source.');
  const input = documentInput(line, owner.origin);
  const id = sql.transaction(() => {
    store.documents.writeDocument(owner.id, input, splitForWindows, passages);
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', owner.id, input.key);
    const written = Number(row?.['id']);
    sql.run('UPDATE documents SET read_at = ? WHERE id = ?', line.readAt, written);
    if (line.editedBibliography !== undefined)
      store.documents.references.edit(written, line.editedBibliography);
    if (line.citationKey !== undefined) store.documents.references.setKey(written, line.citationKey);
    if (sets.size > 0) embeddings.nameTexts(written);
    return written;
  });
  documentIds.set(line.id, id);
}

function documentInput(line: v.InferOutput<typeof document>, from: SourceOrigin): DocumentInput {
  const { key, text, title: name, mediaType, format, languageId, headings, warnings, byline } = line;
  if (headings.some(({ offset }) => offset > text.length)) throw new Error('A heading beyond its text.');
  const read: ReadDocument = {
    title: name === '' ? undefined : name,
    mediaType,
    format,
    languageId,
    text,
    map: mapFromJson(line.map, text.length),
    headings,
    warnings,
    byline,
    bibliography: line.bibliography,
    library: line.library,
  };
  const { hash, size, modifiedAt, url = '' } = line;
  return { key, uri: makeUri(from, key, url), hash, size, modifiedAt, document: read };
}

function makeUri(from: SourceOrigin, key: string, url: string): string {
  switch (from.kind) {
    case 'file':
    case 'selection':
      return from.uri;
    case 'folder':
      if (!isWithin(key)) throw new Error('A file that is not in its folder.');
      return uriBelow(from.uri, key);
    case 'page':
    case 'site':
      if (from.kind === 'site') v.parse(address, key);
      return webAddress(url);
    case 'text':
    case 'copy':
      return '';
  }
}

/** Runs a read. Invalid data means a damaged file, but a full disk doesn't. */
function readChecked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isCanceled(error) || error instanceof NotebookError) throw error;
    throw damagedNotebook(error);
  }
}

/** Returns the entities of features in the head of an exported notebook, by field. */
function featureEntities(head: object): ReadonlyMap<string, readonly string[]> {
  const lists = new Map<string, unknown>(Object.entries(head));
  return new Map(
    portableFeatures
      .filter(({ head: inHead }) => inHead !== undefined)
      .map(({ field }) => [field, v.parse(optional(v.array(v.string())), lists.get(field)) ?? []]),
  );
}
