// Opens a notebook with a damaged database, which starts a repair.
import { flushCompileCache } from 'node:module';
import { SelfRepairingNotebook } from '../../src/index/worker/self-repairing-notebook.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';
import { passageSettings, silent } from './opened-notebooks.ts';

export interface SavingParameters {
  readonly folder: string;
}

const { folder } = parametersGiven() as SavingParameters;
endWithParent();
// The process is killed before it would save its compiled code for the next ones.
flushCompileCache();
sendMessage({ kind: 'begun' });
const { notebook } = await SelfRepairingNotebook.open([folder, passageSettings, silent], () => undefined);
await notebook.run(() => notebook.index.store.sources());
process.exit(0);
