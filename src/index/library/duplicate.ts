import { countNotes, portableFeatures, TEAM_TABLES } from '../../features/store.ts';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile } from '../../core/domain/write-file.ts';
import { userError } from '../store/database/database.ts';
import type { Statements } from '../store/database/statements.ts';
import { teamRight } from '../store/database/team-rights.ts';
import type { NotebookCounts } from './library-api.ts';
import { withNewNotebook, withNotebook } from './with-notebook-db.ts';

/**
 * Copies a notebook to an empty folder, as a consistent snapshot even if other windows write.
 * @throws NotebookError `disk-full`
 */
export async function duplicateNotebook(from: string, to: string): Promise<void> {
  try {
    await copyNotebook(from, to);
  } catch (error) {
    throw userError(error);
  }
}

async function copyNotebook(from: string, to: string): Promise<void> {
  // The copied snapshot may be older than the database, which the index catches up with, but never newer.
  for (const name of await readdir(from))
    if (name.endsWith('.snapshot')) await createFile(join(to, name), { copyOf: join(from, name) });
  await withNotebook(from, (sql) => sql.run('VACUUM INTO ?', join(to, 'notebook.sqlite')));
  await withNewNotebook(to, (sql) => {
    sql.transaction(() => {
      // No window has claimed anything in the copy yet.
      sql.run('UPDATE sources SET owner = NULL, claimed_at = NULL');
      sql.run('UPDATE embedding_sets SET owner = NULL, claimed_at = NULL');
      forgetTeam(sql);
      for (const { resetCopy } of portableFeatures) resetCopy?.(sql);
    });
  });
}

/** Disconnects a notebook from its team notebook and deletes everything known about it. */
export function forgetTeam(sql: Statements): void {
  for (const table of TEAM_TABLES) sql.run(`DELETE FROM ${table}`);
}

/** Counts the contents of notebooks; undefined for each one that can't be opened. */
export async function countNotebooks(
  directories: readonly string[],
): Promise<(NotebookCounts | undefined)[]> {
  const counts: (NotebookCounts | undefined)[] = [];
  for (const directory of directories)
    counts.push(
      // The list shows a damaged notebook without counts.
      await withNotebook(directory, (sql) => {
        const row = sql.get('SELECT count(*) AS sources FROM sources');
        const right = teamRight(sql);
        return {
          sources: Number(row?.['sources']),
          notes: countNotes(sql),
          ...(right !== 'all' && { right }),
        };
      }).catch(() => undefined),
    );
  return counts;
}
