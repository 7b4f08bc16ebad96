import { annotationsSync } from '../../pdf/sync.ts';
import { featureSyncs } from '../../sync.ts';
import type { EntitySync, EntityKind } from './synced-entity.ts';

/** Sync of each kind of entity. */
export const entitySyncs: Readonly<Record<EntityKind, EntitySync>> = {
  annotations: annotationsSync,
  ...featureSyncs,
};

/** Reports whether teams share entities of this kind. */
export function isEntityKind(kind: string): kind is EntityKind {
  return Object.hasOwn(entitySyncs, kind);
}
