import type { ArtifactApi, WritingApi } from './artifacts/store/artifacts-api.ts';
import type { ConversationsApi } from './chat/store/conversations-api.ts';
import type { SitesApi } from './crawling/store/sites-api.ts';
import type { CardsApi } from './flashcards/store/cards-api.ts';
import type { CardGenerationApi } from './flashcards/store/generation-api.ts';
import type { DeckExportApi } from './flashcards/service/export-api.ts';
import type { FlashcardEntityKind } from './flashcards/model.ts';
import type { NotesApi } from './notes/store/notes-api.ts';
import type { AnnotationsApi } from './pdf/store/annotations-api.ts';
import type { ResearchBoard } from './research/model/board.ts';
import type { CoverageQueries } from './research/model/coverage.ts';
import type { ResearchLimits } from './research/model/project.ts';
import type { TableBoard } from './tables/model/extraction-table.ts';

export type { TableEntry } from './tables/model/extraction-table.ts';

/* Types of all features, for the modules below that are typed by them. */

/** Requests of the features to the index worker. */
export interface FeatureIndexApi
  extends
    AnnotationsApi,
    SitesApi,
    NotesApi,
    ConversationsApi,
    ArtifactApi,
    WritingApi,
    CardsApi,
    CardGenerationApi,
    ResearchBoard,
    CoverageQueries,
    TableBoard {}

/** Events of the features in the index worker. */
export interface FeatureEvents {
  /** A research project changed or was removed, in this window or another. Renewing a claim on a step doesn't count. */
  readonly researchChanged: (params: { readonly researchId: string }) => void;
  /** An extraction table changed or was removed, in this window or another. */
  readonly tableChanged: (params: { readonly tableId: string }) => void;
}

/** Limits on this machine for entities that come from other machines: of research projects. */
export type FeatureLimits = ResearchLimits;

/** Requests of the features to the export process. */
export type FeatureExportApi = DeckExportApi;

/** Kinds of the features' synced entities. */
export type FeatureEntityKind =
  | FlashcardEntityKind
  | 'annotations'
  | 'conversation'
  | 'turn'
  | 'cell'
  | 'matrix'
  | 'research'
  | 'step';
