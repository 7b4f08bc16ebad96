import type { ReadDocument } from '../core/domain/document.ts';
import { nameEnding, languageByName, readCode } from './code.ts';
import { readMarkdown } from './markdown.ts';
import { readPlainText } from './plain-text.ts';

/** Returns the media type of a text file by its name. */
export function textMediaType(name: string): string {
  const ending = nameEnding(name);
  if (/^x?html?$/.test(ending)) return 'text/html';
  if (/^(?:md|markdown|mdx|mkd)$/.test(ending)) return 'text/markdown';
  if (/^(?:json|ipynb)$/.test(ending)) return 'application/json';
  return ending === 'csv' ? 'text/csv' : 'text/plain';
}

/**
 * Returns a text as a document that keeps every character: Markdown, code, or prose, by its media type and file
 * extension. HTML counts as code here; reading a file or page extracts its main content.
 */
export function documentOfText(
  text: string,
  name: string,
  mediaType: string = textMediaType(name),
): ReadDocument {
  if (mediaType === 'text/markdown') return readMarkdown(text);
  const languageId = languageByName(name) ?? /[/+](json|xml)$/.exec(mediaType)?.[1];
  return languageId === undefined ? readPlainText(text, mediaType) : readCode(text, languageId, mediaType);
}
