import { GenerationCache } from './artifacts/store/generation-cache.ts';
import { Artifacts, artifactHandlers } from './artifacts/store/artifacts.ts';
import { WritingPlans, writingHandlers } from './artifacts/store/writing-plan.ts';
import { Conversations, conversationsHandlers } from './chat/store/conversations.ts';
import { portableConversations, portableTurns } from './chat/store/portable-conversations.ts';
import { searchedTurns } from './chat/store/searched-turns.ts';
import { SitePages, sitesHandlers } from './crawling/store/site-pages.ts';
import { cardsHandlers } from './flashcards/store/cards.ts';
import { generationHandlers } from './flashcards/store/generation.ts';
import { portableFlashcards } from './flashcards/store/portable-decks.ts';
import { Notes, notesHandlers } from './notes/store/notes.ts';
import { portableNotes } from './notes/store/portable-notes.ts';
import { searchedNotes } from './notes/store/searched-notes.ts';
import { annotationsHandlers, StoredAnnotations } from './pdf/store/stored-annotations.ts';
import { searchedAnnotations } from './pdf/store/searched-annotations.ts';
import { openResearches, researchHandlers, type Researches } from './research/store/board.ts';
import type { ChangesOptions } from './research/store/changes.ts';
import { coverageHandlers } from './research/store/coverage.ts';
import { portableResearches } from './research/store/portable-research.ts';
import { ExtractionTables } from './tables/store/extraction-tables.ts';
import { portableTables } from './tables/store/portable-tables.ts';
import { tableHandlers } from './tables/store/rows.ts';
import type { OpenNotebook } from '../index/library/open-notebook.ts';
import type { PortableFeature } from '../index/library/portable-feature.ts';
import type { SearchedRows } from '../index/store/searched-rows.ts';
import type { Client, Handlers } from '../core/rpc/rpc.ts';
import type { FeatureEvents, FeatureIndexApi } from './types.ts';

export { readConversationModel, writeConversationModel } from './chat/store/conversation-model.ts';
export { SOURCE_TABLES } from './crawling/store/site-pages.ts';
export { countNotes } from './notes/store/notes.ts';
export { TEAM_TABLES } from './team/model/local-tables.ts';

/* Features in the index worker. */

/** Entities of features in an open notebook, with the changes that this window and others make to them. */
export interface FeatureStores {
  readonly annotations: StoredAnnotations;
  readonly sitePages: SitePages;
  readonly notes: Notes;
  readonly conversations: Conversations;
  readonly researches: Researches;
  readonly extractionTables: ExtractionTables;
  readonly artifacts: Artifacts;
  readonly writings: WritingPlans;
}

/** Opens the entities of features in a notebook. */
export function openFeatureStores(
  { sql, store, cited }: Pick<OpenNotebook, 'cited' | 'sql' | 'store'>,
  options?: ChangesOptions,
): FeatureStores {
  const artifacts = new Artifacts(sql, store.documents, cited);
  return {
    annotations: new StoredAnnotations(sql),
    sitePages: new SitePages(sql, store),
    notes: new Notes(sql),
    conversations: new Conversations(sql),
    researches: openResearches(sql, options),
    extractionTables: new ExtractionTables(sql),
    artifacts,
    writings: new WritingPlans(new GenerationCache(sql), artifacts),
  };
}

/** Releases what windows have claimed and no longer renew. */
export function releaseExpiredClaims({ researches }: FeatureStores): void {
  researches.changes.releaseExpired();
}

/** Looks for changes of other windows. */
export function readOtherWindows({ researches, extractionTables }: FeatureStores): void {
  researches.changes.readOtherWindows();
  extractionTables.readOtherWindows();
}

/** Reports the entities that changed since the last call. */
export function reportFeatureChanges(
  { researches, extractionTables }: FeatureStores,
  remote: Pick<Client<FeatureEvents>, 'notify'>,
): void {
  for (const tableId of extractionTables.takeChanged()) remote.notify('tableChanged', { tableId });
  for (const researchId of researches.changes.takeChanged()) remote.notify('researchChanged', { researchId });
}

/** Returns the handlers of the features' requests about the open notebook. */
export function featureHandlers(
  notebook: () => OpenNotebook & { readonly features: FeatureStores },
): Handlers<FeatureIndexApi> {
  return {
    ...annotationsHandlers(() => notebook().features),
    ...sitesHandlers(notebook),
    ...notesHandlers(() => notebook().features),
    ...conversationsHandlers(() => notebook().features),
    ...cardsHandlers(notebook),
    ...artifactHandlers(() => notebook().features),
    ...writingHandlers(() => notebook().features),
    ...generationHandlers(notebook),
    ...researchHandlers(() => notebook().features),
    ...coverageHandlers(notebook),
    ...tableHandlers(notebook),
  };
}

/** Rows of features in the search across notebooks. */
export const featureSearches: readonly SearchedRows[] = [searchedNotes, searchedTurns, searchedAnnotations];

/** Features whose entities are exported, imported, and merged with a notebook, in this order. */
export const portableFeatures: readonly PortableFeature[] = [
  portableNotes,
  portableConversations,
  portableTurns,
  portableResearches,
  portableFlashcards,
  portableTables,
];
