import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { ShownQuiz } from '../../src/messages/cards.ts';

/** Which sources a deck or a quiz is of, and that they have changed since. */
export function OfSources({
  of,
  outdated,
  onRefresh,
}: Omit<ShownQuiz, 'quiz'> & { readonly onRefresh: () => void }): JSX.Element {
  return (
    <>
      {of !== '' && (
        <p class="quiet of" dir="auto">
          {of}
        </p>
      )}
      {outdated !== undefined && (
        <p class="notice" role="status">
          {outdated}{' '}
          <button type="button" class="link" onClick={onRefresh}>
            {t('Update from Sources')}
          </button>
        </p>
      )}
    </>
  );
}
