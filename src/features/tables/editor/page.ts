import * as vscode from 'vscode';
import type { CellView, FillingModel, TableHostApi, TablePageApi, TableState, RowView } from '../protocol.ts';
import type { Channel, Handlers } from '../../../core/rpc/rpc.ts';
import { estimateCell } from '../service/answer-cell.ts';
import { LEASE_MS } from '../service/fill-table.ts';
import { Throttle } from '../../../core/rpc/throttle.ts';
import { isCanceled, NotebookError, type ErrorAction } from '../../../core/domain/errors.ts';
import { cellPieces, isUncheckedCell } from '../model/cells.ts';
import {
  cellKey,
  readRowId,
  type CellPlace,
  type ExtractionTable,
  type TableBoard,
  type ExtractionCell,
  type ExtractionRow,
} from '../model/extraction-table.ts';
import { dollars, estimateCost } from '../../../core/domain/usage.ts';
import { columnBeside } from '../../chat/editor/chat-tabs.ts';
import type { CitationOpener } from '../../citations/editor/citation-opener.ts';
import { isConfirmed, showWarning, withNotification } from '../../../platform/dialogs.ts';
import type { ModelChoices } from '../../models/editor/model-choice.ts';
import type { ModelProviders } from '../../models/editor/model-providers.ts';
import { pickModel } from '../../models/editor/model-picker.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import type { Notebooks } from '../../notebooks/editor/notebooks.ts';
import type { NoteExporter } from '../../notes/editor/note-exporter.ts';
import { connectToPage } from '../../../platform/webview-channel.ts';
import { CellCorrections } from './cell-corrections.ts';
import { exportExtractionTable } from './export-table.ts';
import { renameTable } from './actions.ts';
import { tableKey, rowPassages, type FillingParts, type TableFillings } from './fill-jobs.ts';
import { Disposable } from '../../../platform/disposable.ts';

/** Interval within which changes are reported together, in milliseconds. */
const UPDATE_INTERVAL_MS = 120;
/** Number of cells above which the user must agree to the cost first. */
const MAX_WITHOUT_CONSENT = 100;

/** Services to show and fill extraction tables. */
export interface TableParts extends FillingParts {
  readonly extensionUri: vscode.Uri;
  readonly notebooks: Pick<Notebooks, 'client' | 'onDidChange' | 'onDidChangeTable'>;
  readonly opener: CitationOpener;
  readonly models: ModelChoices;
  readonly providers: ModelProviders;
  readonly exporter: NoteExporter;
}

/** Extraction table in its tab: the data that the page shows, and the user's actions. */
export class TablePage extends Disposable {
  readonly #parts: TableParts;
  readonly #fillings: TableFillings;
  readonly #panel: vscode.WebviewPanel;
  readonly #state: TableState;
  readonly #channel: Channel<TablePageApi>;
  /** Last revision that was sent to the page. */
  #revision = 0;
  #lastSentRows = '';
  #omitted = 0;
  #areRowsOld = true;
  #isReady = false;
  readonly #corrections: CellCorrections;
  readonly #telling = this._register(new Throttle(() => this.#sendUpdate(), UPDATE_INTERVAL_MS));
  #leases: NodeJS.Timeout | undefined;
  #isUpdateScheduled = false;

  constructor(parts: TableParts, fillings: TableFillings, panel: vscode.WebviewPanel, state: TableState) {
    super();
    this.#parts = parts;
    this.#fillings = fillings;
    this.#panel = panel;
    this.#state = state;
    const { answerModels, embedder, notebooks, models } = parts;
    const notebook = notebooks.client(state.notebook);
    this.#corrections = new CellCorrections({
      ...{ board: notebook, tableId: state.tableId },
      passagesOf: ({ rowId }) => rowPassages(notebook, embedder, readRowId(rowId)),
      checker: (onUsage) => answerModels.factChecker('', onUsage),
    });
    this.#channel = this._register(connectToPage<TableHostApi, TablePageApi>(panel, this.#handlers()));
    const scheduleUpdate = (): void => this.#scheduleUpdate();
    this._register(
      notebooks.onDidChange(({ key }) => {
        if (key !== state.notebook) return;
        this.#areRowsOld = true;
        scheduleUpdate();
      }),
      notebooks.onDidChangeTable(({ key, tableId }) => {
        if (key === state.notebook && tableId === state.tableId) scheduleUpdate();
      }),
      models.onDidChange(scheduleUpdate),
      parts.answerModels.onDidDecideCheck(() => {
        this.#areRowsOld = true;
        scheduleUpdate();
      }),
      fillings.onDidChange((changed) => {
        if (tableKey(changed) !== tableKey(state)) return;
        // Sends all cells again, because unsaved ones look different then.
        this.#revision = 0;
        scheduleUpdate();
      }),
    );
  }

  override dispose(): void {
    clearTimeout(this.#leases);
    super.dispose();
  }

  get #notebook(): NotebookClient {
    return this.#parts.notebooks.client(this.#state.notebook);
  }

  get #tableId(): string {
    return this.#state.tableId;
  }

  #handlers(): Handlers<TableHostApi> {
    const tableId = this.#tableId;
    const reportingErrors = <T>(action: (params: T) => Promise<unknown>) => {
      return async (params: T): Promise<void> => {
        await action(params).catch(this.#parts.reportError);
      };
    };
    return {
      ready: () => {
        this.#isReady = true;
        this.#revision = 0;
        this.#lastSentRows = '';
        this.#areRowsOld = true;
        this.#scheduleUpdate();
        return this.#state;
      },
      openCitation: reportingErrors(async ({ citation, beside, ...place }) => {
        const cited = (await this.#cell(place))?.answer?.citations[citation];
        if (cited === undefined) return;
        const column = beside ? columnBeside(this.#panel) : vscode.ViewColumn.Active;
        await this.#parts.opener.in(this.#notebook).open(cited, column);
      }),
      openRow: reportingErrors(async ({ rowId }) => {
        const [row] = await this.#rows(rowId);
        const documents = row && (await this.#notebook.call('documents', { sourceId: row.sourceId }));
        const document =
          row?.documentId === undefined ? documents?.[0] : documents?.find(({ id }) => id === row.documentId);
        if (document !== undefined) await this.#parts.opener.in(this.#notebook).openDocument(document);
      }),
      addColumn: async ({ question }) => {
        try {
          const columnId = await this.#notebook.call('addColumn', { tableId, question });
          const cells = (await this.#rows()).map(({ id }) => ({ columnId, rowId: id }));
          void reportingErrors(() => this.#ask(cells))(undefined);
          return true;
        } catch (error) {
          this.#parts.reportError(error);
          return false;
        }
      },
      renameColumn: reportingErrors((params) => this.#notebook.call('renameColumn', { tableId, ...params })),
      removeColumn: reportingErrors(({ columnId }) => this.#removeColumn(columnId)),
      edit: reportingErrors(async ({ text, ...place }) => {
        const rowTitle = await this.#rowTitle(place);
        await this.#notebook.call('editCell', { tableId, ...place, rowTitle, text });
      }),
      ask: reportingErrors(({ cells }) => this.#ask(cells)),
      goOn: () => this.#fillings.goOn(this.#state),
      stop: reportingErrors(() => this.#fillings.stop(this.#state)),
      letBe: reportingErrors(async () => {
        await this.#fillings.stop(this.#state);
        await this.#notebook.call('unwantCells', { tableId });
      }),
      see: reportingErrors(({ cell }) => this.#notebook.call('seeCells', { tableId, ...(cell && { cell }) })),
      export: reportingErrors(async ({ rowIds }) => {
        const extractionTable = await this.#readTable();
        if (extractionTable === undefined) return;
        const table = { header: extractionTable, rows: await this.#rows(), cells: await this.#cells() };
        await exportExtractionTable(this.#notebook, this.#parts.exporter, table, rowIds);
      }),
      rename: reportingErrors(async () => {
        const extractionTable = await this.#readTable();
        if (extractionTable !== undefined) await renameTable(this.#notebook, extractionTable);
      }),
      pickModel: reportingErrors(() => this.#pickModel()),
      decideFactCheck: reportingErrors(async ({ agrees }) => {
        const { answerModels } = this.#parts;
        const request = await answerModels.checkRequest();
        if (request === undefined) return;
        await answerModels.decideCheck(request, agrees);
        if (agrees) await this.#check(await this.#cells());
      }),
      checkCell: reportingErrors(async (place) => {
        const cell = await this.#cell(place);
        if (cell !== undefined) await this.#check([cell]);
      }),
      checkCells: reportingErrors(async () => {
        await this.#check(await this.#cells());
      }),
      correctStatement: ({ turnId, statement }, { signal }) =>
        this.#corrections.propose(turnId, statement, signal),
      applyCorrection: ({ turnId }) => this.#corrections.apply(turnId),
      undoCorrection: ({ turnId }) => this.#corrections.undo(turnId),
      run: reportingErrors(({ action }) => this.#run(action)),
    };
  }

  async #readTable(): Promise<ExtractionTable | undefined> {
    return await this.#notebook.call('table', { tableId: this.#tableId });
  }

  async #rows(rowId?: string): Promise<readonly ExtractionRow[]> {
    const { rows } = await this.#notebook.call('tableRows', {
      tableId: this.#tableId,
      ...(rowId !== undefined && { rowId }),
    });
    return rows;
  }

  async #cell(place: CellPlace): Promise<ExtractionCell | undefined> {
    return await this.#notebook.call('tableCell', { tableId: this.#tableId, ...place });
  }

  async #cells(): Promise<readonly ExtractionCell[]> {
    const cells: ExtractionCell[] = [];
    for await (const some of this.#cellsAfter(0)) cells.push(...some.cells);
    return cells;
  }

  /** Lets the model check the cells that no model has checked, with progress. */
  async #check(cells: readonly ExtractionCell[]): Promise<void> {
    if (!cells.some(isUncheckedCell)) return;
    const { answerModels, embedder } = this.#parts;
    const { checkCells } = await import('../service/check-cells.ts');
    await withNotification(vscode.l10n.t('Fact-checking the cells'), async (signal, report) => {
      await checkCells({
        ...{ board: this.#notebook, tableId: this.#tableId, cells, signal },
        passagesOf: ({ rowId }) => rowPassages(this.#notebook, embedder, readRowId(rowId)),
        checker: async (onUsage) => {
          const checker = await answerModels.factChecker('', onUsage);
          if (checker !== undefined) return checker.model;
          throw new NotebookError(
            'model-missing',
            vscode.l10n.t('Fact-checking a cell requires a language model. Pick a model first.'),
            { action: 'pickModel' },
          );
        },
        onProgress: (done, total) => report(vscode.l10n.t('{0} of {1}', done, total), (100 * done) / total),
      }).catch((error: unknown) => {
        if (!isCanceled(error)) throw error;
      });
    });
  }

  /** Returns the cells that changed after a revision, in batches. */
  async *#cellsAfter(after: number): AsyncGenerator<ReturnType<TableBoard['tableCells']>> {
    let from: number | undefined;
    do {
      const some = await this.#notebook.call('tableCells', { tableId: this.#tableId, after, from });
      yield some;
      ({ from } = some);
    } while (from !== undefined);
  }

  async #rowTitle(place: CellPlace): Promise<string> {
    const [row] = await this.#rows(place.rowId);
    return row?.title ?? (await this.#cell(place))?.rowTitle ?? '';
  }

  async #removeColumn(columnId: string): Promise<void> {
    const column = (await this.#readTable())?.columns.find(({ id }) => id === columnId);
    if (column === undefined) return;
    const isAgreed = await isConfirmed(
      vscode.l10n.t('Remove the column “{0}”?', column.question),
      vscode.l10n.t('Remove'),
      vscode.l10n.t('This deletes its answers and everything you wrote in it.'),
    );
    if (isAgreed) await this.#notebook.call('removeColumn', { tableId: this.#tableId, columnId });
  }

  /** Fills cells after the user agreed to the cost and to overwriting edited cells. */
  async #ask(places: readonly CellPlace[]): Promise<void> {
    const tableId = this.#tableId;
    const notebook = this.#notebook;
    const [rows, standings] = await Promise.all([this.#rows(), notebook.call('tableStates', { tableId })]);
    const byId = new Map(rows.map((row) => [row.id, row]));
    const cells = places.flatMap((place) => {
      const row = byId.get(place.rowId);
      return row === undefined ? [] : [{ ...place, row }];
    });
    const edited = new Set(
      standings.flatMap(({ columnId, rowId, isEdited }) => (isEdited ? [cellKey({ columnId, rowId })] : [])),
    );
    const written = cells.filter(({ columnId, rowId }) => edited.has(cellKey({ columnId, rowId }))).length;
    const replacesEdited = written > 0 && (await mayReplace(written, cells.length));
    if (replacesEdited === undefined) return;
    const count = replacesEdited ? cells.length : cells.length - written;
    if (count === 0) return;
    const tokens = estimateRows(
      cells.map(({ row }) => row),
      await this.#parts.answerModels.isChecked(),
    );
    if (count > MAX_WITHOUT_CONSENT && !(await this.#isAgreedTo(count, tokens))) return;
    const cellsToAsk = cells.map(({ columnId, rowId, row }) => ({ columnId, rowId, rowTitle: row.title }));
    await notebook.call('wantCells', { tableId, cells: cellsToAsk, replacesEdited });
    this.#fillings.goOn(this.#state);
  }

  async #isAgreedTo(
    count: number,
    tokens: { readonly input: number; readonly output: number },
  ): Promise<boolean> {
    const model = await this.#model();
    if (model === undefined) return true;
    const language = vscode.env.language;
    const sum = (tokens.input + tokens.output).toLocaleString(language);
    const price =
      model.prices === undefined
        ? ''
        : ` ${vscode.l10n.t('The cost is about {0}.', dollars(estimateCost(tokens, model.prices), language))}`;
    return await isConfirmed(
      count === 1
        ? vscode.l10n.t('Ask {0} to fill 1 cell?', model.name)
        : vscode.l10n.t('Ask {0} to fill {1} cells?', model.name, count.toLocaleString(language)),
      vscode.l10n.t('Ask'),
      vscode.l10n.t('This uses about {0} tokens.{1} You can stop and resume at any time.', sum, price),
    );
  }

  async #model(): Promise<FillingModel | undefined> {
    const { models, answerModels } = this.#parts;
    const { current } = await models.of('');
    return current.name === undefined
      ? undefined
      : { name: current.name, prices: answerModels.prices(current) };
  }

  async #pickModel(): Promise<void> {
    const { models, providers } = this.#parts;
    const picked = await pickModel(await models.of(''), providers);
    if (picked !== undefined) await models.pick(picked.choice);
  }

  async #run(action: ErrorAction): Promise<void> {
    if (action === 'pickModel') await this.#pickModel();
    else if (action === 'tryAgain') this.#fillings.goOn(this.#state);
    else if (action === 'addSources') await vscode.commands.executeCommand('openNotebook.addFiles');
    else await vscode.commands.executeCommand(`openNotebook.${action}`);
  }

  #scheduleUpdate(): void {
    if (this.#isReady) this.#telling.gather();
  }

  #sendUpdate(): void {
    // Reports changes after the running report.
    if (this.#isUpdateScheduled) {
      this.#scheduleUpdate();
      return;
    }
    this.#isUpdateScheduled = true;
    this.#postState()
      .catch(this.#parts.reportError)
      .finally(() => {
        this.#isUpdateScheduled = false;
      });
  }

  async #postState(): Promise<void> {
    const extractionTable = await this.#readTable();
    if (extractionTable === undefined) {
      // The table was deleted.
      this.#panel.dispose();
      return;
    }
    const { title, columns, usage } = extractionTable;
    this.#panel.title = title;
    const rows = this.#areRowsOld ? await this.#changedRows() : undefined;
    const head = {
      ...{ title, columns, usage, omitted: this.#omitted, model: await this.#model() },
      factCheckRequest: await this.#parts.answerModels.checkRequest(),
      isFilling: this.#fillings.isGoing(this.#state),
      stopped: this.#fillings.findFailure(this.#state),
    };
    this.#channel.remote.notify('changed', { head, rows, cells: [] });
    let sentRevision: number | undefined;
    for await (const { revision, cells } of this.#cellsAfter(this.#revision)) {
      // Changes during the report are reported again.
      sentRevision ??= revision;
      const views = cells.map((cell) => this.#toView(cell));
      if (views.some(({ state }) => state === 'asking')) this.#lookWhenLeasesEnd();
      this.#channel.remote.notify('changed', { head, rows: undefined, cells: views });
    }
    this.#revision = sentRevision ?? this.#revision;
  }

  /** Checks for cells of a killed window, which become free when its claim expires, without an event. */
  #lookWhenLeasesEnd(): void {
    this.#leases ??= setTimeout(() => {
      this.#leases = undefined;
      this.#revision = 0;
      this.#scheduleUpdate();
    }, LEASE_MS);
  }

  /** Returns the view of a cell. A cell that this window couldn't save or release isn't in progress. */
  #toView(cell: ExtractionCell): CellView {
    const view = toView(cell);
    const isIdle = view.state === 'asking' && !this.#fillings.isGoing(this.#state);
    return isIdle && this.#fillings.isHeld(this.#state, cell) ? { ...view, state: 'waiting' } : view;
  }

  /** Returns the current rows; undefined if the page already has them. */
  async #changedRows(): Promise<readonly RowView[] | undefined> {
    this.#areRowsOld = false;
    const { rows, omitted } = await this.#notebook.call('tableRows', { tableId: this.#tableId });
    this.#omitted = omitted;
    const isChecked = await this.#parts.answerModels.isChecked();
    const shown = rows.map((row) => {
      const { id, title, version } = row;
      return { id, title, version, ...estimateCell(row, isChecked) };
    });
    const serialized = JSON.stringify(shown);
    if (serialized === this.#lastSentRows) return undefined;
    this.#lastSentRows = serialized;
    return shown;
  }
}

function toView({ answer, ...cell }: ExtractionCell): CellView {
  const { columnId, rowId, rowTitle, question, version, edited, was, failure, state } = cell;
  return {
    ...{ columnId, rowId, rowTitle, question, version, edited, was, failure, state },
    pieces: answer === undefined ? [] : cellPieces(answer),
    ...(answer?.kind === 'written' && { written: { text: answer.text, statements: answer.statements } }),
    isNothing: answer?.kind === 'nothing',
    isCorrected: answer?.beforeCorrection !== undefined,
    citations: (answer?.citations ?? []).map(({ place, quote, title }) => ({ place, quote, title })),
  };
}

function estimateRows(
  rows: readonly ExtractionRow[],
  isChecked: boolean,
): { readonly input: number; readonly output: number } {
  let [input, output] = [0, 0];
  for (const row of rows) {
    const cellEstimate = estimateCell(row, isChecked);
    input += cellEstimate.input;
    output += cellEstimate.output;
  }
  return { input, output };
}

/** Asks whether to replace the user's text; undefined to cancel. */
async function mayReplace(written: number, count: number): Promise<boolean | undefined> {
  const replace = vscode.l10n.t('Replace');
  const keep = vscode.l10n.t('Keep My Text');
  const chosen = await showWarning(
    written === 1
      ? vscode.l10n.t('You edited one of these cells. Replace your text with an answer?')
      : vscode.l10n.t('You edited {0} of these cells. Replace your text with answers?', written),
    [replace, ...(written < count ? [keep] : [])],
    {
      modal: true,
      detail: vscode.l10n.t('Your text stays until the answer arrives.'),
    },
  );
  return chosen === undefined ? undefined : chosen === replace;
}
