import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Learning } from '../../src/messages/cards.ts';
import { Button } from '../shared/toolkit.tsx';

/** What is shown where there is nothing to learn now. */
export function NothingDue({
  learning: { deck, next, later, suspended },
  onGoOn,
  onShowAll,
}: {
  readonly learning: Learning;
  readonly onGoOn: () => void;
  readonly onShowAll: () => void;
}): JSX.Element {
  return (
    <section class="nothing">
      {deck.cards === 0 ? (
        <p>
          {t('There are no cards in this deck. Select words in a source or a note and run “Make a Card”.')}
        </p>
      ) : (
        <>
          <h2>{t('That is all for now.')}</h2>
          {next !== undefined && <p>{t('The next card is due in {0}.', next)}</p>}
          {suspended > 0 && <p class="quiet">{t('{0} cards are left out.', suspended)}</p>}
          <p class="tools">
            {later > 0 && <Button label={t('Go On with New Cards ({0})', later)} onPress={onGoOn} />}
            <Button label={t('Show All Cards')} look="secondary" onPress={onShowAll} />
          </p>
        </>
      )}
    </section>
  );
}
