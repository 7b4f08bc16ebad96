import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { StudyState } from '../../src/features/flashcards/protocol.ts';
import { CARD_GRADES, type Card, type CardGrade } from '../../src/features/flashcards/model.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { Button, IconButton } from '../shared/toolkit.tsx';
import { CardEditor } from './card-editor.tsx';
import { CardFront, CardWords, SourceLink, UncheckedMark } from './card-face.tsx';
import { CardsHost, isTypedInto } from './host.ts';

interface ReviewProps {
  readonly learning: StudyState;
  /** Runs an action and loads the next card; `shownCardId` is the card that stays. */
  readonly onDo: (work: Promise<unknown>, shownCardId?: string) => void;
  readonly onGoOn: () => void;
  readonly onShowAll: () => void;
}

/** Shows one card after another: its front, its back, and the grades. */
export function Review({ learning, onDo, onGoOn, onShowAll }: ReviewProps): JSX.Element {
  const { client } = useContext(CardsHost);
  const [isOpen, setIsOpen] = useState(false);
  const [isEdited, setIsEdited] = useState(false);
  const show = useRef<HTMLButtonElement>(null);
  const good = useRef<HTMLButtonElement>(null);
  const { shown, lastAction } = learning;
  const card = shown?.card;
  const showing = card === undefined ? '' : `${card.id} ${String(card.schedule.reviews)}`;

  // Before the browser paints, so that the next card's answer isn't visible and no key acts on the previous card.
  useLayoutEffect(() => {
    setIsOpen(false);
    setIsEdited(false);
  }, [showing]);
  useEffect(() => {
    if (isEdited) return;
    (isOpen ? good : show).current?.focus();
  }, [showing, isOpen, isEdited]);

  const grade = (selected: CardGrade): void => {
    if (card !== undefined)
      onDo(client.call('grade', { cardId: card.id, grade: selected, before: card.schedule }));
  };
  const open = (beside: boolean): void => {
    if (card?.citation !== undefined) ignoreFailure(client.call('open', { of: card.id, beside }));
  };
  const undo = (): void => {
    if (lastAction !== undefined) onDo(client.call('undo', {}));
  };
  const suspend = (): void => {
    if (card !== undefined) onDo(client.call('suspend', { cardIds: [card.id], isSuspended: true }));
  };

  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTypedInto(event) || isEdited) return;
      const press = (action: () => void): void => {
        event.preventDefault();
        action();
      };
      const key = event.key.toLowerCase();
      const grading = CARD_GRADES.find((candidate) => String(candidate) === key);
      if (key === ' ' && !isOpen && card !== undefined) press(() => setIsOpen(true));
      else if (grading !== undefined && isOpen) press(() => grade(grading));
      else if (key === 'u') press(undo);
      else if (key === 'e' && card !== undefined) press(() => setIsEdited(true));
      else if (key === 's' && card !== undefined) press(suspend);
      else if (key === 'o' && isOpen) press(() => open(event.shiftKey));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });

  if (shown === undefined || card === undefined)
    return <NothingDue learning={learning} onGoOn={onGoOn} onShowAll={onShowAll} />;
  if (isEdited)
    return (
      <CardEditor
        card={card}
        onSave={(front, back) => {
          setIsEdited(false);
          onDo(client.call('edit', { cardId: card.id, front, back }), card.id);
        }}
        onCancel={() => setIsEdited(false)}
      />
    );
  return (
    <main class="review">
      <article class="card" aria-label={t('Card')}>
        <CardFront card={card} filled={isOpen} />
        {isOpen && (
          <section class="back" aria-live="polite">
            {card.kind === 'cloze' && <p class="visually-hidden">{t('The hidden words are now shown.')}</p>}
            {card.back !== '' && (
              <>
                <hr />
                <CardWords text={card.back} />
              </>
            )}
            <SourceOfCard card={card} onOpen={open} />
          </section>
        )}
      </article>
      <div class="grades" role="group" aria-label={isOpen ? t('How well did you know it?') : undefined}>
        {isOpen ? (
          CARD_GRADES.map((choice) => (
            <button
              type="button"
              key={choice}
              ref={choice === 3 ? good : null}
              class="grade"
              onClick={() => grade(choice)}
            >
              <span class="name">
                <kbd aria-hidden="true">{choice}</kbd> {gradeName(choice)}
              </span>
              <span class="span">{shown.spans[choice]}</span>
            </button>
          ))
        ) : (
          <button type="button" ref={show} class="grade show" onClick={() => setIsOpen(true)}>
            {t('Show Answer')} <kbd aria-hidden="true">{t('Space')}</kbd>
          </button>
        )}
      </div>
      <div class="tools">
        <IconButton icon="edit" label={t('Edit (E)')} onPress={() => setIsEdited(true)} />
        <IconButton icon="debug-pause" label={t('Suspend (S)')} onPress={suspend} />
        <IconButton
          icon="trash"
          label={t('Delete')}
          onPress={() => onDo(client.call('remove', { cardIds: [card.id] }))}
        />
      </div>
    </main>
  );
}

function gradeName(grade: CardGrade): string {
  switch (grade) {
    case 1:
      return t('Again');
    case 2:
      return t('Hard');
    case 3:
      return t('Good');
    case 4:
      return t('Easy');
  }
}

/** Shows the location of a card's words, and whether they are still there and were checked. */
export function SourceOfCard({
  card: { citation, source, isEdited },
  onOpen,
}: {
  readonly card: Card;
  readonly onOpen: (beside: boolean) => void;
}): JSX.Element | null {
  if (citation === undefined) return null;
  return (
    <>
      <SourceLink title={citation.title} place={citation.place} onOpen={onOpen} />
      {citation.isUnchecked === true && !isEdited && <UncheckedMark />}
      {source === 'changed' && (
        <p class="notice">
          <span class="codicon codicon-warning" aria-hidden="true" />{' '}
          {t('The source has changed and no longer contains the cited text.')}
        </p>
      )}
    </>
  );
}

/** Shows a message if no cards are due. */
function NothingDue({
  learning: { deck, next, later, suspended },
  onGoOn,
  onShowAll,
}: {
  readonly learning: StudyState;
  readonly onGoOn: () => void;
  readonly onShowAll: () => void;
}): JSX.Element {
  return (
    <section class="nothing">
      {deck.cards === 0 ? (
        <p>{t('This deck has no cards. Select text in a source or a note, then run “Create Card”.')}</p>
      ) : (
        <>
          <h2>{t('You’re done for now')}</h2>
          {next !== undefined && <p>{t('The next card is due in {0}.', next)}</p>}
          {suspended > 0 && <p class="quiet">{t('Suspended cards: {0}', suspended)}</p>}
          <p class="tools">
            {later > 0 && <Button label={t('Continue with New Cards ({0})', later)} onPress={onGoOn} />}
            <Button label={t('Show All Cards')} look="secondary" onPress={onShowAll} />
          </p>
        </>
      )}
    </section>
  );
}
