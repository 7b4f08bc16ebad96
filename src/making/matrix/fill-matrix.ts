import { t } from '@vscode/l10n';
import type { Client } from '../../messages/rpc.ts';
import type { Answer, AnswerFailure } from '../../notebook/answer.ts';
import { isCancelled, NotebookError, type ErrorCode } from '../../notebook/errors.ts';
import type { ClaimedCell, MatrixBoard, MatrixRow } from '../../notebook/matrix.ts';
import { addedUsage, type TokenUsage } from '../../notebook/usage.ts';

/** So many cells are asked at once. */
const AT_ONCE = 4;
/** How long a cell is held before that has to be renewed, and how often it is, in milliseconds. */
const HOLD = 60_000;
const RENEWED_AFTER = 20_000;
/** After so many cells in a row that failed, each for its own reason, it is likely that none will be answered. */
const MOST_FAILURES = 5;

/** What fails so would fail with every cell: the others wait until the user has mended it. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([
  ...(['connection', 'disk-full', 'forbidden', 'internal', 'model-missing', 'rate-limited'] as const),
  ...(['server', 'timeout', 'unauthorized'] as const),
]);

/** A matrix to fill, and what fills it. */
export interface Filling {
  readonly board: Pick<Client<MatrixBoard>, 'call'>;
  readonly matrixId: string;
  /** Names who fills it, this window and this time. */
  readonly holder: string;
  /** Answers a question from a row alone; `onUsage` gets what each request to a model takes and gives. @throws NotebookError */
  readonly answer: (
    row: MatrixRow,
    question: string,
    signal: AbortSignal,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<Answer>;
  /** It breaks off once models took and gave more tokens than this. */
  readonly mostTokens: number;
  readonly signal: AbortSignal;
  /** Gets what nobody foresaw. */
  readonly onError: (error: unknown) => void;
}

/**
 * Asks all cells of a matrix that wait, some at once, and keeps each answer as it comes: whenever it breaks off, what is
 * kept is not asked again, and other windows never ask what one has taken. Resolves to what stopped it, in one sentence
 * with the way out, and to nothing where no cell waits any more or the signal stopped it.
 */
export async function fillMatrix(filling: Filling): Promise<AnswerFailure | undefined> {
  const { board, matrixId, holder, signal } = filling;
  const floor: Floor = { ...filling, stopped: undefined, failures: 0, tokens: 0 };
  const renewing = setInterval(() => {
    // The next may get through before the hold runs out.
    board.call('renewCells', { matrixId, holder, hold: HOLD }).catch(() => undefined);
  }, RENEWED_AFTER);
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, () => work(floor)));
  } finally {
    clearInterval(renewing);
  }
  return signal.aborted ? undefined : floor.stopped;
}

interface Floor extends Filling {
  stopped: AnswerFailure | undefined;
  failures: number;
  tokens: number;
}

async function work(floor: Floor): Promise<void> {
  const { board, matrixId, holder, signal } = floor;
  while (!signal.aborted && floor.stopped === undefined) {
    try {
      const cell = await board.call('claimCell', { matrixId, holder, hold: HOLD });
      if (cell === undefined) return;
      await ask(floor, cell);
    } catch (error) {
      // It was removed.
      if (error instanceof NotebookError && error.code === 'not-found') return;
      floor.stopped ??= failureOf(error, floor);
    }
  }
}

async function ask(floor: Floor, cell: ClaimedCell): Promise<void> {
  const { board, matrixId, holder, signal } = floor;
  const { columnId, rowId, question } = cell;
  let usage: TokenUsage | undefined;
  try {
    const { rows } = await board.call('matrixRows', { matrixId, rowId });
    const row = rows.find(({ id }) => id === rowId);
    if (row === undefined || row.version === '') throw nothingToAsk(cell, row);
    const answer = await floor.answer(row, question, signal, (told) => {
      usage = addedUsage(usage, told);
      floor.tokens += told.input + told.output;
    });
    const outcome = { kind: 'answered' as const, answer, asked: question, version: row.version };
    await board.call('keepCell', { matrixId, columnId, rowId, holder, outcome, usage });
    floor.failures = 0;
    if (floor.tokens > floor.mostTokens) floor.stopped ??= tooManyTokens(floor.tokens);
  } catch (error) {
    const failure = failureOf(error, floor);
    const isOfAll = !(error instanceof NotebookError) || OF_ALL.has(error.code);
    if (signal.aborted || isCancelled(error) || isOfAll) {
      await board
        .call('giveBackCells', { matrixId, holder, cell: { columnId, rowId } })
        .catch(() => undefined);
      if (!signal.aborted && !isCancelled(error)) floor.stopped ??= failure;
      return;
    }
    const outcome = { kind: 'failed' as const, failure };
    await board.call('keepCell', { matrixId, columnId, rowId, holder, outcome, usage });
    floor.failures++;
    if (floor.failures >= MOST_FAILURES) floor.stopped ??= failure;
  }
}

function nothingToAsk({ rowTitle }: ClaimedCell, row: MatrixRow | undefined): NotebookError {
  return row === undefined
    ? new NotebookError(
        'empty',
        t('“{0}” is no longer in the notebook. Add it again, then ask again.', rowTitle),
      )
    : new NotebookError('empty', t('Nothing of “{0}” was read yet. Ask again once it is.', rowTitle));
}

function tooManyTokens(tokens: number): AnswerFailure {
  return {
    message: t(
      'The cells took more tokens than was told, {0} so far, so the others wait. Go on if that is all right.',
      tokens.toLocaleString(),
    ),
    action: undefined,
  };
}

function failureOf(error: unknown, { onError }: Pick<Filling, 'onError'>): AnswerFailure {
  if (error instanceof NotebookError) return { message: error.message, action: error.action };
  onError(error);
  return {
    message: t('A cell broke off for a reason that nobody foresaw. See the log for details, then go on.'),
    action: 'showLog',
  };
}
