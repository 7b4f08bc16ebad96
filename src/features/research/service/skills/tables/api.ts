import type { PassagePlace } from '../../../../../core/domain/passage.ts';
import type { Value } from './column-values.ts';
import type { Column } from './read-tables.ts';

/** Document with tables to query. */
export interface TableDocument {
  readonly id: number;
  readonly text: string;
}

/** Description of a table for its users. */
export interface DescribedTable {
  readonly name: string;
  readonly documentId: number;
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: number;
  /** Number of omitted rows after these. */
  readonly left: number;
  /** The first rows. */
  readonly samples: readonly (readonly Value[])[];
}

export interface QueryResult {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** `true` if there were more rows. */
  readonly isCut: boolean;
  /** Locations of the rows that are unchanged in the result; else the starts of the queried tables. */
  readonly places: readonly PassagePlace[];
}

/** API of the process that loads tables. */
export interface TablesApi {
  readonly describe: (params: { readonly documents: readonly TableDocument[] }) => readonly DescribedTable[];
  /** @throws NotebookError that names the problem of the query */
  readonly query: (params: {
    readonly documents: readonly TableDocument[];
    readonly sql: string;
  }) => QueryResult;
}
