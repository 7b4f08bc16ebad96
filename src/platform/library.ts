import * as vscode from 'vscode';
import type { LibraryApi, LibraryProgress } from '../index/library/library-api.ts';
import { NotebookError } from '../core/domain/errors.ts';
import type { NoParameters, Params } from '../core/rpc/rpc.ts';
import { withNotification, documentsDone } from './dialogs.ts';
import type { RunningWorker } from '../core/rpc/workers.ts';
import { number } from './shown-number.ts';

const HEAP_MEGABYTES = 4096;

/** Maximum time for canceled work to end by itself before its worker is terminated, in milliseconds. */
const STOP_TIMEOUT_MS = 2_000;

/** Methods that run with progress and can be canceled. */
type LongWork = Exclude<keyof LibraryApi, 'counts' | 'exportedName' | 'removeUnusedCopies'>;

/**
 * Runs work on whole notebooks, in a worker that lives only as long as the work. Canceled work leaves nothing behind.
 */
export class Library {
  readonly #workerPath: string;

  constructor(workerPath: string) {
    this.#workerPath = workerPath;
  }

  /** Runs work that may take a while, with progress. @throws NotebookError, `cancelled` if the user cancels */
  async work<M extends LongWork>(
    title: string,
    method: M,
    params: Params<LibraryApi[M]>,
  ): Promise<ReturnType<LibraryApi[M]>> {
    return withNotification(title, (signal, report) =>
      this.ask(method, params, {
        signal,
        onProgress: (progress) =>
          progress.total === 0 ? report(number(progress.done)) : report(...documentsDone(progress)),
      }),
    );
  }

  /** Calls a short method; see `LibraryApi`. @throws NotebookError */
  async ask<M extends keyof LibraryApi>(
    method: M,
    params: Params<LibraryApi[M]>,
    options: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (progress: LibraryProgress) => void;
    } = {},
  ): Promise<ReturnType<LibraryApi[M]>> {
    const { startWorker } = await import('../core/rpc/workers.ts');
    const worker: RunningWorker<LibraryApi> = startWorker<NoParameters, LibraryApi>(
      this.#workerPath,
      {},
      { heapMegabytes: HEAP_MEGABYTES, onExit: () => undefined },
    );
    let ending: NodeJS.Timeout | undefined;
    const end = (): void => {
      ending = setTimeout(() => void worker.terminate(), STOP_TIMEOUT_MS);
    };
    options.signal?.addEventListener('abort', end);
    try {
      return await worker.client.call(method, params, options);
    } catch (error) {
      if (options.signal?.aborted === true)
        throw new NotebookError('cancelled', vscode.l10n.t('Stopped.'), { cause: error });
      throw error;
    } finally {
      clearTimeout(ending);
      await worker.terminate();
    }
  }
}
