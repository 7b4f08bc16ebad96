import { t } from '@vscode/l10n';

/** So many sources, in words. */
export function sourcesInWords(count: number): string {
  return count === 1 ? t('1 source') : t('{0} sources', count.toLocaleString());
}

/** How many documents of some sources questions include, of how many, and whether all are files rather than pages of sites. */
export interface DocumentCount {
  readonly count: number;
  readonly of: number;
  readonly areFiles: boolean;
}

/** How many of some sources questions include, and of their documents unless that says nothing more. */
export interface SourceCount {
  readonly ticked: number;
  readonly of: number;
  readonly documents?: DocumentCount | undefined;
}

/** Says how many sources questions include, and how many of their documents: `2 of 4 sources, 12 of 40 files`. */
export function includedInWords({ ticked, of, documents }: SourceCount): string {
  const sources =
    ticked === of ? sourcesInWords(of) : t('{0} of {1}', ticked.toLocaleString(), sourcesInWords(of));
  return documents === undefined ? sources : t('{0}, {1}', sources, documentsInWords(documents));
}

function documentsInWords({ count, of, areFiles }: DocumentCount): string {
  if (count < of) {
    const counts = [count.toLocaleString(), of.toLocaleString()] as const;
    return areFiles ? t('{0} of {1} files', ...counts) : t('{0} of {1} documents', ...counts);
  }
  if (areFiles) return count === 1 ? t('1 file') : t('{0} files', count.toLocaleString());
  return count === 1 ? t('1 document') : t('{0} documents', count.toLocaleString());
}

/** So many passages, in words. */
export function passagesInWords(count: number): string {
  return count === 1 ? t('1 passage') : t('{0} passages', count.toLocaleString());
}
