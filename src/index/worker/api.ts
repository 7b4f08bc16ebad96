import type { FeatureEvents, FeatureIndexApi } from '../../features/types.ts';
import type { IndexSettings } from '../../core/domain/settings.ts';
import type { CitingApi } from '../documents/citing-api.ts';
import type { EmbeddingsApi } from '../search/vectors/embeddings-api.ts';
import type { SearchApi } from '../search/search-api.ts';
import type { GlobalSearchApi } from '../store/global-search-api.ts';
import type { ModelsApi } from '../store/models-api.ts';
import type { ReferencesApi } from '../store/sources/references-api.ts';
import type { SourcesApi } from '../store/sources/sources-api.ts';

/** Result of opening a notebook. `notice` is one sentence for the user if there was a problem. */
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
  /** Number of passages with an embedding, and the memory of these. */
  readonly vectors: number;
  readonly vectorBytes: number;
  readonly databaseBytes: number;
  readonly snapshotBytes: number;
  readonly heapBytes: number;
  /** Last change in the index, and last change in its snapshot. */
  readonly revision: number;
  readonly snapshotRevision: number;
  /** Time from opening until questions could be answered, in milliseconds. */
  readonly openTime: number;
  readonly questions: number;
  readonly lastQuestionTime: number | undefined;
}

/** API of the index worker. One worker serves one notebook. */
export interface IndexApi
  extends
    SourcesApi,
    SearchApi,
    EmbeddingsApi,
    CitingApi,
    ReferencesApi,
    GlobalSearchApi,
    ModelsApi,
    FeatureIndexApi {
  /**
   * Opens or creates the notebook in a folder, loads the snapshot, and catches up, in the background if that takes long.
   * It's the first call, and called once. With `access: 'read'` it doesn't create or write anything: see `openDatabaseToRead`.
   */
  readonly open: (params: {
    readonly directory: string;
    readonly settings: IndexSettings;
    readonly access?: 'read' | 'write';
  }) => OpenResult;
  /** Uses these settings for new documents and citation keys, and splits existing documents again if theirs differ. */
  readonly setIndexSettings: (params: IndexSettings) => void;

  readonly statistics: () => IndexStatistics;
  /** Loads changes of other processes immediately, which otherwise takes up to a second. */
  readonly followOthers: () => void;
  /** Writes the snapshot if it's out of date, and closes the database. */
  readonly close: () => void;
}

/** Events of the index worker. */
export interface IndexEvents extends FeatureEvents {
  /** The notebook was reopened: its database was damaged, or another window has replaced it. */
  readonly reopened: (params: OpenResult) => void;
  /** Sources, documents, passages, or notes changed, in this window or another. */
  readonly changed: () => void;
  /** Many documents are being indexed, for example because the snapshot is missing; `done === total` at the end. */
  readonly indexing: (params: { readonly done: number; readonly total: number }) => void;
  /** Documents are split again because the passage settings changed; `done === total` at the end. */
  readonly resplitting: (params: { readonly done: number; readonly total: number }) => void;
}
