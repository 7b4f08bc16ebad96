import { featureSyncs, hasNote } from '../../sync.ts';
import { isEntityKind } from './local-entities.ts';
import type { Replica } from './replica.ts';
import { dropBase, type PendingKind } from './synced-entity.ts';

/** Pending change. The number differs if the entity changed again. */
export interface PendingChange {
  readonly number: number;
  readonly kind: PendingKind;
  readonly id: string;
}

/** Returns the pending changes in an order in which they can be sent, without rejected ones. */
export function listPendingChanges(replica: Replica): PendingChange[] {
  return replica.sql
    .all(
      `SELECT number, kind, id FROM team_outbox WHERE refused IS NULL
       ORDER BY CASE
         WHEN kind = 'source' THEN 0
         WHEN kind = 'document' THEN 1
         WHEN kind IN (SELECT value FROM json_each(?)) THEN 3
         ELSE 2
       END, number`,
      JSON.stringify(Object.entries(featureSyncs).flatMap(([kind, { isPart }]) => (isPart ? [kind] : []))),
    )
    .flatMap((row) => {
      const kind = String(row['kind']);
      return isSharedKind(kind) ? [{ number: Number(row['number']), kind, id: String(row['id']) }] : [];
    });
}

/** Returns the number of pending changes, and the reason if some were rejected. */
export function countPendingChanges(replica: Replica): {
  readonly waiting: number;
  readonly refused: string | undefined;
} {
  const row = replica.sql.get('SELECT count(*) AS waiting, max(refused) AS refused FROM team_outbox');
  const refused = row?.['refused'];
  return { waiting: Number(row?.['waiting']), refused: typeof refused === 'string' ? refused : undefined };
}

/** Removes sent changes from the outbox, unless the entity changed again. */
export function markSent(replica: Replica, numbers: readonly number[]): void {
  replica.sql.write(
    'DELETE FROM team_outbox WHERE number IN (SELECT value FROM json_each(?))',
    JSON.stringify(numbers),
  );
}

/** Saves the reason why the database rejected a change. The change isn't sent again. */
export function markRejected(replica: Replica, number: number, reason: string): void {
  replica.sql.write('UPDATE team_outbox SET refused = ? WHERE number = ?', reason, number);
}

/** Retries rejected changes, because rights and free space may have changed. */
export function retryRejected(replica: Replica): void {
  replica.sql.write('UPDATE team_outbox SET refused = NULL WHERE refused IS NOT NULL');
}

/** Reports whether a pending change is a deletion. */
export function isDeletion(replica: Replica, { kind, id }: PendingChange): boolean {
  switch (kind) {
    case 'document':
      return false;
    case 'source':
      return !replica.sql.has('SELECT 1 FROM sources WHERE id = ?', id);
    case 'note':
      return !hasNote(replica, id);
    default: {
      const entity = featureSyncs[kind].toSend(replica, id);
      return entity !== undefined && entity.value === undefined;
    }
  }
}

/** Restores an entity that was deleted here from the team: downloads all entities of its kind again. */
export function restoreDeleted(replica: Replica, { number, kind, id }: PendingChange): void {
  replica.sql.transaction(() => {
    replica.sql.run('DELETE FROM team_outbox WHERE number = ?', number);
    switch (kind) {
      case 'document':
      case 'source':
        replica.sql.run('UPDATE team SET sources_revision = 0, documents_revision = 0');
        break;
      case 'note':
        replica.sql.run('DELETE FROM team_notes WHERE note_id = ?', id);
        replica.sql.run('UPDATE team SET notes_revision = 0');
        break;
      default:
        dropBase(replica, kind, featureSyncs[kind].toSend(replica, id)?.id ?? id);
        for (const sync of Object.values(featureSyncs)) sync.beforeReload?.(replica);
        replica.sql.run('UPDATE team SET things_revision = 0');
    }
  });
}

/** Reports whether teams share entities of this kind. */
function isSharedKind(kind: string): kind is PendingKind {
  return kind === 'document' || kind === 'note' || kind === 'source' || isEntityKind(kind);
}
