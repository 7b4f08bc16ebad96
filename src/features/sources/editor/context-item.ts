import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../../core/domain/document.ts';
import type { SourceOrigin } from '../../../core/domain/source.ts';

/** Maximum length of a context item, in UTF-16 code units: about 50,000 tokens. */
export const MAX_CONTEXT_ITEM_LENGTH = 200_000;

/** Maximum length of a title, which must be readable in a question, in UTF-16 code units. */
const MAX_TITLE_LENGTH = 100;

/** Context item that the user asks about, as a source with one document. */
export interface ContextItem {
  readonly title: string;
  readonly origin: SourceOrigin;
  readonly document: ReadDocument;
  /** URI of the file or resource; '' for text that only the notebook stores. */
  readonly uri: string;
}

/** Returns a title on one line that a question can mention. */
export function contextItemTitle(title: string): string {
  const line = title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= MAX_TITLE_LENGTH ? line : `${line.slice(0, MAX_TITLE_LENGTH - 1).toWellFormed()}…`;
}

/** Returns the beginning of a text, and a warning if the text is too long. */
export function boundedText(text: string): { readonly text: string; readonly warnings: readonly string[] } {
  if (text.length <= MAX_CONTEXT_ITEM_LENGTH) return { text, warnings: [] };
  return { text: text.slice(0, MAX_CONTEXT_ITEM_LENGTH).toWellFormed(), warnings: [tooLong()] };
}

/** Returns the warning that only the beginning of a text is included. */
export function tooLong(): string {
  return t(
    'Only the first {0} characters are included in your question.',
    MAX_CONTEXT_ITEM_LENGTH.toLocaleString(),
  );
}
