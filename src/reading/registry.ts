import type { ReadDocument } from '../notebook/document.ts';
import { NotebookError } from '../notebook/errors.ts';
import { binaryKind } from './binary.ts';
import { decodeHtml, readHtmlFile, readPage } from './html.ts';
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

/** The media type of a file by its first bytes and its name; `application/octet-stream` for what is not text. */
export function mediaTypeOf(name: string, head: Uint8Array): string {
  if (isPdf(head)) return pdfType;
  if (binaryKind(head) !== undefined) return 'application/octet-stream';
  return /\.pdf$/i.test(name) ? pdfType : textTypeOf(name);
}

/**
 * Refuses what is not text or too large, before a file is read whole: `byteLength` is that of the file, of which `head`
 * holds the beginning.
 * @throws NotebookError `binary` or `too-large`.
 */
export function refuseUnreadable(name: string, byteLength: number, head: Uint8Array): void {
  const mediaType = mediaTypeOf(name, head);
  const kind = mediaType === pdfType ? undefined : binaryKind(head);
  if (kind !== undefined) {
    throw new NotebookError(
      'binary',
      `${name} is ${kind}, not text; add text, code, Markdown, HTML or PDF files.`,
    );
  }
  const [limit, kinds] = mediaType === pdfType ? [200, 'PDFs'] : [20, 'texts'];
  if (byteLength <= limit * megabyte) return;
  const size = Math.ceil(byteLength / megabyte);
  throw new NotebookError(
    'too-large',
    `${name} has ${String(size)} MB; ${kinds} of up to ${String(limit)} MB can be read, so add a part of it.`,
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
  const mediaType = declaredType(input.mediaType) ?? fromContent;
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
  const document = documentOfText(decodeText(bytes, charset), name, mediaType);
  return pageUrl === undefined ? document : { ...document, map: { kind: 'saved' } };
}

/** The media type that a server named, where it says more than that there are bytes or text. */
function declaredType(mediaType: string | undefined): string | undefined {
  const bare = mediaType?.replace(/;.*/, '').trim().toLowerCase();
  return bare === undefined || /^(?:|text\/plain|application\/octet-stream)$/.test(bare) ? undefined : bare;
}

function isPdf(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 1024)).includes('%PDF-');
}

function emptyError(name: string): NotebookError {
  return new NotebookError('empty', `${name} holds no text; there is nothing to add.`);
}

function characters(count: number): string {
  return count === 1 ? '1 character' : `${String(count)} characters`;
}
