import type { Handlers } from '../core/rpc/rpc.ts';
import { deckExportHandlers } from './flashcards/service/export.ts';
import type { FeatureExportApi } from './types.ts';

/* Features in the export process. */

/** Handlers of the features' exports. */
export const featureExportHandlers: Handlers<FeatureExportApi> = deckExportHandlers;
