import { t } from '@vscode/l10n';
import type { Citation } from '../../notebook/answer.ts';
import { NotebookError } from '../../notebook/errors.ts';
import type { CitedWords, CiteRequest, Surroundings, Whereabouts } from './citing-api.ts';
import { citationOf, citationOfRemoved, surroundingsOf, whereaboutsOf } from './citing.ts';
import type { DocumentCache } from '../store/document-cache.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { KeptDocument } from '../store/kept-document.ts';

/** The documents of a notebook as they are cited, and as citations are followed to them. */
export class CitedDocuments {
  readonly #store: DocumentStore;
  readonly #cache: DocumentCache;

  constructor(store: DocumentStore, cache: DocumentCache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** @throws NotebookError `not-found` where there is no such document any more, `damaged` where it can't be read. */
  document(documentId: number): KeptDocument {
    const document = this.#find(documentId);
    if (document === undefined)
      throw new NotebookError(
        'not-found',
        t('This source is no longer in the notebook. Add it again to open it.'),
      );
    return document;
  }

  /** @throws NotebookError `not-found` where a document was removed and a request does not tell what it was. */
  cite(requests: readonly CiteRequest[]): Citation[] {
    return requests.map((request) => {
      const { documentId, readIn } = request;
      if (readIn !== undefined && this.#find(documentId) === undefined)
        return citationOfRemoved(request, readIn);
      const document = this.document(documentId);
      const source = this.#store.sourceOf(request.documentId);
      return citationOf(request, document, source, this.#store.isKeyShared(document.entry));
    });
  }

  find(words: CitedWords): Whereabouts {
    return whereaboutsOf(words, this.#cache.get(words.documentId));
  }

  surroundings(words: CitedWords): Surroundings | undefined {
    return surroundingsOf(words, this.#cache.get(words.documentId));
  }

  #find(documentId: number): KeptDocument | undefined {
    return this.#cache.get(documentId) ?? this.#store.document(documentId);
  }
}
