import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../core/domain/errors.ts';
import { openDatabase } from '../store/database/opening.ts';
import { Statements } from '../store/database/statements.ts';

/**
 * Runs work on the database in a notebook's folder, and closes it.
 * @throws NotebookError `not-found` if there is no database, `newer-database` if a newer version created it
 */
export async function withNotebook<T>(
  directory: string,
  action: (sql: Statements) => T | Promise<T>,
): Promise<T> {
  if (!existsSync(join(directory, 'notebook.sqlite')))
    throw new NotebookError('not-found', t('This notebook no longer exists. It may have been deleted.'));
  return withNewNotebook(directory, action);
}

/**
 * Runs work like `withNotebook`, but creates the notebook if the folder is empty.
 * @throws NotebookError `newer-database`, and all errors of `work`
 */
export async function withNewNotebook<T>(
  directory: string,
  action: (sql: Statements) => T | Promise<T>,
): Promise<T> {
  const { database, readOnly } = await openDatabase(directory);
  const sql = new Statements(database);
  try {
    if (readOnly)
      throw new NotebookError(
        'newer-database',
        t('A newer version of Open Notebook created this notebook. Update the extension to open it.'),
      );
    return await action(sql);
  } finally {
    sql.close();
  }
}

/** Runs asynchronous `work` with a consistent view of the database. It must not write. */
export async function inSnapshot<T>(sql: Statements, action: () => Promise<T>): Promise<T> {
  sql.run('BEGIN');
  try {
    return await action();
  } finally {
    sql.run('ROLLBACK');
  }
}
