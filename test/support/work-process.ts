// A process for tests that answers, refuses, exits, hangs, and allocates ever more memory of each kind.
import 'vscode-jsonrpc/node';
import { t } from '@vscode/l10n';
import { watchMemory } from '../../src/core/rpc/memory-watch.ts';
import { portOfParentProcess } from '../../src/core/rpc/node-port.ts';
import { connect } from '../../src/core/rpc/rpc.ts';
import { takeTranslation } from '../../src/core/rpc/translation.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';

export interface WorkApi {
  readonly echo: (params: unknown) => unknown;
  readonly environment: () => NodeJS.ProcessEnv;
  readonly started: () => { readonly pid: number; readonly arguments: readonly string[] };
  readonly spoken: () => string;
  readonly take: (params: { readonly kind: WorkKind }) => void;
  /** Reports that it has begun, then hangs. */
  readonly hang: (params: object, report: (progress: 'begun') => void) => void;
}

export type WorkKind = 'bytes' | 'exit' | 'hang' | 'objects' | 'one parse' | 'refuse';

watchMemory(Number(process.argv[2]));
process.once('message', takeTranslation);
process.once('disconnect', () => process.exit());

const messages: unknown[] = [];

connect<WorkApi, Record<string, never>>(portOfParentProcess(), {
  echo: (params) => params,
  environment: () => process.env,
  started: () => ({ pid: process.pid, arguments: process.execArgv }),
  spoken: () => t('Stopped.'),
  hang: async (_params, { report }) => {
    report('begun');
    // The report leaves the process before it hangs.
    await new Promise(setImmediate);
    for (;;);
  },
  take({ kind }) {
    switch (kind) {
      case 'refuse':
        throw new NotebookError('encrypted', 'It is locked.');
      case 'exit':
        return process.exit(3);
      case 'hang':
        for (;;);
        break;
      case 'bytes':
        for (;;) messages.push(new Uint8Array(2 ** 20).fill(1));
        break;
      case 'objects':
        for (;;) messages.push({ held: [{}, {}, {}] });
        break;
      case 'one parse':
        messages.push(JSON.parse(`[${'{},'.repeat(2 ** 26)}{}]`));
    }
  },
});
