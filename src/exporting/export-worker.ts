import { serveParentProcess } from '../messages/serve-process.ts';
import type { ExportApi } from './api.ts';
import { writeAnki } from './anki.ts';
import { writeCardTable } from './card-table.ts';
import { writeHtml } from './html.ts';
import { citeWorks, writeBibtex } from './references.ts';
import { writeWord } from './word.ts';

serveParentProcess<ExportApi>({
  write: (request) => (request.format === 'html' ? writeHtml(request) : writeWord(request)),
  citeWorks,
  writeDeck: ({ format, ...deck }) => (format === 'apkg' ? writeAnki(deck) : writeCardTable(deck)),
  writeBibtex: ({ items }) => writeBibtex(items),
});
