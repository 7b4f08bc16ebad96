import { serveParentProcess } from '../../../core/rpc/serve-process.ts';
import type { ExportApi } from './api.ts';
import { featureExportHandlers } from '../../file-formats.ts';
import { writeHtml } from './html.ts';
import { citeWorks, writeBibtex } from './references.ts';
import { writeCsv, writeWorkbook } from './tables.ts';
import { writeWord } from './word.ts';

serveParentProcess<ExportApi>({
  write: (request) => (request.format === 'html' ? writeHtml(request) : writeWord(request)),
  writeTables: ({ format, tables: [first, ...others] }) => {
    if (first === undefined) throw new Error('There is no table to write.');
    return format === 'csv' ? writeCsv(first) : writeWorkbook([first, ...others]);
  },
  citeWorks,
  writeBibtex: ({ items }) => writeBibtex(items),
  ...featureExportHandlers,
});
