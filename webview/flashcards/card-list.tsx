import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import { useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clozeParts } from '../../src/core/language/cloze.ts';
import type { Card, CardEntry } from '../../src/features/flashcards/model.ts';
import { ignoreFailure } from '../shared/ignore-failure.ts';
import { IconButton } from '../shared/toolkit.tsx';
import { CardEditor } from './card-editor.tsx';
import { CardFront, CardWords } from './card-face.tsx';
import { CardsHost, isTypedInto, useChanges } from './host.ts';
import { SourceOfCard } from './review.tsx';

/** Height of a row in CSS pixels, and number of rows drawn outside the visible range. */
const ROW = 26;
const BEYOND = 10;

interface ListProps {
  readonly deckId: string;
  readonly onDo: (work: Promise<unknown>) => void;
}

/** Shows all cards of a deck. Renders only the visible ones, and the selected one in full. */
export function CardList({ deckId, onDo }: ListProps): JSX.Element {
  const { client } = useContext(CardsHost);
  const [entries, setEntries] = useState<readonly CardEntry[]>();
  const [words, setWords] = useState('');
  const [chosenId, setChosenId] = useState<string>();
  const [card, setCard] = useState<Card>();
  const [isEdited, setIsEdited] = useState(false);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(400);
  const list = useRef<HTMLDivElement>(null);

  const look = (): void => void client.call('cards', {}).then(setEntries, () => undefined);
  useEffect(look, [deckId]);
  useChanges(look);

  const matches = useMemo(() => {
    const sought = words.trim().toLowerCase();
    return (entries ?? []).filter(
      ({ front, back }) => sought === '' || `${front}\n${back}`.toLowerCase().includes(sought),
    );
  }, [entries, words]);
  const at = Math.max(
    0,
    matches.findIndex(({ id }) => id === chosenId),
  );
  const chosen = matches[at];

  useEffect(() => {
    let isCurrent = true;
    setIsEdited(false);
    if (chosen === undefined) {
      setCard(undefined);
      return undefined;
    }
    client.call('card', { cardId: chosen.id }).then(
      (loaded) => isCurrent && setCard(loaded),
      () => isCurrent && setCard(undefined),
    );
    return () => {
      isCurrent = false;
    };
  }, [chosen]);

  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const resized = new ResizeObserver(() => setHeight(element.clientHeight));
    resized.observe(element);
    return () => resized.disconnect();
  }, [entries === undefined]);

  const choose = (index: number): void => {
    const next = matches[Math.min(Math.max(0, index), matches.length - 1)];
    const element = list.current;
    if (next === undefined || element === null) return;
    setChosenId(next.id);
    const start = matches.indexOf(next) * ROW;
    if (start < element.scrollTop) element.scrollTop = start;
    else if (start + ROW > element.scrollTop + element.clientHeight)
      element.scrollTop = start + ROW - element.clientHeight;
  };
  const suspend = (): void => {
    if (chosen !== undefined)
      onDo(client.call('suspend', { cardIds: [chosen.id], isSuspended: !chosen.isSuspended }));
  };
  const remove = (): void => {
    if (chosen !== undefined) onDo(client.call('remove', { cardIds: [chosen.id] }));
  };
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (isTypedInto(event) || isEdited || event.key.toLowerCase() !== 'u') return;
      event.preventDefault();
      onDo(client.call('undo', {}));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  });
  const onKey = (event: KeyboardEvent): void => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + Math.floor(height / ROW),
      PageUp: at - Math.floor(height / ROW),
      Home: 0,
      End: matches.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) choose(to);
    else if (event.key === 'Enter' || event.key === 'e') setIsEdited(true);
    else if (event.key === 's') suspend();
    else if (event.key === 'Delete') remove();
    else return;
    event.preventDefault();
  };

  if (entries === undefined) return <p class="quiet nothing">{t('Reading…')}</p>;
  const from = Math.max(0, Math.floor(top / ROW) - BEYOND);
  const to = Math.min(matches.length, Math.ceil((top + height) / ROW) + BEYOND);
  return (
    <main class="all">
      <input
        type="search"
        class="search"
        placeholder={t('Search cards')}
        aria-label={t('Search cards')}
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {matches.length === 0 && <p class="quiet nothing">{t('No matching cards. Try different words.')}</p>}
      <div
        class="rows"
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={t('Cards')}
        aria-activedescendant={chosen === undefined ? undefined : `card-${chosen.id}`}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKey}
      >
        <div class="ground" style={{ height: `${String(matches.length * ROW)}px` }}>
          {matches.slice(from, to).map((entry, index) => (
            <div
              key={entry.id}
              id={`card-${entry.id}`}
              role="option"
              aria-selected={entry === chosen}
              aria-setsize={matches.length}
              aria-posinset={from + index + 1}
              class={entry.isSuspended ? 'row suspended' : 'row'}
              style={{ top: `${String((from + index) * ROW)}px` }}
              onClick={() => setChosenId(entry.id)}
            >
              <span class="words ellipsis" dir="auto">
                {plain(entry)}
              </span>
              <span class="state">{stateInWords(entry)}</span>
            </div>
          ))}
        </div>
      </div>
      {card !== undefined && chosen !== undefined && (
        <section class="chosen" aria-label={t('Card')}>
          {isEdited ? (
            <CardEditor
              card={card}
              onSave={(front, back) => {
                setIsEdited(false);
                onDo(client.call('edit', { cardId: card.id, front, back }));
              }}
              onCancel={() => setIsEdited(false)}
            />
          ) : (
            <>
              <CardFront card={card} filled={true} />
              {card.back !== '' && (
                <>
                  <hr />
                  <CardWords text={card.back} />
                </>
              )}
              <SourceOfCard
                card={card}
                onOpen={(beside) => ignoreFailure(client.call('open', { of: card.id, beside }))}
              />
              <div class="tools">
                <IconButton icon="edit" label={t('Edit (E)')} onPress={() => setIsEdited(true)} />
                <IconButton
                  icon={chosen.isSuspended ? 'debug-continue' : 'debug-pause'}
                  label={chosen.isSuspended ? t('Unsuspend (S)') : t('Suspend (S)')}
                  onPress={suspend}
                />
                <IconButton icon="trash" label={t('Delete')} onPress={remove} />
              </div>
            </>
          )}
        </section>
      )}
    </main>
  );
}

/** Returns the beginning of a card in one line. */
function plain({ kind, front }: CardEntry): string {
  const words =
    kind === 'cloze'
      ? clozeParts(front)
          .map((part) => part.words)
          .join('')
      : front;
  return words.replaceAll(/[*`#>]+/g, '').replaceAll(/\s+/g, ' ');
}

function stateInWords({ isSuspended, source, state, due }: CardEntry): string {
  if (isSuspended) return t('suspended');
  if (source === 'changed') return t('source changed');
  if (state === 0) return t('new');
  return due <= Date.now() ? t('due') : new Date(due).toLocaleDateString();
}
