import { crc32, inflateSync } from 'node:zlib';
import { t } from '@vscode/l10n';
import type { ReadDocument } from '../core/domain/document.ts';
import { NotebookError } from '../core/domain/errors.ts';
import { binaryKind, kindInWords } from './binary.ts';
import { escapeMarkdown, MarkdownWriter } from './markdown-writer.ts';
import { toDocument } from './office/written-document.ts';
import { descendants, elementsIn, textWithin } from './office/xml.ts';

/** Title and words in the metadata of a picture. */
interface PictureMetadata {
  title: string;
  readonly words: Set<string>;
}

const MAX_INFLATED_BYTES = 1024 * 1024;

/** Returns the media type of a picture that can contain text; undefined for anything else. */
export function pictureType(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, 12)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('II*\0') || start.startsWith('MM\0*')) return 'image/tiff';
  return start.startsWith('RIFF') && start.endsWith('WEBP') ? 'image/webp' : undefined;
}

/** Returns a picture as a document: its title, description, and alternative text, if its creator wrote any. */
export function readPicture(bytes: Uint8Array, name: string): ReadDocument {
  const pictureText: PictureMetadata = { title: '', words: new Set() };
  const mediaType = pictureType(bytes) ?? 'image/jpeg';
  readPacket(bytes, pictureText, name);
  if (mediaType === 'image/png') readPngTexts(bytes, pictureText);
  if (mediaType === 'image/jpeg') for (const text of exifDescription(bytes)) addText(pictureText, text);
  if (pictureText.title === '' && pictureText.words.size === 0)
    throw new NotebookError(
      'binary',
      t(
        '{0} is {1} without a title or description, so it can’t be searched. Add a title to the file, or add text that describes it.',
        name,
        kindInWords(binaryKind(bytes) ?? 'media'),
      ),
    );
  const writer = new MarkdownWriter();
  writer.heading(1, pictureText.title);
  for (const text of pictureText.words) if (text !== pictureText.title) writer.block(escapeMarkdown(text));
  return toDocument(writer, mediaType, pictureText.title === '' ? undefined : pictureText.title);
}

function addText(pictureText: PictureMetadata, text: string): void {
  const words = text.replace(/\s+/g, ' ').trim();
  // Cameras and programs write their own names in this field.
  if (words !== '' && !/^(?:OLYMPUS DIGITAL CAMERA|SONY DSC|Created with .*|Screenshot)$/i.test(words))
    pictureText.words.add(words);
}

/** Reads the XMP packet, which is XML inside a picture of any format. */
function readPacket(bytes: Uint8Array, pictureText: PictureMetadata, name: string): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = buffer.indexOf('<x:xmpmeta');
  const end = start < 0 ? -1 : buffer.indexOf('</x:xmpmeta>', start);
  if (end < 0) return;
  for (const packet of elementsIn(buffer.subarray(start, end + 12), 'xmpmeta', name))
    for (const property of ['title', 'description', 'AltTextAccessibility', 'ExtDescrAccessibility'])
      for (const element of descendants(packet, property)) {
        const [inDefaultLanguage] = descendants(element, 'li');
        const text = textWithin(inDefaultLanguage ?? element);
        if (property === 'title') pictureText.title ||= text.replace(/\s+/g, ' ').trim();
        else addText(pictureText, text);
      }
}

function readPngTexts(bytes: Uint8Array, pictureText: PictureMetadata): void {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= view.length;) {
    const length = view.readUInt32BE(at);
    const type = view.toString('latin1', at + 4, at + 8);
    if (type === 'IEND') return;
    const end = at + 8 + length;
    const isText = type === 'tEXt' || type === 'iTXt' || type === 'zTXt';
    // A damaged text could end within a number.
    if (isText && end + 4 <= view.length && crc32(view.subarray(at + 4, end)) === view.readUInt32BE(end))
      readPngText(type, view.subarray(at + 8, end), pictureText);
    at = end + 4;
  }
}

function readPngText(type: string, chunk: Buffer, pictureText: PictureMetadata): void {
  const end = chunk.indexOf(0);
  const keyword = chunk.toString('latin1', 0, Math.max(0, end)).toLowerCase();
  if (end < 0 || !/^(?:title|description|comment|caption)$/.test(keyword)) return;
  const text = readValue(type, chunk, end + 1);
  if (keyword === 'title') pictureText.title ||= text.replace(/\s+/g, ' ').trim();
  else addText(pictureText, text);
}

function readValue(type: string, chunk: Buffer, from: number): string {
  try {
    if (type === 'tEXt') return chunk.toString('latin1', from);
    if (type === 'zTXt')
      return inflateSync(chunk.subarray(from + 1), { maxOutputLength: MAX_INFLATED_BYTES }).toString(
        'latin1',
      );
    const language = chunk.indexOf(0, from + 2);
    const start = chunk.indexOf(0, language + 1) + 1;
    if (language < 0 || start <= 0) return '';
    return chunk[from] === 1
      ? inflateSync(chunk.subarray(start), { maxOutputLength: MAX_INFLATED_BYTES }).toString('utf8')
      : chunk.toString('utf8', start);
  } catch {
    // Ignore a text that can't be decompressed.
    return '';
  }
}

const IMAGE_DESCRIPTION = 0x010e;
const USER_COMMENT = 0x9286;
const EXIF_DIRECTORY = 0x8769;

/** Returns the comment and the description in a JPEG picture. */
function exifDescription(bytes: Uint8Array): string[] {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let at = 2; at + 4 <= view.length && view[at] === 0xff;) {
    const marker = view[at + 1] ?? 0;
    // The image data starts here.
    if (marker === 0xda) break;
    const length = view.readUInt16BE(at + 2);
    const segment = view.subarray(at + 4, at + 2 + Math.max(2, length));
    if (marker === 0xfe) texts.push(segment.toString('utf8'));
    if (marker === 0xe1 && segment.toString('latin1', 0, 6) === 'Exif\0\0')
      texts.push(...textsOfTiff(segment.subarray(6)));
    at += 2 + Math.max(2, length);
  }
  return texts;
}

function textsOfTiff(tiff: Buffer): string[] {
  if (tiff.length < 8) return [];
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const two = (at: number): number => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const four = (at: number): number => (isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const texts: string[] = [];
  let directory = four(4);
  // Read the main directory, and the directory of camera settings if the main one names it.
  for (let i = 0; i < 2 && directory > 0 && directory + 2 <= tiff.length; i++) {
    const entries = Math.min(two(directory), Math.floor((tiff.length - directory - 2) / 12));
    let next = 0;
    for (let entry = 0; entry < entries; entry++) {
      const at = directory + 2 + 12 * entry;
      const [tag, count] = [two(at), four(at + 4)];
      const value = count <= 4 ? at + 8 : four(at + 8);
      if (tag === EXIF_DIRECTORY) next = four(at + 8);
      if (tag === IMAGE_DESCRIPTION) texts.push(untilNull(tiff.toString('utf8', value, value + count)));
      if (tag === USER_COMMENT && tiff.toString('latin1', value, value + 5) === 'ASCII')
        texts.push(untilNull(tiff.toString('utf8', value + 8, value + count)));
    }
    directory = next;
  }
  return texts;
}

function untilNull(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}
