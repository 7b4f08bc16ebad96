import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Client } from './connect.ts';
import type { Connection } from './connection-string.ts';

/** Maximum duration of a query for changes, in milliseconds, because a broken connection may report nothing. */
export const CHANGE_QUERY_TIMEOUT_MS = 15_000;

/** Connection to a team notebook. */
export interface NotebookConnection {
  readonly client: Client;
  readonly connection: Connection;
  readonly notebookId: string;
  /** Maximum number of stored passages; `MAX_LOCAL_PASSAGES` by default. */
  readonly maxLocalPassages?: number;
  /** Maximum number of prefetched passages in addition; `MAX_PREFETCHED_PASSAGES` by default. */
  readonly maxPrefetchedPassages?: number;
}

/** Returns the error for a notebook that was deleted from the team, or that the user can no longer view. */
export function notReadable(): NotebookError {
  return new NotebookError(
    'forbidden',
    t('The team notebook was deleted, or you no longer have access to it. Your local copy is unchanged.'),
  );
}
