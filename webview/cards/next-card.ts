import type { Learning } from '../../src/messages/cards.ts';

interface NextCard {
  /** Asks what to learn now: the card that is to stay, or whichever is next. */
  readonly look: (shown: string | undefined, goesOn: boolean) => void;
  /** Looks again because something changed: what is shown stays, unless what is next has been asked for meanwhile. */
  readonly lookAgain: (goesOn: boolean) => void;
}

/**
 * Of answers that overtake each other the one to the last request counts: what was undone is told as a change, too,
 * and the card that was shown then must not come back over the one that the undoing brought.
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
