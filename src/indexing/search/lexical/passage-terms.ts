import type { KeptPassage } from '../../store/document-store.ts';
import type { KeptDocument } from '../../store/kept-document.ts';

/**
 * What a passage is found by, in one field: its path or title, its headings, what else it is understood by, and its text.
 */
export function searchableText(
  document: KeptDocument,
  { headings, context = [], start, end }: KeptPassage,
): string {
  const { key, title } = document.entry;
  const around = context.map((span) => document.slice(span.start, span.end));
  return [wordsOfKey(key), title, ...headings, ...around, document.slice(start, end)].join('\n');
}

/** A page of a site is found by its path; the host is that of all its pages. */
function wordsOfKey(key: string): string {
  return /^https?:\/\//.test(key) ? key.replace(/^https?:\/\/[^/]*/, '') : key;
}
