import type { PassagePlace } from '../../../notebook/passage.ts';
import type { Value } from './column-values.ts';
import type { Column } from './read-tables.ts';

/** A document whose tables are asked. */
export interface TableDocument {
  readonly id: number;
  readonly text: string;
}

/** What a table is, for who asks it. */
export interface DescribedTable {
  readonly name: string;
  readonly documentId: number;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** The rows behind these that were left out as too many. */
  readonly left: number;
  /** The first rows. */
  readonly samples: readonly (readonly Value[])[];
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether there were more. */
  readonly isCut: boolean;
  /** Where the rows stand that came through unchanged; else where the tables begin that were asked. */
  readonly places: readonly PassagePlace[];
}

/** What the process is asked that keeps tables. */
export interface TablesApi {
  readonly describe: (params: { readonly documents: readonly TableDocument[] }) => readonly DescribedTable[];
  /** @throws NotebookError that says what is wrong with the query */
  readonly query: (params: {
    readonly documents: readonly TableDocument[];
    readonly sql: string;
  }) => QueryResult;
}
