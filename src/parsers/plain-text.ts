import type { ReadDocument } from '../core/domain/document.ts';
import { headingsOfPlainText } from './plain-headings.ts';

/** Returns a text file as a document: its own text. */
export function readPlainText(text: string, mediaType: string): ReadDocument {
  return {
    mediaType,
    format: 'prose',
    text,
    map: { kind: 'text', origin: { line: 0, character: 0 } },
    headings: headingsOfPlainText(text),
    warnings: [],
  };
}
