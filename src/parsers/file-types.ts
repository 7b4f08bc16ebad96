import { t } from '@vscode/l10n';
import { NotebookError } from '../core/domain/errors.ts';
import { PDF_TYPE } from '../core/domain/media-types.ts';
import { binaryKind, isArchive, kindInWords } from './binary.ts';
import { nameEnding } from './code.ts';
import { containerFormats, formats, TEXT_BEGINNING, textFormats, TEXT_LIMIT } from './formats.ts';
import { pictureType } from './picture.ts';
import { RTF_TYPE } from './rich-text.ts';
import { textMediaType } from './text-file.ts';
import { WEBARCHIVE_TYPE } from './web-archives.ts';

const MEGABYTE = 1024 * 1024;

/** Returns the media type of a file by its first bytes and its name; `application/octet-stream` if it can't be read. */
export function guessMediaType(name: string, head: Uint8Array): string {
  if (isPdf(head)) return PDF_TYPE;
  const ending = nameEnding(name);
  if (isZip(head)) {
    const format = containerFormats.find(
      ({ mediaType, endings }) => endings.includes(ending) || isNamedIn(head, mediaType),
    );
    return format?.mediaType ?? 'application/octet-stream';
  }
  const picture = pictureType(head);
  if (picture !== undefined) return picture;
  if (Buffer.from(head.subarray(0, 5)).toString('latin1') === '{\\rtf') return RTF_TYPE;
  if (ending === 'webarchive' && isPropertyList(head)) return WEBARCHIVE_TYPE;
  if (binaryKind(head) !== undefined) return 'application/octet-stream';
  const format = [...containerFormats, ...textFormats].find(({ endings }) => endings.includes(ending));
  if (format !== undefined) return format.mediaType;
  return ending === 'pdf' ? PDF_TYPE : textMediaType(name);
}

/**
 * Returns the number of bytes of a file to read: usually all, but only the beginning of long texts. `byteLength` is the
 * length of the file, and `head` holds its first bytes.
 * @throws NotebookError `binary`, `encrypted`, `unsupported` or `too-large`, before a file is read whole.
 */
export function readableLength(name: string, byteLength: number, head: Uint8Array): number {
  const mediaType = guessMediaType(name, head);
  if (mediaType === 'application/octet-stream') throw notReadableError(name, head);
  const { limit, beginning, plural } = findSizes(mediaType);
  if (byteLength <= limit * MEGABYTE) return Math.min(byteLength, (beginning ?? limit) * MEGABYTE);
  const size = Math.ceil(byteLength / MEGABYTE);
  throw new NotebookError(
    'too-large',
    t(
      '{0} is {1} MB, but the limit for {2} is {3} MB. Split the file, then add the parts.',
      name,
      size,
      plural(),
      limit,
    ),
  );
}

function findSizes(mediaType: string): { limit: number; beginning?: number; plural: () => string } {
  if (mediaType === PDF_TYPE) return { limit: 200, plural: () => t('PDFs') };
  // Half a page isn't useful, so there is no `beginning`.
  if (mediaType === 'text/html') return { limit: 20, plural: () => t('web pages') };
  const format = formats.find((candidate) => candidate.mediaType === mediaType);
  return format ?? { limit: TEXT_LIMIT, beginning: TEXT_BEGINNING, plural: () => t('text files') };
}

/** Reports whether a file starts like a PDF. Up to a kilobyte of other data can precede the PDF header. */
export function isPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes('%PDF-');
}

/** Reports whether a file starts like a binary property list, the container of Safari's web archives. */
function isPropertyList(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 8)).toString('latin1') === 'bplist00';
}

/** Reports whether a file starts like a ZIP archive that isn't empty. */
export function isZip(head: Uint8Array): boolean {
  const [first, second, third, fourth] = head;
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** Reports whether a container declares this media type in its `mimetype` entry, which some formats start with. */
function isNamedIn(head: Uint8Array, mediaType: string): boolean {
  return Buffer.from(head.subarray(30, 200)).toString('latin1').startsWith(`mimetype${mediaType}`);
}

function notReadableError(name: string, head: Uint8Array): NotebookError {
  const kind = binaryKind(head) ?? 'binary';
  const isOffice = containerFormats.some(({ endings }) => endings.includes(nameEnding(name)));
  if (kind === 'olderOffice' && isOffice)
    return new NotebookError(
      'encrypted',
      t('{0} is password-protected. Add a copy without a password.', name),
    );
  if (kind === 'olderOffice')
    return new NotebookError(
      'unsupported',
      t('{0} uses an old Office format. Save it as .docx, .xlsx, or .pptx, then add the new file.', name),
    );
  if (isArchive(kind))
    return new NotebookError(
      'binary',
      t('{0} is {1}. Extract it, then add the files.', name, kindInWords(kind)),
    );
  return new NotebookError(
    'binary',
    t(
      '{0} is {1}, which Open Notebook can’t read. Add a text, code, Markdown, HTML, PDF, or Office file.',
      name,
      kindInWords(kind),
    ),
  );
}
