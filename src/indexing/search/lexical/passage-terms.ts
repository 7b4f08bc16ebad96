import type { KeptPassage } from '../../store/document-store.ts';
import type { KeptDocument } from '../../store/kept-document.ts';

/** What a passage is found by: its path or title, its headings, its text and what is understood with it, in one field. */
export function searchableText(document: KeptDocument, { headings, start, end }: KeptPassage): string {
  const { key, title } = document.entry;
  const elsewhere = document
    .understoodWith({ start, end })
    .map((span) => document.slice(span.start, span.end));
  return [wordsOfKey(key), title, ...headings, document.slice(start, end), ...elsewhere].join('\n');
}

/** A page of a site is found by its path; the host is that of all its pages. */
function wordsOfKey(key: string): string {
  return /^https?:\/\//.test(key) ? key.replace(/^https?:\/\/[^/]*/, '') : key;
}
