import { NotebookError } from '../notebook/errors.ts';
import type { KeptDocument } from './store.ts';

/** Characters of documents that are kept unpacked for the next question. */
const MOST_CHARACTERS = 16_000_000;

/** Documents unpacked, those that were read last. One whose text is damaged is as if it were not there. */
export class DocumentCache {
  readonly #read: (documentId: number) => KeptDocument | undefined;
  readonly #documents = new Map<number, KeptDocument>();
  readonly #damaged = new Set<number>();
  #characters = 0;

  constructor(read: (documentId: number) => KeptDocument | undefined) {
    this.#read = read;
  }

  get(documentId: number): KeptDocument | undefined {
    const cached = this.#documents.get(documentId);
    if (cached !== undefined) return cached;
    const document = this.readAnew(documentId);
    if (document === undefined) return undefined;
    this.#documents.set(documentId, document);
    this.#characters += weightOf(document);
    for (const oldest of this.#documents.keys()) {
      if (this.#characters <= MOST_CHARACTERS || oldest === documentId) break;
      this.forget(oldest);
    }
    return document;
  }

  /** The document as it is kept now; what is cached of it stays as it is. */
  readAnew(documentId: number): KeptDocument | undefined {
    try {
      return this.#read(documentId);
    } catch (error) {
      if (!(error instanceof NotebookError) || error.code !== 'damaged') throw error;
      this.#damaged.add(documentId);
      return undefined;
    }
  }

  forget(documentId: number): void {
    const document = this.#documents.get(documentId);
    if (document === undefined) return;
    this.#characters -= weightOf(document);
    this.#documents.delete(documentId);
  }

  /** The documents that were found damaged since this was asked last. */
  takeDamaged(): number[] {
    const damaged = [...this.#damaged];
    this.#damaged.clear();
    return damaged;
  }
}

/** How much of the cache an unpacked document takes, in characters; its map's runs and its entry count as some, too. */
function weightOf({ text, map }: KeptDocument): number {
  return 1_000 + text.length + ('starts' in map ? 16 * map.starts.length : 0);
}
