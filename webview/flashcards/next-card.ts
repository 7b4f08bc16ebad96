import type { Learning } from '../../src/features/flashcards/protocol.ts';

interface NextCard {
  /** Asks what to learn now: the card that is to stay, or whichever is next. */
  readonly look: (shown: string | undefined, goesOn: boolean) => void;
  /** Looks again after a change. The shown card stays, unless the next one was requested meanwhile. */
  readonly lookAgain: (goesOn: boolean) => void;
}

/**
 * Returns an object that loads the next card. If replies overtake each other, the one to the last request wins. Undoing
 * is also reported as a change, and the reply to that must not bring back the old card over the one that the undoing
 * restored.
 */
export function followNextCard(
  first: Learning,
  ask: (params: { readonly goesOn: boolean; readonly shown: string | undefined }) => Promise<Learning>,
  show: (learning: Learning) => void,
): NextCard {
  let last = { shown: first.shown?.card.id };
  const look: NextCard['look'] = (shown, goesOn) => {
    const request = { shown };
    last = request;
    ask({ goesOn, shown }).then(
      (learning) => {
        if (last !== request) return;
        last = { shown: learning.shown?.card.id };
        show(learning);
      },
      () => undefined,
    );
  };
  return { look, lookAgain: (goesOn) => look(last.shown, goesOn) };
}
