import assert from 'node:assert/strict';
import { test } from 'node:test';
import { splitForWindows } from '../../src/index/documents/splitter.ts';
import { Store } from '../../src/index/store/store.ts';
import type { PlanStep } from '../../src/features/research/model/project.ts';
import type { ResearchBoard } from '../../src/features/research/model/board.ts';
import { makeInput } from '../support/durability-notes.ts';
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

const settings = { size: 500, overlap: 0 };

function doNext(
  board: ResearchBoard,
  researchId: string,
  text: string,
  more: object = {},
): string | undefined {
  const claim = takeStep(board, researchId, more);
  if (claim !== undefined) board.submitStep({ token: claim.token, product: makeProduct(text) });
  return claim?.step.id;
}

function twinsIn(board: ResearchBoard, researchId: string): Record<string, string | undefined> {
  const steps = board.research({ researchId })?.steps ?? [];
  return Object.fromEntries(steps.map(({ id, sameAs }) => [id, sameAs]));
}

const dose = (id: string, more: Partial<PlanStep> = {}): PlanStep =>
  makeStep(id, ['sources'], { target: 'Find the dose.', ...more });

test('gives a step the result of an identical finished step', async () => {
  const { board } = await openBoard();
  const plan = planWith(
    dose('a'),
    dose('b', { target: ' find  the DOSE' }),
    dose('c', { quantity: 3 }),
    makeStep('d', ['b']),
  );
  const researchId = runResearch(board, plan);
  assert.equal(doNext(board, researchId, 'It is 5 mg.'), 'a');
  assert.equal(doNext(board, researchId, 'Three doses.'), 'c');
  assert.deepEqual(twinsIn(board, researchId), { a: undefined, b: 'a', c: undefined, d: undefined });
  assert.equal(board.product({ researchId, productId: 'b product' })?.text, 'It is 5 mg.');
  assert.equal(doNext(board, researchId, 'So it is.'), 'd');
  assert.equal(board.research({ researchId })?.state, 'done');
});

test('doesn’t produce a result twice at once', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(dose('a'), dose('b')));
  const first = takeStep(board, researchId);
  assert.equal(board.claimStep({ researchId, holder: OTHER_WORKER, hold: HOLD }), undefined);
  // A holder who requests that very step gets it.
  const byHand = board.claimStep({ researchId, stepId: 'b', holder: USER, hold: HOLD });
  assert.equal(byHand?.step.id, 'b');
  board.giveBackStep({ token: byHand.token });
  board.submitStep({ token: first?.token ?? '', product: makeProduct('It is 5 mg.') });
  assert.equal(board.claimStep({ researchId, holder: OTHER_WORKER, hold: HOLD }), undefined);
  assert.equal(board.research({ researchId })?.state, 'done');
});

test('ignores existing results in a rerun, and reruns the identical step along', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(dose('a'), dose('b'), makeStep('c', ['b'])));
  doNext(board, researchId, 'It is 5 mg.');
  doNext(board, researchId, 'So it is.');
  assert.deepEqual(board.dependentSteps({ researchId, stepId: 'a' }), ['b', 'c']);
  board.redoStep({ researchId, stepId: 'b' });
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready', c: 'blocked' });
  assert.equal(doNext(board, researchId, 'It is 6 mg.'), 'b');
  assert.equal(twinsIn(board, researchId).b, undefined);
});

test('reuses the result of an earlier research project while the sources are unchanged', async () => {
  const { board, sql } = await openBoard();
  const store = new Store(sql);
  const origin = { kind: 'folder', uri: 'file:///notes' } as const;
  const { id } = store.addSource('Notes', origin, makeInput('It is 5 mg.', ''), splitForWindows, settings);
  const plan = planWith(
    dose('a'),
    dose('b', { materials: [`source:${id}`], target: 'Find who' }),
    makeStep('c'),
  );
  const first = runResearch(board, plan);
  for (const text of ['It is 5 mg.', 'The nurse.', 'Of the world.']) doNext(board, first, text);

  const second = runResearch(board, plan);
  // A step without inputs may use any source, so its result isn't reused.
  assert.equal(doNext(board, second, 'Of the world.'), 'c');
  assert.deepEqual(twinsIn(board, second), { a: `${first}/a`, b: `${first}/b`, c: undefined });
  assert.equal(board.research({ researchId: second })?.state, 'done');
  assert.deepEqual(board.product({ researchId: second, productId: 'a product' })?.createdBy, WORKER);

  const fresh = runResearch(board, planWith(dose('a')));
  assert.equal(doNext(board, fresh, 'It is 5 mg.', { fresh: ['search'] }), 'a');

  const { researchId: marked } = board.addResearch({
    ...{ goal: 'Find out', bounds: {} },
    options: { ...OPTIONS, keepsUnsupported: true },
  });
  board.setPlan({ researchId: marked, plan: planWith(dose('a')), basedOn: 0 });
  board.changeResearch({ researchId: marked, state: 'running' });
  assert.equal(doNext(board, marked, 'It may be 7 mg.'), 'a');

  store.documents.putDocument(
    id,
    { ...makeInput('It is 8 mg.', ''), hash: 'other' },
    splitForWindows,
    settings,
  );
  const third = runResearch(board, plan);
  assert.equal(doNext(board, third, 'It is 8 mg.'), 'a');
});

test('doesn’t reuse a result if a source changed meanwhile', async () => {
  const { board, sql } = await openBoard();
  const store = new Store(sql);
  const origin = { kind: 'folder', uri: 'file:///notes' } as const;
  const { id } = store.addSource('Notes', origin, makeInput('It is 5 mg.', ''), splitForWindows, settings);
  const researchId = runResearch(board, planWith(dose('a'), dose('b')));
  const claim = takeStep(board, researchId);
  store.documents.putDocument(
    id,
    { ...makeInput('It is 8 mg.', ''), hash: 'other' },
    splitForWindows,
    settings,
  );
  assert.equal(board.submitStep({ token: claim?.token ?? '', product: makeProduct('It is 5 mg.') }), 'kept');
  assert.equal(doNext(board, researchId, 'It is 8 mg.'), 'b');
});
