import type { Disposable, LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import type { MeaningApi } from '../../meaning/api.ts';
import type { RunningProcess } from '../../messages/processes.ts';
import type { NothingAsked, Params } from '../../messages/rpc.ts';
import { isBrokenOff, NotebookError } from '../../notebook/errors.ts';

/** What it may take, of memory of any kind: half a million pieces of a multilingual model have about 300 MB. */
const MEGABYTES = 1_024;

/** How long it is kept with nothing to do, and how long it may take for one thing, in milliseconds. */
const IDLE_TIME = 5 * 60_000;
const PATIENCE = 120_000;

/** The process that reads models of meaning: started when it is asked something, ended when nothing was asked for a while. */
export class MeaningProcess implements Disposable {
  readonly #path: string;
  readonly #log: LogOutputChannel;
  #running: Promise<RunningProcess<MeaningApi>> | undefined;
  #asked = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(path: string, log: LogOutputChannel) {
    this.#path = path;
    this.#log = log;
  }

  /** @throws NotebookError */
  async call<M extends keyof MeaningApi>(
    method: M,
    params: Params<MeaningApi[M]>,
    signal: AbortSignal,
  ): Promise<ReturnType<MeaningApi[M]>> {
    clearTimeout(this.#idle);
    this.#asked++;
    let patience: NodeJS.Timeout | undefined;
    try {
      const running = await (this.#running ??= this.#start());
      patience = setTimeout(() => void running.terminate(), PATIENCE);
      return await running.client.call(method, params, { signal });
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
      throw new NotebookError(
        'internal',
        t('The model that finds by meaning stopped working. Fetch it again, or choose another one.'),
        { cause: error },
      );
    } finally {
      clearTimeout(patience);
      if (--this.#asked === 0) {
        clearTimeout(this.#idle);
        this.#idle = setTimeout(() => {
          void this.end();
        }, IDLE_TIME).unref();
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

  async #start(): Promise<RunningProcess<MeaningApi>> {
    const { startProcess } = await import('../../messages/processes.ts');
    return startProcess<NothingAsked, MeaningApi>(
      this.#path,
      {},
      {
        megabytes: MEGABYTES,
        onExit: (error) => {
          this.#running = undefined;
          if (error !== undefined) this.#log.error('The process that finds by meaning ended:', error);
        },
      },
    );
  }
}
