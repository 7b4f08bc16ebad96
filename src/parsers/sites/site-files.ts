import { withoutEscapes } from '../../core/domain/web-address.ts';

/** Maximum size of a page, in bytes. Larger ones contain no readable text. */
const MAX_PAGE_BYTES = 5 * 1024 * 1024;

/** Maximum size of a file, in bytes. */
const MAX_FILE_BYTES = 20 * 1024 * 1024;

const PAGE_TYPES = /^(?:text\/(?:html|markdown|x-markdown|plain)|application\/xhtml\+xml)(?:;|$)|^$/i;

/** File types that can be read, but not a site's own scripts, feeds, and data. */
const FILE_TYPES =
  /^(?:application\/(?:pdf|x-pdf|epub\+zip|rtf|x-ipynb\+json|x-subrip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint)\.(?=[\w.-]*macroenabled))[\w.-]*)|text\/(?:rtf|csv|tab-separated-values|vtt|x-rst)|message\/rfc822|multipart\/related|application\/x-webarchive)(?:;|$)/i;

/** Types that servers send for files that they don't know. */
const VAGUE_TYPES =
  /^(?:application|binary)\/(?:octet-stream|x-download|force-download|zip|json|x-zip[\w-]*)(?:;|$)/i;

const FILE_ENDINGS =
  /\.(?:pdf|doc[xm]|dotx|pp[ts]x|pptm|potx|xls[xm]|xltx|o[dt][tsp]|epub|csv|tsv|tab|ipynb|eml|mht(?:ml)?|webarchive|rtf|srt|vtt|md|markdown|txt|rst|adoc)$/i;

/**
 * Returns the maximum number of bytes to download by the media type from the server, for a page or a readable file such
 * as a PDF. Returns undefined for a type that can't be read.
 */
export function mostBytes({ pathname }: URL, mediaType: string): number | undefined {
  if (PAGE_TYPES.test(mediaType)) return MAX_PAGE_BYTES;
  const isFile = FILE_TYPES.test(mediaType) || (VAGUE_TYPES.test(mediaType) && FILE_ENDINGS.test(pathname));
  return isFile ? MAX_FILE_BYTES : undefined;
}

/** Returns the name of a file at an address: the last part of its path, with escapes decoded. */
export function nameAt(address: string): string {
  const { pathname, host } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  return withoutEscapes(last).replaceAll(/\p{C}/gu, '');
}
