import PQueue from 'p-queue';
import type { Disposable, LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { TableBase } from '../service/skills/skill-parts.ts';
import type { TablesApi } from '../service/skills/tables/api.ts';
import { ProcessOnDemand } from '../../../platform/process-on-demand.ts';

/** Limits, see `ProcessOnDemand`. */
const PROCESS = { megabytes: 512, idleTimeMs: 60_000, timeoutMs: 10_000 };

/** Process that holds tables while they are queried. A query that never ends is stopped with the process. */
export class TablesProcess implements TableBase, Disposable {
  readonly #process: ProcessOnDemand<TablesApi>;
  /** Runs one query at a time, because stopping a query must not stop others. */
  readonly #queue = new PQueue({ concurrency: 1 });

  constructor(path: string, log: LogOutputChannel) {
    this.#process = new ProcessOnDemand({
      path,
      name: 'The process that queries tables',
      log,
      ...PROCESS,
      // The process can't receive messages while it works.
      stopTimeoutMs: 0,
      describeEnd: (cause) =>
        new NotebookError(
          'timeout',
          t(
            'Stopped the query because it used too much time or memory. Request less data, or use fewer joins.',
          ),
          { cause },
        ),
    });
  }

  readonly describe: TableBase['describe'] = (documents, signal) =>
    this.#queue.add(() => this.#process.call('describe', { documents }, signal));

  readonly query: TableBase['query'] = (documents, sql, signal) =>
    this.#queue.add(() => this.#process.call('query', { documents, sql }, signal));

  dispose(): void {
    this.#queue.clear();
    this.#process.dispose();
  }

  /** Ends the process; the next call starts it again. */
  async end(): Promise<void> {
    await this.#process.end();
  }
}
