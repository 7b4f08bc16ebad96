import type { VerdictMarkStyle } from '../../core/domain/verdict-marks.ts';
import type { Report } from '../../core/rpc/rpc.ts';
import type { FeatureLimits } from '../../features/types.ts';
import type { PassageSettings } from '../../core/domain/settings.ts';

/** Minimum age of an unused copy of a file before it's removed, in milliseconds. Its source may not be stored yet. */
export const COPY_SETTLES = 2 * 60_000;

/** Progress of the work, in units that depend on it. */
export interface LibraryProgress {
  readonly done: number;
  readonly total: number;
}

/** Counts of a notebook's contents. */
export interface NotebookCounts {
  readonly sources: number;
  readonly notes: number;
  /** The user's role in the notebook's team notebook; undefined without one. */
  readonly right?: 'author' | 'manager' | 'reader';
}

/** Result of copying sources. */
export interface CopiedSources {
  /** IDs of the copied sources. */
  readonly copied: readonly string[];
  /** Number of sources that the other notebook already had. */
  readonly there: number;
  /** New numbers of the documents by their original ones. */
  readonly numbers: DocumentNumbers;
}

/** Entity of a feature that was added to a notebook. */
export interface AddedEntity {
  readonly id: string;
  /** Time of its last change, in milliseconds since 1970, if a later change keeps it from being removed. */
  readonly changedAt?: number | undefined;
}

/** IDs of the entities added to a notebook from another one, without those that it already had. */
export interface AddedToNotebook {
  readonly sources: readonly string[];
  /** Entities of each feature, by the field of its `PortableFeature`. */
  readonly entities: Readonly<Record<string, readonly AddedEntity[]>>;
}

/** File or folder in an exported notebook, or the file of a selection, by its path in a workspace. */
export interface ExportedPlace {
  readonly kind: 'file' | 'folder' | 'selection';
  readonly path: string;
  /** Title of its source. */
  readonly title: string;
}

/** Local place of an exported one, and the folder that contains it; both are URIs. */
export interface FollowedPlace {
  readonly kind: ExportedPlace['kind'];
  readonly path: string;
  readonly uri: string;
  readonly within: string;
}

/** Parameters of an import. */
export interface ImportParams {
  readonly path: string;
  /** Folders in which citations open files, as URIs. */
  readonly roots: readonly string[];
  /** Sources whose files are read from now on. All others stay copies of their texts. */
  readonly followed: readonly FollowedPlace[];
  readonly passages: PassageSettings;
  readonly limits: FeatureLimits;
}

/** Map from document numbers in one notebook to those in another. */
export type DocumentNumbers = ReadonlyMap<number, number>;

/**
 * API of a worker for whole notebooks, identified by their folders. Each operation is atomic, so that it can be ended
 * at any time. All can throw the errors of opening a database.
 */
export interface LibraryApi {
  readonly counts: (params: {
    readonly directories: readonly string[];
  }) => readonly (NotebookCounts | undefined)[];
  /** Deletes unused copies of files: those that no notebook in a folder needs. */
  readonly removeUnusedCopies: (params: {
    readonly notebooks: string;
    readonly copies: readonly string[];
  }) => void;
  /** Copies a whole notebook to an empty folder. */
  readonly duplicate: (params: { readonly from: string; readonly to: string }) => void;
  /** Copies sources with all their data; with `move`, then removes the originals. */
  readonly copySources: (
    params: {
      readonly from: string;
      readonly to: string;
      readonly sourceIds: readonly string[];
      readonly move: boolean;
      /** Preferred numbers for the documents, used if free, so that restored documents keep their citations. */
      readonly numbers?: DocumentNumbers;
    },
    report: Report<LibraryProgress>,
  ) => CopiedSources;
  /**
   * Writes a notebook to one file. Files below a root have their path in it. Other files are exported as text only.
   * Returns the titles of the entities that didn't fit, by the field of their feature.
   */
  readonly exportNotebook: (
    params: {
      readonly from: string;
      readonly path: string;
      readonly name: string;
      /** URIs of folders. */
      readonly roots: readonly string[];
    },
    report: Report<LibraryProgress>,
  ) => { readonly leftOut: Readonly<Record<string, readonly string[]>> };
  /** Returns the name of an exported notebook. @throws NotebookError `unsupported`, `damaged` */
  readonly exportedName: (params: { readonly path: string }) => string;
  /**
   * Returns the places in an exported notebook, without duplicates.
   * @throws NotebookError `unsupported`, `damaged`, `too-large`
   */
  readonly exportedPlaces: (
    params: { readonly path: string },
    report: Report<LibraryProgress>,
  ) => readonly ExportedPlace[];
  /** Imports an exported notebook into an empty folder. @throws NotebookError `unsupported`, `damaged`, `too-large` */
  readonly importNotebook: (
    params: ImportParams & { readonly to: string },
    report: Report<LibraryProgress>,
  ) => void;
  /**
   * Merges an exported notebook into an existing one, using an empty folder.
   * @throws NotebookError `unsupported`, `damaged`, `too-large`
   */
  readonly mergeNotebook: (
    params: ImportParams & { readonly by: string; readonly to: string },
    report: Report<LibraryProgress>,
  ) => AddedToNotebook;
  /** Removes the added entities unless they were changed since. */
  readonly unmergeNotebook: (
    params: { readonly from: string; readonly added: AddedToNotebook },
    report: Report<LibraryProgress>,
  ) => void;
  /** Writes sources, notes, and conversations as Markdown into a new folder. @throws NotebookError `exists` */
  readonly exportMarkdown: (
    params: { readonly from: string; readonly to: string; readonly verdictMarks: VerdictMarkStyle },
    report: Report<LibraryProgress>,
  ) => void;
}
