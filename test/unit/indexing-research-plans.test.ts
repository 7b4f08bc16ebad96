import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanStep } from '../../src/features/research/model/project.ts';
import type { ResearchBoard } from '../../src/features/research/model/board.ts';
import {
  HOLD,
  OPTIONS,
  planWith,
  makeProduct,
  runResearch,
  statesIn,
  makeStep,
  USER,
  takeStep,
} from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';

const conflict = { name: 'NotebookError', code: 'conflict' };
const idsIn = (board: ResearchBoard, researchId: string): string[] =>
  (board.research({ researchId })?.steps ?? []).map(({ id }) => id);

test('moves between versions of a plan, and rejects an edit of an old one', async () => {
  const { board } = await openBoard();
  const { researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options: OPTIONS });
  assert.equal(board.research({ researchId })?.planVersion, 0);
  assert.deepEqual(board.stepPlan({ researchId, by: -1 }), { planVersion: 0 });
  const [a, b, c] = [makeStep('a'), makeStep('b', ['a']), makeStep('c', ['b'])];
  assert.deepEqual(board.setPlan({ researchId, plan: planWith(a), basedOn: 0 }), { planVersion: 1 });
  assert.throws(() => board.setPlan({ researchId, plan: planWith(b), basedOn: 0 }), conflict);
  board.setPlan({ researchId, plan: planWith(a, b), basedOn: 1 });
  board.setPlan({ researchId, plan: planWith(c, a, b), basedOn: 2 });
  assert.deepEqual(idsIn(board, researchId), ['c', 'a', 'b']);
  board.stepPlan({ researchId, by: -1 });
  const { planVersion } = board.stepPlan({ researchId, by: -1 });
  assert.deepEqual(idsIn(board, researchId), ['a']);
  const now = board.research({ researchId });
  assert.deepEqual([now?.canUndo, now?.canRedo, now?.planVersion], [false, true, planVersion]);
  // An edit that is based on an undone plan is rejected.
  assert.throws(() => board.setPlan({ researchId, plan: planWith(b), basedOn: 3 }), conflict);
  board.stepPlan({ researchId, by: 1 });
  assert.deepEqual(idsIn(board, researchId), ['a', 'b']);
  const { planVersion: last = 0 } = board.research({ researchId }) ?? {};
  board.setPlan({ researchId, plan: planWith(b, a), basedOn: last });
  assert.deepEqual(idsIn(board, researchId), ['b', 'a']);
  assert.equal(board.research({ researchId })?.canRedo, false);
  assert.deepEqual(board.research({ researchId })?.parts, [{ text: 'All of it', product: 'a product' }]);
});

test('allows edits of a running plan, except claimed and finished steps', async () => {
  const { board } = await openBoard();
  const [a, b, c] = [makeStep('a'), makeStep('b'), makeStep('c', ['a', 'b'])];
  const researchId = runResearch(board, planWith(a, b, c));
  const claim = (stepId: string) => {
    const claim = takeStep(board, researchId, { stepId });
    assert.ok(claim);
    return claim.token;
  };
  board.submitStep({ token: claim('a'), product: makeProduct('What a is.') });
  const claimToken = claim('b');
  const set = (...steps: readonly PlanStep[]): unknown =>
    board.setPlan({
      researchId,
      plan: planWith(...steps),
      basedOn: board.research({ researchId })?.planVersion ?? 0,
    });
  const other = { target: 'Find another' };
  assert.throws(() => set({ ...a, ...other }, b, c), {
    ...conflict,
    message: /^Can’t change the step “Find a” because it’s done/,
  });
  assert.throws(() => set(b, c), conflict);
  assert.throws(() => set(a, { ...b, ...other }, c), {
    ...conflict,
    message: /^Can’t change the step “Find b” because it’s assigned/,
  });
  assert.deepEqual(idsIn(board, researchId), ['a', 'b', 'c']);
  set(makeStep('d'), b, { ...c, ...other }, a);
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'in-progress', c: 'blocked', d: 'ready' });
  assert.equal(board.submitStep({ token: claimToken, product: makeProduct('What b is.') }), 'kept');
  // Going back would only affect the added step, which is done by now.
  board.submitStep({ token: claim('d'), product: makeProduct('What d is.') });
  assert.throws(() => board.stepPlan({ researchId, by: -1 }), conflict);
});

test('rejects a late submission for an edited step, and restores its draft with it', async () => {
  let now = 1;
  const { board } = await openBoard({ now: () => now });
  const [a, b] = [makeStep('a'), makeStep('b')];
  const researchId = runResearch(board, planWith(a, b));
  const claim = board.claimStep({ researchId, stepId: 'a', holder: USER, hold: HOLD });
  board.draftStep({ researchId, stepId: 'a', draft: 'Half of it' });
  now += HOLD;
  board.setPlan({ researchId, plan: planWith(b), basedOn: 1 });
  assert.equal(board.submitStep({ token: claim?.token ?? '', product: makeProduct('It.') }), 'late');
  assert.deepEqual(idsIn(board, researchId), ['b']);
  board.stepPlan({ researchId, by: -1 });
  assert.equal(board.research({ researchId })?.steps[0]?.draft, 'Half of it');
  assert.deepEqual(statesIn(board, researchId), { a: 'ready', b: 'ready' });
});

test('resets a failed step when it is edited, and waits for the user', async () => {
  const { board } = await openBoard();
  const a = makeStep('a');
  const researchId = runResearch(board, planWith(a));
  const { token = '' } = takeStep(board, researchId) ?? {};
  board.failStep({ token, reason: 'No.' });
  board.setPlan({ researchId, plan: planWith({ ...a, target: 'Find less' }), basedOn: 1 });
  assert.equal(board.research({ researchId })?.state, 'paused');
  assert.equal(board.research({ researchId })?.reason, undefined);
  board.changeResearch({ researchId, state: 'running' });
  const again = takeStep(board, researchId);
  assert.equal(again?.step.attempts, 0);
  board.submitStep({ token: again.token, product: makeProduct('It.') });
  assert.equal(board.research({ researchId })?.state, 'done');
  board.setPlan({
    researchId,
    plan: planWith({ ...a, target: 'Find less' }, makeStep('b')),
    basedOn: board.research({ researchId })?.planVersion ?? 0,
  });
  assert.equal(board.research({ researchId })?.state, 'paused');
});

test('explains why a plan is invalid', async () => {
  const { board } = await openBoard();
  const { researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options: OPTIONS });
  const set = (...steps: readonly PlanStep[]): unknown =>
    board.setPlan({ researchId, plan: planWith(...steps), basedOn: 0 });
  const unsupported = { name: 'NotebookError', code: 'unsupported' };
  assert.throws(() => set(makeStep('a'), makeStep('a')), unsupported);
  assert.throws(() => set(makeStep('a'), { ...makeStep('b'), produces: 'a product' }), unsupported);
  assert.throws(() => set({ ...makeStep('a'), produces: '' }), unsupported);
  const many = Array.from({ length: 501 }, (_, i) => makeStep(String(i)));
  assert.throws(() => set(...many), { name: 'NotebookError', code: 'too-large' });
});

test('saves comments, marks them as read, and deletes them', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  board.commentPlan({ researchId, text: 'Shorter.' });
  board.commentPlan({ researchId, stepId: 'a', text: 'Not this.' });
  const [first, second] = board.research({ researchId })?.comments ?? [];
  assert.deepEqual(
    [first?.text, first?.stepId, second?.stepId, second?.isHeard],
    ['Shorter.', undefined, 'a', false],
  );
  board.hearComments({ researchId, commentIds: [second?.id ?? ''] });
  board.removeComment({ researchId, commentId: first?.id ?? '' });
  assert.deepEqual(
    board.research({ researchId })?.comments.map(({ text, isHeard }) => ({ text, isHeard })),
    [{ text: 'Not this.', isHeard: true }],
  );
});
