import type { StudyState } from '../../src/features/flashcards/protocol.ts';

interface NextCard {
  /** Requests the next card. The shown card stays if `shownCardId` is its ID. */
  readonly look: (shownCardId: string | undefined, addsNew: boolean) => void;
  /** Loads the card again after a change. The shown card stays, unless the next one was requested meanwhile. */
  readonly lookAgain: (addsNew: boolean) => void;
}

/**
 * Returns an object that loads the next card. The reply to the last request wins. An undo is also reported as a
 * change, and the reply to that report must not replace the card that the undo restored.
 */
export function followNextCard(
  first: StudyState,
  ask: (params: { readonly addsNew: boolean; readonly shown: string | undefined }) => Promise<StudyState>,
  show: (learning: StudyState) => void,
): NextCard {
  let last = { shown: first.shown?.card.id };
  const look: NextCard['look'] = (shown, addsNew) => {
    const request = { shown };
    last = request;
    ask({ addsNew, shown }).then(
      (learning) => {
        if (last !== request) return;
        last = { shown: learning.shown?.card.id };
        show(learning);
      },
      () => undefined,
    );
  };
  return { look, lookAgain: (addsNew) => look(last.shown, addsNew) };
}
