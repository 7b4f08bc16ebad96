import { NotebookError } from '../../../core/domain/errors.ts';
import type { StoredDocument } from './stored-document.ts';

/** Maximum size of the cached documents, in bytes. */
const MAX_BYTES = 32_000_000;

/** Cache of the last used documents. Damaged documents count as missing. */
export class DocumentCache {
  readonly #load: (documentId: number) => StoredDocument | undefined;
  readonly #documents = new Map<number, StoredDocument>();
  /** Memory of each document after its last use, in bytes. */
  readonly #memoryUse = new Map<number, number>();
  readonly #damaged = new Set<number>();
  #bytes = 0;
  #latest: number | undefined;

  constructor(load: (documentId: number) => StoredDocument | undefined) {
    this.#load = load;
  }

  /** Reads from a document; undefined if it's gone or the data is damaged. */
  read<T>(documentId: number, reading: (document: StoredDocument) => T): T | undefined {
    return this.#readUndamaged(documentId, () => {
      const document = this.#documents.get(documentId) ?? this.#load(documentId);
      if (document === undefined) return undefined;
      try {
        return reading(document);
      } finally {
        this.#keep(documentId, document);
      }
    });
  }

  /** Returns a document, unpacked; undefined if it is damaged or doesn't exist. */
  get(documentId: number): StoredDocument | undefined {
    return this.read(documentId, unpackDocument);
  }

  /** Returns the document as stored now, and leaves the cache unchanged. */
  readAnew(documentId: number): StoredDocument | undefined {
    return this.#readUndamaged(documentId, () => {
      const document = this.#load(documentId);
      return document && unpackDocument(document);
    });
  }

  /** Removes a changed or deleted document from the cache. */
  forget(documentId: number): void {
    this.#bytes -= this.#memoryUse.get(documentId) ?? 0;
    this.#memoryUse.delete(documentId);
    this.#documents.delete(documentId);
    if (documentId === this.#latest) this.#latest = undefined;
  }

  /** Returns the documents found damaged since the last call. */
  takeDamaged(): number[] {
    const damaged = [...this.#damaged];
    this.#damaged.clear();
    return damaged;
  }

  /** Caches a document as the latest one, with its current memory use. */
  #keep(documentId: number, document: StoredDocument): void {
    const { memory } = document;
    // A question reads from one document many times in a row.
    if (documentId === this.#latest && memory === this.#memoryUse.get(documentId)) return;
    this.forget(documentId);
    this.#latest = documentId;
    this.#documents.set(documentId, document);
    this.#memoryUse.set(documentId, memory);
    this.#bytes += memory;
    for (const oldest of this.#documents.keys()) {
      if (this.#bytes <= MAX_BYTES || oldest === documentId) break;
      this.forget(oldest);
    }
  }

  #readUndamaged<T>(documentId: number, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof NotebookError) || error.code !== 'damaged') throw error;
      this.#damaged.add(documentId);
      return undefined;
    }
  }
}

function unpackDocument(document: StoredDocument): StoredDocument {
  document.unpack();
  return document;
}
