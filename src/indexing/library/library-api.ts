import type { VerdictMarkStyle } from '../../notebook/verdict-marks.ts';
import type { Report } from '../../messages/rpc.ts';
import type { ResearchLimits } from '../../notebook/research.ts';
import type { PassageSettings } from '../../notebook/settings.ts';

/** A copy of a file is left alone for so long after it was made or used, for its source may not be kept yet. In milliseconds. */
export const COPY_SETTLES = 2 * 60_000;

/** How far the work has come, counted in whatever it consists of. */
export interface LibraryProgress {
  readonly done: number;
  readonly total: number;
}

/** What a notebook holds. */
export interface NotebookCounts {
  readonly sources: number;
  readonly notes: number;
  /** What the user may in the team's notebook that it follows; undefined where it follows none. */
  readonly right?: 'author' | 'manager' | 'reader';
}

/** What became of sources that were to be copied. */
export interface CopiedSources {
  /** The ids of those that are there now. */
  readonly copied: readonly string[];
  /** Those that the other notebook had already. */
  readonly there: number;
  /** The numbers that documents got, by those that they have where they were copied from. */
  readonly numbers: DocumentNumbers;
}

/** What was added to a notebook from another one, by its ids; what was there already is not among it. */
export interface AddedToNotebook {
  readonly sources: readonly string[];
  readonly notes: readonly { readonly id: string; readonly changedAt: number }[];
  readonly conversations: readonly string[];
  readonly turns: readonly string[];
  readonly researches: readonly { readonly id: string; readonly changedAt: number }[];
  readonly cards: readonly string[];
  readonly matrices: readonly { readonly id: string; readonly changedAt: number }[];
}

/** A file, a folder or the file of a selection that an exported notebook names, by its path in a workspace. */
export interface ExportedPlace {
  readonly kind: 'file' | 'folder' | 'selection';
  readonly path: string;
  /** What its source is called. */
  readonly title: string;
}

/** Where such a place is here, and the folder that it is in; both are URIs. */
export interface FollowedPlace {
  readonly kind: ExportedPlace['kind'];
  readonly path: string;
  readonly uri: string;
  readonly within: string;
}

/** How an exported notebook is read. */
export interface ImportParams {
  readonly path: string;
  /** The folders, as URIs, that citations open files in. */
  readonly roots: readonly string[];
  /** The sources whose files are read from here on. All others stay copies of their texts. */
  readonly followed: readonly FollowedPlace[];
  readonly passages: PassageSettings;
  /** The limits of its research projects on this machine. */
  readonly limits: ResearchLimits;
}

/** Numbers that documents have in one notebook, by those that they have in another. */
export type DocumentNumbers = ReadonlyMap<number, number>;

/**
 * What a worker is asked about whole notebooks, by the folders that they are in. Whatever it does is kept as a whole or
 * not at all, so that it can be ended at any time. Errors are those of opening a database, beside those that are named.
 */
export interface LibraryApi {
  readonly counts: (params: {
    readonly directories: readonly string[];
  }) => readonly (NotebookCounts | undefined)[];
  /** Removes the copies of files in some folders that none of the notebooks in a folder uses. */
  readonly removeUnusedCopies: (params: {
    readonly notebooks: string;
    readonly copies: readonly string[];
  }) => void;
  /** Copies all of a notebook into an empty folder. */
  readonly duplicate: (params: { readonly from: string; readonly to: string }) => void;
  /** Copies sources with all that was read of them; with `move` they are removed where they were, after that. */
  readonly copySources: (
    params: {
      readonly from: string;
      readonly to: string;
      readonly sourceIds: readonly string[];
      readonly move: boolean;
      /** The numbers that documents shall get where these are free: to be cited as before, where they come back. */
      readonly numbers?: DocumentNumbers;
    },
    report: Report<LibraryProgress>,
  ) => CopiedSources;
  /**
   * Writes a notebook to one file. Files below a root are named by their path in it; of others the text alone goes along.
   * Tells the goals of the researches and the titles of the matrices that were more than a file holds, and are not in it.
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
  ) => { readonly leftOut: Readonly<Record<'matrices' | 'researches', readonly string[]>> };
  /** What an exported notebook is called. @throws NotebookError `unsupported`, `damaged` */
  readonly exportedName: (params: { readonly path: string }) => string;
  /** The places that an exported notebook names, each once. @throws NotebookError `unsupported`, `damaged`, `too-large` */
  readonly exportedPlaces: (
    params: { readonly path: string },
    report: Report<LibraryProgress>,
  ) => readonly ExportedPlace[];
  /** Reads an exported notebook into an empty folder. @throws NotebookError `unsupported`, `damaged`, `too-large` */
  readonly importNotebook: (
    params: ImportParams & { readonly to: string },
    report: Report<LibraryProgress>,
  ) => void;
  /**
   * Adds what an exported notebook holds to one that is there, by way of an empty folder.
   * @throws NotebookError `unsupported`, `damaged`, `too-large`
   */
  readonly mergeNotebook: (
    params: ImportParams & { readonly by: string; readonly to: string },
    report: Report<LibraryProgress>,
  ) => AddedToNotebook;
  /** Removes what was added, unless it was changed since. */
  readonly unmergeNotebook: (
    params: { readonly from: string; readonly added: AddedToNotebook },
    report: Report<LibraryProgress>,
  ) => void;
  /** Writes sources, notes and conversations as Markdown into a folder that is made. @throws NotebookError `exists` */
  readonly exportMarkdown: (
    params: { readonly from: string; readonly to: string; readonly verdictMarks: VerdictMarkStyle },
    report: Report<LibraryProgress>,
  ) => void;
}
