import type { EntitySync } from '../team/synced-entity.ts';
import { CITING_COLUMNS, flashcardSyncs, OUTBOX_ROWS } from './flashcards/sync.ts';
import type { FeatureEntityKind } from './types.ts';

/* Features in the process of team notebooks. */

/** Syncs of the features' entities by kind. */
export const featureSyncs: Readonly<Record<FeatureEntityKind, EntitySync>> = flashcardSyncs;

/** Columns with citations as JSON, as pairs of table and column. */
export const FEATURE_CITING_COLUMNS: readonly (readonly [table: string, column: string])[] = CITING_COLUMNS;

/** SQL queries for the kind and ID of each entity, to send a whole notebook. */
export const FEATURE_OUTBOX_ROWS: readonly string[] = OUTBOX_ROWS;
