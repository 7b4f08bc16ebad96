import type { ReadDocument } from '../../../core/domain/document.ts';
import type { Span } from '../../../core/language/span.ts';
import * as v from 'valibot';
import { isPathIncluded, rulesBySource, type PathRule } from '../../../core/domain/included-paths.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import type { Passage } from '../../../core/domain/passage.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import type { DocumentEntry, SourceOrigin } from '../../../core/domain/source.ts';
import type {
  DocumentInput,
  DocumentStamp,
  DocumentsWithin,
  FolderEntries,
  ScannedDocument,
  Within,
} from './sources-api.ts';
import { placeEntries, type PlacedDocument } from './folder-entries.ts';
import { damagedSentence, StoredDocument } from './stored-document.ts';
import { References } from './references.ts';
import { PackedText, packMap, packText } from './packing.ts';
import { optionalText, type Row } from '../database/database.ts';
import {
  storedByline,
  storedFormat,
  storedHeadings,
  storedNumbers,
  storedOrigin,
  storedPages,
  storedTexts,
  LOST_ORIGIN,
  readJson,
  readOptionalJson,
} from '../database/stored-json.ts';
import type { Statements } from '../database/statements.ts';

/** Document whose file was renamed; see `moveDocument` of the index worker. */
interface MovedDocument {
  readonly documentId: number;
  readonly key: string;
  readonly uri: string;
  readonly size: number;
  readonly modifiedAt: number;
}

/** Row of a passage. */
export interface StoredPassage extends Passage {
  readonly id: number;
  readonly documentId: number;
}

/** Document as it was just written, with its passages. */
export interface WrittenDocument {
  readonly document: StoredDocument;
  readonly passages: readonly StoredPassage[];
  /** Number of the change that wrote it. */
  readonly revision: number;
}

/** Function that splits a document into passages. */
export type Split = (
  document: Pick<ReadDocument, 'text' | 'format' | 'headings'>,
  settings: PassageSettings,
) => readonly Passage[];

/** Searchable text of a document: its path, title, and content. */
export interface DocumentText {
  readonly documentId: number;
  readonly passages: number;
  readonly text: string;
}

/** Number of matching passages in a document, and number of all its passages. */
export interface PassageCount {
  readonly documentId: number;
  readonly holding: number;
  readonly passages: number;
}

const SUMMARY_MODULUS = 1_000_003;

/** Returns a number that differs if the number of passages differs, and almost always if their IDs differ. */
export function summarizePassages(ids: readonly number[]): number {
  return ids.reduce((sum, id) => sum + (id % SUMMARY_MODULUS) + SUMMARY_MODULUS, 0);
}

/** Documents of a notebook and their passages, in SQLite. Every change is one transaction. */
export class DocumentStore {
  readonly references: References;
  readonly #sql: Statements;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.references = new References(sql);
  }

  /** Returns the documents of a source, by key. */
  ofSource(sourceId: string): DocumentEntry[] {
    return this.#sql
      .all(
        `SELECT id, source_id, key, title, uri, media_type, read_at, warnings, byline, passages
       FROM documents WHERE source_id = ? ORDER BY key`,
        sourceId,
      )
      .map(toEntry);
  }

  /** Lists the direct contents of a source's folder. `rules` are those of the source. */
  folderEntries(sourceId: string, path: string, rules: readonly PathRule[]): FolderEntries {
    const ofSource = rulesBySource(rules).get(sourceId);
    const { folders, documentIds } = placeEntries(this.#documentsBelow(sourceId, path), path, (key) =>
      isPathIncluded(ofSource, key),
    );
    const entries = new Map(
      this.#sql
        .all(
          `SELECT id, source_id, key, title, uri, media_type, read_at, warnings, byline, passages
           FROM documents WHERE id IN (SELECT value FROM json_each(?))`,
          JSON.stringify(documentIds),
        )
        .map((row) => [Number(row['id']), toEntry(row)]),
    );
    return { folders, documents: documentIds.flatMap((id) => entries.get(id) ?? []) };
  }

  /** Counts the included documents of each source with rules. */
  countIncluded(rules: readonly PathRule[]): { sourceId: string; documents: number }[] {
    return [...rulesBySource(rules)].map(([sourceId, ofSource]) => ({
      sourceId,
      documents: this.#documentsBelow(sourceId, '').filter(({ key }) => isPathIncluded(ofSource, key)).length,
    }));
  }

  /** Converts a scope that excludes files of sources to the included documents. */
  resolvePaths(scope: Within | undefined): Within | undefined {
    if (scope?.kind !== 'sources' || scope.paths === undefined) return scope;
    const rules = rulesBySource(scope.paths);
    const documentIds = scope.sourceIds.flatMap((sourceId) => {
      const ofSource = rules.get(sourceId);
      const documents = this.#documentsBelow(sourceId, '');
      return documents.filter(({ key }) => isPathIncluded(ofSource, key)).map(({ id }) => id);
    });
    return { kind: 'documents', documentIds };
  }

  /** Returns the IDs of all passages of some documents. */
  passageIds({ documentIds }: DocumentsWithin): ReadonlySet<number> {
    const rows = this.#sql.all(
      'SELECT id FROM passages WHERE document_id IN (SELECT value FROM json_each(?))',
      JSON.stringify(documentIds),
    );
    return new Set(rows.map((row) => Number(row['id'])));
  }

  /** Returns the documents below a folder of a source, by key. */
  #documentsBelow(sourceId: string, folder: string): PlacedDocument[] {
    // "0" is the character after "/", so it ends the range of keys in the folder.
    const range = folder === '' ? [] : [`${folder}/`, `${folder}0`];
    return this.#sql
      .all(
        `SELECT id, key FROM documents WHERE source_id = ?
         ${folder === '' ? '' : 'AND key >= ? AND key < ?'} ORDER BY key`,
        sourceId,
        ...range,
      )
      .map((row) => ({ id: Number(row['id']), key: String(row['key']) }));
  }

  /** Returns the documents with an address, from all sources. */
  at(uri: string): DocumentEntry[] {
    return this.#sql
      .all(
        `SELECT id, source_id, key, title, uri, media_type, read_at, warnings, passages
       FROM documents WHERE uri = ? ORDER BY id`,
        uri,
      )
      .map(toEntry);
  }

  /** Returns the documents with text recognition, the latest read first. */
  scans(): ScannedDocument[] {
    return this.#sql
      .all(
        `SELECT id, source_id, key, uri, hash, unrecognised FROM documents
         WHERE unrecognised IS NOT NULL ORDER BY read_at DESC, id DESC`,
      )
      .map((row) => ({
        id: Number(row['id']),
        sourceId: String(row['source_id']),
        key: String(row['key']),
        uri: String(row['uri']),
        hash: String(row['hash']),
        unrecognised: readJson(storedPages, row['unrecognised'], []),
      }));
  }

  /** Returns the stamps of a source's documents, which show whether they must be read again. */
  stamps(sourceId: string): DocumentStamp[] {
    return this.#sql
      .all('SELECT id, key, hash, size, modified_at FROM documents WHERE source_id = ?', sourceId)
      .map((row) => ({
        id: Number(row['id']),
        key: String(row['key']),
        hash: String(row['hash']),
        size: Number(row['size']),
        modifiedAt: Number(row['modified_at']),
      }));
  }

  /**
   * Writes a document, and replaces one with the same key; undefined if the source was removed meanwhile. `packed` is
   * its packed text.
   */
  putDocument(
    sourceId: string,
    input: DocumentInput,
    split: Split,
    settings: PassageSettings,
    packed?: Uint8Array,
  ): WrittenDocument | undefined {
    return this.#sql.transaction(() => {
      if (!this.#sql.has('SELECT 1 FROM sources WHERE id = ?', sourceId)) return undefined;
      return this.writeDocument(sourceId, input, split, settings, packed);
    });
  }

  /** Records a file's new size in bytes and time in milliseconds since 1970; its content is unchanged. */
  touchDocument(documentId: number, size: number, modifiedAt: number): void {
    this.#sql.write(
      'UPDATE documents SET size = ?, modified_at = ? WHERE id = ?',
      size,
      modifiedAt,
      documentId,
    );
  }

  /** Changes the key and address of a document; its text stays. */
  moveDocument({ documentId, key, uri, size, modifiedAt }: MovedDocument): void {
    this.#sql.transaction(() => {
      // Assigning `text` makes the index follow, as passages are also found by path.
      this.#sql.run(
        'UPDATE documents SET key = ?, uri = ?, size = ?, modified_at = ?, text = text WHERE id = ?',
        key,
        uri,
        size,
        modifiedAt,
        documentId,
      );
      // Add the passages as new ones, since their searchable text includes the path.
      const last = this.#sql.number('SELECT max(id) AS id FROM passages WHERE document_id = ?', documentId);
      this.#sql.run(
        `INSERT INTO passages (document_id, start, "end", headings, context, embedded)
         SELECT document_id, start, "end", headings, context, embedded FROM passages WHERE document_id = ? ORDER BY id`,
        documentId,
      );
      this.#sql.run('DELETE FROM passages WHERE document_id = ? AND id <= ?', documentId, last);
    });
  }

  /** Removes documents with their passages. */
  removeDocuments(documentIds: readonly number[]): void {
    this.#sql.transaction(() => {
      for (const id of documentIds) this.#sql.run('DELETE FROM documents WHERE id = ?', id);
    });
  }

  /** Returns the documents that were split with other settings and can be split again. */
  splitOtherwise(settings: PassageSettings): number[] {
    return this.#sql
      .all("SELECT id FROM documents WHERE split <> ? AND split <> ''", splitKey(settings))
      .map((row) => Number(row['id']));
  }

  /** Splits a document again, unless another window has already done so. */
  splitAgain(documentId: number, split: Split, settings: PassageSettings): void {
    this.#sql.transaction(() => {
      const outdated = this.#sql.get(
        'SELECT 1 FROM documents WHERE id = ? AND split <> ?',
        documentId,
        splitKey(settings),
      );
      const document = outdated && this.document(documentId);
      if (document === undefined) return;
      this.#writePassages(documentId, split(document, settings));
      this.#sql.run('UPDATE documents SET split = ? WHERE id = ?', splitKey(settings), documentId);
    });
  }

  /** Returns the source of a document; undefined if it's gone. */
  documentSource(documentId: number): { title: string; origin: SourceOrigin } | undefined {
    const row = this.#sql.get(
      'SELECT s.title, s.origin FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.id = ?',
      documentId,
    );
    return row && { title: String(row['title']), origin: readJson(storedOrigin, row['origin'], LOST_ORIGIN) };
  }

  /**
   * Reports whether another source has a document with the same key, for example a file with the same path in another
   * folder.
   */
  isKeyShared({ sourceId, key }: Pick<DocumentEntry, 'sourceId' | 'key'>): boolean {
    // CROSS JOIN makes SQLite look up the key in each source, instead of reading the keys of all documents.
    return this.#sql.has(
      `SELECT 1 FROM sources s CROSS JOIN documents d
       WHERE s.id <> ? AND d.source_id = s.id AND d.key = ?`,
      sourceId,
      key,
    );
  }

  /** @throws NotebookError `damaged` if the stored data can't be unpacked */
  document(documentId: number): StoredDocument | undefined {
    const row = this.#sql.get('SELECT * FROM documents WHERE id = ?', documentId);
    return row && toDocument(row);
  }

  /**
   * Removes the passages of a document that can't be unpacked, adds a warning, and makes the next refresh read it
   * again.
   */
  markDamaged(documentId: number): void {
    this.#sql.transaction(() => {
      this.#sql.run(
        "UPDATE documents SET hash = '', size = -1, split = '', passages = 0, warnings = ? WHERE id = ? AND hash <> ''",
        JSON.stringify([damagedSentence()]),
        documentId,
      );
      this.#sql.run('DELETE FROM passages WHERE document_id = ?', documentId);
    });
  }

  /** Returns the passages of a document in order. */
  documentPassages(documentId: number): StoredPassage[] {
    return this.#sql
      .all('SELECT * FROM passages WHERE document_id = ? ORDER BY start', documentId)
      .map(toPassage);
  }

  /** Returns the IDs of the documents in a scope. */
  idsWithin(scope: Within): Set<number> {
    const [condition, ids] = makeCondition(scope);
    const rows = this.#sql.rows(`SELECT d.id FROM documents d ${condition}`, ...ids);
    return new Set(rows.map(([id]) => Number(id)));
  }

  /** Returns the texts of documents, without those that are gone or damaged. */
  texts(documentIds: readonly number[]): DocumentText[] {
    return this.#sql
      .rows(
        'SELECT id, passages, key, title, text FROM documents WHERE id IN (SELECT value FROM json_each(?))',
        JSON.stringify(documentIds),
      )
      .flatMap(([id, passages, key, title, packed]) => {
        try {
          const text = new PackedText(packed as Uint8Array).readWhole();
          return [
            {
              documentId: Number(id),
              passages: Number(passages),
              text: [key, title, text].join('\n'),
            },
          ];
        } catch {
          // Indexing notices the damage, too, and reports it.
          return [];
        }
      });
  }

  /** Returns the first passages, ordered by source, document, and position, optionally `within` a scope. */
  firstPassages(limit: number, scope?: Within): StoredPassage[] {
    const [condition, ids] = makeCondition(scope);
    return this.#sql
      .all(
        `SELECT p.* FROM sources s CROSS JOIN documents d ON d.source_id = s.id
         CROSS JOIN passages p ON p.document_id = d.id
         ${condition} ORDER BY s.rowid, d.key, p.start LIMIT ?`,
        ...ids,
        limit,
      )
      .map(toPassage);
  }

  /** Returns a passage by its number; undefined if it's gone. */
  passage(passageId: number): StoredPassage | undefined {
    const row = this.#sql.get('SELECT * FROM passages WHERE id = ?', passageId);
    return row && toPassage(row);
  }

  /** Returns the IDs of those passages that are code. */
  passagesOfCode(ids: readonly number[]): Set<number> {
    const rows = this.#sql.all(
      `SELECT p.id FROM passages p JOIN documents d ON d.id = p.document_id
       WHERE p.id IN (SELECT value FROM json_each(?)) AND d.format = 'code'`,
      JSON.stringify(ids),
    );
    return new Set(rows.map((row) => Number(row['id'])));
  }

  /** Counts these passages by document; those of code are left out. */
  countByDocument(ids: readonly number[]): PassageCount[] {
    if (ids.length === 0) return [];
    return this.#sql
      .all(
        `SELECT d.id, d.passages, count(*) AS holding FROM passages p JOIN documents d ON d.id = p.document_id
         WHERE p.id IN (SELECT value FROM json_each(?)) AND d.format <> 'code' GROUP BY d.id`,
        JSON.stringify(ids),
      )
      .map((row) => ({
        documentId: Number(row['id']),
        holding: Number(row['holding']),
        passages: Number(row['passages']),
      }));
  }

  /** Counts the passages that aren't code. */
  countProse(): number {
    const row = this.#sql.get(
      "SELECT coalesce(sum(passages), 0) AS count FROM documents WHERE format <> 'code'",
    );
    return Number(row?.['count']);
  }

  /** Reports whether one of these documents isn't code. */
  hasProse(documentIds: readonly number[]): boolean {
    const row = this.#sql.get(
      `SELECT EXISTS (SELECT 1 FROM documents
       WHERE id IN (SELECT value FROM json_each(?)) AND format <> 'code') AS has_prose`,
      JSON.stringify(documentIds),
    );
    return Number(row?.['has_prose']) === 1;
  }

  /** Returns a number for the passages of each document that has some; see `summarizePassages`. */
  passageSummaries(): Map<number, number> {
    const rows = this.#sql.all(
      `SELECT document_id, sum(id % ${String(SUMMARY_MODULUS)} + ${String(SUMMARY_MODULUS)}) AS summary
       FROM passages GROUP BY document_id`,
    );
    return new Map(rows.map((row) => [Number(row['document_id']), Number(row['summary'])]));
  }

  /** Returns the number of the last change to a document; 0 if there is none. */
  revisionOf(documentId: number): number {
    return this.#sql.number('SELECT revision FROM changes WHERE document_id = ?', documentId);
  }

  /** Writes a document within the caller's transaction. */
  writeDocument(
    sourceId: string,
    input: DocumentInput,
    split: Split,
    settings: PassageSettings,
    text: Uint8Array = packText(input.document.text),
  ): WrittenDocument {
    const { document } = input;
    const title = plainTitle(document.title ?? '');
    const readAt = Date.now();
    const map = packMap(document.map);
    const row = this.#sql.get(
      `INSERT INTO documents (source_id, key, title, uri, media_type, format, language_id, hash, size, modified_at,
         read_at, text, map, headings, warnings, byline, unrecognised, split)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (source_id, key) DO UPDATE SET title = excluded.title, uri = excluded.uri,
         media_type = excluded.media_type, format = excluded.format, language_id = excluded.language_id,
         hash = excluded.hash, size = excluded.size, modified_at = excluded.modified_at, read_at = excluded.read_at,
         text = excluded.text, map = excluded.map, headings = excluded.headings, warnings = excluded.warnings,
         byline = excluded.byline, unrecognised = excluded.unrecognised,
         split = excluded.split
       RETURNING id`,
      sourceId,
      input.key,
      title,
      input.uri,
      document.mediaType,
      document.format,
      document.languageId ?? null,
      input.hash,
      input.size,
      input.modifiedAt,
      readAt,
      text,
      map,
      JSON.stringify(document.headings),
      JSON.stringify(document.warnings),
      document.byline === undefined ? null : JSON.stringify(document.byline),
      document.unrecognised === undefined ? null : JSON.stringify(document.unrecognised),
      splitKey(settings),
    );
    const documentId = Number(row?.['id']);
    const passages = this.#writePassages(documentId, split(document, settings));
    this.references.keep(documentId, document);
    const { key, uri } = input;
    const { mediaType, warnings, byline, format, languageId, headings } = document;
    const count = passages.length;
    const entry = { id: documentId, sourceId, key, title, uri, mediaType, passages: count, readAt, warnings };
    return {
      document: new StoredDocument({
        entry: { ...entry, byline },
        ...{ format, languageId, headings, text, map, whole: document.text },
      }),
      passages,
      revision: this.revisionOf(documentId),
    };
  }

  #writePassages(documentId: number, passages: readonly Passage[]): StoredPassage[] {
    this.#sql.run('DELETE FROM passages WHERE document_id = ?', documentId);
    const written = passages.map((passage) => ({
      ...passage,
      documentId,
      id: this.#sql.add(
        'INSERT INTO passages (document_id, start, "end", headings, context) VALUES (?, ?, ?, ?, ?)',
        documentId,
        passage.start,
        passage.end,
        JSON.stringify(passage.headings),
        passage.context === undefined
          ? null
          : JSON.stringify(passage.context.flatMap(({ start, end }) => [start, end])),
      ),
    }));
    this.#sql.run('UPDATE documents SET passages = ? WHERE id = ?', passages.length, documentId);
    return written;
  }
}

/** Returns a scope as an SQL condition on documents, with one JSON parameter. */
function makeCondition(
  scope: Within | undefined,
): readonly [condition: string, parameters: readonly string[]] {
  if (scope === undefined) return ['', []];
  return scope.kind === 'sources'
    ? ['WHERE d.source_id IN (SELECT value FROM json_each(?))', [JSON.stringify(scope.sourceIds)]]
    : ['WHERE d.id IN (SELECT value FROM json_each(?))', [JSON.stringify(scope.documentIds)]];
}

function splitKey(settings: PassageSettings): string {
  return `${String(settings.size)}:${String(settings.overlap)}`;
}

function toEntry(row: Row): DocumentEntry {
  return {
    id: Number(row['id']),
    sourceId: String(row['source_id']),
    key: String(row['key']),
    title: String(row['title']),
    uri: String(row['uri']),
    mediaType: String(row['media_type']),
    passages: Number(row['passages']),
    readAt: Number(row['read_at']),
    warnings: readJson(storedTexts, row['warnings'], []),
    byline: readOptionalJson(storedByline, row['byline']),
  };
}

/**
 * Converts a row to a document.
 * @throws NotebookError `damaged`
 */
export function toDocument(row: Row): StoredDocument {
  return new StoredDocument({
    entry: toEntry(row),
    format: v.parse(storedFormat, row['format']),
    languageId: optionalText(row['language_id']),
    headings: readJson(storedHeadings, row['headings'], []),
    text: row['text'] as Uint8Array,
    map: row['map'] as Uint8Array,
  });
}

/** Converts a row to a passage. */
export function toPassage(row: Row): StoredPassage {
  const context = readOptionalJson(storedNumbers, row['context']);
  return {
    id: Number(row['id']),
    documentId: Number(row['document_id']),
    start: Number(row['start']),
    end: Number(row['end']),
    headings: readJson(storedTexts, row['headings'], []),
    ...(context !== undefined && { context: pairSpans(context) }),
  };
}

/** Converts alternating starts and ends to spans. */
function pairSpans(numbers: readonly number[]): Span[] {
  return numbers.flatMap((start, index) => {
    const end = numbers[index + 1];
    return index % 2 === 0 && end !== undefined ? [{ start, end }] : [];
  });
}
