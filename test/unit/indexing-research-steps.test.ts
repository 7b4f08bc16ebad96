import assert from 'node:assert/strict';
import { exportedProduct } from '../../src/features/research/store/portable-research.ts';
import { test } from 'node:test';
import type { Claim, ResearchBoard } from '../../src/features/research/model/board.ts';
import {
  HOLD,
  OPTIONS,
  OTHER_WORKER,
  planWith,
  makeProduct,
  runResearch,
  statesIn,
  makeStep,
  USER,
  WORKER,
  takeStep,
} from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';

const chain = planWith(makeStep('a', ['sources']), makeStep('b', ['a']), makeStep('c', ['b', 'a']));

function claim(board: ResearchBoard, researchId: string, more: object = {}): Claim {
  const claim = takeStep(board, researchId, more);
  assert.ok(claim);
  return claim;
}

test('runs steps in the order of their inputs, and ends with the last one', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, chain);
  assert.deepEqual(statesIn(board, researchId), { a: 'ready', b: 'blocked', c: 'blocked' });
  const first = claim(board, researchId);
  assert.equal(first.step.id, 'a');
  assert.equal(first.step.state, 'in-progress');
  assert.deepEqual(first.step.holder, WORKER);
  assert.equal(board.claimStep({ researchId, holder: OTHER_WORKER, hold: HOLD }), undefined);
  assert.equal(board.submitStep({ token: first.token, product: makeProduct('What a is.') }), 'kept');
  assert.equal(board.submitStep({ token: first.token, product: makeProduct('Again.') }), 'late');
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready', c: 'blocked' });
  const waits = board.research({ researchId })?.steps.find(({ id }) => id === 'c');
  assert.deepEqual(waits?.waitsFor, ['b']);
  const second = claim(board, researchId);
  assert.deepEqual(
    second.materials.map(({ id, text }) => [id, text]),
    [['a product', 'What a is.']],
  );
  board.submitStep({ token: second.token, product: makeProduct('What b is.') });
  const last = claim(board, researchId);
  board.submitStep({ token: last.token, product: makeProduct('# All\n\nWhat *c* is.') });
  const done = board.research({ researchId });
  assert.equal(done?.state, 'done');
  assert.deepEqual(
    done.products.map(({ id, stepId, begins }) => [id, stepId, begins]),
    [
      ['a product', 'a', 'What a is.'],
      ['b product', 'b', 'What b is.'],
      ['c product', 'c', 'All What *c* is.'],
    ],
  );
  assert.deepEqual(
    board.researches().map(({ state, steps, done: ended, failed }) => ({ state, steps, ended, failed })),
    [{ state: 'done', steps: 3, ended: 3, failed: 0 }],
  );
});

test('frees a step whose claim expired, and rejects a late submission', async () => {
  let now = 1_000;
  const opened = await openBoard({ now: () => now });
  const reopened = await openBoard({ folder: opened.folder, now: () => now });
  const researchId = runResearch(opened.board, planWith(makeStep('a')));
  const lost = claim(opened.board, researchId);
  now += HOLD - 1;
  assert.equal(opened.board.renewStep({ token: lost.token, hold: HOLD }), true);
  now += HOLD;
  assert.deepEqual(statesIn(reopened.board, researchId), { a: 'ready' });
  const { revision = 0 } = reopened.board.research({ researchId }) ?? {};
  reopened.changes.takeChanged();
  reopened.changes.releaseExpired();
  assert.deepEqual(reopened.changes.takeChanged(), [researchId]);
  assert.ok((reopened.board.research({ researchId })?.revision ?? 0) > revision);
  // Nobody claimed it meanwhile, so it is renewed.
  assert.equal(opened.board.renewStep({ token: lost.token, hold: HOLD }), true);
  assert.deepEqual(statesIn(reopened.board, researchId), { a: 'in-progress' });
  now += HOLD;
  const claimed = claim(reopened.board, researchId, { holder: OTHER_WORKER });
  assert.equal(opened.board.renewStep({ token: lost.token, hold: HOLD }), false);
  assert.equal(opened.board.submitStep({ token: lost.token, product: makeProduct('Old.') }), 'late');
  opened.board.failStep({ token: lost.token, reason: 'No.' });
  opened.board.giveBackStep({ token: lost.token });
  opened.board.sendBackStep({ token: lost.token, reason: 'No.' });
  assert.equal(reopened.board.submitStep({ token: claimed.token, product: makeProduct('New.') }), 'kept');
  const stored = opened.board.product({ researchId, productId: 'a product' });
  assert.equal(stored?.text, 'New.');
});

test('gives models the steps of running projects, and the user also those of paused ones', async () => {
  const { board } = await openBoard();
  const { researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options: OPTIONS });
  board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b', ['a'])), basedOn: 0 });
  const asModel = { researchId, holder: WORKER, hold: HOLD };
  const asUser = { researchId, holder: USER, hold: HOLD };
  assert.equal(board.claimStep(asUser), undefined);
  for (const state of ['planned', 'paused'] as const) {
    board.changeResearch({ researchId, state });
    assert.equal(board.claimStep(asModel), undefined);
    const takenClaim = claim(board, researchId, asUser);
    board.giveBackStep({ token: takenClaim.token });
    assert.equal(board.submitStep({ token: takenClaim.token, product: makeProduct('Late.') }), 'late');
  }
  board.changeResearch({ researchId, state: 'running' });
  assert.equal(board.claimStep({ ...asModel, without: ['find'] }), undefined);
  assert.equal(board.claimStep({ ...asModel, stepId: 'b' }), undefined);
  const takenClaim = claim(board, researchId, asUser);
  assert.equal(takenClaim.step.id, 'a');
  // A window that lost track of its claim claims the step again.
  const again = claim(board, researchId, { ...asUser, stepId: 'a' });
  assert.equal(board.submitStep({ token: takenClaim.token, product: makeProduct('First.', USER) }), 'late');
  assert.equal(board.submitStep({ token: again.token, product: makeProduct('Second.', USER) }), 'kept');
});

test('fails a step with its reason, and lets the user repair it', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a'), makeStep('b', ['a'])));
  const first = claim(board, researchId);
  board.sendBackStep({ token: first.token, reason: 'No source says so.' });
  board.sendBackStep({ token: first.token, reason: 'Still none does.' });
  assert.deepEqual(
    board
      .research({ researchId })
      ?.steps.map(({ attempts, reason, state }) => ({ attempts, reason, state }))[0],
    { attempts: 2, reason: 'Still none does.', state: 'in-progress' },
  );
  board.failStep({ token: first.token, reason: 'Still none does.' });
  const failed = board.research({ researchId });
  assert.equal(failed?.state, 'failed');
  assert.match(failed.reason ?? '', /^“Find a” failed: Still none does\./);
  assert.deepEqual(statesIn(board, researchId), { a: 'failed', b: 'blocked' });
  assert.equal(board.claimStep({ researchId, holder: USER, hold: HOLD }), undefined);
  assert.equal(takeStep(board, researchId, { stepId: 'a' }), undefined);
  const mended = claim(board, researchId, { holder: USER, stepId: 'a' });
  assert.equal(board.research({ researchId })?.state, 'running');
  board.submitStep({ token: mended.token, product: makeProduct('By hand.', USER) });
  const goesOn = claim(board, researchId);
  assert.equal(goesOn.step.id, 'b');
  board.failStep({ token: goesOn.token, reason: 'No.' });
  assert.equal(board.research({ researchId })?.state, 'failed');
  board.redoStep({ researchId, stepId: 'b' });
  assert.equal(board.research({ researchId })?.state, 'running');
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready' });
});

test('fails a research project with circular steps, with a reason', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a', ['b']), makeStep('b', ['a'])));
  const research = board.research({ researchId });
  assert.equal(research?.state, 'failed');
  assert.match(research.reason ?? '', /depend on each other/);
});

test('reruns the steps that depend on a step, and returns the text to its author', async () => {
  const { board } = await openBoard();
  const plan = planWith(...chain.steps, makeStep('d'), makeStep('e', ['c']));
  const researchId = runResearch(board, plan);
  for (const id of ['a', 'b', 'c', 'd'])
    board.submitStep({
      token: claim(board, researchId, { holder: USER, stepId: id }).token,
      product: makeProduct(`What ${id} is.`, id === 'b' ? USER : WORKER),
    });
  const heldClaim = claim(board, researchId);
  assert.equal(heldClaim.step.id, 'e');
  assert.deepEqual(board.dependentSteps({ researchId, stepId: 'a' }), ['b', 'c', 'e']);
  board.redoStep({ researchId, stepId: 'a' });
  assert.deepEqual(statesIn(board, researchId), {
    ...{ a: 'ready', b: 'blocked', c: 'blocked', d: 'done', e: 'blocked' },
  });
  assert.equal(board.submitStep({ token: heldClaim.token, product: makeProduct('Late.') }), 'late');
  assert.equal(board.product({ researchId, productId: 'b product' }), undefined);
  assert.deepEqual(
    board.research({ researchId })?.steps.map(({ draft }) => draft),
    ['', 'What b is.', '', '', ''],
  );
  assert.deepEqual(board.dependentSteps({ researchId, stepId: 'a' }), []);
});

test('saves a draft with its step, and replaces a result', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a'), makeStep('b', ['a'])));
  board.draftStep({ researchId, stepId: 'a', draft: 'As far as I' });
  const takenClaim = claim(board, researchId, { holder: USER, stepId: 'a' });
  assert.equal(takenClaim.step.draft, 'As far as I');
  assert.throws(
    () => {
      board.putProduct({ researchId, product: { ...makeProduct('No.'), id: 'a product' } });
    },
    {
      name: 'NotebookError',
      code: 'not-found',
    },
  );
  board.submitStep({ token: takenClaim.token, product: makeProduct('As far as I know.', USER) });
  board.putProduct({ researchId, product: { ...makeProduct('As far as we know.', USER), id: 'a product' } });
  assert.equal(board.product({ researchId, productId: 'a product' })?.text, 'As far as we know.');
  assert.equal(board.research({ researchId })?.steps[0]?.draft, '');
});

test('saves the text before the correction of a result, but not in the list', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  const { token } = claim(board, researchId);
  board.submitStep({ token, product: makeProduct('In autumn.') });
  const product = board.product({ researchId, productId: 'a product' }) ?? assert.fail();
  const beforeCorrection = { model: '', text: 'In autumn.', statements: [], citations: [] };
  board.putProduct({ researchId, product: { ...product, text: 'In spring.', beforeCorrection } });
  const corrected = board.product({ researchId, productId: 'a product' });
  assert.deepEqual(corrected, { ...product, text: 'In spring.', beforeCorrection });
  assert.deepEqual(board.research({ researchId })?.products[0]?.check, product.check);
  assert.doesNotMatch(JSON.stringify(exportedProduct(corrected, [])), /autumn/);
  board.putProduct({ researchId, product });
  assert.equal(board.product({ researchId, productId: 'a product' })?.beforeCorrection, undefined);
});

test('hides a deleted research project, and rejects submissions for it', async () => {
  const { board, changes } = await openBoard();
  const researchId = runResearch(board, chain);
  const takenClaim = claim(board, researchId);
  changes.takeChanged();
  board.removeResearch({ researchId });
  assert.deepEqual(changes.takeChanged(), [researchId]);
  assert.equal(board.research({ researchId }), undefined);
  assert.equal(board.submitStep({ token: takenClaim.token, product: makeProduct('Late.') }), 'late');
  const notFound = {
    name: 'NotebookError',
    code: 'not-found',
    message: /^This research project no longer exists\./,
  };
  assert.throws(() => takeStep(board, researchId), notFound);
  assert.throws(() => {
    board.removeResearch({ researchId });
  }, notFound);
  assert.throws(() => board.spend({ researchId, requests: 1 }), notFound);
});

test('limits the number of models at work across all windows', async () => {
  const opened = await openBoard();
  const reopened = await openBoard({ folder: opened.folder });
  const researchId = runResearch(
    opened.board,
    planWith(makeStep('a', ['sources']), makeStep('b', ['sources']), makeStep('c', ['sources'])),
  );
  const first = claim(opened.board, researchId);
  claim(opened.board, researchId, { holder: { ...WORKER, name: 'Worker 2' } });
  const taking = { researchId, holder: OTHER_WORKER, hold: HOLD };
  assert.equal(reopened.board.claimStep(taking), undefined);
  assert.ok(reopened.board.claimStep({ ...taking, holder: USER }), 'a user takes what is left');
  opened.board.giveBackStep({ token: first.token });
  assert.equal(reopened.board.claimStep(taking)?.step.id, 'a');
});

test('keeps a user’s draft when a window is killed, and doesn’t let a model overwrite it', async () => {
  let now = 1_000;
  const { board } = await openBoard({ now: () => now });
  const researchId = runResearch(board, planWith(makeStep('a', ['sources'])));
  const { token } = claim(board, researchId, { holder: USER });
  board.draftStep({ researchId, stepId: 'a', draft: 'Half of' });
  now += 2 * HOLD;
  assert.deepEqual(statesIn(board, researchId), { a: 'ready' });
  assert.equal(takeStep(board, researchId), undefined);
  assert.equal(claim(board, researchId, { holder: USER }).step.draft, 'Half of');
  assert.equal(board.renewStep({ token, hold: HOLD }), false);
  now += 2 * HOLD;
  // After a release, anyone can claim it.
  board.giveBackStep({ token: claim(board, researchId, { holder: USER }).token });
  board.submitStep({ token: claim(board, researchId).token, product: makeProduct('What a is.') });
  board.redoStep({ researchId, stepId: 'a' });
  assert.equal(claim(board, researchId, { holder: USER }).step.draft, 'Half of');
});
