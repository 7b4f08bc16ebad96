import type { Answer, AnswerFailure } from '../../../core/domain/answer.ts';
import type { ArtifactScope } from '../../../core/domain/artifact.ts';
import type { TokenUsage } from '../../../core/domain/usage.ts';

/** Maximum numbers of rows and columns of an extraction table. */
export const MAX_ROWS = 1_000;
export const MAX_COLUMNS = 50;
/** Maximum lengths of a column's question and of a cell's text, in UTF-16 code units. */
export const MAX_QUESTION_LENGTH = 2_000;
export const MAX_CELL_LENGTH = 10_000;

/** Estimated tokens of the request and reply for the fact check of a cell: a statement or two with their evidence. */
export const CHECK_TOKENS = { input: 1_100, output: 80 };

/** Question for every row. */
export interface ExtractionColumn {
  readonly id: string;
  readonly question: string;
}

/** Kinds of rows: whole sources, or each document of them. */
export type RowKind = 'documents' | 'sources';

/** Extraction table in a list. Times are milliseconds since 1970. */
export interface TableEntry extends ArtifactScope {
  readonly id: string;
  readonly title: string;
  readonly rowKind: RowKind;
  readonly createdAt: number;
  readonly changedAt: number;
}

/** Table whose rows are sources and whose columns are questions. */
export interface ExtractionTable extends TableEntry {
  readonly columns: readonly ExtractionColumn[];
  /** Increases with every change. */
  readonly revision: number;
  /** Token usage of models so far. */
  readonly usage: TokenUsage | undefined;
}

/** Row with its current state. */
export interface ExtractionRow {
  /** ID of the source, followed by the document's number if the row is one document. */
  readonly id: string;
  readonly sourceId: string;
  readonly documentId: number | undefined;
  readonly title: string;
  /** Changes with its text; '' until some of it was read. */
  readonly version: string;
  /** Length of its text, in UTF-16 code units. */
  readonly length: number;
}

/** Position of a cell. */
export interface CellPlace {
  readonly columnId: string;
  readonly rowId: string;
}

/** Returns a key that identifies a cell of an extraction table. */
export function cellKey({ columnId, rowId }: CellPlace): string {
  return `${columnId} ${rowId}`;
}

/** Returns the position that a key identifies. */
export function readCellKey(key: string): CellPlace {
  const at = key.indexOf(' ');
  return { columnId: key.slice(0, at), rowId: key.slice(at + 1) };
}

/** Cell that was filled or edited. */
export interface ExtractionCell extends CellPlace {
  /** Title of its row at that time, for deleted rows. */
  readonly rowTitle: string;
  readonly answer: Answer | undefined;
  /** Question of the answer, and version of the row at that time. */
  readonly question: string | undefined;
  readonly version: string | undefined;
  /** Text that the user entered in place of the answer. */
  readonly edited: string | undefined;
  /** Plain text of the previous answer, if the new one differs and nobody has seen it yet. */
  readonly was: string | undefined;
  readonly failure: AnswerFailure | undefined;
  /** `waiting`: it waits to be filled. `asking`: somebody fills it now. */
  readonly state: 'asking' | 'resting' | 'waiting';
}

/** State of a cell, without its text. */
export interface CellStanding extends CellPlace, Pick<ExtractionCell, 'state'> {
  readonly isEdited: boolean;
}

/** Cell that was claimed to be filled. */
export interface ClaimedCell extends CellPlace {
  readonly question: string;
  readonly rowTitle: string;
  /** Identifies the row on every machine of a team; undefined if its document was deleted. */
  readonly sharedId: string | undefined;
}

/** Result of filling a cell. */
export type CellOutcome =
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly question: string;
      readonly version: string;
    }
  | { readonly kind: 'failed'; readonly failure: AnswerFailure };

/** Requests about a notebook's extraction tables. Every change is one transaction, and all windows get notified. */
export interface TableBoard {
  /** Most recently changed first. */
  readonly tables: () => readonly TableEntry[];
  /** Returns its id. */
  readonly addTable: (
    params: ArtifactScope & { readonly title: string; readonly rowKind: RowKind },
  ) => string;
  /** Undefined if it was deleted. */
  readonly table: (params: { readonly tableId: string }) => ExtractionTable | undefined;
  /**
   * Returns the current rows, all or one, and the number of rows that exceeded the limit.
   * @throws NotebookError `not-found`
   */
  readonly tableRows: (params: { readonly tableId: string; readonly rowId?: string }) => {
    readonly rows: readonly ExtractionRow[];
    readonly omitted: number;
  };
  /**
   * Returns the cells that changed after a revision of the table, some at a time; 0 returns all. `from` gets the next
   * ones, and is undefined after the last.
   * @throws NotebookError `not-found`
   */
  readonly tableCells: (params: {
    readonly tableId: string;
    readonly after: number;
    readonly from?: number | undefined;
  }) => {
    readonly revision: number;
    readonly cells: readonly ExtractionCell[];
    readonly from: number | undefined;
  };
  /** Undefined if it was neither filled nor edited. */
  readonly tableCell: (params: CellPlace & { readonly tableId: string }) => ExtractionCell | undefined;
  /** Returns the states of all cells that were filled or edited, without their text. */
  readonly tableStates: (params: { readonly tableId: string }) => readonly CellStanding[];
  /** @throws NotebookError `not-found` */
  readonly renameTable: (params: { readonly tableId: string; readonly title: string }) => void;
  readonly removeTable: (params: { readonly tableId: string }) => void;
  /** Adds a column and returns its id. @throws NotebookError `not-found`, `too-large` */
  readonly addColumn: (params: { readonly tableId: string; readonly question: string }) => string;
  /** Changes the question of a column. The answers stay until the cells are filled again. */
  readonly renameColumn: (params: {
    readonly tableId: string;
    readonly columnId: string;
    readonly question: string;
  }) => void;
  /** Removes a column and its cells. */
  readonly removeColumn: (params: { readonly tableId: string; readonly columnId: string }) => void;
  /**
   * Saves the user's text of a cell, which is no longer filled; undefined discards the text.
   * @throws NotebookError `not-found`
   */
  readonly editCell: (
    params: CellPlace & {
      readonly tableId: string;
      readonly rowTitle: string;
      readonly text: string | undefined;
    },
  ) => void;
  /**
   * Marks cells to be filled. Skips cells with text of the user unless `replacesEdited` is set: then the text stays
   * until the answer arrives.
   */
  readonly wantCells: (params: {
    readonly tableId: string;
    readonly cells: readonly (CellPlace & { readonly rowTitle: string })[];
    readonly replacesEdited: boolean;
  }) => void;
  /** Cancels waiting cells, all or some. */
  readonly unwantCells: (params: { readonly tableId: string; readonly cells?: readonly CellPlace[] }) => void;
  /** Marks changed answers of cells as seen, all or one. */
  readonly seeCells: (params: { readonly tableId: string; readonly cell?: CellPlace }) => void;
  /** Claims the next waiting cell that nobody else holds, for `hold` milliseconds; undefined if there is none. */
  readonly claimCell: (params: {
    readonly tableId: string;
    readonly holder: string;
    readonly hold: number;
  }) => ClaimedCell | undefined;
  /** Renews the claims on all cells of a holder. */
  readonly renewCells: (params: {
    readonly tableId: string;
    readonly holder: string;
    readonly hold: number;
  }) => void;
  /** Leaves a claimed cell to its holder on another machine: nobody can claim it here for `hold` milliseconds. */
  readonly leaveCell: (
    params: CellPlace & { readonly tableId: string; readonly holder: string; readonly hold: number },
  ) => void;
  /** Releases claimed cells without an answer, which then wait again, and adds the token usage spent on them. */
  readonly releaseCells: (params: {
    readonly tableId: string;
    readonly holder: string;
    readonly cell?: CellPlace;
    readonly usage?: TokenUsage | undefined;
  }) => void;
  /** Saves the result of a cell; `false` if its holder lost it because somebody edited, removed, or claimed it. */
  readonly keepCell: (
    params: CellPlace & {
      readonly tableId: string;
      readonly holder: string;
      readonly outcome: CellOutcome;
      readonly usage?: TokenUsage | undefined;
    },
  ) => boolean;
  /** Saves the verdicts on a cell's answer, and the usage; `false` if the answer has changed since. */
  readonly putVerdicts: (
    params: CellPlace & {
      readonly tableId: string;
      readonly before: Answer;
      readonly answer: Answer;
      readonly usage?: TokenUsage | undefined;
    },
  ) => boolean;
}

/** Returns the ID of a row. */
export function rowId(sourceId: string, documentId: number | undefined): string {
  return documentId === undefined ? sourceId : `${sourceId}/${String(documentId)}`;
}

/** Splits the ID of a row. */
export function readRowId(id: string): {
  readonly sourceId: string;
  readonly documentId: number | undefined;
} {
  const at = id.lastIndexOf('/');
  return at < 0
    ? { sourceId: id, documentId: undefined }
    : { sourceId: id.slice(0, at), documentId: Number(id.slice(at + 1)) };
}

/** Reason why an answer may be out of date: its row has changed or is gone, or its column has another question. */
type CellChange = 'gone' | 'question' | 'source';

/** Returns the reason why a cell is out of date; undefined if it's current. */
export function cellChange(
  { question, version }: Pick<ExtractionCell, 'question' | 'version'>,
  row: Pick<ExtractionRow, 'version'> | undefined,
  column: Pick<ExtractionColumn, 'question'>,
): CellChange | undefined {
  if (row === undefined) return 'gone';
  if (question === undefined) return undefined;
  if (question !== column.question) return 'question';
  return version === row.version ? undefined : 'source';
}
