import * as vscode from 'vscode';
import type { IndexApi, IndexEvents, OpenResult } from '../indexing/api.ts';
import { isCancelled, NotebookError } from '../notebook/errors.ts';
import type { PassageSettings } from '../notebook/settings.ts';
import type { RunningWorker } from '../messages/workers.ts';
import { startWorker } from '../messages/workers.ts';

/** The index worker's heap limit. */
const HEAP_MEGABYTES = 4096;

/** Changes closer together than this are told once, in milliseconds. */
const CHANGE_INTERVAL = 150;

export interface NotebookClientOptions {
  readonly workerPath: string;
  /** The notebook's folder on disk. */
  readonly directory: string;
  readonly passageSettings: () => PassageSettings;
  readonly log: vscode.LogOutputChannel;
}

/** The notebook as the editor reaches it: starts the index worker on first use, and again after a crash. */
export class NotebookClient implements vscode.Disposable {
  readonly #options: NotebookClientOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #indexing = new vscode.EventEmitter<{ readonly done: number; readonly total: number }>();
  readonly #resplitting = new vscode.EventEmitter<{ readonly done: number; readonly total: number }>();
  readonly #opened = new vscode.EventEmitter<OpenResult>();
  #running: Promise<RunningWorker<IndexApi>> | undefined;
  #changeTimer: NodeJS.Timeout | undefined;
  #closing = false;
  #lastError: string | undefined;

  /** Sources, documents, passages or notes changed, in this window or another. */
  readonly onDidChange = this.#changed.event;
  readonly onDidIndex = this.#indexing.event;
  readonly onDidResplit = this.#resplitting.event;
  /** The notebook was opened: once on first use, and again after a crash of the worker. */
  readonly onDidOpen = this.#opened.event;

  constructor(options: NotebookClientOptions) {
    this.#options = options;
  }

  /** Whether it was used in this window yet. */
  get isOpen(): boolean {
    return this.#running !== undefined;
  }

  /** What failed last and how, in a word each: no message, which may name files. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Asks the notebook; see `IndexApi`. @throws NotebookError */
  async call<M extends keyof IndexApi>(
    method: M,
    params: IndexApi[M]['params'],
    options?: { readonly signal?: AbortSignal },
  ): Promise<IndexApi[M]['result']> {
    try {
      const { client } = await this.#worker();
      return await client.call(method, params, { signal: options?.signal });
    } catch (error) {
      if (!isCancelled(error))
        this.#lastError = `${method}: ${error instanceof NotebookError ? error.code : 'internal'}`;
      throw error;
    }
  }

  /** Splits all documents anew where the settings differ; does nothing before the notebook is used. */
  async passageSettingsChanged(): Promise<void> {
    if (this.#running === undefined) return;
    await this.call('setPassageSettings', this.#options.passageSettings());
  }

  /** Writes what is unwritten and ends the worker. */
  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#changeTimer);
    const running = this.#running;
    this.#running = undefined;
    if (running === undefined) return;
    try {
      const worker = await running;
      await worker.client.call('close', {});
      await worker.terminate();
    } catch (error) {
      this.#options.log.warn('Closing the notebook:', error);
    }
  }

  dispose(): void {
    void this.close();
    this.#changed.dispose();
    this.#indexing.dispose();
    this.#resplitting.dispose();
    this.#opened.dispose();
  }

  #worker(): Promise<RunningWorker<IndexApi>> {
    this.#running ??= this.#start().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async #start(): Promise<RunningWorker<IndexApi>> {
    const { workerPath, directory, passageSettings, log } = this.#options;
    const started = performance.now();
    const worker = startWorker<IndexEvents, IndexApi>(
      workerPath,
      {
        changed: () => {
          this.#tellChange();
          return null;
        },
        indexing: (progress) => {
          this.#indexing.fire(progress);
          return null;
        },
        resplitting: (progress) => {
          this.#resplitting.fire(progress);
          return null;
        },
      },
      {
        heapMegabytes: HEAP_MEGABYTES,
        onExit: (error) => {
          this.#running = undefined;
          if (this.#closing) return;
          log.error('The index worker ended:', error);
          void vscode.window.showWarningMessage(
            vscode.l10n.t('The notebook’s index had to be started again. Nothing that was saved is lost.'),
          );
        },
      },
    );
    try {
      const result = await worker.client.call('open', { directory, passages: passageSettings() });
      log.info(`Opened the notebook in ${String(Math.round(performance.now() - started))} ms.`);
      this.#opened.fire(result);
      return worker;
    } catch (error) {
      this.#closing = true;
      await worker.terminate();
      this.#closing = false;
      throw error;
    }
  }

  #tellChange(): void {
    this.#changeTimer ??= setTimeout(() => {
      this.#changeTimer = undefined;
      this.#changed.fire();
    }, CHANGE_INTERVAL);
  }
}
