import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { SearchLine } from '../index/search/search-api.ts';
import type { IndexApi, IndexEvents, OpenResult } from '../index/worker/api.ts';
import { isCanceled, NotebookError, throwIfCanceled } from '../core/domain/errors.ts';
import type { IndexSettings } from '../core/domain/settings.ts';
import type { CallOptions, Params, ProgressOf } from '../core/rpc/rpc.ts';
import { ManagedProcess, type StartContext } from '../core/rpc/managed-process.ts';
import type { RunningWorker } from '../core/rpc/workers.ts';
import { Throttle } from '../core/rpc/throttle.ts';
import { showWarning } from './dialogs.ts';
import { Disposable } from './disposable.ts';

/** Heap limit of the index worker. */
const HEAP_MEGABYTES = 4096;

/** Interval within which changes are reported together, in milliseconds. */
const CHANGE_INTERVAL = 150;

/** Maximum time that leaving a notebook waits for pending calls, and the interval of checks, in milliseconds. */
const SWITCH_TIMEOUT_MS = 10_000;
const SWITCH_INTERVAL = 10;

interface NotebookClientOptions {
  readonly workerPath: string;
  /** Folder of the notebook on disk. */
  readonly directory: string;
  /** Key of the notebook: its ID, or '' for the workspace's own. */
  readonly key?: string;
  readonly indexSettings: () => IndexSettings;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Downloads the documents that match searches best into an incomplete copy of a notebook; returns whether any arrived.
 */
export type Prefetch = (searches: readonly SearchLine[], signal: AbortSignal) => Promise<boolean>;

/** Access to the notebook from the editor: starts the index worker on first use, and again after a crash. */
export class NotebookClient extends Disposable {
  readonly #options: NotebookClientOptions;
  #directory: string;
  #key: string;
  #pending = 0;
  #switching: Promise<void> | undefined;
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly #indexing = this._register(
    new vscode.EventEmitter<{ readonly done: number; readonly total: number }>(),
  );
  readonly #resplitting = this._register(
    new vscode.EventEmitter<{ readonly done: number; readonly total: number }>(),
  );
  readonly #researchChanged = this._register(new vscode.EventEmitter<string>());
  readonly #tableChanged = this._register(new vscode.EventEmitter<string>());
  readonly #switched = this._register(new vscode.EventEmitter<void>());
  readonly #opened = this._register(new vscode.EventEmitter<OpenResult>());
  readonly #process = new ManagedProcess((context) => this.#start(context));
  #prefetcher: Prefetch | undefined;
  readonly #telling = new Throttle(() => this.#changed.fire(), CHANGE_INTERVAL);
  #lastError: string | undefined;

  /** Fires when sources, documents, passages, or notes changed, in this window or another. */
  readonly onDidChange = this.#changed.event;
  readonly onDidIndex = this.#indexing.event;
  readonly onDidResplit = this.#resplitting.event;
  /** Fires with the ID of a research project that changed or was removed, in this window or another. */
  readonly onDidChangeResearch = this.#researchChanged.event;
  /** Fires with the ID of an extraction table that changed or was removed, in this window or another. */
  readonly onDidChangeTable = this.#tableChanged.event;
  /** Fires when the client switched to another notebook. */
  readonly onDidSwitch = this.#switched.event;
  /** Fires when the notebook was opened: once on first use, and again after a crash of the worker. */
  readonly onDidOpen = this.#opened.event;

  constructor(options: NotebookClientOptions) {
    super();
    this.#options = options;
    this.#directory = options.directory;
    this.#key = options.key ?? '';
  }

  /** Key of the current notebook: its ID, or '' for the workspace's own. */
  get key(): string {
    return this.#key;
  }

  /** Folder of the notebook on disk. */
  get directory(): string {
    return this.#directory;
  }

  /** `true` once the notebook was used in this window. */
  get isOpen(): boolean {
    return this.#process.isStarted;
  }

  /** Last failed call and its error in a word each. Excludes the message, which may name files. */
  get lastError(): string | undefined {
    return this.#lastError;
  }

  /** Calls the notebook; see `IndexApi`. @throws NotebookError */
  async call<M extends keyof IndexApi>(
    method: M,
    params: Params<IndexApi[M]>,
    options: CallOptions<ProgressOf<IndexApi[M]>> = {},
  ): Promise<ReturnType<IndexApi[M]>> {
    await this.#switching;
    this.#pending++;
    try {
      const { client } = await this.#process.run();
      return await client.call(method, params, options);
    } catch (error) {
      if (!isCanceled(error))
        this.#lastError = `${method}: ${error instanceof NotebookError ? error.code : 'internal'}`;
      throw error;
    } finally {
      this.#pending--;
    }
  }

  /** Sets the function that downloads documents for searches; undefined if the notebook is complete on this machine. */
  setPrefetcher(prefetcher: Prefetch | undefined): void {
    this.#prefetcher = prefetcher;
  }

  /** Downloads missing documents before a search, if they are available. */
  async prefetch(searches: readonly SearchLine[], signal: AbortSignal): Promise<void> {
    try {
      if (await this.#prefetcher?.(searches, signal)) await this.call('followOthers', {}, { signal });
    } catch (error) {
      throwIfCanceled(signal);
      this.#options.log.warn('Downloading documents for a search:', error);
    }
  }

  /**
   * Switches to another notebook once pending calls are answered. Calls that arrive meanwhile go to the new notebook.
   * No work that uses numbers of the old notebook may be in progress.
   */
  async switchTo({ key, directory }: { readonly key: string; readonly directory: string }): Promise<void> {
    const wasOpen = this.isOpen;
    const patience = Date.now() + SWITCH_TIMEOUT_MS;
    const leave = async (): Promise<void> => {
      while (this.#pending > 0 && Date.now() < patience) await sleep(SWITCH_INTERVAL);
      await this.close();
      this.#directory = directory;
      this.#key = key;
      this.#lastError = undefined;
    };
    this.#switching = leave();
    try {
      await this.#switching;
    } finally {
      this.#switching = undefined;
    }
    this.#switched.fire();
    // If the notebook can't be opened, the views show the error.
    if (wasOpen) await this.#process.run().catch(() => undefined);
    this.#changed.fire();
  }

  /** Writes unsaved data and ends the worker. */
  async close(): Promise<void> {
    this.#telling.dispose();
    await this.#process.end();
  }

  override dispose(): void {
    void this.close();
    super.dispose();
  }

  async #start({ onExit }: StartContext): Promise<RunningWorker<IndexApi>> {
    const { workerPath, indexSettings, log } = this.#options;
    const directory = this.#directory;
    const started = performance.now();
    let isEnding = false;
    const { startWorker } = await import('../core/rpc/workers.ts');
    const worker = startWorker<IndexEvents, IndexApi>(
      workerPath,
      {
        changed: () => this.#telling.gather(),
        reopened: (result) => {
          log.warn('The notebook was opened again:', result.notice ?? 'another window saved it.');
          this.#opened.fire(result);
          this.#telling.gather();
        },
        indexing: (progress) => this.#indexing.fire(progress),
        resplitting: (progress) => this.#resplitting.fire(progress),
        researchChanged: ({ researchId }) => this.#researchChanged.fire(researchId),
        tableChanged: ({ tableId }) => this.#tableChanged.fire(tableId),
      },
      {
        heapMegabytes: HEAP_MEGABYTES,
        onExit: (error) => {
          onExit();
          if (isEnding) return;
          log.error('The index worker ended:', error);
          void showWarning(
            vscode.l10n.t(
              'The notebook’s index stopped unexpectedly, so Open Notebook restarted it. No saved data was lost.',
            ),
          );
        },
      },
    );
    try {
      const result = await worker.client.call('open', { directory, settings: indexSettings() });
      log.info(`Opened the notebook in ${String(Math.round(performance.now() - started))} ms.`);
      this.#opened.fire(result);
    } catch (error) {
      isEnding = true;
      await worker.terminate();
      throw error;
    }
    return {
      client: worker.client,
      terminate: async () => {
        isEnding = true;
        await worker.client
          .call('close', {})
          .catch((error: unknown) => log.warn('Closing the notebook:', error));
        await worker.terminate();
      },
    };
  }
}
