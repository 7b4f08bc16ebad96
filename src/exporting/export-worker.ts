import { serveParentProcess } from '../messages/serve-process.ts';
import type { ExportApi } from './api.ts';
import { writeHtml } from './html.ts';
import { citeWorks, writeBibtex } from './references.ts';
import { writeWord } from './word.ts';

serveParentProcess<ExportApi>({
  write: (request) => (request.format === 'html' ? writeHtml(request) : writeWord(request)),
  citeWorks,
  writeBibtex: ({ items }) => writeBibtex(items),
});
