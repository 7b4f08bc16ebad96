// Opens new notebooks one after the other, each at a given instant like another process, and closes each at once.
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { endWithParent, parametersGiven, sendMessage } from './durability-messages.ts';

export interface OpeningParameters {
  /** Times at which to open folders, in milliseconds since 1970. */
  readonly openings: readonly { readonly at: number; readonly folder: string }[];
}

const { openings } = parametersGiven() as OpeningParameters;
endWithParent();
for (const { at, folder } of openings) {
  // Waits actively, because no timer is exact.
  while (Date.now() < at);
  const { database, notice, readOnly } = await openDatabase(folder);
  sendMessage({
    identity: database.prepare('PRAGMA application_id').get()?.application_id,
    notice,
    readOnly,
  });
  database.close();
}
process.exit(0);
