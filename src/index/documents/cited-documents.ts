import { t } from '@vscode/l10n';
import type { Citation } from '../../core/domain/answer.ts';
import type { PlacedFigure } from '../../core/domain/figure.ts';
import { NotebookError } from '../../core/domain/errors.ts';
import type { Handlers } from '../../core/rpc/rpc.ts';
import type { Outline } from '../../core/domain/suggestions.ts';
import type {
  CitedDocument,
  CitedWords,
  CiteRequest,
  CitingApi,
  Surroundings,
  Whereabouts,
} from './citing-api.ts';
import {
  makeCitation,
  type SourceOfCitation,
  citationOfRemoved,
  findFigure,
  findSurroundings,
  citedTitle,
  titleOfCitation,
  findWhereabouts,
} from './citing.ts';
import type { Row } from '../store/database/database.ts';
import { storedHeadings, storedOrigin, LOST_ORIGIN, readJson } from '../store/database/stored-json.ts';
import type { DocumentCache } from '../store/sources/document-cache.ts';
import type { DocumentStore } from '../store/sources/document-store.ts';
import type { StoredDocument } from '../store/sources/stored-document.ts';
import type { RecognizedRun } from '../../core/domain/pdf-map.ts';
import type { PageRectangle } from '../../core/domain/locator.ts';
import { wordsMarked } from './region-words.ts';
import { recognizedPages, recognizedWords } from './recognized-words.ts';
import type { Statements } from '../store/database/statements.ts';

/** Maximum number of sources whose outlines describe a notebook. */
const SOURCES = 12;

const OUTLINE_COLUMNS = `SELECT d.id, d.key, d.title, d.headings, s.title AS source_title, s.origin
   FROM documents d JOIN sources s ON s.id = d.source_id`;

/** Documents of a notebook for citations, in both directions. */
export class CitedDocuments {
  readonly #sql: Statements;
  readonly #store: DocumentStore;
  readonly #cache: DocumentCache;

  constructor(sql: Statements, store: DocumentStore, cache: DocumentCache) {
    this.#sql = sql;
    this.#store = store;
    this.#cache = cache;
  }

  /** @throws NotebookError `not-found` if the document no longer exists, `damaged` if it can't be read */
  document(documentId: number): StoredDocument {
    const document = this.#find(documentId);
    if (document === undefined)
      throw new NotebookError(
        'not-found',
        t('This source is no longer in the notebook. Add it again to open it.'),
      );
    return document;
  }

  /** @throws NotebookError `not-found` if a document was removed and its request has no `readIn` */
  cite(requests: readonly CiteRequest[]): Citation[] {
    const titles = new Map<number, SourceOfCitation>();
    return requests.map((request) => {
      const { documentId, readIn } = request;
      if (readIn !== undefined && this.#find(documentId) === undefined)
        return citationOfRemoved(request, readIn);
      const document = this.document(documentId);
      const source = titles.get(documentId) ?? this.#sourceOf(document);
      titles.set(documentId, source);
      return makeCitation(request, document, source);
    });
  }

  #sourceOf({ entry }: StoredDocument): SourceOfCitation {
    const source = this.#store.documentSource(entry.id);
    const isInFolder = source?.origin.kind === 'folder';
    return {
      kind: source?.origin.kind ?? 'text',
      title: titleOfCitation(entry, source, isInFolder && this.#store.isKeyShared(entry)),
    };
  }

  /** Finds cited text in the current document. */
  find(words: CitedWords): Whereabouts {
    return findWhereabouts(words, this.#cache.get(words.documentId));
  }

  /** Returns those of the documents that are still in the notebook, without reading their texts. */
  documentsNow(documentIds: readonly number[]): CitedDocument[] {
    return documentIds.flatMap((id) => {
      const row = this.#sql.get(
        `SELECT d.key, d.title, d.read_at, d.source_id, s.title AS source_title, s.origin
         FROM documents d JOIN sources s ON s.id = d.source_id WHERE d.id = ?`,
        id,
      );
      if (row === undefined) return [];
      const entry = {
        key: String(row['key']),
        title: String(row['title']),
        sourceId: String(row['source_id']),
      };
      const source = {
        title: String(row['source_title']),
        origin: readJson(storedOrigin, row['origin'], LOST_ORIGIN),
      };
      const title = titleOfCitation(entry, source, this.#store.isKeyShared(entry));
      return [{ documentId: id, sourceId: entry.sourceId, title, readAt: Number(row['read_at']) }];
    });
  }

  /** Returns the figure whose caption is the cited text. */
  figure(words: CitedWords): PlacedFigure | undefined {
    return findFigure(words, this.#cache.get(words.documentId));
  }

  /** Returns cited text with its surroundings; undefined if the text is gone. */
  surroundings(words: CitedWords): Surroundings | undefined {
    return findSurroundings(words, this.#cache.get(words.documentId));
  }

  /** Returns the headings of documents; without IDs, of the first document of each recently read source. */
  outlines(documentIds?: readonly number[]): Outline[] {
    const ids = documentIds ?? newestDocuments(this.#sql);
    return ids.flatMap((id) => {
      const row = this.#sql.get(`${OUTLINE_COLUMNS} WHERE d.id = ?`, id);
      return row === undefined ? [] : [toOutline(row)];
    });
  }

  /** Returns the numbers of the pages with recognized text in the document at an address. */
  recognizedPages(uri: string): number[] {
    const document = this.#at(uri);
    return document === undefined ? [] : recognizedPages(document.map);
  }

  /** Returns the words that text recognition found on a page of the document at an address. */
  recognizedWords(uri: string, page: number): RecognizedRun[] {
    const document = this.#at(uri);
    return document === undefined ? [] : recognizedWords(document.text, document.map, page);
  }

  /** Returns the citation of the text in a rectangle of a page; undefined if no document has the address. */
  citeRegion(uri: string, region: PageRectangle, words = ''): Citation | undefined {
    const document = this.#at(uri);
    if (document === undefined) return undefined;
    const { entry, text, map } = document;
    const marked = map.kind === 'pdf' ? wordsMarked(text, map, region, words) : undefined;
    const span = marked ?? {
      start: 0,
      end: text.search(/\n|$/),
    };
    const quote = text.slice(span.start, span.end);
    const [citation] = this.cite([{ number: 1, documentId: entry.id, passage: span, span, quote }]);
    return citation;
  }

  #at(uri: string): StoredDocument | undefined {
    const [entry] = this.#store.at(uri);
    return entry && this.#find(entry.id);
  }

  #find(documentId: number): StoredDocument | undefined {
    return this.#cache.get(documentId) ?? this.#store.document(documentId);
  }
}

function newestDocuments(sql: Statements): number[] {
  return sql
    .all(
      `SELECT (SELECT min(id) FROM documents WHERE source_id = s.id AND passages > 0) AS id
       FROM sources s ORDER BY s.read_at DESC, s.rowid DESC LIMIT ?`,
      SOURCES,
    )
    .flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
}

function toOutline(row: Row): Outline {
  const entry = { key: String(row['key']), title: String(row['title']) };
  const origin = readJson(storedOrigin, row['origin'], LOST_ORIGIN);
  return {
    documentId: Number(row['id']),
    title: citedTitle(entry, { title: String(row['source_title']), origin }),
    headings: readJson(storedHeadings, row['headings'], []),
  };
}

/** Returns the index worker's handlers for documents and citations of the open notebook. */
export function citingHandlers(notebook: () => { readonly cited: CitedDocuments }): Handlers<CitingApi> {
  return {
    document({ documentId }) {
      const { entry, format, languageId, text, map } = notebook().cited.document(documentId);
      const spoken = map.kind === 'saved' ? map.spoken : undefined;
      return { entry, format, languageId, text, ...(spoken && { spoken }) };
    },
    outlines: ({ documentIds }) => notebook().cited.outlines(documentIds),
    find: (words) => notebook().cited.find(words),
    citedDocuments: ({ documentIds }) => notebook().cited.documentsNow(documentIds),
    figure: (words) => notebook().cited.figure(words),
    surroundings: (words) => notebook().cited.surroundings(words),
    recognizedPages: ({ uri }) => notebook().cited.recognizedPages(uri),
    recognizedWords: ({ uri, page }) => notebook().cited.recognizedWords(uri, page),
    cite: ({ requests }) => notebook().cited.cite(requests),
    citeRegion: ({ uri, region, words }) => notebook().cited.citeRegion(uri, region, words),
  };
}
