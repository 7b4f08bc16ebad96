import { t } from '@vscode/l10n';
import type { AnnotationsByKey } from '../../core/domain/annotation.ts';
import { isCanceled, NotebookError } from '../../core/domain/errors.ts';
import type { ReadDocument } from '../../core/domain/document.ts';
import { nameEnding } from '../code.ts';
import { contentHash } from '../content-hash.ts';
import { containerFormats } from '../formats.ts';
import { decodeHtml } from '../html.ts';
import { readDocument, type ReadContext } from '../registry.ts';
import { decodeText } from '../text-decoding.ts';
import { linksOfHtml, linksOfMarkdown, type PageLinks } from './page-links.ts';
import { nameAt } from './site-files.ts';

/** Downloaded page of a site to read. */
export interface SitePageRequest {
  readonly bytes: Uint8Array;
  /** Media type from the server. */
  readonly mediaType: string;
  readonly url: string;
  /** Hash of the saved version. An identical page isn't read again. */
  readonly knownHash: string | undefined;
  /** Pages with fewer characters of text are refused. */
  readonly minimumLength: number;
  /** Annotations of a PDF that are saved in the notebook. */
  readonly storedAnnotations?: AnnotationsByKey;
}

/** Contents of a site's page: always its links, and its text if it is long enough. */
export interface SitePageReading extends PageLinks {
  /** SHA-256 of the page's bytes. */
  readonly hash: string;
  readonly content:
    | { readonly kind: 'unchanged' }
    | { readonly kind: 'read'; readonly document: ReadDocument; readonly textHash: string }
    | { readonly kind: 'refused'; readonly reason: string };
}

/** Reads a page of a site. @throws NotebookError `cancelled` */
export async function readSitePage(request: SitePageRequest, context: ReadContext): Promise<SitePageReading> {
  const { bytes, mediaType, url, knownHash, minimumLength, storedAnnotations } = request;
  const hash = contentHash(bytes);
  const charset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(mediaType)?.[1];
  const isHtml = /^(?:text\/html|application\/xhtml\+xml|$)/i.test(mediaType);
  const links = isHtml
    ? linksOfHtml(decodeHtml(bytes, charset), url)
    : linksOfFile(bytes, mediaType, charset, url);
  if (hash === knownHash) return { ...links, hash, content: { kind: 'unchanged' } };
  try {
    const name = makeName(url, mediaType);
    const read = await readDocument(
      {
        bytes,
        name,
        mediaType: mediaType === '' ? 'text/html' : mediaType,
        pageUrl: url,
        minimumLength,
        storedAnnotations,
      },
      context,
    );
    const document = isHtml ? read : { ...read, title: read.title ?? nameAt(url) };
    const textHash = contentHash(Buffer.from(document.text));
    return { ...links, hash, content: { kind: 'read', document, textHash } };
  } catch (error) {
    if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
    return {
      ...links,
      hash,
      content: { kind: 'refused', reason: explain(error, minimumLength) },
    };
  }
}

/** Returns the links of a text file; other files yield none. */
function linksOfFile(
  bytes: Uint8Array,
  mediaType: string,
  charset: string | undefined,
  url: string,
): PageLinks {
  const isText = /^text\/(?:markdown|x-markdown|plain)\b/i.test(mediaType);
  return isText
    ? linksOfMarkdown(decodeText(bytes, charset), url)
    : { links: [], frames: [], canonical: undefined, twin: undefined };
}

/** Returns the name of a page or file. Adds the file extension of a container format if the name has none. */
function makeName(url: string, mediaType: string): string {
  const name = nameAt(url);
  const bare = mediaType.replace(/;.*/s, '').trim().toLowerCase();
  const format = containerFormats.find((candidate) => candidate.mediaType === bare);
  const hasEnding = format === undefined || format.endings.includes(nameEnding(name));
  return hasEnding ? name : `${name}.${format.endings[0] ?? ''}`;
}

function explain(error: NotebookError, minimumLength: number): string {
  return error.code === 'too-short' || error.code === 'empty'
    ? t('This page has fewer than {0} characters of text.', minimumLength)
    : error.message;
}
