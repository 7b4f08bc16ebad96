import { t } from '@vscode/l10n';
import { askAll } from '../../../answers/models/ask-all.ts';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { Client } from '../../../core/rpc/rpc.ts';
import type { AnswerFailure } from '../../../core/domain/answer.ts';
import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import { isUncheckedCell } from '../model/cells.ts';
import type { TableBoard, ExtractionCell } from '../model/extraction-table.ts';
import { checkCell } from './answer-cell.ts';

/** Returns the message about cells whose fact check failed while they were filled, with the reason of the last one. */
export function uncheckedFailure(cellCount: number, { message, action }: NotebookError): AnswerFailure {
  return {
    message:
      cellCount === 1
        ? t('The fact check of 1 cell failed: {0}', message)
        : t('The fact check of {0} cells failed: {1}', cellCount, message),
    action,
  };
}

interface CellChecks {
  readonly board: Pick<Client<TableBoard>, 'call'>;
  readonly tableId: string;
  readonly cells: readonly ExtractionCell[];
  /** Returns the finder for the row of a cell. */
  readonly passagesOf: (cell: ExtractionCell) => PassageFinder;
  /** Returns the model that checks. `onUsage` gets the token usage of each request. */
  readonly checker: (onUsage: (usage: TokenUsage) => void) => Promise<LanguageModel>;
  readonly signal: AbortSignal;
  /** Called after each cell with the number of checked cells and their total. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Lets a model check the answers of cells that no model has checked, several at a time, and saves each verdict at once.
 * Answers that change meanwhile stay unchecked.
 * @throws NotebookError the first error, after the other cells if the model returned no usable verdict
 */
export async function checkCells({
  board,
  tableId,
  cells,
  passagesOf,
  checker,
  signal,
  onProgress,
}: CellChecks): Promise<void> {
  const unchecked = cells.filter(isUncheckedCell);
  let unusable: NotebookError | undefined;
  let done = 0;
  await askAll(unchecked, async (cell) => {
    throwIfCanceled(signal);
    const { columnId, rowId, answer: before, question } = cell;
    if (before === undefined) return;
    let usage: TokenUsage | undefined;
    const model = await checker((own) => {
      usage = addedUsage(usage, own);
    });
    let answer = before;
    try {
      answer = await checkCell(before, { question, passages: passagesOf(cell), checker: model, signal });
    } catch (error) {
      if (!(error instanceof NotebookError) || error.code !== 'unsupported') throw error;
      unusable ??= error;
    }
    await board.call('putVerdicts', { tableId, columnId, rowId, before, answer, usage });
    onProgress(++done, unchecked.length);
  });
  if (unusable !== undefined) throw unusable;
}
