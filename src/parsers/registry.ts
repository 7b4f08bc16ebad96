import { t } from '@vscode/l10n';
import type { AnnotationsByKey } from '../core/domain/annotation.ts';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { PDF_TYPE } from '../core/domain/media-types.ts';
import { readLibrary } from './bibliography/library.ts';
import { nameEnding } from './code.ts';
import { readOutline } from './code/outline.ts';
import { isPdf, isZip, guessMediaType, readableLength } from './file-types.ts';
import { containerFormats, formats } from './formats.ts';
import { decodeHtml, readHtmlFile, readPage } from './html.ts';
import { readPdf } from './pdf.ts';
import { decodeText, wholeLines } from './text-decoding.ts';
import type { RecognizedPage } from './scans/recognized-page.ts';
import { pictureType } from './picture.ts';
import { readScannedPicture } from './scans/scanned-picture.ts';
import { documentOfText } from './text-file.ts';

interface ReadInput {
  readonly bytes: Uint8Array;
  /** Size of the file, if `bytes` holds only its beginning. */
  readonly byteLength?: number | undefined;
  /** File name with its extension, or the address of a page. */
  readonly name: string;
  /** Media type from the server, with its charset if the server sent one. */
  readonly mediaType?: string | undefined;
  /** Set for a downloaded page: the notebook extracts its main content and saves the text to open it later. */
  readonly pageUrl?: string | undefined;
  /** Fewer characters of text are refused with `too-short`. */
  readonly minimumLength: number;
  /** Opens an encrypted PDF. */
  readonly password?: string | undefined;
  /** Recognition results so far for pages without text, by page number; undefined without text recognition. */
  readonly recognised?: () => Promise<ReadonlyMap<number, RecognizedPage>>;
  /** Changes to a PDF's annotations that the notebook saved. */
  readonly storedAnnotations?: AnnotationsByKey | undefined;
}

export interface ReadContext {
  readonly signal?: AbortSignal | undefined;
  readonly report?: (progress: { readonly done: number; readonly total: number }) => void;
}

/**
 * Reads a file or page into a document.
 * @throws NotebookError `binary`, `empty`, `too-short`, `too-large`, `encrypted`, `damaged` or `cancelled`.
 */
export async function readDocument(input: ReadInput, context: ReadContext): Promise<ReadDocument> {
  const { bytes, name, minimumLength } = input;
  if (bytes.length === 0) throw emptyError(name);
  const document = await withLibrary(await readBeginning(input, context), name);
  const length = document.text.trim().length;
  // Its text is recognized later.
  if (document.unrecognised !== undefined && document.unrecognised.length > 0) return document;
  if (length === 0) throw emptyError(name);
  if (length < minimumLength) {
    throw new NotebookError(
      'too-short',
      t(
        '{0} has only {1} of text, but a source needs at least {2}. Add a longer source.',
        name,
        characters(length),
        minimumLength,
      ),
    );
  }
  return document;
}

/** Returns a document with the works that it lists if it is a library. */
async function withLibrary(document: ReadDocument, name: string): Promise<ReadDocument> {
  const library = await readLibrary(document.text, name);
  if (library === undefined) return document;
  return { ...document, library: library.entries, warnings: [...document.warnings, ...library.warnings] };
}

/** Reads the available part of a file. For a long text, it ends with its last complete line. */
async function readBeginning(input: ReadInput, context: ReadContext): Promise<ReadDocument> {
  const { bytes, name, byteLength = bytes.length } = input;
  const length = readableLength(name, byteLength, bytes);
  const isPart = length < byteLength;
  const document = await readByType(
    isPart ? { ...input, bytes: wholeLines(bytes.subarray(0, length)) } : input,
    context,
  );
  if (!isPart || document.mediaType.startsWith('image/')) return document;
  const [read, whole] = [length, byteLength].map((size) => String(Math.round(size / (1024 * 1024))));
  const warning = t(
    'Only the first {0} MB of {1} MB were read. To read the rest, split the file and add the remaining parts.',
    read ?? '',
    whole ?? '',
  );
  return { ...document, warnings: [warning, ...document.warnings] };
}

async function readByType(input: ReadInput, context: ReadContext): Promise<ReadDocument> {
  const { bytes, name, pageUrl, password, recognised, storedAnnotations } = input;
  const fromContent = guessMediaType(name, bytes);
  if (isPdf(bytes))
    return readPdf(bytes, name, {
      ...context,
      password,
      recognised: await recognised?.(),
      storedAnnotations,
    });
  const picture = pictureType(bytes);
  const isWhole = bytes.length === (input.byteLength ?? bytes.length);
  // Animations don't show pages.
  if (picture !== undefined && picture !== 'image/gif' && isWhole && recognised !== undefined)
    return readScannedPicture(bytes, name, picture, { ...context, recognised: await recognised() });
  const mediaType = declaredType(input.mediaType) ?? (isHtmlPage(bytes, pageUrl) ? 'text/html' : fromContent);
  const isHtml = mediaType === 'text/html' || mediaType === 'application/xhtml+xml';
  const format = formats.find((candidate) => candidate.mediaType === (isHtml ? mediaType : fromContent));
  if (format !== undefined) {
    if (isZip(bytes) !== containerFormats.includes(format)) throw misnamedError(name);
    const document = await format.read(bytes, name);
    return pageUrl === undefined ? document : asSaved(document);
  }
  if (mediaType === PDF_TYPE) {
    throw new NotebookError(
      'damaged',
      t('{0} isn’t a PDF, although its name or type says so. Check the file, then add another copy.', name),
    );
  }
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(input.mediaType ?? '')?.[1];
  if (isHtml) {
    const html = decodeHtml(bytes, charset);
    return pageUrl === undefined ? readHtmlFile(html) : readPage(html, pageUrl);
  }
  const text = /[/+]xml$/.test(mediaType) ? decodeHtml(bytes, charset) : decodeText(bytes, charset);
  const document = documentOfText(text, name, mediaType);
  if (pageUrl !== undefined) return asSaved(document);
  if (document.format !== 'code' || document.languageId === undefined) return document;
  return { ...document, headings: await readOutline(document.text, document.languageId) };
}

/** Marks a downloaded document as saved text, because it has no file to open at its lines. */
function asSaved(document: ReadDocument): ReadDocument {
  const places = 'places' in document.map ? document.map.places : undefined;
  return { ...document, map: { kind: 'saved', ...(places && { places }) } };
}

/** Returns the server's media type if it is more specific than bytes or text. */
function declaredType(mediaType: string | undefined): string | undefined {
  const bare = mediaType?.replace(/;.*/, '').trim().toLowerCase();
  return bare === undefined || /^(?:|text\/plain|application\/octet-stream)$/.test(bare) ? undefined : bare;
}

/** Reports whether a page is HTML although its server sent no media type or declared plain text. */
function isHtmlPage(bytes: Uint8Array, pageUrl: string | undefined): boolean {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  return pageUrl !== undefined && /^\W{0,99}<(?:!doctype\s+html|html)[\s>]/i.test(head);
}

function misnamedError(name: string): NotebookError {
  const ending = nameEnding(name);
  return new NotebookError(
    'damaged',
    ending === ''
      ? t('The content of {0} doesn’t match its type. Check the file, then add another copy.', name)
      : t(
          'The content of {0} doesn’t match the file extension .{1}. Check the file, then add another copy.',
          name,
          ending,
        ),
  );
}

function emptyError(name: string): NotebookError {
  return new NotebookError('empty', t('{0} has no text, so there’s nothing to add.', name));
}

function characters(count: number): string {
  return count === 1 ? t('1 character') : t('{0} characters', count);
}
