import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { Answer } from '../../../core/domain/answer.ts';
import { addedUsage, type TokenUsage } from '../../../core/domain/usage.ts';
import type { Client } from '../../../core/rpc/rpc.ts';
import type { FactChecker } from '../../chat/editor/answer-model.ts';
import {
  correctionModels,
  Corrections,
  textChanged,
  undoneCorrection,
  type WrittenAnswer,
} from '../../chat/editor/corrections.ts';
import type { ProposedCorrection } from '../../chat/protocol.ts';
import {
  readCellKey,
  type CellPlace,
  type ExtractionCell,
  type TableBoard,
} from '../model/extraction-table.ts';

interface CellCorrectionsParts {
  readonly board: Pick<Client<TableBoard>, 'call'>;
  readonly tableId: string;
  /** Returns the finder for the row of a cell. */
  readonly passagesOf: (place: CellPlace) => PassageFinder;
  /** Returns the model that checks; undefined without a model. `onUsage` gets the token usage of each request. */
  readonly checker: (onUsage: (usage: TokenUsage) => void) => Promise<FactChecker | undefined>;
}

/** Corrections of a table's cells, which are named by their keys. */
export class CellCorrections {
  readonly #parts: CellCorrectionsParts;
  readonly #corrections = new Corrections();

  constructor(parts: CellCorrectionsParts) {
    this.#parts = parts;
  }

  /**
   * Corrects a statement of a cell with a model, and checks the correction. Nothing changes until it's applied.
   * @throws NotebookError if the model can't be reached or gives no usable correction
   */
  async propose(key: string, index: number, signal: AbortSignal): Promise<ProposedCorrection> {
    const { passagesOf, checker } = this.#parts;
    const place = readCellKey(key);
    const cell = await this.#cell(place);
    const answer = writtenIn(cell);
    const question = cell?.question;
    let usage: TokenUsage | undefined;
    const models = await correctionModels(
      await checker((own) => {
        usage = addedUsage(usage, own);
      }),
    );
    const passages = passagesOf(place);
    const { asCellAnswer, passagesToCorrect } = await import('../service/answer-cell.ts');
    try {
      return await this.#corrections.propose(key, {
        ...{ question, answer, index, models, passages, signal },
        read: answer && (await passagesToCorrect(answer, question, passages, signal)),
        finish: asCellAnswer,
      });
    } finally {
      if (usage !== undefined && answer !== undefined)
        await this.#putAnswer(place, { before: answer, answer, usage });
    }
  }

  /** Applies the last correction of a cell. @throws NotebookError `conflict` if the cell changed since */
  async apply(key: string): Promise<void> {
    await this.#exchange(key, (answer) => this.#corrections.apply(key, answer));
  }

  /** Restores the answer before the last correction. @throws NotebookError `conflict` if the cell changed since */
  async undo(key: string): Promise<void> {
    await this.#exchange(key, undoneCorrection);
  }

  async #exchange(key: string, change: (current: Answer | undefined) => Answer): Promise<void> {
    const place = readCellKey(key);
    const cell = await this.#cell(place);
    const before = cell?.edited === undefined ? cell?.answer : undefined;
    const answer = change(before);
    if (before === undefined || !(await this.#putAnswer(place, { before, answer }))) throw textChanged();
  }

  async #cell(place: CellPlace): Promise<ExtractionCell | undefined> {
    return await this.#parts.board.call('tableCell', { tableId: this.#parts.tableId, ...place });
  }

  /** Saves the answer of a cell and the usage. Returns `false` if its previous answer has changed. */
  async #putAnswer(
    place: CellPlace,
    change: { readonly before: Answer; readonly answer: Answer; readonly usage?: TokenUsage },
  ): Promise<boolean> {
    return await this.#parts.board.call('putVerdicts', { tableId: this.#parts.tableId, ...place, ...change });
  }
}

/** Returns the answer that a model wrote in a cell; undefined if the user's text replaces it. */
function writtenIn(cell: ExtractionCell | undefined): WrittenAnswer | undefined {
  return cell?.edited === undefined && cell?.answer?.kind === 'written' ? cell.answer : undefined;
}
