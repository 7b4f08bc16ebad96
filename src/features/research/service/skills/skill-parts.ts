import type { PassageFinder } from '../../../../answers/retrieving/passage-finder.ts';
import type { DocumentEntry, Source } from '../../../../core/domain/source.ts';
import type { Outline } from '../../../../core/domain/suggestions.ts';
import type { Skill } from './skill.ts';
import type { DescribedTable, QueryResult, TableDocument } from './tables/api.ts';

/** Document as skills read it as a whole. */
export interface SkillDocument {
  readonly sourceId: string;
  readonly title: string;
  readonly text: string;
}

/** Parts of a notebook that primitive skills need in addition to search. */
export interface SkillNotebook {
  readonly documents: (sourceId: string) => Promise<readonly DocumentEntry[]>;
  readonly outlines: (documentIds: readonly number[]) => Promise<readonly Outline[]>;
  /** Returns a document; undefined if it was removed. */
  readonly document: (documentId: number) => Promise<SkillDocument | undefined>;
  /** Returns a finder for a single source. */
  readonly finderIn: (sourceId: string) => PassageFinder;
}

/**
 * Client of the process that loads tables.
 * @throws NotebookError if the query is invalid or was aborted after the time limit
 */
export interface TableBase {
  readonly describe: (
    documents: readonly TableDocument[],
    signal: AbortSignal,
  ) => Promise<readonly DescribedTable[]>;
  readonly query: (
    documents: readonly TableDocument[],
    sql: string,
    signal: AbortSignal,
  ) => Promise<QueryResult>;
}

/** Adds pages of the web to the notebook. */
export interface PageOpener {
  /** Asks the user for permission to read an address. */
  readonly mayOpen: (address: string, signal: AbortSignal) => Promise<boolean>;
  /**
   * Adds a page, or the pages of its site that it links to, and waits until they are read.
   * @throws NotebookError if that fails
   */
  readonly open: (address: string, what: 'page' | 'site', signal: AbortSignal) => Promise<Source>;
}

/** Dependencies of primitive skills. */
export interface SkillParts {
  readonly notebook: SkillNotebook;
  readonly tables?: TableBase | undefined;
  readonly pages?: PageOpener | undefined;
  /** Further skills: those of the workspace, and the tools that the user selected. */
  readonly more?: readonly Skill[] | undefined;
}
