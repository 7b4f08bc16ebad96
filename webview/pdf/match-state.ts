import { t } from '@vscode/l10n';

/** State of a search. `current` counts from 1. */
export interface MatchState {
  readonly isSearching: boolean;
  readonly current: number;
  readonly total: number;
}

/** Formats the number of matches as in VS Code's own search: `3 of 17`. */
export function formatMatchCount(query: string, { isSearching, current, total }: MatchState): string {
  if (query === '') return '';
  if (total > 0) return t('{0} of {1}', current.toLocaleString(), total.toLocaleString());
  return isSearching ? t('Searching…') : t('No results');
}
