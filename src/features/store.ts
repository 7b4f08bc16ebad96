import { cardsHandlers } from './flashcards/store/cards.ts';
import { generationHandlers } from './flashcards/store/generation.ts';
import { portableFlashcards } from './flashcards/store/portable-decks.ts';
import type { OpenNotebook } from '../indexing/library/open-notebook.ts';
import type { PortableFeature } from '../indexing/library/portable-feature.ts';
import type { Handlers } from '../messages/rpc.ts';
import type { FeatureIndexApi } from './types.ts';

/* Features in the index worker. */

/** Returns the handlers of the features' requests about the open notebook. */
export function featureHandlers(notebook: () => OpenNotebook): Handlers<FeatureIndexApi> {
  return { ...cardsHandlers(notebook), ...generationHandlers(notebook) };
}

/** Features whose entities are exported, imported, and merged with a notebook. */
export const portableFeatures: readonly PortableFeature[] = [portableFlashcards];
