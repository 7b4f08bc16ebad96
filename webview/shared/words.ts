import { t } from '@vscode/l10n';
import { includedInWords } from '../../src/core/domain/counts.ts';
import type { RequestedScope } from '../../src/features/chat/protocol.ts';

/** Describes a search scope in a few words. */
export function requestedScope(scope: RequestedScope): string {
  switch (scope.kind) {
    case 'notebook':
      return t('All sources');
    case 'sources':
      return includedInWords(scope);
    case 'file':
      return t('Open file');
  }
}

/** Formats a duration in a few characters that stay on one line: `0.4 s`, `12 s`, `2 min`. */
export function duration(milliseconds: number): string {
  return durationInWords(milliseconds).replaceAll(' ', '\u00a0');
}

function durationInWords(milliseconds: number): string {
  const seconds = Math.max(0.1, milliseconds / 1000);
  if (seconds >= 90) return t('{0} min', Math.round(seconds / 60).toLocaleString());
  const maximumFractionDigits = seconds < 9.95 ? 1 : 0;
  return t(
    '{0} s',
    seconds.toLocaleString(undefined, {
      maximumFractionDigits,
      minimumFractionDigits: maximumFractionDigits,
    }),
  );
}
