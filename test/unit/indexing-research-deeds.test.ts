import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOLD, planWith, makeProduct, runResearch, makeStep, USER, WORKER } from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';

test('logs each action of the user once, and leaves those of workers to them', async () => {
  const { board } = await openBoard();
  const plan = planWith(makeStep('a'), makeStep('b', ['a']));
  const researchId = runResearch(board, plan);
  const take = (holder = USER, stepId?: string) =>
    board.claimStep({ researchId, stepId, holder, hold: HOLD })?.token ?? '';
  const longer = { ...plan, steps: [...plan.steps, makeStep('c')] };
  board.setPlan({ researchId, plan: longer, basedOn: 1, user: USER });
  board.stepPlan({ researchId, by: -1, user: USER });
  board.stepPlan({ researchId, by: 1, user: USER });
  // There is no later version, so this isn't recorded.
  board.stepPlan({ researchId, by: 1, user: USER });
  board.giveBackStep({ token: take(USER, 'a') });
  take(USER, 'a');
  // Its own claim, renewed by a window that took it before.
  const product = makeProduct('It is.', USER);
  const token = take(USER, 'a');
  const of = { researchId, stepId: 'a' };
  board.submitStep({ token, product, of });
  board.submitStep({ token, product, of });
  board.redoStep({ researchId, stepId: 'a', user: USER });
  board.submitStep({ token: take(WORKER), product: makeProduct('It was.') });
  const deeds = board
    .records({ researchId })
    .map(({ stepId, event }) =>
      event.kind === 'deed'
        ? [stepId, event.deed, event.by, ...(event.text === undefined ? [] : [event.text])]
        : [],
    );
  assert.deepEqual(deeds, [
    [undefined, 'Plan edited', USER],
    [undefined, 'Plan edit undone', USER],
    [undefined, 'Plan edit redone', USER],
    ['a', 'Assigned', USER],
    ['a', 'Unassigned', USER],
    ['a', 'Assigned', USER],
    ['a', 'Submitted: a product', USER],
    ['a', 'Submitted too late', USER, 'It is.'],
    ['a', 'Rerun requested', USER],
  ]);
});
