import { t } from '@vscode/l10n';

/** So many sources, in words. */
export function sourcesInWords(count: number): string {
  return count === 1 ? t('1 source') : t('{0} sources', count.toLocaleString());
}

/** A number of documents, and whether all are files rather than pages of sites. */
export interface DocumentCount {
  readonly count: number;
  readonly areFiles: boolean;
}

/** Adds to a number of sources in words how many documents they have; undefined if that would say nothing more. */
export function withDocuments(sources: string, documents: DocumentCount | undefined): string {
  return documents === undefined ? sources : t('{0}, {1}', sources, documentsInWords(documents));
}

function documentsInWords({ count, areFiles }: DocumentCount): string {
  if (areFiles) return count === 1 ? t('1 file') : t('{0} files', count.toLocaleString());
  return count === 1 ? t('1 document') : t('{0} documents', count.toLocaleString());
}

/** So many passages, in words. */
export function passagesInWords(count: number): string {
  return count === 1 ? t('1 passage') : t('{0} passages', count.toLocaleString());
}
