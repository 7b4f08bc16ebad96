import { t } from '@vscode/l10n';
import { NotebookError } from '../notebook/errors.ts';
import type { Client } from './connect.ts';
import type { Connection } from './connection-string.ts';

/** How long a look takes at most: a line that was cut says nothing by itself. In milliseconds. */
export const LOOKING = 15_000;

/** One connection's way to one notebook of a team. */
export interface Line {
  readonly client: Client;
  readonly connection: Connection;
  readonly notebookId: string;
  /** So many passages are held here; `MOST_HELD` where it is not given. */
  readonly mostHeld?: number;
  /** Beside them so many that were brought in for questions; `MOST_BROUGHT` where it is not given. */
  readonly mostBrought?: number;
}

/** Said of a notebook that the team has no more, or that who asks may not read any more. */
export function notReadable(): NotebookError {
  return new NotebookError(
    'forbidden',
    t('The team notebook was deleted, or you no longer have access to it. Your local copy is unchanged.'),
  );
}
