import type { ReadDocument } from '../notebook/document.ts';
import { NotebookError } from '../notebook/errors.ts';
import { jupyterType } from '../notebook/media-types.ts';
import { binaryKind, olderOffice } from './binary.ts';
import { endingOf } from './code.ts';
import { outlineOf } from './code/outline.ts';
import { decodeHtml, readHtmlFile, readPage } from './html.ts';
import { readJupyter } from './jupyter.ts';
import type { FileFormat } from './office/formats.ts';
import { containerFormats } from './office/formats.ts';
import { readPdf } from './pdf.ts';
import { decodeText } from './text-decoding.ts';
import { documentOfText, textTypeOf } from './text-file.ts';

export interface ReadInput {
  readonly bytes: Uint8Array;
  /** A file name with its ending, or the address of a page. */
  readonly name: string;
  /** As a server names it, with its charset where given. */
  readonly mediaType?: string | undefined;
  /** Set for a fetched page: its main content is taken and its text kept as what is opened. */
  readonly pageUrl?: string | undefined;
  /** Fewer characters of text are refused with `too-short`. */
  readonly minimumLength: number;
  /** Opens an encrypted PDF. */
  readonly password?: string | undefined;
}

export interface ReadContext {
  readonly signal?: AbortSignal | undefined;
  readonly report?: (progress: { readonly done: number; readonly total: number }) => void;
}

const megabyte = 1024 * 1024;
const pdfType = 'application/pdf';

/** Formats that are told by a file's name and are text in themselves. */
const textFormats: readonly FileFormat[] = [
  { mediaType: jupyterType, endings: ['ipynb'], limit: 100, plural: 'Jupyter notebooks', read: readJupyter },
];

const formats = [...containerFormats, ...textFormats];

/** The media type of a file by its first bytes and its name; `application/octet-stream` for what is not text. */
export function mediaTypeOf(name: string, head: Uint8Array): string {
  if (isPdf(head)) return pdfType;
  const ending = endingOf(name);
  if (isZip(head)) {
    const format = containerFormats.find(
      ({ mediaType, endings }) => endings.includes(ending) || isNamedIn(head, mediaType),
    );
    return format?.mediaType ?? 'application/octet-stream';
  }
  if (binaryKind(head) !== undefined) return 'application/octet-stream';
  const format = formats.find(({ endings }) => endings.includes(ending));
  if (format !== undefined) return format.mediaType;
  return ending === 'pdf' ? pdfType : textTypeOf(name);
}

/**
 * Refuses what is not text or too large, before a file is read whole: `byteLength` is that of the file, of which `head`
 * holds the beginning.
 * @throws NotebookError `binary`, `encrypted`, `unsupported` or `too-large`.
 */
export function refuseUnreadable(name: string, byteLength: number, head: Uint8Array): void {
  const mediaType = mediaTypeOf(name, head);
  if (mediaType === 'application/octet-stream') throw notTextError(name, head);
  const format = formats.find((one) => one.mediaType === mediaType);
  const [limit, kinds] =
    mediaType === pdfType ? [200, 'PDFs'] : [format?.limit ?? 20, format?.plural ?? 'texts'];
  if (byteLength <= limit * megabyte) return;
  const size = Math.ceil(byteLength / megabyte);
  throw new NotebookError(
    'too-large',
    `${name} has ${String(size)} MB; ${kinds} of up to ${String(limit)} MB can be read, so add a part of it.`,
  );
}

function notTextError(name: string, head: Uint8Array): NotebookError {
  const kind = binaryKind(head) ?? 'a binary file';
  const isOffice = containerFormats.some(({ endings }) => endings.includes(endingOf(name)));
  if (kind === olderOffice && isOffice)
    return new NotebookError('encrypted', `${name} is protected by a password; add a copy without one.`);
  if (kind === olderOffice)
    return new NotebookError(
      'unsupported',
      `${name} is of an old Office format; save it as .docx, .xlsx or .pptx and add that.`,
    );
  if (kind.endsWith('archive'))
    return new NotebookError('binary', `${name} is ${kind}; unpack it and add the files in it.`);
  return new NotebookError(
    'binary',
    `${name} is ${kind}, not text; add text, code, Markdown, HTML, PDF or Office files.`,
  );
}

/**
 * Reads a file or page into a document.
 * @throws NotebookError `binary`, `empty`, `too-short`, `too-large`, `encrypted`, `damaged` or `cancelled`.
 */
export async function readDocument(input: ReadInput, context: ReadContext): Promise<ReadDocument> {
  const { bytes, name, minimumLength } = input;
  if (bytes.length === 0) throw emptyError(name);
  refuseUnreadable(name, bytes.length, bytes);
  const document = await readByType(input, context);
  const length = document.text.trim().length;
  if (length === 0) throw emptyError(name);
  if (length < minimumLength) {
    throw new NotebookError(
      'too-short',
      `${name} holds ${characters(length)} of text, and ${String(minimumLength)} are needed; add a longer one.`,
    );
  }
  return document;
}

async function readByType(input: ReadInput, context: ReadContext): Promise<ReadDocument> {
  const { bytes, name, pageUrl, password } = input;
  const fromContent = mediaTypeOf(name, bytes);
  if (isPdf(bytes)) return readPdf(bytes, name, { ...context, password });
  const mediaType = declaredType(input.mediaType) ?? (isHtmlPage(bytes, pageUrl) ? 'text/html' : fromContent);
  const format = formats.find((one) => one.mediaType === fromContent || one.mediaType === mediaType);
  if (format !== undefined) {
    if (isZip(bytes) !== containerFormats.includes(format)) throw misnamedError(name);
    return format.read(bytes, name);
  }
  if (mediaType === pdfType) {
    throw new NotebookError(
      'damaged',
      `${name} is not a PDF although it is called one; check where it comes from.`,
    );
  }
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(input.mediaType ?? '')?.[1];
  if (mediaType === 'text/html' || mediaType === 'application/xhtml+xml') {
    const html = decodeHtml(bytes, charset);
    return pageUrl === undefined ? readHtmlFile(html) : readPage(html, pageUrl);
  }
  const text = /[/+]xml$/.test(mediaType) ? decodeHtml(bytes, charset) : decodeText(bytes, charset);
  const document = documentOfText(text, name, mediaType);
  if (pageUrl !== undefined) return { ...document, map: { kind: 'saved' } };
  if (document.format !== 'code' || document.languageId === undefined) return document;
  return { ...document, headings: await outlineOf(document.text, document.languageId) };
}

/** The media type that a server named, where it says more than that there are bytes or text. */
function declaredType(mediaType: string | undefined): string | undefined {
  const bare = mediaType?.replace(/;.*/, '').trim().toLowerCase();
  return bare === undefined || /^(?:|text\/plain|application\/octet-stream)$/.test(bare) ? undefined : bare;
}

/** Whether a page is HTML that its server does not name, or names as text. */
function isHtmlPage(bytes: Uint8Array, pageUrl: string | undefined): boolean {
  const head = Buffer.from(bytes.subarray(0, 512)).toString('latin1');
  return pageUrl !== undefined && /^\W{0,99}<(?:!doctype\s+html|html)[\s>]/i.test(head);
}

function isPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes('%PDF-');
}

function isZip(head: Uint8Array): boolean {
  const [first, second, third, fourth] = head;
  return first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
}

/** Whether a container says its type in the part that some formats begin with. */
function isNamedIn(head: Uint8Array, mediaType: string): boolean {
  return Buffer.from(head.subarray(30, 200)).toString('latin1').startsWith(`mimetype${mediaType}`);
}

function misnamedError(name: string): NotebookError {
  const ending = endingOf(name);
  return new NotebookError(
    'damaged',
    `${name} is not what ${ending === '' ? 'it is said to be' : `its ending .${ending} says`}; check where it comes from.`,
  );
}

function emptyError(name: string): NotebookError {
  return new NotebookError('empty', `${name} holds no text; there is nothing to add.`);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${String(count)} characters`;
}
