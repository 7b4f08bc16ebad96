import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StudyState } from '../../src/features/flashcards/protocol.ts';
import { followNextCard } from '../../webview/flashcards/next-card.ts';

function showing(id: string): StudyState {
  const schedule = { due: 0, reviews: 0 };
  return { shown: { card: { id, schedule } }, deck: {} } as unknown as StudyState;
}

/** Returns a page that shows the card `second`, and its requests. */
function start() {
  const requests: { shown: string | undefined; answer: (learning: StudyState) => Promise<void> }[] = [];
  const shown: (string | undefined)[] = [];
  const next = followNextCard(
    showing('second'),
    ({ shown: stays }) => {
      const { promise, resolve } = Promise.withResolvers<StudyState>();
      const answer = async (learning: StudyState): Promise<void> => {
        resolve(learning);
        await promise;
      };
      requests.push({ shown: stays, answer });
      return promise;
    },
    (learning) => shown.push(learning.shown?.card.id),
  );
  return { next, requests, shown };
}

test('keeps the shown card after a change', () => {
  const { next, requests } = start();
  next.lookAgain(false);
  assert.deepEqual(
    requests.map(({ shown }) => shown),
    ['second'],
  );
});

test('shows the card of an undo, whichever response comes first', async () => {
  // The change arrives before the response to the undo.
  const before = start();
  before.next.lookAgain(false);
  before.next.look(undefined, false);
  await before.requests[1]!.answer(showing('first'));
  await before.requests[0]!.answer(showing('second'));
  assert.deepEqual(before.shown, ['first']);

  // The change arrives after the next card was requested.
  const after = start();
  after.next.look(undefined, false);
  after.next.lookAgain(false);
  assert.deepEqual(
    after.requests.map(({ shown }) => shown),
    [undefined, undefined],
  );
  await after.requests[0]!.answer(showing('first'));
  await after.requests[1]!.answer(showing('first'));
  assert.deepEqual(after.shown, ['first']);

  // The change arrives after the response.
  after.next.lookAgain(false);
  assert.equal(after.requests[2]!.shown, 'first');
});
