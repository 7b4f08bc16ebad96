import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { ShownQuiz } from '../../src/features/flashcards/protocol.ts';

/** Shows the sources of a deck or quiz, and a notice if they have changed. */
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
