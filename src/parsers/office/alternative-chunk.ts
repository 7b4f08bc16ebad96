import { decodeHtml } from '../html.ts';
import { escapeMarkdown } from '../markdown-writer.ts';
import { readRtf } from '../rich-text.ts';
import { decodeText } from '../text-decoding.ts';
import { fragmentMarkdown } from '../web/fragment-markdown.ts';

/** Maximum length of a file inside a Word file that is read as text, in bytes. */
const MAX_CHUNK_LENGTH = 16 * 1024 * 1024;

/**
 * Returns a file inside a Word file as Markdown: HTML, RTF, plain text, or another Word file, which `readWord` reads.
 * Returns undefined for other formats.
 */
export function readChunk(
  bytes: Uint8Array,
  name: string,
  readWord: (bytes: Uint8Array) => string,
): string | undefined {
  if (bytes.length > MAX_CHUNK_LENGTH) return undefined;
  const head = Buffer.from(bytes.subarray(0, 1000)).toString('latin1');
  try {
    if (head.startsWith('PK')) return readWord(bytes);
    if (head.startsWith('{\\rtf')) return readRtf(bytes, name).text;
    if (/^[^<]{0,20}<(?:!doctype|html|head|body|p|div|table|h\d|\?xml)/i.test(head))
      return fragmentMarkdown(decodeHtml(bytes));
    if (/^mime-version:|^content-type:/im.test(head)) return undefined;
    return escapeMarkdown(decodeText(bytes));
  } catch {
    // The document is readable without a damaged chunk.
    return undefined;
  }
}
