import type { CitedDocuments } from '../documents/cited-documents.ts';
import type { Statements } from '../store/database/statements.ts';
import type { Store } from '../store/store.ts';

/** Open notebook as the request handlers of a feature see it. */
export interface OpenNotebook {
  readonly sql: Statements;
  readonly store: Store;
  readonly cited: CitedDocuments;
}
