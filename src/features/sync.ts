import type { EntitySync } from './team/service/synced-entity.ts';
import { conversationSyncs } from './chat/sync.ts';
import * as notes from './notes/sync.ts';
import * as pdf from './pdf/sync.ts';
import * as flashcards from './flashcards/sync.ts';
import * as research from './research/sync.ts';
import * as tables from './tables/sync.ts';
import type { FeatureEntityKind } from './types.ts';

export {
  applyNotes,
  findNoteBase,
  hasNote,
  listConflicts,
  markNoteSent,
  packNote,
  renameDuplicateNote,
} from './notes/sync.ts';
export { PERSONAL_TABLES } from './chat/sync.ts';
export { placeAnnotations, sendAnnotations } from './pdf/sync.ts';
export { NO_LIMITS, showClaims, type RemoteClaim } from './research/sync.ts';

/* Features in the process of team notebooks. */

/** Syncs of the features' entities by kind. */
export const featureSyncs: Readonly<Record<FeatureEntityKind, EntitySync>> = {
  annotations: pdf.annotationsSync,
  ...conversationSyncs,
  ...flashcards.flashcardSyncs,
  ...research.researchSyncs,
  ...tables.tableSyncs,
};

/** Columns with citations as JSON, as pairs of table and column. */
export const FEATURE_CITING_COLUMNS: readonly (readonly [table: string, column: string])[] = [
  ...notes.CITING_COLUMNS,
  ...tables.CITING_COLUMNS,
  ...research.CITING_COLUMNS,
  ...flashcards.CITING_COLUMNS,
];

/** SQL queries for the kind and ID of each entity, to send a whole notebook. */
export const FEATURE_OUTBOX_ROWS: readonly string[] = [
  ...notes.OUTBOX_ROWS,
  ...pdf.OUTBOX_ROWS,
  ...research.OUTBOX_ROWS,
  ...tables.OUTBOX_ROWS,
  ...flashcards.OUTBOX_ROWS,
];
