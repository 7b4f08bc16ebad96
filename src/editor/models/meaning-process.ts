import type { Disposable, LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import type { MeaningApi } from '../../meaning/api.ts';
import type { Params } from '../../messages/rpc.ts';
import { isBrokenOff, NotebookError } from '../../notebook/errors.ts';
import { ProcessOnDemand } from '../process-on-demand.ts';

/** What it may take, of memory of any kind: half a million pieces of a multilingual model have about 300 MB. */
const MEGABYTES = 1_024;

/** How long it is kept with nothing to do, and how long it may take for one thing, in milliseconds. */
const IDLE_TIME = 5 * 60_000;
const PATIENCE = 120_000;

/** The process that reads models of meaning. */
export class MeaningProcess implements Disposable {
  readonly #process: ProcessOnDemand<MeaningApi>;

  constructor(path: string, log: LogOutputChannel) {
    const name = 'The process that finds by meaning';
    this.#process = new ProcessOnDemand({
      path,
      name,
      log,
      megabytes: MEGABYTES,
      idleTime: IDLE_TIME,
      patience: PATIENCE,
    });
  }

  /** @throws NotebookError */
  async call<M extends keyof MeaningApi>(
    method: M,
    params: Params<MeaningApi[M]>,
    signal: AbortSignal,
  ): Promise<ReturnType<MeaningApi[M]>> {
    try {
      return await this.#process.call(method, params, signal);
    } catch (error) {
      if (!isBrokenOff(error)) throw error;
      throw new NotebookError(
        'internal',
        t('The model that finds by meaning stopped working. Fetch it again, or choose another one.'),
        { cause: error },
      );
    }
  }

  /** Ends it; it is started again when it is asked. */
  async end(): Promise<void> {
    await this.#process.end();
  }

  dispose(): void {
    this.#process.dispose();
  }
}
