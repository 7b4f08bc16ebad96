import { t } from '@vscode/l10n';

export function sourcesInWords(count: number): string {
  return count === 1 ? t('1 source') : t('{0} sources', count.toLocaleString());
}

export function passagesInWords(count: number): string {
  return count === 1 ? t('1 passage') : t('{0} passages', count.toLocaleString());
}
