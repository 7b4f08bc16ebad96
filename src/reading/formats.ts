import { t } from '@vscode/l10n';
import type { ReadDocument } from '../notebook/document.ts';
import { jupyterType } from '../notebook/media-types.ts';
import { readJupyter } from './jupyter.ts';
import { mailType, readMail } from './mail.ts';
import { docxType, readDocx } from './office/docx.ts';
import { epubType, readEpub } from './office/epub.ts';
import { odpType, odsType, odtType, readOdp, readOds, readOdt } from './office/open-document.ts';
import { pptxType, readPptx } from './office/pptx.ts';
import { readXlsx, xlsxType } from './office/xlsx.ts';
import { readPicture } from './picture.ts';
import { readRtf, rtfType } from './rich-text.ts';
import { readCsv, readTsv } from './separated-values.ts';
import { readSubtitles } from './subtitles.ts';
import { readSvg } from './svg.ts';

/** A format that is read by one function. */
export interface FileFormat {
  readonly mediaType: string;
  readonly endings: readonly string[];
  /** The largest file that is read, in megabytes. */
  readonly limit: number;
  /** Only as much of a file is read, in megabytes, where that is enough or the rest may be left out. */
  readonly beginning?: number;
  /** What users call files of it. */
  readonly plural: () => string;
  /** @throws NotebookError `damaged`, `encrypted`, `too-large` or `unsupported`. */
  readonly read: (bytes: Uint8Array, name: string) => Promise<ReadDocument> | ReadDocument;
}

/** Formats whose files are zip containers. */
export const containerFormats: readonly FileFormat[] = [
  {
    mediaType: docxType,
    endings: ['docx', 'docm', 'dotx'],
    limit: 100,
    plural: () => t('Word files'),
    read: readDocx,
  },
  {
    mediaType: pptxType,
    endings: ['pptx', 'pptm', 'ppsx', 'potx'],
    limit: 200,
    plural: () => t('PowerPoint files'),
    read: readPptx,
  },
  {
    mediaType: xlsxType,
    endings: ['xlsx', 'xlsm', 'xltx'],
    limit: 100,
    plural: () => t('Excel files'),
    read: readXlsx,
  },
  {
    mediaType: odtType,
    endings: ['odt', 'ott'],
    limit: 100,
    plural: () => t('OpenDocument texts'),
    read: readOdt,
  },
  {
    mediaType: odsType,
    endings: ['ods', 'ots'],
    limit: 100,
    plural: () => t('OpenDocument spreadsheets'),
    read: readOds,
  },
  {
    mediaType: odpType,
    endings: ['odp', 'otp'],
    limit: 200,
    plural: () => t('OpenDocument presentations'),
    read: readOdp,
  },
  { mediaType: epubType, endings: ['epub'], limit: 200, plural: () => t('books'), read: readEpub },
];

/** How much of a text file is read, and how large it may be, in megabytes. */
export const textBeginning = 20;
export const textLimit = 1024;

/** Formats whose files are texts in themselves and are known by their names. */
export const textFormats: readonly FileFormat[] = [
  {
    mediaType: jupyterType,
    endings: ['ipynb'],
    limit: 100,
    plural: () => t('Jupyter notebooks'),
    read: readJupyter,
  },
  {
    mediaType: 'text/csv',
    endings: ['csv'],
    limit: textLimit,
    beginning: textBeginning,
    plural: () => t('CSV files'),
    read: readCsv,
  },
  {
    mediaType: 'text/tab-separated-values',
    endings: ['tsv', 'tab'],
    limit: textLimit,
    beginning: textBeginning,
    plural: () => t('TSV files'),
    read: readTsv,
  },
  { mediaType: mailType, endings: ['eml'], limit: 50, plural: () => t('mails'), read: readMail },
  { mediaType: rtfType, endings: ['rtf'], limit: 100, plural: () => t('RTF files'), read: readRtf },
  {
    mediaType: 'application/x-subrip',
    endings: ['srt'],
    limit: 20,
    plural: () => t('subtitles'),
    read: readSubtitles,
  },
  { mediaType: 'text/vtt', endings: ['vtt'], limit: 20, plural: () => t('subtitles'), read: readSubtitles },
  { mediaType: 'image/svg+xml', endings: ['svg'], limit: 50, plural: () => t('drawings'), read: readSvg },
];

/** Pictures are known by their first bytes; what they say of themselves stands near their beginning. */
const pictureFormats: readonly FileFormat[] = ['png', 'jpeg', 'gif', 'webp'].map((kind) => ({
  mediaType: `image/${kind}`,
  endings: [],
  limit: textLimit,
  beginning: 4,
  plural: () => t('pictures'),
  read: readPicture,
}));

export const formats: readonly FileFormat[] = [...containerFormats, ...textFormats, ...pictureFormats];
