import { t } from '@vscode/l10n';
import iconv from 'iconv-lite';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { decodeHtml, readPage } from './html.ts';

export const MHTML_TYPE = 'multipart/related';
export const WEBARCHIVE_TYPE = 'application/x-webarchive';

/** Page in an archive, and its address. */
interface ArchivedPage {
  readonly bytes: Uint8Array;
  readonly charset: string | undefined;
  readonly url: string | undefined;
}

/**
 * Returns the page of an MHTML file, as browsers save it, as a document.
 * @throws NotebookError `damaged` without a page, and as `readPage`
 */
export function readMhtml(bytes: Uint8Array, name: string): ReadDocument {
  return readArchived(pageOfMhtml(Buffer.from(bytes).toString('latin1')), name, MHTML_TYPE);
}

/**
 * Returns the page of a web archive, as Safari saves it, as a document.
 * @throws NotebookError `damaged` without a page, and as `readPage`
 */
export function readWebarchive(bytes: Uint8Array, name: string): ReadDocument {
  return readArchived(pageOfWebarchive(bytes), name, WEBARCHIVE_TYPE);
}

function readArchived(page: ArchivedPage | undefined, name: string, mediaType: string): ReadDocument {
  if (page === undefined)
    throw new NotebookError(
      'damaged',
      t('{0} contains no page, or it’s damaged. Save the page again as HTML, then add the new file.', name),
    );
  const url = page.url !== undefined && /^https?:/i.test(page.url) ? page.url : 'file:///';
  return { ...readPage(decodeHtml(page.bytes, page.charset), url), mediaType };
}

const MAX_NESTING = 5;
const MAX_HEADER_LINES = 1000;

/** Returns the first page of an MHTML file or of one of its parts. `source` holds a byte per character. */
function pageOfMhtml(source: string, depth = 0): ArchivedPage | undefined {
  const start = source.replace(/^(?:\r?\n){1,9}/, '');
  const end = /\r?\n\r?\n/.exec(start);
  if (end === null) return undefined;
  const head = start.slice(0, end.index).replace(/\r?\n[ \t]{1,99}/g, ' ');
  const body = start.slice(end.index + end[0].length);
  const lines = head.split(/\r?\n/, MAX_HEADER_LINES);
  const field = (name: string): string | undefined =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
      ?.slice(name.length + 1)
      .trim();
  const type = field('Content-Type') ?? '';
  const boundary = /boundary\s{0,9}=\s{0,9}(?:"([^"]{1,200})"|([^\s;]{1,200}))/i.exec(type);
  if (boundary !== null && depth < MAX_NESTING) {
    const parts = `\n${body}`.split(`\n--${boundary[1] ?? boundary[2] ?? ''}`).slice(1);
    for (const part of parts) {
      const page = pageOfMhtml(part, depth + 1);
      if (page !== undefined) return { ...page, url: page.url ?? field('Snapshot-Content-Location') };
    }
    return undefined;
  }
  if (!/^(?:text\/html|application\/xhtml\+xml)/i.test(type)) return undefined;
  return {
    bytes: decodeTransfer(body, field('Content-Transfer-Encoding') ?? ''),
    charset: /charset\s{0,9}=\s{0,9}"?([\w.:-]{1,60})/i.exec(type)?.[1],
    url: field('Content-Location'),
  };
}

function decodeTransfer(body: string, encoding: string): Uint8Array {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64');
  if (!/^quoted-printable$/i.test(encoding)) return Buffer.from(body, 'latin1');
  const text = body
    .replace(/=[ \t]{0,99}\r?\n/g, '')
    .replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

function pageOfWebarchive(bytes: Uint8Array): ArchivedPage | undefined {
  let entry: ReadonlyMap<string, Uint8Array | string>;
  try {
    entry = mainResource(Buffer.from(bytes));
  } catch (error) {
    // Offsets outside of the file, which only a damaged file has.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  const data = entry.get('WebResourceData');
  const [charset, url] = [entry.get('WebResourceTextEncodingName'), entry.get('WebResourceURL')];
  if (data === undefined || typeof data === 'string') return undefined;
  return {
    bytes: data,
    charset: typeof charset === 'string' ? charset : undefined,
    url: typeof url === 'string' ? url : undefined,
  };
}

/** Length of the end of a binary property list, which contains the positions of its objects, in bytes. */
const TRAILER_LENGTH = 32;

/**
 * Returns the values of the dictionary `WebMainResource` in a binary property list.
 * @throws RangeError for an offset outside of the file
 */
function mainResource(file: Buffer): ReadonlyMap<string, Uint8Array | string> {
  const trailer = file.length - TRAILER_LENGTH;
  const offsetSize = file.readUInt8(trailer + 6);
  const referenceSize = file.readUInt8(trailer + 7);
  const table = file.readUIntBE(trailer + 26, 6);
  const offsetOf = (object: number): number => file.readUIntBE(table + object * offsetSize, offsetSize);
  /** Returns the start and the length of an object's content. */
  const span = (at: number): [start: number, length: number] => {
    const length = file.readUInt8(at) & 0xf;
    if (length < 0xf) return [at + 1, length];
    const size = 2 ** (file.readUInt8(at + 1) & 0xf);
    return size > 6
      ? [at + 2 + size, file.readUIntBE(at + 2 + size - 6, 6)]
      : [at + 2 + size, file.readUIntBE(at + 2, size)];
  };
  const value = (object: number): Uint8Array | string | undefined => {
    const at = offsetOf(object);
    const kind = file.readUInt8(at) >> 4;
    const [start, length] = span(at);
    if (kind === 4) return file.subarray(start, start + length);
    if (kind === 5) return file.toString('latin1', start, start + length);
    return kind === 6 ? iconv.decode(file.subarray(start, start + 2 * length), 'utf-16be') : undefined;
  };
  /** Returns the objects in a dictionary, by their keys. */
  const entries = (object: number): Map<string, number> => {
    const at = offsetOf(object);
    const objectsByKey = new Map<string, number>();
    if (file.readUInt8(at) >> 4 !== 13) return objectsByKey;
    const [start, length] = span(at);
    for (let i = 0; i < Math.min(length, 1000); i++) {
      const key = value(file.readUIntBE(start + i * referenceSize, referenceSize));
      const object = file.readUIntBE(start + (length + i) * referenceSize, referenceSize);
      if (typeof key === 'string') objectsByKey.set(key, object);
    }
    return objectsByKey;
  };
  const main = entries(file.readUIntBE(trailer + 18, 6)).get('WebMainResource');
  const values = new Map<string, Uint8Array | string>();
  if (main === undefined) return values;
  for (const [key, object] of entries(main)) {
    const resolved = value(object);
    if (resolved !== undefined) values.set(key, resolved);
  }
  return values;
}
