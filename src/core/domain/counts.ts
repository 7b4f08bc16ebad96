import { t } from '@vscode/l10n';

/** Formats a number of sources in words. */
export function sourcesInWords(count: number): string {
  return count === 1 ? t('1 source') : t('{0} sources', count.toLocaleString());
}

/** Number of included documents, their total, and `areFiles` if all are files instead of pages of sites. */
export interface DocumentCount {
  readonly count: number;
  readonly of: number;
  readonly areFiles: boolean;
}

/** Number of included sources, and of their documents unless that adds nothing. */
export interface SourceCount {
  readonly ticked: number;
  readonly of: number;
  readonly documents?: DocumentCount | undefined;
}

/** Formats the numbers of included sources and documents: `2 of 4 sources, 12 of 40 files`. */
export function includedInWords({ ticked, of, documents }: SourceCount): string {
  const sources =
    ticked === of ? sourcesInWords(of) : t('{0} of {1}', ticked.toLocaleString(), sourcesInWords(of));
  return documents === undefined ? sources : t('{0}, {1}', sources, documentsInWords(documents));
}

function documentsInWords({ count, of, areFiles }: DocumentCount): string {
  const total = areFiles ? filesInWords(of) : wholeDocumentsInWords(of);
  return count < of ? t('{0} of {1}', count.toLocaleString(), total) : total;
}

function filesInWords(count: number): string {
  return count === 1 ? t('1 file') : t('{0} files', count.toLocaleString());
}

function wholeDocumentsInWords(count: number): string {
  return count === 1 ? t('1 document') : t('{0} documents', count.toLocaleString());
}

/** Formats a number of statements in words. */
export function statementsInWords(count: number): string {
  return count === 1 ? t('1 statement') : t('{0} statements', count.toLocaleString());
}

/** Formats a number of passages in words. */
export function passagesInWords(count: number): string {
  return count === 1 ? t('1 passage') : t('{0} passages', count.toLocaleString());
}
