import { t } from '@vscode/l10n';

/** So many sources, in words. */
export function sourcesInWords(count: number): string {
  return count === 1 ? t('1 source') : t('{0} sources', count.toLocaleString());
}

/** So many passages, in words. */
export function passagesInWords(count: number): string {
  return count === 1 ? t('1 passage') : t('{0} passages', count.toLocaleString());
}
