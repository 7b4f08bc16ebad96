import type { Disposable, LogOutputChannel } from 'vscode';
import type { RunningProcess } from '../messages/processes.ts';
import type { Api, NothingAsked, Params, ProgressOf } from '../messages/rpc.ts';
import { isBrokenOff, type NotebookError } from '../notebook/errors.ts';

interface Options {
  /** The file that it runs. */
  readonly path: string;
  /** What the log calls it. */
  readonly name: string;
  readonly log: LogOutputChannel;
  /** What it may take, of memory of any kind. */
  readonly megabytes: number;
  /** What it is told beside this one's environment. */
  readonly env?: () => Readonly<Record<string, string>>;
  /** How long it is kept with nothing to do, and how long it may take for one thing without telling how far it is, in milliseconds. */
  readonly idleTime: number;
  readonly patience: number;
  /** What is told where it ended, or was ended as it took too long; `broken-off` where this is not given. */
  readonly tellEnd?: (cause: unknown) => NotebookError;
}

/** A process that is started when it is asked something, and ended when nothing was asked for a while. */
export class ProcessOnDemand<Remote extends Api<Remote>> implements Disposable {
  readonly #options: Options;
  #running: Promise<RunningProcess<Remote>> | undefined;
  #asked = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** @throws NotebookError `broken-off` or what the options tell, where it ended; what the process throws */
  async call<M extends keyof Remote & string>(
    method: M,
    params: Params<Remote[M]>,
    signal: AbortSignal,
    onProgress?: (progress: ProgressOf<Remote[M]>) => void,
  ): Promise<ReturnType<Remote[M]>> {
    clearTimeout(this.#idle);
    this.#asked++;
    let patience: NodeJS.Timeout | undefined;
    try {
      const running = await (this.#running ??= this.#start());
      patience = setTimeout(() => void running.terminate(), this.#options.patience);
      return await running.client.call(method, params, {
        signal,
        ...(onProgress !== undefined && {
          onProgress: (progress: ProgressOf<Remote[M]>) => {
            patience?.refresh();
            onProgress(progress);
          },
        }),
      });
    } catch (error) {
      throw isBrokenOff(error) ? (this.#options.tellEnd?.(error) ?? error) : error;
    } finally {
      clearTimeout(patience);
      if (--this.#asked === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => void this.end(), this.#options.idleTime).unref();
      }
    }
  }

  /** Ends it; it is started again when it is asked. */
  async end(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = undefined;
    await (await running)?.terminate();
  }

  dispose(): void {
    void this.end();
  }

  async #start(): Promise<RunningProcess<Remote>> {
    const { path, name, log, megabytes, env } = this.#options;
    const { startProcess } = await import('../messages/processes.ts');
    return startProcess<NothingAsked, Remote>(
      path,
      {},
      {
        megabytes,
        ...(env !== undefined && { env: env() }),
        onExit: (error) => {
          this.#running = undefined;
          if (error !== undefined) log.error(`${name} ended:`, error);
        },
      },
    );
  }
}
