import { constants, setPriority } from 'node:os';
import { watchMemory } from '../messages/memory-watch.ts';
import { portOfParentProcess } from '../messages/node-port.ts';
import { connect, type NothingAsked } from '../messages/rpc.ts';
import { takeTranslation } from '../messages/translation.ts';
import type { ExportApi } from './api.ts';
import { writeHtml } from './html.ts';
import { citeWorks, writeBibtex } from './references.ts';
import { writeWord } from './word.ts';

watchMemory(Number(process.argv[2]));
try {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
} catch {
  // It works as well without.
}
process.once('disconnect', () => {
  process.exit();
});
// What comes first is in which language to speak.
process.once('message', takeTranslation);

connect<ExportApi, NothingAsked>(portOfParentProcess(), {
  write: (request) => (request.format === 'html' ? writeHtml(request) : writeWord(request)),
  citeWorks,
  writeBibtex: ({ items }) => writeBibtex(items),
});
