import { withoutEscapes } from '../../notebook/web-address.ts';

/** A page larger than this, in bytes, holds no text that one reads. */
const MOST_OF_PAGE = 5 * 1024 * 1024;

/** A file may have so many bytes. */
const MOST_OF_FILE = 20 * 1024 * 1024;

const PAGE_TYPES = /^(?:text\/(?:html|markdown|x-markdown|plain)|application\/xhtml\+xml)(?:;|$)|^$/i;

/** Types of files that can be read. Scripts, feeds and data of the site's own are none. */
const FILE_TYPES =
  /^(?:application\/(?:pdf|x-pdf|epub\+zip|rtf|x-ipynb\+json|x-subrip|vnd\.(?:openxmlformats-officedocument|oasis\.opendocument|ms-(?:word|excel|powerpoint)\.(?=[\w.-]*macroenabled))[\w.-]*)|text\/(?:rtf|csv|tab-separated-values|vtt|x-rst)|message\/rfc822)(?:;|$)/i;

/** What servers call files that they do not know. */
const VAGUE_TYPES =
  /^(?:application|binary)\/(?:octet-stream|x-download|force-download|zip|json|x-zip[\w-]*)(?:;|$)/i;

const FILE_ENDINGS =
  /\.(?:pdf|doc[xm]|dotx|pp[ts]x|pptm|potx|xls[xm]|xltx|o[dt][tsp]|epub|csv|tsv|tab|ipynb|eml|rtf|srt|vtt|md|markdown|txt|rst|adoc)$/i;

/**
 * How many bytes of an address's answer are taken, by the type that the server names: of a page, or of a file that can
 * be read, such as a PDF. Undefined for what can't be read.
 */
export function mostBytes({ pathname }: URL, mediaType: string): number | undefined {
  if (PAGE_TYPES.test(mediaType)) return MOST_OF_PAGE;
  const isFile = FILE_TYPES.test(mediaType) || (VAGUE_TYPES.test(mediaType) && FILE_ENDINGS.test(pathname));
  return isFile ? MOST_OF_FILE : undefined;
}

/** What a file is called at an address: the last part of its path, with what is written for other characters put back. */
export function nameAt(address: string): string {
  const { pathname, host } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '') ?? host;
  return withoutEscapes(last).replaceAll(/\p{C}/gu, '');
}
