import type { ReadDocument } from '../../notebook/document.ts';
import { docxType, readDocx } from './docx.ts';
import { pptxType, readPptx } from './pptx.ts';
import { readXlsx, xlsxType } from './xlsx.ts';

/** A format that is read by one function. */
export interface FileFormat {
  readonly mediaType: string;
  readonly endings: readonly string[];
  /** The largest file that is read, in megabytes. */
  readonly limit: number;
  /** What users call files of it. */
  readonly plural: string;
  /** @throws NotebookError `damaged`, `encrypted`, `too-large` or `unsupported`. */
  readonly read: (bytes: Uint8Array, name: string) => Promise<ReadDocument> | ReadDocument;
}

/** Formats whose files are zip containers. */
export const containerFormats: readonly FileFormat[] = [
  {
    mediaType: docxType,
    endings: ['docx', 'docm', 'dotx'],
    limit: 100,
    plural: 'Word files',
    read: readDocx,
  },
  {
    mediaType: pptxType,
    endings: ['pptx', 'pptm', 'ppsx', 'potx'],
    limit: 200,
    plural: 'PowerPoint files',
    read: readPptx,
  },
  {
    mediaType: xlsxType,
    endings: ['xlsx', 'xlsm', 'xltx'],
    limit: 100,
    plural: 'Excel files',
    read: readXlsx,
  },
];
