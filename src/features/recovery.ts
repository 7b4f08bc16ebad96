import { recoverableConversations } from './chat/store/recovery.ts';
import { recoverableSites } from './crawling/store/recovery.ts';
import { recoverableFlashcards } from './flashcards/store/recovery.ts';
import { recoverableNotes } from './notes/store/recovery.ts';
import { recoverableAnnotations } from './pdf/store/recovery.ts';
import { recoverableResearches } from './research/store/recovery.ts';
import { recoverableTables } from './tables/store/recovery.ts';
import type { RecoverableRows } from '../index/store/database/column-rules.ts';

/* Registers the rows of features for the repair of a damaged database. */

/** Rows of features that are copied from a damaged database, in this order. */
export const recoverableRows: readonly RecoverableRows[] = [
  recoverableNotes,
  recoverableFlashcards,
  recoverableTables,
  recoverableConversations,
  recoverableResearches,
  recoverableAnnotations,
  recoverableSites,
];
