import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../notebook/document.ts';
import type { SourceOrigin } from '../../notebook/source.ts';

/** So much is asked about at once, in UTF-16 code units: about 50,000 tokens. */
export const LONGEST_ASKED = 200_000;

/** Longer titles are hard to read in a question, in UTF-16 code units. */
const LONGEST_TITLE = 100;

/** What the user points at to ask about it, as a source whose only document it is. */
export interface AskedThing {
  readonly title: string;
  readonly origin: SourceOrigin;
  readonly document: ReadDocument;
  /** What it stands in, or '' of what is kept in the notebook alone. */
  readonly uri: string;
}

/** A title in one line that a question can mention. */
export function askedTitle(title: string): string {
  const line = title.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…`;
}

/** The beginning of a text that is too long to be asked about, and the sentence that says so. */
export function boundedText(text: string): { readonly text: string; readonly warnings: readonly string[] } {
  if (text.length <= LONGEST_ASKED) return { text, warnings: [] };
  return { text: text.slice(0, LONGEST_ASKED).toWellFormed(), warnings: [tooLong()] };
}

/** Says that of a text only the beginning is asked about. */
export function tooLong(): string {
  return t('Only the first {0} characters are included in your question.', LONGEST_ASKED.toLocaleString());
}
