import type { Answer, AnswerFailure } from './answer.ts';
import type { StudioScope } from './studio.ts';
import type { TokenUsage } from './usage.ts';

/** A matrix has so many rows and columns at most. */
export const MOST_ROWS = 1_000;
export const MOST_COLUMNS = 50;
/** A question of a column, and what is written into a cell, have so many UTF-16 code units at most. */
export const LONGEST_QUESTION = 2_000;
export const LONGEST_CELL = 10_000;

/** A question that is asked of every row. */
export interface MatrixColumn {
  readonly id: string;
  readonly question: string;
}

/** What the rows of a matrix are: whole sources, or each document of them. */
export type RowKind = 'documents' | 'sources';

/** A matrix in a list. Times are milliseconds since 1970. */
export interface MatrixEntry extends StudioScope {
  readonly id: string;
  readonly title: string;
  readonly rowKind: RowKind;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** A table whose rows are sources and whose columns are questions. */
export interface Matrix extends MatrixEntry {
  readonly columns: readonly MatrixColumn[];
  /** Grows with every change of it. */
  readonly revision: number;
  /** What models took and gave for it so far. */
  readonly usage: TokenUsage | undefined;
}

/** What a row is asked of, as it is now. */
export interface MatrixRow {
  /** The source's id, with the document's number behind it where it is one document. */
  readonly id: string;
  readonly sourceId: string;
  readonly documentId: number | undefined;
  readonly title: string;
  /** Changes with its text; '' while nothing of it was read. */
  readonly version: string;
  /** UTF-16 code units of its text. */
  readonly length: number;
}

/** Where a cell stands. */
export interface CellPlace {
  readonly columnId: string;
  readonly rowId: string;
}

/** Tells the cells of a matrix apart. */
export function cellKey({ columnId, rowId }: CellPlace): string {
  return `${columnId} ${rowId}`;
}

/** A cell that was asked or written. */
export interface MatrixCell extends CellPlace {
  /** What its row was called then, for rows that are gone. */
  readonly rowTitle: string;
  readonly answer: Answer | undefined;
  /** The question that was answered, and the version of the row that it was asked of. */
  readonly asked: string | undefined;
  readonly version: string | undefined;
  /** What the user wrote in the place of the answer. */
  readonly edited: string | undefined;
  /** What it said before it was asked again, as plain words, where it says something else now that nobody has seen yet. */
  readonly was: string | undefined;
  readonly failure: AnswerFailure | undefined;
  /** It waits to be asked, or somebody asks it now. */
  readonly state: 'asking' | 'resting' | 'waiting';
}

/** How a cell stands, without what it says. */
export interface CellStanding extends CellPlace, Pick<MatrixCell, 'state'> {
  readonly isEdited: boolean;
}

/** A cell that was taken to be asked. */
export interface ClaimedCell extends CellPlace {
  readonly question: string;
  readonly rowTitle: string;
  /** Names it on every machine of a team; undefined where its document is gone. */
  readonly sharedId: string | undefined;
}

/** What became of a cell that was asked. */
export type CellOutcome =
  | { readonly kind: 'answered'; readonly answer: Answer; readonly asked: string; readonly version: string }
  | { readonly kind: 'failed'; readonly failure: AnswerFailure };

/** What a notebook is asked of its matrices. Every change is one transaction, and is told to all windows. */
export interface MatrixBoard {
  /** The last changed first. */
  readonly matrices: () => readonly MatrixEntry[];
  /** Returns its id. */
  readonly addMatrix: (params: StudioScope & { readonly title: string; readonly rowKind: RowKind }) => string;
  /** Undefined where it was removed. */
  readonly matrix: (params: { readonly matrixId: string }) => Matrix | undefined;
  /** The rows as they are now, all or one, and how many did not fit. @throws NotebookError `not-found` */
  readonly matrixRows: (params: { readonly matrixId: string; readonly rowId?: string }) => {
    readonly rows: readonly MatrixRow[];
    readonly omitted: number;
  };
  /**
   * The cells that changed after a revision of the matrix, all after 0, some at once: the next are had by `from`, which is
   * undefined where these were the last. @throws NotebookError `not-found`
   */
  readonly matrixCells: (params: {
    readonly matrixId: string;
    readonly after: number;
    readonly from?: number | undefined;
  }) => {
    readonly revision: number;
    readonly cells: readonly MatrixCell[];
    readonly from: number | undefined;
  };
  /** Undefined where it was neither asked nor written. */
  readonly matrixCell: (params: CellPlace & { readonly matrixId: string }) => MatrixCell | undefined;
  /** How all cells stand that were asked or written, without what they say. */
  readonly matrixStates: (params: { readonly matrixId: string }) => readonly CellStanding[];
  /** @throws NotebookError `not-found` */
  readonly renameMatrix: (params: { readonly matrixId: string; readonly title: string }) => void;
  readonly removeMatrix: (params: { readonly matrixId: string }) => void;
  /** Adds a column and returns its id. @throws NotebookError `not-found`, `too-large` */
  readonly addColumn: (params: { readonly matrixId: string; readonly question: string }) => string;
  /** Asks something else in a column; what its cells answered stays until they are asked again. */
  readonly renameColumn: (params: {
    readonly matrixId: string;
    readonly columnId: string;
    readonly question: string;
  }) => void;
  /** Removes a column with its cells. */
  readonly removeColumn: (params: { readonly matrixId: string; readonly columnId: string }) => void;
  /** Keeps what the user wrote into a cell, which is asked no more; undefined takes it back. @throws NotebookError `not-found` */
  readonly editCell: (
    params: CellPlace & {
      readonly matrixId: string;
      readonly rowTitle: string;
      readonly text: string | undefined;
    },
  ) => void;
  /**
   * Has cells wait to be asked. What the user wrote stays, and is not asked, unless it is said to be replaced: then it
   * stays until the answer is there.
   */
  readonly wantCells: (params: {
    readonly matrixId: string;
    readonly cells: readonly (CellPlace & { readonly rowTitle: string })[];
    readonly replacesEdited: boolean;
  }) => void;
  /** Lets cells that wait be, all or some. */
  readonly unwantCells: (params: {
    readonly matrixId: string;
    readonly cells?: readonly CellPlace[];
  }) => void;
  /** Marks cells that say something else than before as seen, all or one. */
  readonly seeCells: (params: { readonly matrixId: string; readonly cell?: CellPlace }) => void;
  /** Takes the next cell that waits and that nobody else has, for `hold` milliseconds; undefined where there is none. */
  readonly claimCell: (params: {
    readonly matrixId: string;
    readonly holder: string;
    readonly hold: number;
  }) => ClaimedCell | undefined;
  /** Holds on to all that a holder has. */
  readonly renewCells: (params: {
    readonly matrixId: string;
    readonly holder: string;
    readonly hold: number;
  }) => void;
  /** Leaves a cell that was taken to who asks it on another machine: here it is nobody's for `hold` milliseconds. */
  readonly leaveCell: (
    params: CellPlace & { readonly matrixId: string; readonly holder: string; readonly hold: number },
  ) => void;
  /** Gives cells back that were not answered, with what was taken for them: they wait again. */
  readonly giveBackCells: (params: {
    readonly matrixId: string;
    readonly holder: string;
    readonly cell?: CellPlace;
    readonly usage?: TokenUsage | undefined;
  }) => void;
  /** Keeps what became of a cell; false where the holder has it no more, for it was edited, removed or taken by another. */
  readonly keepCell: (
    params: CellPlace & {
      readonly matrixId: string;
      readonly holder: string;
      readonly outcome: CellOutcome;
      readonly usage?: TokenUsage | undefined;
    },
  ) => boolean;
}

/** The id of a row. */
export function rowId(sourceId: string, documentId: number | undefined): string {
  return documentId === undefined ? sourceId : `${sourceId}/${String(documentId)}`;
}

/** What a row's id says. */
export function readRowId(id: string): {
  readonly sourceId: string;
  readonly documentId: number | undefined;
} {
  const at = id.lastIndexOf('/');
  return at < 0
    ? { sourceId: id, documentId: undefined }
    : { sourceId: id.slice(0, at), documentId: Number(id.slice(at + 1)) };
}

/** Why what a cell says may not be so any more: its row has changed or is gone, or its column asks something else. */
type CellChange = 'gone' | 'question' | 'source';

/** How a cell's answer stands to what its row and column are now; undefined where it is of these. */
export function cellChange(
  { asked, version }: Pick<MatrixCell, 'asked' | 'version'>,
  row: Pick<MatrixRow, 'version'> | undefined,
  column: Pick<MatrixColumn, 'question'>,
): CellChange | undefined {
  if (row === undefined) return 'gone';
  if (asked === undefined) return undefined;
  if (asked !== column.question) return 'question';
  return version === row.version ? undefined : 'source';
}
