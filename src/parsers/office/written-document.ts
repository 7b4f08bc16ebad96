import { t } from '@vscode/l10n';
import type { ReadDocument } from '../../core/domain/document.ts';
import type { MarkdownWriter } from '../markdown-writer.ts';

/** Returns the written text as a document that opens as saved text. */
export function toDocument(
  writer: MarkdownWriter,
  mediaType: string,
  title: string | undefined,
  warnings: readonly string[] = [],
): ReadDocument {
  const { text, headings, places, isFull } = writer;
  return {
    title: title ?? headings[0]?.title,
    mediaType,
    format: 'markdown',
    text,
    map: { kind: 'saved', places },
    headings,
    warnings: isFull ? [...warnings, t('The text is too long. Only the beginning was read.')] : warnings,
  };
}
