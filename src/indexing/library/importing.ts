import type { Byline, Heading, ReadDocument } from '../../notebook/document.ts';
import { isCancelled, NotebookError } from '../../notebook/errors.ts';
import { noteTitle } from '../../notebook/note.ts';
import { notebookName } from '../../notebook/notebook.ts';
import type { PassageSettings } from '../../notebook/settings.ts';
import type { SkipCounts, SourceOrigin } from '../../notebook/source.ts';
import { plainTitle } from '../../notebook/plain-title.ts';
import type { DocumentInput } from '../store/sources-api.ts';
import { Conversations } from '../store/conversations.ts';
import { DocumentCache } from '../store/document-cache.ts';
import { Embeddings } from '../search/vectors/embeddings.ts';
import { Notes } from '../store/notes.ts';
import { splitForWindows } from '../documents/splitter.ts';
import type { Statements } from '../store/statements.ts';
import { Store } from '../store/store.ts';
import { fieldsOf, listOf, maybe, numberOf, oneOf, textOf } from './fields.ts';
import { mapFromJson } from './map-codec.ts';
import { damaged, readNotebookFile, tooLarge } from './notebook-file.ts';
import type { ExportedPlace, FollowedPlace, ImportParams } from './library-api.ts';
import { isWithin, uriBelow, webAddress } from './portable-places.ts';
import type { ImportedSets } from './portable-vectors.ts';
import { dropEmptySets, importEmbeddings, importVectors } from './portable-vectors.ts';
import { readKept, readPosition, readTurn } from './read-citations.ts';

/** So many places can be followed; sources beyond them stay copies. */
const MOST_PLACES = 10_000;

const lineTypes = [
  'head',
  'embeddings',
  'source',
  'document',
  'vectors',
  'note',
  'conversation',
  'turn',
] as const;

/** How many lines of a kind an imported notebook may have: few bytes can hold millions of them. */
const mostLines: Readonly<Partial<Record<(typeof lineTypes)[number], number>>> = {
  head: 1,
  source: 20_000,
  document: 500_000,
  note: 20_000,
  conversation: 20_000,
  turn: 200_000,
};

/** What is known of the import so far. */
interface Importing {
  readonly sql: Statements;
  readonly store: Store;
  readonly notes: Notes;
  readonly conversations: Conversations;
  readonly roots: readonly string[];
  readonly followed: ReadonlyMap<string, FollowedPlace>;
  readonly passages: PassageSettings;
  readonly embeddings: Embeddings;
  readonly sets: ImportedSets;
  readonly documentIds: Map<number, number>;
  source: { readonly id: string; readonly origin: SourceOrigin } | undefined;
  conversationId: string | undefined;
  readonly lines: Map<string, number>;
}

/** The name of an exported notebook. @throws NotebookError `unsupported`, `damaged` */
export async function exportedName(path: string): Promise<string> {
  for await (const line of readNotebookFile(path))
    return notebookName(checked(() => textOf(fieldsOf(line)['name'])));
  throw damaged();
}

/**
 * The files and folders that an exported notebook's sources name, each once and so many at most that one can look through
 * them. @throws NotebookError `unsupported`, `damaged`, `too-large`
 */
export async function exportedPlaces(
  path: string,
  afterEach: (lines: number) => Promise<void>,
): Promise<ExportedPlace[]> {
  const places = new Map<string, ExportedPlace>();
  let count = 0;
  for await (const line of readNotebookFile(path)) {
    checked(() => {
      const { type, title, origin } = fieldsOf(line);
      if (type !== 'source' || places.size === MOST_PLACES) return;
      const { kind, path: named } = fieldsOf(origin);
      if ((kind !== 'file' && kind !== 'folder' && kind !== 'selection') || typeof named !== 'string') return;
      places.set(placeKey(kind, named), { kind, path: named, title: titleOf(title) });
    });
    await afterEach(++count);
  }
  return [...places.values()];
}

/**
 * Reads an exported notebook into an empty one. The files of sources that are `followed` are read from here on; of the
 * others the texts stay as they are. Nothing of it is fetched, and what is not what it should be ends it all.
 * @throws NotebookError `unsupported`, `damaged`, `too-large`
 */
export async function importLines(
  sql: Statements,
  { path, roots, followed, passages }: ImportParams,
  afterEach: (lines: number) => Promise<void>,
): Promise<void> {
  const store = new Store(sql);
  const documents = new DocumentCache((id) => store.documents.document(id));
  const importing: Importing = {
    sql,
    store,
    embeddings: new Embeddings(sql, (id) => documents.get(id)),
    sets: new Map(),
    notes: new Notes(sql),
    conversations: new Conversations(sql),
    roots,
    followed: new Map(followed.map((place) => [placeKey(place.kind, place.path), place])),
    passages,
    documentIds: new Map(),
    source: undefined,
    conversationId: undefined,
    lines: new Map(),
  };
  let count = 0;
  for await (const line of readNotebookFile(path)) {
    checked(() => {
      importLine(importing, fieldsOf(line));
    });
    await afterEach(++count);
  }
  if (importing.sets.size > 0) dropEmptySets(sql);
}

function importLine(importing: Importing, line: Readonly<Record<string, unknown>>): void {
  const { notes, conversations, lines } = importing;
  const type = oneOf(line['type'], lineTypes);
  const count = (lines.get(type) ?? 0) + 1;
  if (count > (mostLines[type] ?? Infinity)) throw tooLarge();
  lines.set(type, count);
  switch (type) {
    case 'head':
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
      return;
    case 'note':
      notes.add({
        title: noteTitle(titleOf(line['title'])) || 'Note',
        text: textOf(line['text']),
        createdAt: numberOf(line['createdAt']),
        changedAt: numberOf(line['changedAt']),
        citations: listOf(line['citations']).map((one) => readKept(one, importing)),
      });
      return;
    case 'conversation':
      importing.conversationId = beginConversation(importing, line);
      return;
    case 'turn':
      if (importing.conversationId === undefined) throw new Error('A turn without a conversation.');
      conversations.putTurn(importing.conversationId, readTurn(line, importing));
  }
}

function importSource(importing: Importing, line: Readonly<Record<string, unknown>>): void {
  const id = textOf(line['id']);
  if (!/^[\w-]{1,64}$/.test(id)) throw new Error('That is no source.');
  const origin = readOrigin(line['origin'], importing.followed);
  importing.source = { id, origin };
  const values = [
    id,
    titleOf(line['title']),
    JSON.stringify(origin),
    JSON.stringify({ kind: 'ready' }),
    Math.trunc(numberOf(line['addedAt'])),
    maybe(line['readAt'], (one) => Math.trunc(numberOf(one))) ?? null,
    JSON.stringify(readSkips(line['skipped'])),
  ];
  importing.sql.transaction(() => {
    importing.sql.run(
      'INSERT INTO sources (id, title, origin, state, added_at, read_at, skipped) VALUES (?, ?, ?, ?, ?, ?, ?)',
      ...values,
    );
  });
}

/** What is not followed becomes a copy: its text alone. */
function readOrigin(json: unknown, followed: Importing['followed']): SourceOrigin {
  const fields = fieldsOf(json);
  const kind = oneOf(fields['kind'], ['file', 'folder', 'selection', 'page', 'site', 'text', 'copy']);
  switch (kind) {
    case 'file':
    case 'folder': {
      const place = maybe(fields['path'], (path) => followed.get(placeKey(kind, textOf(path))));
      return place === undefined
        ? { kind: 'copy', of: kind }
        : { kind, uri: place.uri, within: place.within };
    }
    case 'selection': {
      const uri = maybe(fields['path'], (path) => followed.get(placeKey(kind, textOf(path))))?.uri;
      if (uri === undefined) return { kind: 'copy', of: kind };
      const start = maybe(fields['start'], readPosition);
      return { kind, uri, start, languageId: maybe(fields['languageId'], textOf) };
    }
    case 'page':
      return { kind, url: address(fields['url']) };
    case 'site':
      return {
        kind,
        starts: listOf(fields['starts']).map(address),
        depth: whole(fields['depth'], 100),
        limit: whole(fields['limit'], 100_000),
        include: listOf(fields['include']).map(textOf),
        exclude: listOf(fields['exclude']).map(textOf),
        privateHosts: [],
      };
    case 'text':
      return { kind };
    case 'copy':
      return { kind, of: oneOf(fields['of'], ['file', 'folder', 'selection']) };
  }
}

function placeKey(kind: ExportedPlace['kind'], path: string): string {
  return `${kind} ${path}`;
}

function importDocument(importing: Importing, line: Readonly<Record<string, unknown>>): void {
  const { sql, store, embeddings, sets, source, passages, documentIds } = importing;
  if (source === undefined) throw new Error('A document without a source.');
  const input = readDocument(line, source.origin);
  const id = sql.transaction(() => {
    store.documents.writeDocument(source.id, input, splitForWindows, passages);
    const row = sql.get('SELECT id FROM documents WHERE source_id = ? AND key = ?', source.id, input.key);
    const written = Number(row?.['id']);
    sql.run('UPDATE documents SET read_at = ? WHERE id = ?', Math.trunc(numberOf(line['readAt'])), written);
    if (sets.size > 0) embeddings.nameTexts(written);
    return written;
  });
  documentIds.set(numberOf(line['id']), id);
}

function readDocument(line: Readonly<Record<string, unknown>>, origin: SourceOrigin): DocumentInput {
  const key = textOf(line['key']);
  const text = textOf(line['text']);
  const title = titleOf(line['title']);
  const document: ReadDocument = {
    title: title === '' ? undefined : title,
    mediaType: textOf(line['mediaType']),
    format: oneOf(line['format'], ['code', 'markdown', 'prose']),
    languageId: maybe(line['languageId'], textOf),
    text,
    map: mapFromJson(line['map'], text.length),
    headings: listOf(line['headings']).map((one) => readHeading(one, text.length)),
    warnings: listOf(line['warnings']).map(textOf),
    byline: maybe(line['byline'], readByline),
  };
  return {
    key,
    uri: uriOf(origin, key, maybe(line['url'], textOf) ?? ''),
    hash: textOf(line['hash']),
    size: Math.trunc(numberOf(line['size'])),
    modifiedAt: Math.trunc(numberOf(line['modifiedAt'])),
    document,
  };
}

function uriOf(origin: SourceOrigin, key: string, url: string): string {
  switch (origin.kind) {
    case 'file':
    case 'selection':
      return origin.uri;
    case 'folder':
      if (!isWithin(key)) throw new Error('A file that is not in its folder.');
      return uriBelow(origin.uri, key);
    case 'page':
    case 'site':
      if (origin.kind === 'site') address(key);
      return webAddress(url);
    case 'text':
    case 'copy':
      return '';
  }
}

function readHeading(json: unknown, length: number): Heading {
  const { offset, level, title } = fieldsOf(json);
  return { offset: whole(offset, length), level: whole(level, 1_000), title: titleOf(title) };
}

function readByline(json: unknown): Byline {
  const { author, published, canonicalUrl, language } = fieldsOf(json);
  return {
    author: maybe(author, textOf),
    published: maybe(published, textOf),
    canonicalUrl: maybe(canonicalUrl, (one) => webAddress(textOf(one))),
    language: maybe(language, textOf),
  };
}

function readSkips(json: unknown): SkipCounts {
  const { binary, tooLarge, tooShort, failed } = fieldsOf(json);
  return {
    binary: numberOf(binary),
    tooLarge: numberOf(tooLarge),
    tooShort: numberOf(tooShort),
    failed: numberOf(failed),
  };
}

function beginConversation({ sql }: Importing, line: Readonly<Record<string, unknown>>): string {
  const id = textOf(line['id']);
  const createdAt = Math.trunc(numberOf(line['createdAt']));
  const title = maybe(line['title'], titleOf) ?? null;
  sql.transaction(() => {
    sql.run('INSERT INTO conversations (id, created_at, title) VALUES (?, ?, ?)', id, createdAt, title);
  });
  return id;
}

/** @throws Error where it is no address of a page */
function address(json: unknown): string {
  const url = webAddress(textOf(json));
  if (url === '') throw new Error('That is no address.');
  return url;
}

function whole(json: unknown, most: number): number {
  const value = numberOf(json);
  if (!Number.isInteger(value) || value < 0 || value > most) throw new Error('That is too much.');
  return value;
}

/** What is not as it should be is a damaged file; a disk that is full is not. */
function checked<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isCancelled(error) || error instanceof NotebookError) throw error;
    throw damaged(error);
  }
}

/** A title as it can be shown. */
function titleOf(json: unknown): string {
  return plainTitle(textOf(json));
}
