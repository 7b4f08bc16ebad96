import type { AnswerFailure, Citation } from '../notebook/answer.ts';
import type { ErrorAction } from '../notebook/errors.ts';
import type { CellPiece } from '../notebook/matrix-cells.ts';
import type { CellPlace, MatrixCell, MatrixColumn, MatrixRow } from '../notebook/matrix.ts';
import type { Prices, TokenUsage } from '../notebook/usage.ts';

/** Kept by a matrix's page as its state, by which it is restored after a reload. */
export interface MatrixState {
  /** Its id, and the key of the notebook that holds it. */
  readonly matrix: string;
  readonly notebook: string;
}

/** What fills cells: a model, or the best place of each row where there is none. */
export interface FillingModel {
  readonly name: string;
  readonly prices: Prices | undefined;
}

/** What is shown above a matrix, and its columns. */
export interface MatrixHead {
  readonly title: string;
  readonly columns: readonly MatrixColumn[];
  /** How many rows did not fit. */
  readonly omitted: number;
  readonly model: FillingModel | undefined;
  readonly usage: TokenUsage | undefined;
  readonly isFilling: boolean;
  /** What stopped it, where that was not the user. */
  readonly stopped: AnswerFailure | undefined;
}

/** A row with what one cell of it takes and gives, in tokens, as far as that can be told before. */
export interface RowView extends Pick<MatrixRow, 'id' | 'title' | 'version'> {
  readonly input: number;
  readonly output: number;
}

/** A cell as it is shown; `asked` is told of what was answered. */
export interface CellView
  extends
    CellPlace,
    Pick<MatrixCell, 'asked' | 'edited' | 'failure' | 'rowTitle' | 'state' | 'version' | 'was'> {
  readonly pieces: readonly CellPiece[];
  /** The row does not answer, and `pieces` say so. */
  readonly isNothing: boolean;
  readonly citations: readonly Pick<Citation, 'place' | 'quote' | 'title'>[];
}

/** What a matrix's page asks of the extension, which says itself what it could not do. */
export interface MatrixHostApi {
  /** Everything is told by `changed` from then on. */
  readonly ready: () => MatrixState;
  readonly openCitation: (
    params: CellPlace & { readonly citation: number; readonly beside: boolean },
  ) => void;
  readonly openRow: (params: { readonly rowId: string }) => void;
  /** Adds a column and fills it. Whether it was added. */
  readonly addColumn: (params: { readonly question: string }) => boolean;
  readonly renameColumn: (params: { readonly columnId: string; readonly question: string }) => void;
  readonly removeColumn: (params: { readonly columnId: string }) => void;
  /** Keeps what the user wrote; undefined takes it back. */
  readonly edit: (params: CellPlace & { readonly text: string | undefined }) => void;
  /** Asks cells, and what the user wrote in some only where they agree. */
  readonly ask: (params: { readonly cells: readonly CellPlace[] }) => void;
  /** Goes on with the cells that wait. */
  readonly goOn: () => void;
  readonly stop: () => void;
  /** Lets the cells that wait be. */
  readonly letBe: () => void;
  /** Marks what says something else than before as seen, all or one cell. */
  readonly see: (params: { readonly cell?: CellPlace | undefined }) => void;
  readonly export: () => void;
  readonly rename: () => void;
  readonly pickModel: () => void;
  /** Takes the way out of what stopped it. */
  readonly run: (params: { readonly action: ErrorAction }) => void;
}

/** What the extension tells a matrix's page. */
export interface MatrixPageApi {
  /** What changed; rows are told where any did. */
  readonly changed: (params: {
    readonly head: MatrixHead;
    readonly rows: readonly RowView[] | undefined;
    readonly cells: readonly CellView[];
  }) => void;
}
