import type { CardsApi } from './flashcards/store/cards-api.ts';
import type { CardGenerationApi } from './flashcards/store/generation-api.ts';
import type { DeckExportApi } from './flashcards/service/export-api.ts';
import type { FlashcardEntityKind } from './flashcards/model.ts';

/* Types of all features, for the modules below that are typed by them. */

/** Requests of the features to the index worker. */
export interface FeatureIndexApi extends CardsApi, CardGenerationApi {}

/** Requests of the features to the export process. */
export type FeatureExportApi = DeckExportApi;

/** Kinds of the features' synced entities. */
export type FeatureEntityKind = FlashcardEntityKind;
