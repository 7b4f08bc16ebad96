import PQueue from 'p-queue';
import type { Disposable, LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import type { Params } from '../../messages/rpc.ts';
import { isBrokenOff, NotebookError, throwIfCancelled } from '../../notebook/errors.ts';
import type { TableBase } from '../../researching/skills/skill-parts.ts';
import type { TablesApi } from '../../researching/skills/tables/api.ts';
import { ProcessOnDemand } from '../process-on-demand.ts';

/** What it may take, of memory of any kind. */
const MEGABYTES = 512;
/** How long it is kept with nothing to do, and how long a query may take, in milliseconds. */
const IDLE_TIME = 60_000;
const PATIENCE = 10_000;

/** The process that keeps tables while they are asked. A query that does not end is ended with it. */
export class TablesProcess implements TableBase, Disposable {
  readonly #process: ProcessOnDemand<TablesApi>;
  /** One after another: a query that is ended takes no other along. */
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(path: string, log: LogOutputChannel, patience = PATIENCE) {
    const name = 'The process that asks tables';
    this.#process = new ProcessOnDemand({
      path,
      name,
      log,
      megabytes: MEGABYTES,
      idleTime: IDLE_TIME,
      patience,
    });
  }

  readonly describe: TableBase['describe'] = (documents, signal) =>
    this.#call('describe', { documents }, signal);

  readonly query: TableBase['query'] = (documents, sql, signal) =>
    this.#call('query', { documents, sql }, signal);

  dispose(): void {
    this.#queue.clear();
    this.#process.dispose();
  }

  /** Ends it; it is started again when it is asked. */
  async end(): Promise<void> {
    await this.#process.end();
  }

  async #call<M extends keyof TablesApi>(
    method: M,
    params: Params<TablesApi[M]>,
    signal: AbortSignal,
  ): Promise<ReturnType<TablesApi[M]>> {
    return await this.#queue.add(async () => {
      throwIfCancelled(signal);
      // It works on one thing alone, and hears nothing while it does.
      const stop = (): void => void this.#process.end();
      signal.addEventListener('abort', stop, { once: true });
      try {
        return await this.#process.call(method, params, signal);
      } catch (error) {
        throwIfCancelled(signal);
        if (!isBrokenOff(error)) throw error;
        throw new NotebookError(
          'timeout',
          t('The query took too long or too much memory and was ended: ask for less, with fewer joins.'),
          { cause: error },
        );
      } finally {
        signal.removeEventListener('abort', stop);
      }
    });
  }
}
