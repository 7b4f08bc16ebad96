import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { TableState } from '../protocol.ts';
import type { Filling } from '../service/fill-table.ts';
import type { AnswerFailure } from '../../../core/domain/answer.ts';
import type { NotebookError } from '../../../core/domain/errors.ts';
import { cellKey, type CellPlace, type ExtractionRow } from '../model/extraction-table.ts';
import { passageFinder } from '../../../answers/retrieving/notebook-finder.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { AnswerModels } from '../../chat/editor/answer-model.ts';
import type { Embedder } from '../../semantic-search/editor/embedder.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import type { Teams } from '../../team/editor/teams.ts';
import { TeamCells } from './team-cells.ts';

/** Interval at which the status bar shows the progress, in milliseconds. */
const PROGRESS_INTERVAL_MS = 1_000;

/** Services to fill extraction tables. */
export interface FillingParts {
  readonly notebooks: Pick<Notebooks, 'client'>;
  readonly embedder: Embedder;
  readonly answerModels: AnswerModels;
  readonly teams: Teams;
  readonly reportError: (error: unknown) => void;
}

/** Extraction table that this window fills or has filled. */
interface Filled {
  readonly state: TableState;
  readonly held: Filling['held'];
  /** Failure that stopped the last run, or that left some of its cells unchecked. */
  stopped: AnswerFailure | undefined;
  going: { readonly controller: AbortController; readonly ended: Promise<void> } | undefined;
}

/**
 * Fills extraction tables, even if their tabs are closed: the status bar shows the progress and leads back to them. The
 * work ends with this window. Saved answers stay, and the user can resume the rest.
 */
export class TableFillings implements vscode.Disposable {
  readonly #parts: FillingParts;
  /** Shows the failure of a run, unless the open tab of its table shows it already. */
  readonly #onFailure: (state: TableState, title: string, message: string) => void;
  readonly #holder = randomUUID();
  readonly #teamCells: TeamCells;
  readonly #tables = new Map<string, Filled>();
  readonly #changed = new vscode.EventEmitter<TableState>();
  /** Fires when a run started or ended. */
  readonly onDidChange = this.#changed.event;

  constructor(parts: FillingParts, onFailure: (state: TableState, title: string, message: string) => void) {
    this.#parts = parts;
    this.#onFailure = onFailure;
    this.#teamCells = new TeamCells(parts.teams);
  }

  isGoing(state: TableState): boolean {
    return this.#of(state).going !== undefined;
  }

  /** Returns the failure that stopped the last run or left cells unchecked; undefined if the user stopped it. */
  findFailure(state: TableState): AnswerFailure | undefined {
    return this.#of(state).stopped;
  }

  /** Reports whether this window claimed a cell. */
  isHeld(state: TableState, place: CellPlace): boolean {
    return this.#of(state).held.has(cellKey(place));
  }

  /** Fills the waiting cells, unless a run is in progress. */
  goOn(state: TableState): void {
    const filled = this.#of(state);
    if (filled.going !== undefined) return;
    const controller = new AbortController();
    filled.stopped = undefined;
    const ended = this.#fill(filled, controller.signal)
      .catch(this.#parts.reportError)
      .finally(() => {
        filled.going = undefined;
        this.#changed.fire(state);
      });
    filled.going = { controller, ended };
    this.#changed.fire(state);
  }

  /** Stops filling a table, and waits until received answers are saved. */
  async stop(state: TableState): Promise<void> {
    const { going } = this.#of(state);
    going?.controller.abort();
    await going?.ended;
  }

  /** Stops filling all tables, and waits until received answers are saved. */
  async leave(): Promise<void> {
    await Promise.all(Array.from(this.#tables.values(), ({ state }) => this.stop(state)));
  }

  dispose(): void {
    for (const { going } of this.#tables.values()) going?.controller.abort();
    this.#changed.dispose();
  }

  #of(state: TableState): Filled {
    const key = tableKey(state);
    const known = this.#tables.get(key);
    if (known !== undefined) return known;
    const fresh: Filled = { state, held: new Map(), stopped: undefined, going: undefined };
    this.#tables.set(key, fresh);
    return fresh;
  }

  async #fill(filled: Filled, signal: AbortSignal): Promise<void> {
    const { notebooks, embedder, answerModels, reportError: tellError } = this.#parts;
    const { state, held } = filled;
    const { tableId } = state;
    const notebook = notebooks.client(state.notebook);
    const table = await notebook.call('table', { tableId });
    if (table === undefined) return;
    const [{ answerCell }, { uncheckedFailure }, { fillExtractionTable }] = await Promise.all([
      import('../service/answer-cell.ts'),
      import('../service/check-cells.ts'),
      import('../service/fill-table.ts'),
    ]);
    const { title } = table;
    let uncheckedCount = 0;
    let unchecked: AnswerFailure | undefined;
    const onCheckFailed = (failure: NotebookError): void => {
      unchecked = uncheckedFailure(++uncheckedCount, failure);
    };
    let stopped: AnswerFailure | undefined;
    const progress = this.#showProgress(state, title);
    try {
      stopped = await fillExtractionTable({
        ...{ tableId, holder: this.#holder, signal, held, onError: tellError },
        isChecked: await answerModels.isChecked(),
        board: this.#teamCells.board(notebook, signal),
        answer: async (row, question, stop, onUsage) => {
          const { model } = await answerModels.of('', onUsage);
          const passages = rowPassages(notebook, embedder, row);
          const checker = model === undefined ? undefined : await answerModels.allowedChecker(onUsage);
          return await answerCell({
            ...{ question, row, passages, model, signal: stop },
            checker: checker?.model,
            onCheckFailed,
          });
        },
      });
    } finally {
      progress.dispose();
    }
    filled.stopped = stopped ?? unchecked;
    if (stopped !== undefined)
      this.#onFailure(
        state,
        title,
        vscode.l10n.t('Couldn’t finish filling “{0}”. {1}', title, stopped.message),
      );
    else if (unchecked !== undefined)
      this.#onFailure(state, title, vscode.l10n.t('Filled “{0}”. {1}', title, unchecked.message));
  }

  /** Shows in the status bar how many cells are left, until it is disposed of. */
  #showProgress(state: TableState, title: string): vscode.Disposable {
    const { tableId } = state;
    const notebook = this.#parts.notebooks.client(state.notebook);
    const item = vscode.window.createStatusBarItem(`matrix.${tableId}`, vscode.StatusBarAlignment.Left);
    item.name = vscode.l10n.t('Extraction Table Progress');
    item.text = `$(sync~spin) ${literalText(title)}`;
    item.tooltip = vscode.l10n.t('Filling cells of “{0}”. Select to open the table.', title);
    item.command = {
      command: 'openNotebook.openMatrix',
      title: vscode.l10n.t('Open'),
      arguments: [{ id: tableId, title }],
    };
    item.show();
    const reportProgress = async (): Promise<void> => {
      const states = await notebook.call('tableStates', { tableId });
      const waitingCells = states.filter((cell) => cell.state !== 'resting').length;
      const count =
        waitingCells === 1 ? vscode.l10n.t('1 cell left') : vscode.l10n.t('{0} cells left', waitingCells);
      item.text = `$(sync~spin) ${literalText(title)}: ${count}`;
    };
    // The next update makes up for a failed one.
    const timer = setInterval(() => void reportProgress().catch(() => undefined), PROGRESS_INTERVAL_MS);
    return vscode.Disposable.from(item, {
      dispose: () => {
        clearInterval(timer);
      },
    });
  }
}

/** Returns the finder for the passages of a row. */
export function rowPassages(
  notebook: NotebookClient,
  embedder: Embedder,
  { sourceId, documentId }: Pick<ExtractionRow, 'documentId' | 'sourceId'>,
): PassageFinder {
  const within =
    documentId === undefined
      ? { kind: 'sources' as const, sourceIds: [sourceId] }
      : { kind: 'documents' as const, documentIds: [documentId] };
  return passageFinder(notebook, embedder, within);
}

/** Returns a key that identifies a table across all notebooks. */
export function tableKey({ tableId, notebook }: TableState): string {
  return `${notebook} ${tableId}`;
}
