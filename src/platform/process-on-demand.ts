import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { Disposable, LogOutputChannel } from 'vscode';
import { ManagedProcess, type StartContext } from '../core/rpc/managed-process.ts';
import type { RunningProcess } from '../core/rpc/processes.ts';
import type { Api, NoParameters, Params, ProgressOf } from '../core/rpc/rpc.ts';
import { isInterrupted, NotebookError, throwIfCanceled } from '../core/domain/errors.ts';

/** Maximum time that the next process waits for the system to end the previous one. */
const END_TIMEOUT_MS = 5_000;

interface Options {
  /** File that the process runs. */
  readonly path: string;
  /** Name in the log. */
  readonly name: string;
  readonly log: LogOutputChannel;
  /** Maximum memory of any kind. */
  readonly megabytes: number;
  /** Environment variables in addition to this process's own. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** Ends the process after this time without a call. */
  readonly idleTimeMs: number;
  /** Ends the process if a call neither reports progress nor returns for this time. */
  readonly timeoutMs: number;
  /** Ends the process if a call hasn't returned this time after it was stopped; by default, waits for the call. */
  readonly stopTimeoutMs?: number;
  /** The error to throw if the process ended during a call; by default, the given one. */
  readonly describeEnd?: (cause: ProcessEndedError) => NotebookError;
}

/** Error of a process that ended before it answered a call. */
export class ProcessEndedError extends NotebookError {
  readonly reason: 'crash' | 'memory' | 'timeout';

  constructor(reason: ProcessEndedError['reason'], cause: unknown) {
    super('broken-off', t('The operation stopped unexpectedly. Try again.'), { action: 'tryAgain', cause });
    this.reason = reason;
  }
}

/** Process that a call starts, and that ends after a while without calls. */
export class ProcessOnDemand<Remote extends Api<Remote>> implements Disposable {
  readonly #options: Options;
  readonly #process: ManagedProcess<RunningProcess<Remote>>;
  #pending = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#process = new ManagedProcess((context) => this.#start(context));
  }

  /**
   * Calls the process; see its API.
   * @throws NotebookError `cancelled`, or that the process ended or can't start; errors that the process throws
   */
  async call<M extends keyof Remote & string>(
    method: M,
    params: Params<Remote[M]>,
    signal: AbortSignal,
    onProgress?: (progress: ProgressOf<Remote[M]>) => void,
  ): Promise<ReturnType<Remote[M]>> {
    throwIfCanceled(signal);
    clearTimeout(this.#idle);
    this.#pending++;
    const { timeoutMs, stopTimeoutMs, describeEnd } = this.#options;
    const run = this.#process.run();
    let running: RunningProcess<Remote> | undefined;
    let reason = 'crash' as ProcessEndedError['reason'];
    // The caller doesn't wait while the system ends a process that hangs.
    const timedOut = Promise.withResolvers<never>();
    const giveUp = (): void => {
      void this.#process.end(run);
      timedOut.reject(new NotebookError('broken-off', t('The operation stopped unexpectedly. Try again.')));
    };
    const timeout = setTimeout(() => {
      reason = 'timeout';
      giveUp();
    }, timeoutMs);
    let stopping: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      stopping = setTimeout(giveUp, stopTimeoutMs);
    };
    if (stopTimeoutMs !== undefined) signal.addEventListener('abort', onAbort, { once: true });
    const answer = async (): Promise<ReturnType<Remote[M]>> => {
      running = await run;
      return await running.client.call(method, params, {
        signal,
        onProgress: (progress: ProgressOf<Remote[M]>) => {
          timeout.refresh();
          onProgress?.(progress);
        },
      });
    };
    try {
      return await Promise.race([answer(), timedOut.promise]);
    } catch (error) {
      throwIfCanceled(signal);
      if (!isInterrupted(error)) throw error;
      const ended = new ProcessEndedError(running?.ranOutOfMemory === true ? 'memory' : reason, error);
      throw describeEnd?.(ended) ?? ended;
    } finally {
      clearTimeout(timeout);
      clearTimeout(stopping);
      signal.removeEventListener('abort', onAbort);
      if (--this.#pending === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => void this.end(), this.#options.idleTimeMs).unref();
      }
    }
  }

  /** Ends the process; the next call starts it again. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#process.end();
  }

  dispose(): void {
    clearTimeout(this.#idle);
    this.#process.dispose();
  }

  async #start({ signal, onExit }: StartContext): Promise<RunningProcess<Remote>> {
    const { path, name, log, megabytes, env } = this.#options;
    const { startProcess } = await import('../core/rpc/processes.ts');
    const running = startProcess<NoParameters, Remote>(
      path,
      {},
      {
        megabytes,
        ...(env !== undefined && { env: env() }),
        onExit: (error) => {
          onExit();
          if (error !== undefined) log.error(`${name} ended:`, error);
        },
      },
    );
    const terminate = async (): Promise<void> => {
      await Promise.race([running.terminate(), sleep(END_TIMEOUT_MS, undefined, { ref: false })]);
    };
    signal.addEventListener('abort', () => void terminate(), { once: true });
    await running.ready;
    return {
      client: running.client,
      ready: running.ready,
      get ranOutOfMemory() {
        return running.ranOutOfMemory;
      },
      terminate,
    };
  }
}
