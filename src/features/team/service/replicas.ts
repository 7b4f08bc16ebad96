import { FEATURE_OUTBOX_ROWS, NO_LIMITS, PERSONAL_TABLES } from '../../sync.ts';
import { duplicateNotebook, forgetTeam } from '../../../index/library/duplicate.ts';
import { withNewNotebook, withNotebook } from '../../../index/library/with-notebook-db.ts';
import type { PassageSettings } from '../../../core/domain/settings.ts';
import type { NotebookConnection } from './notebook-connection.ts';
import { openReplica } from './replica.ts';
import { type Progress, downloadRest } from './download-documents.ts';

/** Creates a synced copy of a team notebook in an empty folder. */
export async function makeReplica(to: string, teamId: string, notebookId: string): Promise<void> {
  await withNewNotebook(to, (sql) =>
    sql.transaction(() => sql.insert('team', { only: 1, team_id: teamId, notebook_id: notebookId })),
  );
}

/**
 * Copies a personal notebook into a folder that syncs with a team, with all of it pending. Personal entities stay behind.
 * Drafts and model requests of research projects are copied, but never leave this machine.
 */
export async function duplicateAsReplica(
  from: string,
  to: string,
  teamId: string,
  notebookId: string,
): Promise<void> {
  await duplicateNotebook(from, to);
  await withNewNotebook(to, (sql) => {
    sql.transaction(() => {
      for (const table of PERSONAL_TABLES) sql.run(`DELETE FROM ${table}`);
      sql.insert('team', { only: 1, team_id: teamId, notebook_id: notebookId });
      sql.run(`INSERT INTO team_outbox (kind, id)
        SELECT 'source', id FROM sources
        UNION ALL SELECT 'document', source_id || char(10) || key FROM documents
        ${FEATURE_OUTBOX_ROWS.map((rows) => `UNION ALL ${rows}`).join('\n')}`);
    });
  });
}

/** Returns the number of documents that are only in the team database, as of the last sync. */
export async function countElsewhere(directory: string): Promise<number> {
  return withNotebook(directory, (sql) => {
    const row = sql.get(
      `SELECT sum(max(0, t.documents - (SELECT count(*) FROM documents d WHERE d.source_id = t.id))) AS count
       FROM team_deeds t JOIN sources s ON s.id = t.id WHERE t.kind = 'source' AND t.documents IS NOT NULL`,
    );
    return Number(row?.['count'] ?? 0);
  });
}

/**
 * Downloads all documents of the team into a copy of a synced notebook. If it fails or is canceled, the copy keeps what
 * has arrived.
 */
export async function completeCopy(
  connection: NotebookConnection,
  { from, to, roots, passages }: CopyPlaces,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  // The original records the paths of files on this machine.
  const places = await withNotebook(from, (sql) => sql.all('SELECT source_id, path FROM team_places'));
  await withNotebook(to, async (sql) => {
    try {
      for (const { source_id: sourceId, path } of places)
        sql.transaction(() => sql.insert('team_places', { source_id: String(sourceId), path: String(path) }));
      await downloadRest(connection, openReplica(sql, roots, passages, NO_LIMITS), progress, signal);
    } finally {
      sql.transaction(() => {
        forgetTeam(sql);
      });
    }
  });
}

/** Folders of a notebook and its copy, and the settings for reading documents. */
interface CopyPlaces {
  readonly from: string;
  readonly to: string;
  readonly roots: readonly string[];
  readonly passages: PassageSettings;
}
