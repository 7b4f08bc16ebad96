import type { CardsHostApi, StudyState, ShownQuiz } from '../../src/features/flashcards/protocol.ts';
import type { Params } from '../../src/core/rpc/rpc.ts';
import { NEW_CARD, type Card, type Quiz } from '../../src/features/flashcards/model.ts';
import { testCitation } from '../support/test-citation.ts';
import type { HostScript } from './page-host.ts';

/** Returns a new card whose front has gaps, as `{{c1::words}}`. */
export function clozeCard(id: string, front: string, quote = front.replaceAll(/\{\{c\d::|\}\}/g, '')): Card {
  return {
    ...{ id, deckId: 'deck', kind: 'cloze', maker: 'definition', front, back: '', schedule: NEW_CARD },
    ...{ isSuspended: false, isEdited: false, source: 'same' },
    citation: testCitation({ title: 'harbor.md', place: 'L9', quote }),
  };
}

/** Answers a deck's page as the extension does, from cards that it keeps; `onChange` is called when some changed. */
export function deckHost(
  all: readonly Card[],
  learning: Partial<StudyState> = {},
  onChange = (): void => undefined,
): HostScript<'flashcards'> {
  let cards = [...all];
  const graded: string[] = [];
  const undoSteps: (() => void)[] = [];
  const change = (next: Card[]): void => {
    const before = cards;
    undoSteps.push(() => (cards = before));
    cards = next;
    onChange();
  };
  const learn = (): StudyState => {
    const fresh = cards.filter(({ id, isSuspended }) => !isSuspended && !graded.includes(id));
    const [card] = fresh;
    return {
      deck: {
        id: 'deck',
        title: 'Terms of the harbor',
        cards: cards.length,
        due: 0,
        fresh: fresh.length,
        changed: 0,
      },
      shown: card && { card, spans: { 1: '1 min', 2: '6 min', 3: '10 min', 4: '8 days' } },
      next: undefined,
      later: 0,
      suspended: cards.filter(({ isSuspended }) => isSuspended).length,
      lastAction: undoSteps.length > 0 ? 'review' : undefined,
      of: 'Sources: harbor.md.',
      ...learning,
    };
  };
  return {
    ready: () => ({
      ...{ kind: 'deck', state: { notebook: '', kind: 'deck', id: 'deck' } },
      learning: learn(),
    }),
    next: () => learn(),
    grade: ({ cardId }: Params<CardsHostApi['grade']>) => {
      graded.push(cardId);
      undoSteps.push(() => graded.pop());
    },
    undo: () => {
      undoSteps.pop()?.();
      onChange();
    },
    edit: ({ cardId, front, back }: Params<CardsHostApi['edit']>) =>
      change(cards.map((card) => (card.id === cardId ? { ...card, front, back } : card))),
    suspend: ({ cardIds, isSuspended }: Params<CardsHostApi['suspend']>) =>
      change(cards.map((card) => (cardIds.includes(card.id) ? { ...card, isSuspended } : card))),
    remove: ({ cardIds }: Params<CardsHostApi['remove']>) =>
      change(cards.filter(({ id }) => !cardIds.includes(id))),
    cards: () => cards.map((card) => ({ ...card, state: card.schedule.state, due: card.schedule.due })),
    card: ({ cardId }: Params<CardsHostApi['card']>) => cards.find(({ id }) => id === cardId)!,
    open: () => undefined,
    openLink: () => undefined,
    updateFromSources: () => undefined,
    export: () => undefined,
  };
}

/** Answers a quiz's page as the extension does; `next` is the quiz after its sources changed. */
export function quizHost(quiz: Quiz, next = quiz, outdated?: string): HostScript<'flashcards'> {
  const shown: ShownQuiz = { quiz, of: 'Sources: harbor.md.', outdated };
  return {
    ready: () => ({ kind: 'quiz', state: { notebook: '', kind: 'quiz', id: quiz.id }, shown }),
    quiz: () => ({ ...shown, quiz: next, outdated: undefined }),
    reply: () => undefined,
    again: () => undefined,
    open: () => undefined,
    openLink: () => undefined,
    updateFromSources: () => undefined,
    learnWrong: () => undefined,
  };
}
