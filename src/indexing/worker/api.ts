import type { MatrixBoard } from '../../notebook/matrix.ts';
import type { ResearchBoard } from '../../notebook/research-board.ts';
import type { CoverageQueries } from '../../notebook/research-coverage.ts';
import type { PassageSettings } from '../../notebook/settings.ts';
import type { CitingApi } from '../documents/citing-api.ts';
import type { CardMakingApi } from '../documents/card-making-api.ts';
import type { StudioApi, WritingApi } from '../documents/studio-api.ts';
import type { EmbeddingsApi } from '../search/vectors/embeddings-api.ts';
import type { SearchApi } from '../search/search-api.ts';
import type { SitesApi } from '../sites/sites-api.ts';
import type { ConversationsApi } from '../store/conversations/conversations-api.ts';
import type { AnnotationsApi } from '../store/notes/annotations-api.ts';
import type { CardsApi } from '../store/made/cards-api.ts';
import type { EverythingApi } from '../store/everything-api.ts';
import type { ModelsApi } from '../store/models-api.ts';
import type { NotesApi } from '../store/notes/notes-api.ts';
import type { ReferencesApi } from '../store/sources/references-api.ts';
import type { SourcesApi } from '../store/sources/sources-api.ts';

/** How a notebook was opened. `notice` is one sentence for the user where something was not as it should be. */
export interface OpenResult {
  readonly readOnly: boolean;
  readonly notice: string | undefined;
}

/** Sizes in bytes, times in milliseconds. */
export interface IndexStatistics {
  readonly sources: number;
  readonly documents: number;
  readonly passages: number;
  readonly terms: number;
  /** Passages that are found by their meaning, too, and what their vectors take in memory. */
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly databaseBytes: number;
  readonly snapshotBytes: number;
  readonly heapBytes: number;
  /** The last change that the index holds, and the last that its snapshot holds. */
  readonly revision: number;
  readonly snapshotRevision: number;
  /** From opening to the first answer that could be given. */
  readonly openTime: number;
  readonly questions: number;
  readonly lastQuestionTime: number | undefined;
}

/** What the index worker is asked. One worker serves one notebook. */
export interface IndexApi
  extends
    SourcesApi,
    SitesApi,
    SearchApi,
    EmbeddingsApi,
    CitingApi,
    ConversationsApi,
    NotesApi,
    ReferencesApi,
    EverythingApi,
    ModelsApi,
    AnnotationsApi,
    CardsApi,
    ResearchBoard,
    CoverageQueries,
    MatrixBoard,
    StudioApi,
    WritingApi,
    CardMakingApi {
  /**
   * Opens or makes the notebook in a folder, reads the snapshot and catches up; called first and once. With `access:
   * 'read'` nothing is made or written: see `openDatabaseToRead`.
   */
  readonly open: (params: {
    readonly directory: string;
    readonly passages: PassageSettings;
    readonly access?: 'read' | 'write';
  }) => OpenResult;
  /** Splits all documents anew, in the background, where these settings differ from the ones they were split with. */
  readonly setPassageSettings: (params: PassageSettings) => void;

  readonly statistics: () => IndexStatistics;
  /** Takes in at once what another process wrote, which else is found within a second. */
  readonly followOthers: () => void;
  /** Writes the snapshot where it is out of date, and closes the database. */
  readonly close: () => void;
}

/** What the index worker tells. */
export interface IndexEvents {
  /** The notebook was opened anew: its database turned out damaged, or another window has saved it into another one. */
  readonly reopened: (params: OpenResult) => void;
  /** Sources, documents, passages or notes changed, in this window or another. */
  readonly changed: () => void;
  /** Something of a research changed, in this window or another, or it was removed. That a step is still held is no change. */
  readonly researchChanged: (params: { readonly researchId: string }) => void;
  /** A matrix changed, in this window or another, or it was removed. */
  readonly matrixChanged: (params: { readonly matrixId: string }) => void;
  /** Many documents are indexed, for example because the snapshot is missing; `done === total` at the end. */
  readonly indexing: (params: { readonly done: number; readonly total: number }) => void;
  /** Documents are split anew because the passage settings changed; `done === total` at the end. */
  readonly resplitting: (params: { readonly done: number; readonly total: number }) => void;
}
