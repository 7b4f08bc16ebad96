// Opens a notebook whose database is damaged and finds that out.
import { flushCompileCache } from 'node:module';
import { MendedNotebook } from '../../src/indexing/worker/mended-notebook.ts';
import { endWithParent, parametersGiven, tell } from './durability-told.ts';
import { passageSettings, silent } from './opened-notebooks.ts';

export interface SavingParameters {
  readonly folder: string;
}

const { folder } = parametersGiven() as SavingParameters;
endWithParent();
// It is killed before it would keep what was compiled for the ones that follow.
flushCompileCache();
tell({ kind: 'begun' });
const { notebook } = await MendedNotebook.open([folder, passageSettings, silent], () => undefined);
await notebook.run(() => notebook.index.store.sources());
process.exit(0);
