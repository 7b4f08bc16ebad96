import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { StudyState } from '../../src/features/flashcards/protocol.ts';
import type { DeckEntry } from '../../src/features/flashcards/model.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { CardList } from './card-list.tsx';
import { CardsHost, useChanges } from './host.ts';
import { followNextCard } from './next-card.ts';
import { OfSources } from './of-sources.tsx';
import { Review } from './review.tsx';

/** Shows a deck for review, or all its cards. */
export function DeckPage({ first }: { readonly first: StudyState }): JSX.Element {
  const { client } = useContext(CardsHost);
  const [learning, setLearning] = useState(first);
  const [page, setPage] = useState<'cards' | 'learn'>('learn');
  const [addsNew, setAddsNew] = useState(false);
  const { deck } = learning;

  const [next] = useState(() => followNextCard(first, (params) => client.call('next', params), setLearning));
  /** Loads the next card when an action ends, whether the action worked or not. */
  const does = (work: Promise<unknown>, shownCardId?: string): void =>
    // The editor reports the failure.
    void work.catch(() => undefined).finally(() => next.look(shownCardId, addsNew));
  useChanges(() => next.lookAgain(addsNew));

  return (
    <div class="deck">
      <header>
        <h1 class="ellipsis" dir="auto">
          {deck.title}
        </h1>
        <p class="quiet">{counts(deck)}</p>
        <div class="tools">
          <div class="pages" role="group" aria-label={t('Deck view')}>
            {(['learn', 'cards'] as const).map((choice) => (
              <button
                type="button"
                key={choice}
                aria-pressed={page === choice}
                onClick={() => setPage(choice)}
              >
                {choice === 'learn' ? t('Study') : t('All Cards')}
              </button>
            ))}
          </div>
          <IconButton
            icon="discard"
            label={t('Undo (U)')}
            disabled={learning.lastAction === undefined}
            onPress={() => does(client.call('undo', {}))}
          />
          <IconButton icon="export" label={t('Export…')} onPress={() => does(client.call('export', {}))} />
        </div>
        <OfSources {...learning} onRefresh={() => does(client.call('updateFromSources', {}))} />
      </header>
      {page === 'learn' ? (
        <Review
          learning={learning}
          onDo={does}
          onGoOn={() => {
            setAddsNew(true);
            next.look(undefined, true);
          }}
          onShowAll={() => setPage('cards')}
        />
      ) : (
        <CardList deckId={deck.id} onDo={does} />
      )}
    </div>
  );
}

function counts({ cards, due, fresh }: DeckEntry): string {
  return [
    t('{0} due', due),
    t('{0} new today', fresh),
    cards === 1 ? t('1 card') : t('{0} cards', cards),
  ].join(' · ');
}
