import type { AnswerFailure, Citation, Statement } from '../../core/domain/answer.ts';
import type { ErrorAction } from '../../core/domain/errors.ts';
import type { CellPiece } from './model/cells.ts';
import type { CellPlace, ExtractionCell, ExtractionColumn, ExtractionRow } from './model/extraction-table.ts';
import type { Prices, TokenUsage } from '../../core/domain/usage.ts';
import type { CorrectionApi, FactCheckRequest } from '../chat/protocol.ts';

/** State of an extraction table's page, which restores it after a reload. */
export interface TableState {
  /** ID of the table; `notebook` is the key of its notebook. */
  readonly tableId: string;
  readonly notebook: string;
}

/** Model that fills the cells. Without one, each cell gets the best excerpt of its row. */
export interface FillingModel {
  readonly name: string;
  readonly prices: Prices | undefined;
}

/** Heading and columns of an extraction table. */
export interface TableHead {
  readonly title: string;
  readonly columns: readonly ExtractionColumn[];
  /** Number of rows that exceeded the limit. */
  readonly omitted: number;
  readonly model: FillingModel | undefined;
  /** Model that could check the cells, if only the user's consent is missing. */
  readonly factCheckRequest?: FactCheckRequest | undefined;
  readonly usage: TokenUsage | undefined;
  readonly isFilling: boolean;
  /** Reason why filling stopped, unless the user stopped it, or why cells weren't checked. */
  readonly stopped: AnswerFailure | undefined;
}

/** Row with the estimated tokens of one of its cells. */
export interface RowView extends Pick<ExtractionRow, 'id' | 'title' | 'version'> {
  readonly input: number;
  readonly output: number;
}

/** Cell on the page; `question` is set if it has an answer. */
export interface CellView
  extends
    CellPlace,
    Pick<ExtractionCell, 'edited' | 'failure' | 'question' | 'rowTitle' | 'state' | 'version' | 'was'> {
  readonly pieces: readonly CellPiece[];
  /** Markdown of an answer that a model wrote, with its statements. */
  readonly written?: { readonly text: string; readonly statements: readonly Statement[] } | undefined;
  /** `true` if the row has no answer, which `pieces` say. */
  readonly isNothing: boolean;
  /** `true` if the last change of the answer was a correction, which can be undone. */
  readonly isCorrected?: boolean;
  readonly citations: readonly Pick<Citation, 'place' | 'quote' | 'title'>[];
}

/**
 * Requests of an extraction table's page to the extension, which itself shows errors to the user, except those of
 * corrections. The key of a cell names its text.
 */
export interface TableHostApi extends CorrectionApi {
  /** Starts the reports by `changed`. */
  readonly ready: () => TableState;
  readonly openCitation: (
    params: CellPlace & { readonly citation: number; readonly beside: boolean },
  ) => void;
  readonly openRow: (params: { readonly rowId: string }) => void;
  /** Adds a column and fills it. `true` if it was added. */
  readonly addColumn: (params: { readonly question: string }) => boolean;
  readonly renameColumn: (params: { readonly columnId: string; readonly question: string }) => void;
  readonly removeColumn: (params: { readonly columnId: string }) => void;
  /** Saves the user's text; undefined discards it. */
  readonly edit: (params: CellPlace & { readonly text: string | undefined }) => void;
  /** Fills cells. Those with the user's own text are included only if the user agrees. */
  readonly ask: (params: { readonly cells: readonly CellPlace[] }) => void;
  /** Resumes filling the waiting cells. */
  readonly goOn: () => void;
  readonly stop: () => void;
  /** Cancels the waiting cells. */
  readonly letBe: () => void;
  /** Lets a model check the answer of a cell, although that may cost money. */
  readonly checkCell: (params: CellPlace) => void;
  /** Lets a model check the answers of all cells that no model has checked, although that may cost money. */
  readonly checkCells: () => void;
  /** Marks changed answers as seen, all or of one cell. */
  readonly see: (params: { readonly cell?: CellPlace | undefined }) => void;
  /** Exports the table; `rowIds` are the shown rows, in order, if the user filters or sorts them. */
  readonly export: (params: { readonly rowIds?: readonly string[] | undefined }) => void;
  readonly rename: () => void;
  readonly pickModel: () => void;
  /** Reports whether the user allows the requested model to fact-check cells. */
  readonly decideFactCheck: (params: { readonly agrees: boolean }) => void;
  /** Runs the action offered with the error. */
  readonly run: (params: { readonly action: ErrorAction }) => void;
}

/** Requests of the extension to an extraction table's page. */
export interface TablePageApi {
  /** Reports changes; includes all rows if any changed. */
  readonly changed: (params: {
    readonly head: TableHead;
    readonly rows: readonly RowView[] | undefined;
    readonly cells: readonly CellView[];
  }) => void;
}
