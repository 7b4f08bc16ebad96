import { featureSyncs, showClaims, type RemoteClaim } from '../../sync.ts';
import { applyChanges, applyRows, type Replica } from './replica.ts';
import {
  dropBase,
  dropPendingChange,
  findBase,
  isWaiting,
  keepBase,
  type EntityKind,
  type EntityRow,
  type RemovedEntity,
  type SentEntity,
} from './synced-entity.ts';

/** Reports whether teams share entities of this kind. */
export function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(featureSyncs, kind);
}

/** Returns an entity for upload; undefined if there is nothing to send. */
export function packEntity(
  replica: Replica,
  kind: EntityKind,
  id: string,
): RemovedEntity | SentEntity | undefined {
  const entity = featureSyncs[kind].toSend(replica, id);
  if (entity?.value !== undefined) replica.sentEntities.set(`${kind} ${entity.id}`, entity.value);
  return entity;
}

/** Records entities as sent. A deleted entity has no revision. */
export function markEntitiesSent(
  replica: Replica,
  sentEntities: readonly {
    readonly number: number;
    readonly kind: EntityKind;
    readonly entity: RemovedEntity | SentEntity;
    readonly revision: number;
  }[],
): void {
  applyChanges(replica, () => {
    for (const { number, kind, entity, revision } of sentEntities) {
      replica.sql.run('DELETE FROM team_outbox WHERE number = ?', number);
      if (entity.value === undefined) dropBase(replica, kind, entity.id);
      else keepBase(replica, kind, entity.id, { revision, value: entity.value });
    }
    for (const { kind, entity } of sentEntities)
      if (entity.value !== undefined) featureSyncs[kind].afterSent?.(replica, entity.id);
  });
  for (const { kind, entity } of sentEntities) replica.sentEntities.delete(`${kind} ${entity.id}`);
}

/** Saves downloaded changes of all other entities. */
export function applyEntities(replica: Replica, rows: readonly EntityRow[]): number {
  // Apply deletions of one revision from the outer entity to the inner ones.
  const ordered = rows.toSorted(
    (a, b) => a.revision - b.revision || Number(a.within !== '') - Number(b.within !== ''),
  );
  return applyRows(replica, 'things', ordered, (row) => {
    const { kind, id, revision, value } = row;
    // This machine sent the row itself.
    if ((findBase(replica, kind, id)?.revision ?? 0) >= revision) return;
    // If the confirmation of a sent row was lost, the row is also the base of later changes on this machine.
    const sent = replica.sentEntities.get(`${kind} ${id}`);
    if (value !== undefined && sent?.equals(value)) keepBase(replica, kind, id, { revision, value });
    const { take, outboxId } = featureSyncs[kind];
    const waitingId = outboxId === undefined ? id : outboxId(replica, row);
    const isPending = waitingId !== undefined && isWaiting(replica, kind, waitingId);
    if (take(replica, row, isPending) && isPending) dropPendingChange(replica, kind, waitingId);
  });
}

/** Shows which steps of research projects are assigned on other machines. */
export function applyClaims(replica: Replica, claims: readonly RemoteClaim[]): void {
  applyChanges(replica, () => showClaims(replica, claims, Date.now()));
}
