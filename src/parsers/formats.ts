import { t } from '@vscode/l10n';
import type { ReadDocument } from '../core/domain/document.ts';
import { JUPYTER_TYPE } from '../core/domain/media-types.ts';
import { readJupyter } from './jupyter.ts';
import { MAIL_TYPE, readMail } from './mail.ts';
import { DOCX_TYPE, readDocx } from './office/docx.ts';
import { EPUB_TYPE, readEpub } from './office/epub.ts';
import { ODP_TYPE, ODS_TYPE, ODT_TYPE, readOdp, readOds, readOdt } from './office/open-document.ts';
import { PPTX_TYPE, readPptx } from './office/pptx.ts';
import { readXlsx, XLSX_TYPE } from './office/xlsx.ts';
import { readPicture } from './picture.ts';
import { readRtf, RTF_TYPE } from './rich-text.ts';
import { readCsv, readTsv } from './separated-values.ts';
import { readSubtitles } from './subtitles.ts';
import { readSvg } from './svg.ts';
import { MHTML_TYPE, readMhtml, readWebarchive, WEBARCHIVE_TYPE } from './web-archives.ts';

/** Format with one function that reads it. */
interface FileFormat {
  readonly mediaType: string;
  readonly endings: readonly string[];
  /** Maximum size of a file, in megabytes. */
  readonly limit: number;
  /** Length of the part to read, in megabytes, if it suffices or the rest can be left out. */
  readonly beginning?: number;
  /** Returns the user-facing plural name of its files. */
  readonly plural: () => string;
  /** Reads a file. @throws NotebookError `damaged`, `encrypted`, `too-large` or `unsupported`. */
  readonly read: (bytes: Uint8Array, name: string) => Promise<ReadDocument> | ReadDocument;
}

/** Formats of ZIP containers. */
export const containerFormats: readonly FileFormat[] = [
  {
    mediaType: DOCX_TYPE,
    endings: ['docx', 'docm', 'dotx'],
    limit: 100,
    plural: () => t('Word files'),
    read: readDocx,
  },
  {
    mediaType: PPTX_TYPE,
    endings: ['pptx', 'pptm', 'ppsx', 'potx'],
    limit: 200,
    plural: () => t('PowerPoint files'),
    read: readPptx,
  },
  {
    mediaType: XLSX_TYPE,
    endings: ['xlsx', 'xlsm', 'xltx'],
    limit: 100,
    plural: () => t('Excel files'),
    read: readXlsx,
  },
  {
    mediaType: ODT_TYPE,
    endings: ['odt', 'ott'],
    limit: 100,
    plural: () => t('OpenDocument text files'),
    read: readOdt,
  },
  {
    mediaType: ODS_TYPE,
    endings: ['ods', 'ots'],
    limit: 100,
    plural: () => t('OpenDocument spreadsheets'),
    read: readOds,
  },
  {
    mediaType: ODP_TYPE,
    endings: ['odp', 'otp'],
    limit: 200,
    plural: () => t('OpenDocument presentations'),
    read: readOdp,
  },
  { mediaType: EPUB_TYPE, endings: ['epub'], limit: 200, plural: () => t('EPUB books'), read: readEpub },
];

/** Length of the part of a text file that is read, and maximum size of a text file, in megabytes. */
export const TEXT_BEGINNING = 20;
export const TEXT_LIMIT = 1024;

/** Formats of text files, identified by their names. */
export const textFormats: readonly FileFormat[] = [
  {
    mediaType: JUPYTER_TYPE,
    endings: ['ipynb'],
    limit: 100,
    plural: () => t('Jupyter notebooks'),
    read: readJupyter,
  },
  {
    mediaType: 'text/csv',
    endings: ['csv'],
    limit: TEXT_LIMIT,
    beginning: TEXT_BEGINNING,
    plural: () => t('CSV files'),
    read: readCsv,
  },
  {
    mediaType: 'text/tab-separated-values',
    endings: ['tsv', 'tab'],
    limit: TEXT_LIMIT,
    beginning: TEXT_BEGINNING,
    plural: () => t('TSV files'),
    read: readTsv,
  },
  { mediaType: MAIL_TYPE, endings: ['eml'], limit: 50, plural: () => t('emails'), read: readMail },
  {
    mediaType: MHTML_TYPE,
    endings: ['mhtml', 'mht'],
    limit: 100,
    plural: () => t('web archives'),
    read: readMhtml,
  },
  {
    mediaType: WEBARCHIVE_TYPE,
    endings: ['webarchive'],
    limit: 100,
    plural: () => t('web archives'),
    read: readWebarchive,
  },
  { mediaType: RTF_TYPE, endings: ['rtf'], limit: 100, plural: () => t('RTF files'), read: readRtf },
  {
    mediaType: 'application/x-subrip',
    endings: ['srt'],
    limit: 20,
    plural: () => t('subtitle files'),
    read: readSubtitles,
  },
  {
    mediaType: 'text/vtt',
    endings: ['vtt'],
    limit: 20,
    plural: () => t('subtitle files'),
    read: readSubtitles,
  },
  { mediaType: 'image/svg+xml', endings: ['svg'], limit: 50, plural: () => t('SVG images'), read: readSvg },
];

/**
 * Picture formats, which the first bytes identify. For large files only the beginning is read: it holds the metadata.
 */
const pictureFormats: readonly FileFormat[] = ['png', 'jpeg', 'gif', 'webp', 'tiff'].map((kind) => ({
  mediaType: `image/${kind}`,
  endings: [],
  limit: TEXT_LIMIT,
  beginning: 100,
  plural: () => t('images'),
  read: readPicture,
}));

export const formats: readonly FileFormat[] = [...containerFormats, ...textFormats, ...pictureFormats];
