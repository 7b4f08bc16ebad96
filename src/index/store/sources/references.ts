import { isDeepStrictEqual } from 'node:util';
import { withoutAccents } from '../../../core/language/words/folding.ts';
import type { Handlers } from '../../../core/rpc/rpc.ts';
import {
  bibliographyOfItem,
  citeKey,
  cslItem,
  peopleOfItem,
  withoutEntry,
  yearOfItem,
  type Bibliography,
  type CslItem,
  type LibraryEntry,
  type Reference,
} from '../../../core/domain/bibliography.ts';
import { citationKeyFormatter } from '../../../core/domain/citation-key-pattern.ts';
import type { ReadDocument } from '../../../core/domain/document.ts';
import type { Row } from '../database/database.ts';
import {
  storedBibliography,
  storedCslItem,
  storedTexts,
  toStoredBibliography,
  type StoredBibliography,
  readJson,
  readOptionalJson,
} from '../database/stored-json.ts';
import type { DocumentBibliography, ReferencesApi } from './references-api.ts';
import { type Statements, optionalJson } from '../database/statements.ts';

/** Maximum number of words in a search. */
const MAX_WORDS = 12;

/** Metadata of a document to transfer to another machine. */
interface PortableBibliography {
  readonly key?: string;
  readonly found?: StoredBibliography;
  readonly edited?: StoredBibliography;
  readonly library?: readonly LibraryEntry[];
}

/** Metadata of documents, and entries of bibliography files. Every change is one transaction. */
export class References {
  readonly #sql: Statements;
  #newKey = citationKeyFormatter('');

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** Creates new citation keys by a pattern from now on; see `citationKeyFormatter`. Existing keys stay. */
  setKeyPattern(pattern: string): void {
    this.#newKey = citationKeyFormatter(pattern);
  }

  /** Saves the metadata found in a document, within the caller's transaction. The user's metadata stays. */
  keep(
    documentId: number,
    { bibliography, library = [] }: Pick<ReadDocument, 'bibliography' | 'library'>,
  ): void {
    const before = this.of(documentId);
    if (bibliography !== undefined || before !== undefined)
      this.#put(documentId, bibliography, before?.edited);
    this.#sql.run('DELETE FROM library_entries WHERE document_id = ?', documentId);
    for (const { item, line, files } of library)
      this.#sql.insert('library_entries', {
        document_id: documentId,
        citekey: item.id,
        line,
        item: JSON.stringify(item),
        files: JSON.stringify(files),
        words: searchWords(item),
      });
  }

  /** Returns the metadata of a document; undefined if there is none. */
  of(documentId: number): DocumentBibliography | undefined {
    const row = this.#sql.get('SELECT * FROM bibliographies WHERE document_id = ?', documentId);
    return row && toBibliography(row);
  }

  /** Saves the user's metadata of a document; undefined restores the metadata found in it. */
  edit(documentId: number, edited: Bibliography | undefined): void {
    this.#sql.transaction(() => {
      if (!this.#sql.has('SELECT 1 FROM documents WHERE id = ?', documentId)) return;
      this.#put(documentId, this.of(documentId)?.found, edited);
    });
  }

  /** Gives a document the citation key that it has on another machine, or a free one that begins with it. */
  setKey(documentId: number, key: string): void {
    this.#sql.run(
      'UPDATE bibliographies SET citekey = ? WHERE document_id = ?',
      this.#freeKey(documentId, key),
      documentId,
    );
  }

  /** Returns the metadata to transfer to another machine with the document. Omits a default citation key. */
  toPortable(documentId: number): PortableBibliography {
    const library = this.#sql
      .all('SELECT * FROM library_entries WHERE document_id = ? ORDER BY rowid', documentId)
      .flatMap((row) => {
        const item = readOptionalJson(storedCslItem, row['item']);
        if (item === undefined) return [];
        return [{ item: withoutEntry(item), line: Number(row['line']), files: [] }];
      });
    const { key, found, edited } = this.of(documentId) ?? {};
    const reference = edited ?? found;
    const isDefault = key === undefined || reference === undefined || isNumbered(key, citeKey(reference));
    return {
      ...(!isDefault && { key }),
      ...(found && { found: toStoredBibliography(found) }),
      ...(edited && { edited: toStoredBibliography(edited) }),
      ...(library.length > 0 && { library }),
    };
  }

  /** Returns at most `limit` references that match all words. */
  find(words: string, limit: number): Reference[] {
    const foldedWords = foldText(words)
      .split(' ')
      .filter((word) => word !== '')
      .slice(0, MAX_WORDS);
    const conditions = foldedWords.map(() => `AND ' ' || words LIKE ? ESCAPE '!'`).join(' ');
    const patterns = foldedWords.map((word) => `% ${word.replaceAll(/[!%_]/g, '!$&')}%`);
    const listed = this.#sql
      .all(
        `SELECT * FROM library_entries WHERE 1 ${conditions} GROUP BY citekey ORDER BY citekey LIMIT ?`,
        ...patterns,
        limit,
      )
      .flatMap((row) => this.#readListed(row));
    const known = new Set(listed.map(({ documentId }) => documentId));
    const own = this.#sql
      .all(
        'SELECT b.*, d.uri FROM bibliographies b JOIN documents d ON d.id = b.document_id ORDER BY citekey',
      )
      .filter((row) => !known.has(Number(row['document_id'])))
      .flatMap((row) => this.#readOwn(row))
      .filter(({ item }) => {
        const text = ` ${searchWords(item)}`;
        return foldedWords.every((word) => text.includes(` ${word}`));
      });
    return [...listed, ...own].toSorted((a, b) => (a.key < b.key ? -1 : 1)).slice(0, limit);
  }

  /** Returns the references with these citation keys, without unknown ones. */
  byKeys(keys: readonly string[]): Reference[] {
    return [...new Set(keys)].flatMap((key) => {
      const listed = this.#sql.get('SELECT * FROM library_entries WHERE citekey = ? ORDER BY rowid', key);
      const [reference] = listed === undefined ? [] : this.#readListed(listed);
      if (reference !== undefined) return [reference];
      const own = this.#sql.get(
        'SELECT b.*, d.uri FROM bibliographies b JOIN documents d ON d.id = b.document_id WHERE citekey = ? ORDER BY d.id',
        key,
      );
      return own === undefined ? [] : this.#readOwn(own);
    });
  }

  #put(documentId: number, retrieved: Bibliography | undefined, edited: Bibliography | undefined): void {
    const reference = edited ?? retrieved;
    const before = this.of(documentId);
    // Notes cite a work by its key, so a work of which nothing changed keeps its key.
    const key = isSameWork(before?.edited ?? before?.found, reference)
      ? (before?.key ?? '')
      : this.#freeKey(documentId, reference === undefined ? 'source' : this.#newKey(reference));
    this.#sql.put('bibliographies', 'document_id', {
      document_id: documentId,
      found: optionalJson(retrieved && toStoredBibliography(retrieved)),
      edited: optionalJson(edited && toStoredBibliography(edited)),
      citekey: key,
    });
  }

  /** Returns the key, or the first free one of `keyb`, `keyc`, and so on. */
  #freeKey(documentId: number, key: string): string {
    const isTaken = (free: string): boolean =>
      this.#sql.has('SELECT 1 FROM bibliographies WHERE citekey = ? AND document_id <> ?', free, documentId);
    let free = key;
    for (let count = 1; isTaken(free); count++)
      free = key + (count < 26 ? String.fromCharCode(97 + count) : String(count));
    return free;
  }

  #readListed(row: Row): Reference[] {
    const item = readOptionalJson(storedCslItem, row['item']);
    if (item === undefined) return [];
    const library = { documentId: Number(row['document_id']), line: Number(row['line']) };
    const documentId = this.#findDocument(item, readJson(storedTexts, row['files'], []));
    return [{ key: item.id, item, documentId, library }];
  }

  /** Returns the document of an entry in a bibliography file, by its file name, identifiers, or address. */
  #findDocument(item: CslItem, files: readonly string[]): number | undefined {
    const { doi, arxiv } = bibliographyOfItem(item);
    const url = item['URL'];
    const places = [
      ...files.map((file) => `%/${encodeURIComponent(file).replaceAll(/[!%_]/g, '!$&')}`),
      ...(typeof url === 'string' ? [url.replaceAll(/[!%_]/g, '!$&')] : []),
      ...(arxiv === undefined ? [] : [`https://arxiv.org/___/${arxiv}%`]),
    ];
    for (const place of places) {
      const row = this.#sql.get(`SELECT id FROM documents WHERE uri LIKE ? ESCAPE '!' ORDER BY id`, place);
      if (row !== undefined) return Number(row['id']);
    }
    for (const [name, number] of Object.entries({ doi, arxiv })) {
      if (number === undefined) continue;
      const row = this.#sql.get(
        `SELECT document_id FROM bibliographies WHERE coalesce(edited, found) ->> ? = ? ORDER BY document_id`,
        `$.${name}`,
        number,
      );
      if (row !== undefined) return Number(row['document_id']);
    }
    return undefined;
  }

  #readOwn(row: Row): Reference[] {
    const { key, found, edited } = toBibliography(row);
    const reference = edited ?? found;
    if (reference === undefined) return [];
    const uri = String(row['uri']);
    const item = cslItem(key, reference, /^https?:/.test(uri) ? uri : undefined);
    return [{ key, item, documentId: Number(row['document_id']), library: undefined }];
  }
}

/** Reports whether a key equals `base`, or was derived from it by `#freeKey`. */
function isNumbered(key: string, base: string): boolean {
  return key.startsWith(base) && /^(?:[b-z]|\d{1,9})?$/.test(key.slice(base.length));
}

/** Reports whether two works have the same authors, year, and title, which determine the key. */
function isSameWork(a: Bibliography | undefined, b: Bibliography | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  const named = ({ authors, year, title }: Bibliography): unknown => [authors, year ?? null, title ?? null];
  return isDeepStrictEqual(named(a), named(b));
}

function toBibliography(row: Row): DocumentBibliography {
  return {
    key: String(row['citekey']),
    found: readOptionalJson(storedBibliography, row['found']),
    edited: readOptionalJson(storedBibliography, row['edited']),
  };
}

/** Returns the searchable words of a reference. */
function searchWords(item: CslItem): string {
  const { title } = item;
  const names = peopleOfItem(item).map(({ family }) => family);
  const words = [item.id, ...names, String(yearOfItem(item) ?? ''), typeof title === 'string' ? title : ''];
  return foldText(words.join(' ').slice(0, 2_000));
}

/** Folds text like the stored words of entries. Any other folding would miss existing entries. */
function foldText(text: string): string {
  return withoutAccents(text)
    .replaceAll(/[^\p{L}\p{N}_]+/gu, ' ')
    .trim();
}

/** Returns the index worker's handlers for references of the open notebook. */
export function referencesHandlers(
  notebook: () => { readonly store: { readonly documents: { readonly references: References } } },
): Handlers<ReferencesApi> {
  const references = (): References => notebook().store.documents.references;
  return {
    bibliography: ({ documentId }) => references().of(documentId),
    editBibliography: ({ documentId, bibliography }) => references().edit(documentId, bibliography),
    findReferences: ({ words, limit }) => references().find(words, limit),
    references: ({ keys }) => references().byKeys(keys),
  };
}
