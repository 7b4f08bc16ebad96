import type { LogOutputChannel } from 'vscode';
import { t } from '@vscode/l10n';
import type { MeaningApi } from '../../meaning/api.ts';
import { NotebookError } from '../../notebook/errors.ts';
import { ProcessOnDemand } from '../process-on-demand.ts';

/** What it may take and how long, as `ProcessOnDemand` has it: half a million pieces of a multilingual model have about 300 MB. */
const PROCESS = { megabytes: 1_024, idleTime: 5 * 60_000, patience: 120_000 };

export type MeaningProcess = ProcessOnDemand<MeaningApi>;

/** The process that reads models of meaning. */
export function meaningProcess(path: string, log: LogOutputChannel): MeaningProcess {
  return new ProcessOnDemand({
    path,
    name: 'The process that finds by meaning',
    log,
    ...PROCESS,
    tellEnd: (cause) =>
      new NotebookError(
        'internal',
        t('The model that finds by meaning stopped working. Fetch it again, or choose another one.'),
        { cause },
      ),
  });
}
