import { retryRejected } from './outbox.ts';
import type { ChangeKind, Replica } from './replica.ts';

/** Time after which another window can take over the sync, in milliseconds. */
const CLAIM_TIMEOUT_MS = 15_000;

/** Returns the team and notebook that it syncs with; undefined for a personal notebook. */
export function findTeamNotebook(
  replica: Replica,
): { readonly teamId: string; readonly notebookId: string } | undefined {
  const row = replica.sql.get('SELECT team_id, notebook_id FROM team');
  return row && { teamId: String(row['team_id']), notebookId: String(row['notebook_id']) };
}

/** Claims the sync for one window. Returns false if another window has it. */
export function claimSync(replica: Replica, owner: string): boolean {
  const now = Date.now();
  return (
    replica.sql.write(
      'UPDATE team SET owner = ?, claimed_at = ? WHERE owner IS NULL OR owner = ? OR claimed_at < ? OR claimed_at > ?',
      owner,
      now,
      owner,
      now - CLAIM_TIMEOUT_MS,
      // A later claim means that the clock was set back.
      now + CLAIM_TIMEOUT_MS,
    ) > 0
  );
}

/** Releases the sync, so that another window can claim it. */
export function releaseSync(replica: Replica, owner: string): void {
  replica.sql.write('UPDATE team SET owner = NULL, claimed_at = NULL WHERE owner = ?', owner);
}

/** Returns the last downloaded revision of a kind. */
export function downloadedRevision(replica: Replica, kind: ChangeKind): number {
  return replica.sql.number(`SELECT ${kind}_revision AS revision FROM team`);
}

/** Records that everything up to a revision was downloaded. */
export function recordRevision(replica: Replica, kind: ChangeKind, revision: number): void {
  if (revision > downloadedRevision(replica, kind))
    replica.sql.write(`UPDATE team SET ${kind}_revision = ?`, revision);
}

/**
 * Saves the user's right in the team notebook, from 1 (view) to 3 (manage). With a higher right, retries rejected
 * changes.
 */
export function saveRight(replica: Replica, level: number): void {
  const before = replica.sql.number('SELECT level FROM team');
  if (level === before) return;
  replica.sql.write('UPDATE team SET level = ?', level);
  if (level > before) retryRejected(replica);
}
