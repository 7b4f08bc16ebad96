import { constants, setPriority } from 'node:os';
import { watchMemory } from '../../../../../core/rpc/memory-watch.ts';
import { portOfParentProcess } from '../../../../../core/rpc/node-port.ts';
import { connect, type NoParameters } from '../../../../../core/rpc/rpc.ts';
import { takeTranslation } from '../../../../../core/rpc/translation.ts';
import type { TablesApi } from './api.ts';
import { describeTables, queryTables } from './query-tables.ts';

watchMemory(Number(process.argv[2]));
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // The worker also works at normal priority.
}
process.once('disconnect', () => process.exit());
// The first message contains the translations.
process.once('message', takeTranslation);

connect<TablesApi, NoParameters>(portOfParentProcess(), {
  describe: ({ documents }) => describeTables(documents),
  query: ({ documents, sql }) => queryTables(documents, sql),
});
