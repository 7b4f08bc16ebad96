import type { PassageSettings } from '../../core/domain/settings.ts';
import type { CitedDocuments } from '../documents/cited-documents.ts';
import type { Statements } from '../store/database/statements.ts';
import type { Store } from '../store/store.ts';

/** Open notebook as the request handlers of a feature see it. */
export interface OpenNotebook {
  readonly sql: Statements;
  readonly store: Store;
  readonly cited: CitedDocuments;
  /** Settings for new documents. */
  readonly settings: PassageSettings;
  /** Runs a change of the store and updates the index. */
  change<T>(action: () => T): Promise<T>;
}
