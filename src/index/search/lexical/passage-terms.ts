import { withoutEscapes } from '../../../core/domain/web-address.ts';
import type { StoredPassage } from '../../store/sources/document-store.ts';
import type { StoredDocument } from '../../store/sources/stored-document.ts';

/** Returns the text by which a passage is found: its path or file name, document title, headings, context, and text. */
export function searchableText(
  document: StoredDocument,
  { headings, context = [], start, end }: StoredPassage,
): string {
  const { key, title, uri, mediaType } = document.entry;
  const around = [...context, ...document.understoodWith({ start, end })].map((span) =>
    document.slice(span.start, span.end),
  );
  const name = key === '' && mediaType === 'application/pdf' ? fileName(uri) : wordsOfKey(key);
  return [name, title, ...headings, ...around, document.slice(start, end)].join('\n');
}

/** Returns the file name of a document. That of a PDF often has its author and year, unlike its title. */
function fileName(uri: string): string {
  if (!uri.startsWith('file:')) return '';
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return withoutEscapes(name);
}

/**
 * Returns the searchable words of a document's key. For a page of a site it's the path, since all pages share the host.
 */
function wordsOfKey(key: string): string {
  return /^https?:\/\//.test(key) ? key.replace(/^https?:\/\/[^/]*/, '') : key;
}
