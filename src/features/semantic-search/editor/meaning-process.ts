import type { LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import type { MeaningApi } from '../service/api.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { ProcessOnDemand } from '../../../platform/process-on-demand.ts';

/** Limits, see `ProcessOnDemand`: half a million tokens of a multilingual model need about 300 MB. */
const PROCESS = { megabytes: 1_024, idleTimeMs: 5 * 60_000, timeoutMs: 120_000 };

export type MeaningProcess = ProcessOnDemand<MeaningApi>;

/** Creates the process that runs local embedding models. */
export function meaningProcess(path: string, log: LogOutputChannel): MeaningProcess {
  return new ProcessOnDemand({
    path,
    name: 'The process that generates embeddings',
    log,
    ...PROCESS,
    describeEnd: (cause) =>
      new NotebookError(
        'internal',
        t('The local embedding model stopped working. Download it again, or choose another model.'),
        { cause },
      ),
  });
}
