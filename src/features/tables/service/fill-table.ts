import { t } from '@vscode/l10n';
import { REQUESTS_AT_ONCE } from '../../../answers/models/ask-all.ts';
import type { Client } from '../../../core/rpc/rpc.ts';
import type { Answer, AnswerFailure } from '../../../core/domain/answer.ts';
import { isCanceled, NotebookError, type ErrorCode } from '../../../core/domain/errors.ts';
import {
  cellKey,
  type CellOutcome,
  type ClaimedCell,
  type TableBoard,
  type ExtractionRow,
} from '../model/extraction-table.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import { estimateCell } from './answer-cell.ts';

/** Duration of the lease on a cell, and interval of its renewal, in milliseconds. */
export const LEASE_MS = 60_000;
const RENEWED_AFTER = 20_000;
/** Maximum number of consecutive failed cells, each for its own reason, after which all others would probably fail. */
const MAX_FAILURES = 5;
/**
 * Factor by which the actual cost can exceed the estimate before filling stops, and minimum number of cells before this
 * applies.
 */
const TOLERANCE = 2;
const MIN_QUERIED = 8;

/** Errors that would affect every cell. The remaining cells wait until the user has fixed the cause. */
const OF_ALL: ReadonlySet<ErrorCode> = new Set([
  ...(['broken-off', 'cancelled', 'connection', 'disk-full', 'forbidden', 'internal'] as const),
  ...(['model-missing', 'rate-limited', 'server', 'timeout', 'unauthorized'] as const),
]);

type CellResult = Parameters<TableBoard['keepCell']>[0];

/** Extraction table to fill, and its parts. */
export interface Filling {
  readonly board: Pick<Client<TableBoard>, 'call'>;
  readonly tableId: string;
  /** Names the window that fills it. */
  readonly holder: string;
  /** True if a model checks the answers, too. */
  readonly isChecked: boolean;
  /**
   * Answers a question from a row alone. Calls `onUsage` with the usage of each request to a model.
   * @throws NotebookError
   */
  readonly answer: (
    row: ExtractionRow,
    question: string,
    signal: AbortSignal,
    onUsage: (usage: TokenUsage) => void,
  ) => Promise<Answer>;
  /**
   * Cells that the holder has claimed, by their positions, with results that couldn't be saved, for example because the
   * disk was full. The same holder saves them when it resumes, without requesting them again.
   */
  readonly held: Map<string, CellResult | undefined>;
  readonly signal: AbortSignal;
  /** Called with unexpected errors. */
  readonly onError: (error: unknown) => void;
}

/**
 * Fills all pending cells of a table, several at once, and saves each answer immediately. After an interruption, saved
 * answers aren't requested again, and other windows never fill a claimed cell. Resolves to the reason for stopping, in
 * one sentence with the way out; undefined if no cell is pending or the signal stopped it.
 */
export async function fillExtractionTable(filling: Filling): Promise<AnswerFailure | undefined> {
  const { board, tableId, holder, signal } = filling;
  const state: FillState = { ...filling, stopped: undefined, failures: 0, filled: 0, estimated: 0, used: 0 };
  const renewing = setInterval(() => {
    // Ignore a failure, because the next renewal may succeed before the lease expires.
    board.call('renewCells', { tableId, holder, hold: LEASE_MS }).catch(() => undefined);
  }, RENEWED_AFTER);
  try {
    await untilStopped(state, async () => {
      for (const cell of [...state.held.values()]) if (cell !== undefined) await keep(state, cell);
      // Release the cells that couldn't be released before.
      if (state.held.size > 0) await board.call('releaseCells', { tableId, holder });
      state.held.clear();
      return true;
    });
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, () => work(state)));
  } finally {
    clearInterval(renewing);
  }
  return signal.aborted ? undefined : state.stopped;
}

interface FillState extends Filling {
  stopped: AnswerFailure | undefined;
  failures: number;
  /** Number of filled cells, and their estimated and actual tokens. */
  filled: number;
  estimated: number;
  used: number;
}

async function work(state: FillState): Promise<void> {
  const { board, tableId, holder, signal } = state;
  let isLeft = true;
  while (isLeft && !signal.aborted && state.stopped === undefined)
    isLeft = await untilStopped(state, async () => {
      const cell = await board.call('claimCell', { tableId, holder, hold: LEASE_MS });
      if (cell === undefined) return false;
      state.held.set(cellKey(cell), undefined);
      await ask(state, cell);
      return true;
    });
}

/** Runs an action and returns its result; `false` if it failed, which stops all work. */
async function untilStopped(state: FillState, action: () => Promise<boolean>): Promise<boolean> {
  try {
    return await action();
  } catch (error) {
    // The table or cell was removed.
    if (!(error instanceof NotebookError && error.code === 'not-found'))
      state.stopped ??= toFailure(error, state);
    return false;
  }
}

async function ask(state: FillState, cell: ClaimedCell): Promise<void> {
  const { board, tableId, holder, signal } = state;
  const { columnId, rowId, question } = cell;
  let usage: TokenUsage | undefined;
  let outcome: CellOutcome;
  try {
    const { rows } = await board.call('tableRows', { tableId, rowId });
    const row = rows.find(({ id }) => id === rowId);
    if (row === undefined || row.version === '') throw nothingToAsk(cell, row);
    const { input, output } = estimateCell(row, state.isChecked);
    const answer = await state.answer(row, question, signal, (cellUsage) => {
      usage = addedUsage(usage, cellUsage);
      state.used += cellUsage.input + cellUsage.output;
    });
    state.filled++;
    state.estimated += input + output;
    state.failures = 0;
    outcome = { kind: 'answered', answer, question, version: row.version };
  } catch (error) {
    const failure = toFailure(error, state);
    if (signal.aborted || isCanceled(error) || !(error instanceof NotebookError) || OF_ALL.has(error.code)) {
      if (!signal.aborted) state.stopped ??= failure;
      const isReleased = await board
        // Include the usage before an interruption.
        .call('releaseCells', { tableId, holder, cell: { columnId, rowId }, usage })
        .then(
          () => true,
          () => false,
        );
      if (isReleased) state.held.delete(cellKey(cell));
      return;
    }
    outcome = { kind: 'failed', failure };
    if (++state.failures >= MAX_FAILURES) state.stopped ??= failure;
  }
  const result = { tableId, columnId, rowId, holder, outcome, usage };
  state.held.set(cellKey(cell), result);
  await keep(state, result);
  if (state.filled >= MIN_QUERIED && state.used > TOLERANCE * state.estimated)
    state.stopped ??= tooManyTokens(state);
}

async function keep({ board, held }: FillState, result: CellResult): Promise<void> {
  await board.call('keepCell', result);
  held.delete(cellKey(result));
}

function nothingToAsk({ rowTitle }: ClaimedCell, row: ExtractionRow | undefined): NotebookError {
  return row === undefined
    ? new NotebookError(
        'empty',
        t('“{0}” is no longer in the notebook. Add it again, then fill the cell again.', rowTitle),
      )
    : new NotebookError('empty', t('“{0}” hasn’t been read yet. Fill the cell again later.', rowTitle));
}

function tooManyTokens({ used, estimated }: FillState): AnswerFailure {
  return {
    message: t(
      'Stopped because the cells used {0} tokens instead of the estimated {1}. Resume to continue.',
      used.toLocaleString(),
      estimated.toLocaleString(),
    ),
    action: undefined,
  };
}

function toFailure(error: unknown, { onError }: Pick<Filling, 'onError'>): AnswerFailure {
  if (error instanceof NotebookError) return { message: error.message, action: error.action };
  onError(error);
  return {
    message: t(
      'Stopped filling a cell because of an unexpected error. See the log for details, then resume.',
    ),
    action: 'showLog',
  };
}
