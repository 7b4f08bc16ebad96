import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { Holder, PlanStep, StepState } from '../../src/features/research/model/project.ts';
import type { ResearchBoard } from '../../src/features/research/model/board.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { OPTIONS, HOLD, planWith, makeProduct, runResearch, makeStep } from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';
import { rounds } from '../support/test-size.mjs';

/*
 * Two windows with a user and three workers each take steps, renew, hand in, fail, edit the plan and are killed at random,
 * while a model that knows nothing of databases says what has to come of it.
 */

const SEEDS = rounds(4, 16);
const DEEDS = 400;

/** State of a step as the model expects it. */
interface Known {
  step: PlanStep;
  state: 'done' | 'failed' | 'held' | 'open';
  token: string | undefined;
  /** Last holder of the step. */
  holder?: Holder;
  until: number;
  /** Submitted text that was saved. */
  text: string | undefined;
}

interface Hand {
  readonly holder: Holder;
  readonly board: ResearchBoard;
  /** Token of the claim that the hand believes to hold. */
  token: string | undefined;
}

/** Allowed transitions of a step by one action or by time, besides staying the same. */
const allowed: Readonly<Record<StepState, readonly StepState[]>> = {
  blocked: ['ready'],
  ready: ['blocked', 'in-progress'],
  'in-progress': ['blocked', 'done', 'failed', 'ready'],
  done: ['blocked', 'ready'],
  failed: ['blocked', 'in-progress', 'ready'],
};
const seen = new Set<string>();

class Play {
  now = 1_000;
  readonly random: () => number;
  readonly hands: Hand[] = [];
  readonly known = new Map<string, Known>();
  order: string[] = [];
  history: (readonly PlanStep[])[] = [];
  at = -1;
  version = 0;
  researchId = '';
  createdCount = 0;
  readonly lost: string[] = [];
  keptOf = new Map<string, number>();

  constructor(seed: number) {
    this.random = seededRandom(seed);
  }

  pick<T>(values: readonly T[]): T | undefined {
    return values[wholeBelow(this.random, values.length)];
  }

  newStep(): PlanStep {
    const id = `s${String(++this.createdCount)}`;
    const from = this.order.filter(() => this.random() < 0.25).slice(-3);
    return makeStep(id, from, { target: `Find ${id}` });
  }

  shown(id: string): StepState {
    const known = this.known.get(id);
    assert.ok(known);
    if (known.state === 'done' || known.state === 'failed') return known.state;
    if (known.state === 'held' && known.until > this.now) return 'in-progress';
    const waits = known.step.materials.some((material) =>
      this.order.some((other) => {
        const maker = this.known.get(other);
        return maker?.step.produces === material && maker.state !== 'done';
      }),
    );
    return waits ? 'blocked' : 'ready';
  }

  all(): Record<string, StepState> {
    return Object.fromEntries(this.order.map((id) => [id, this.shown(id)]));
  }

  holding(token: string): Known | undefined {
    return [...this.known.values()].find((one) => one.state === 'held' && one.token === token);
  }

  free(known: Known, state: 'done' | 'failed' | 'open'): void {
    Object.assign(known, { state, token: undefined, until: 0 });
  }

  dependentSteps(id: string): string[] {
    const dependentIds = [id];
    for (const dependentId of dependentIds)
      for (const other of this.order) {
        const known = this.known.get(other);
        const produced = this.known.get(dependentId)?.step.produces ?? '';
        if (known?.step.materials.includes(produced) && !dependentIds.includes(other))
          dependentIds.push(other);
      }
    return dependentIds.slice(1);
  }

  /** Reports whether a plan leaves claimed and finished steps unchanged. */
  mayUse(steps: readonly PlanStep[]): boolean {
    return this.order.every((id) => {
      const shown = this.shown(id);
      if (shown !== 'done' && shown !== 'in-progress') return true;
      const step = steps.find((one) => one.id === id);
      return JSON.stringify(step) === JSON.stringify(this.known.get(id)?.step);
    });
  }

  use(steps: readonly PlanStep[]): void {
    const before = new Map(this.known);
    this.known.clear();
    for (const step of steps) {
      const known = before.get(step.id);
      const isSame = known !== undefined && JSON.stringify(known.step) === JSON.stringify(step);
      this.known.set(
        step.id,
        isSame ? known : { step, state: 'open', token: undefined, until: 0, text: undefined },
      );
    }
    this.order = steps.map(({ id }) => id);
  }

  steps(): PlanStep[] {
    return this.order.map((id) => {
      const known = this.known.get(id);
      assert.ok(known);
      return known.step;
    });
  }
}

function refused(code: string, action: () => unknown): boolean {
  try {
    action();
    return false;
  } catch (error) {
    assert.ok(error instanceof NotebookError, String(error));
    assert.equal(error.code, code);
    return true;
  }
}

function claim(play: Play, hand: Hand): void {
  const { researchId } = play;
  const { state, steps = [] } = hand.board.research({ researchId }) ?? {};
  const stepId = play.random() < 0.3 ? play.pick(play.order) : undefined;
  const claim = hand.board.claimStep({ researchId, stepId, holder: hand.holder, hold: HOLD });
  const mends = hand.holder.kind === 'user' && stepId !== undefined;
  const isHis = (id: string): boolean => {
    const known = play.known.get(id);
    return known?.holder === hand.holder && play.shown(id) === 'in-progress';
  };
  // A step with a user's draft that wasn't released waits for the user.
  const isBegunByUser = (id: string): boolean => {
    const { state: kept, holder } = play.known.get(id) ?? {};
    return (
      kept === 'held' && holder?.kind === 'user' && steps.some((one) => one.id === id && one.draft !== '')
    );
  };
  // Steps of models that are at work, across all windows.
  const atWork = play.order.filter(
    (id) =>
      play.shown(id) === 'in-progress' &&
      play.known.get(id)?.holder?.kind === 'model' &&
      !(id === stepId && isHis(id)),
  );
  const mayTake =
    hand.holder.kind === 'model'
      ? state === 'running' && atWork.length < OPTIONS.workers
      : state === 'running' || state === 'paused' || (state === 'failed' && mends);
  const possible = play.order.filter(
    (id) =>
      mayTake &&
      (stepId === undefined || id === stepId) &&
      !(hand.holder.kind === 'model' && isBegunByUser(id)) &&
      (play.shown(id) === 'ready' || (mends && (play.shown(id) === 'failed' || isHis(id)))),
  );
  if (hand.holder.kind === 'model' && stepId !== undefined && isHis(stepId) && mayTake) possible.push(stepId);
  if (stepId === undefined || claim === undefined) assert.equal(claim?.step.id, possible[0]);
  if (claim === undefined) return;
  assert.ok(possible.includes(claim.step.id), `took ${claim.step.id} of ${possible.join()}`);
  const known = play.known.get(claim.step.id);
  assert.ok(known);
  // All inputs exist, with the text that was saved.
  for (const { id, text } of claim.materials)
    assert.equal(text, [...play.known.values()].find(({ step }) => step.produces === id)?.text);
  // An earlier claim of this hand, or on this step, is no longer valid.
  for (const old of [hand.token, known.token]) if (old !== undefined) play.lost.push(old);
  const { holder } = hand;
  Object.assign(known, { state: 'held', token: claim.token, holder, until: play.now + HOLD });
  hand.token = claim.token;
}

function submit(play: Play, hand: Hand, token: string): void {
  const known = play.holding(token);
  const text = `What ${known?.step.id ?? 'nobody'} is, told at ${String(play.now)} by ${token}`;
  const became = hand.board.submitStep({ token, product: makeProduct(text, hand.holder) });
  assert.equal(became, known === undefined ? 'late' : 'kept');
  if (known === undefined) return;
  play.keptOf.set(known.step.id, (play.keptOf.get(known.step.id) ?? 0) + 1);
  play.free(known, 'done');
  known.text = text;
}

function edit(play: Play, hand: Hand): void {
  const steps = play.steps();
  const chance = play.random();
  const index = wholeBelow(play.random, steps.length);
  const step = steps[index];
  assert.ok(step);
  if (chance < 0.4 || steps.length < 4) steps.push(play.newStep());
  else if (chance < 0.6) steps.splice(index, 1);
  else if (chance < 0.8)
    steps[index] = { ...step, target: `${step.target} and ${String(++play.createdCount)}` };
  else steps.splice(wholeBelow(play.random, steps.length), 0, ...steps.splice(index, 1));
  const isOld = play.random() < 0.15;
  const basedOn = isOld ? play.version - 1 : play.version;
  const isRefused = refused('conflict', () =>
    hand.board.setPlan({ researchId: play.researchId, plan: planWith(...steps), basedOn }),
  );
  assert.equal(isRefused, isOld || !play.mayUse(steps));
  if (isRefused) return;
  play.use(steps);
  play.history = [...play.history.slice(0, play.at + 1), steps];
  play.at++;
  play.version++;
}

function goTo(play: Play, hand: Hand, by: -1 | 1): void {
  const steps = play.history[play.at + by];
  const isRefused = refused('conflict', () => hand.board.stepPlan({ researchId: play.researchId, by }));
  assert.equal(isRefused, steps !== undefined && !play.mayUse(steps));
  if (isRefused || steps === undefined) return;
  play.use(steps);
  play.at += by;
  play.version++;
}

function redo(play: Play, hand: Hand, id: string): void {
  const known = play.known.get(id);
  const from = play.dependentSteps(id);
  const { researchId } = play;
  const undone = hand.board.dependentSteps({ researchId, stepId: id });
  assert.deepEqual(
    [...undone].sort(),
    from.filter((one) => ['done', 'in-progress'].includes(play.shown(one))).sort(),
  );
  hand.board.redoStep({ researchId, stepId: id });
  if (known === undefined || known.state === 'open') return;
  for (const stepId of [id, ...from]) {
    const knownStep = play.known.get(stepId);
    if (knownStep === undefined || knownStep.state === 'open') continue;
    play.free(knownStep, 'open');
    knownStep.text = undefined;
    play.keptOf.delete(stepId);
  }
}

/** Performs one random action. */
function act(play: Play): void {
  const hand = play.pick(play.hands);
  assert.ok(hand);
  const chance = play.random();
  const { token } = hand;
  if (chance < 0.1) play.now += wholeBelow(play.random, HOLD);
  else if (chance < 0.16) {
    // A hand that was killed, or whose machine slept, returns with an old token.
    const old = play.pick(play.lost);
    if (old !== undefined) submit(play, hand, old);
  } else if (hand.holder.kind === 'user' && chance < 0.42) {
    if (chance < 0.28) edit(play, hand);
    else if (chance < 0.33) goTo(play, hand, play.random() < 0.6 ? -1 : 1);
    else {
      const id = play.pick(play.order);
      if (id !== undefined) redo(play, hand, id);
    }
  } else if (token === undefined || chance < 0.2) claim(play, hand);
  else {
    const known = play.holding(token);
    if (chance < 0.35) {
      assert.equal(hand.board.renewStep({ token, hold: HOLD }), known !== undefined);
      if (known !== undefined) known.until = play.now + HOLD;
    } else if (chance < 0.42) {
      // Simulates a kill: nobody renews the claim.
      play.lost.push(token);
      hand.token = undefined;
    } else if (chance < 0.48) hand.board.sendBackStep({ token, reason: 'No.' });
    else if (chance < 0.54) {
      hand.board.giveBackStep({ token });
      if (known !== undefined) play.free(known, 'open');
      hand.token = undefined;
    } else if (chance < 0.6) {
      hand.board.failStep({ token, reason: 'No.' });
      if (known !== undefined) play.free(known, 'failed');
      hand.token = undefined;
    } else {
      submit(play, hand, token);
      hand.token = undefined;
    }
  }
}

function check(play: Play, before: Record<string, StepState>, lapsed: ReadonlySet<string>): void {
  const { researchId } = play;
  const [here, there] = [play.hands[0], play.hands.at(-1)];
  const research = here?.board.research({ researchId });
  assert.deepEqual(there?.board.research({ researchId }), research, 'both windows see the same');
  assert.ok(research);
  const states = Object.fromEntries(research.steps.map(({ id, state }) => [id, state]));
  assert.deepEqual(states, play.all());
  assert.deepEqual(
    research.steps.map(({ id }) => id),
    play.order,
  );
  for (const [id, state] of Object.entries(states)) {
    const was = before[id];
    seen.add(state);
    if (was === undefined || was === state) continue;
    // A holder whose claim expired may return before anybody else takes the step.
    const from = lapsed.has(id) ? 'in-progress' : was;
    assert.ok(from === state || allowed[from].includes(state), `${id} went from ${was} to ${state}`);
    seen.add(`${was} ${state}`);
  }
  const texts = play.order.flatMap((id) => play.known.get(id)?.text ?? []).sort();
  const storedProducts = research.products.map(
    ({ id }) => here?.board.product({ researchId, productId: id })?.text ?? '',
  );
  assert.deepEqual(storedProducts.sort(), texts, 'every product is kept once');
  for (const count of play.keptOf.values()) assert.equal(count, 1, 'no step is done twice');
  assert.equal(
    research.state === 'done',
    Object.values(states).every((state) => state === 'done'),
  );
  if (research.state === 'failed') assert.ok(Object.values(states).includes('failed'));
  assert.equal(research.planVersion, play.version);
}

for (let seed = 1; seed <= SEEDS; seed++)
  test(`finishes all steps once, whatever eight workers in two windows do at once (${String(seed)})`, async () => {
    const play = new Play(seed);
    const now = (): number => play.now;
    const opened = await openBoard({ now });
    const reopened = await openBoard({ folder: opened.folder, now });
    for (const { board, window } of [
      { board: opened.board, window: 'here' },
      { board: reopened.board, window: 'there' },
    ]) {
      play.hands.push({ board, holder: { kind: 'user', name: '', window }, token: undefined });
      for (const name of ['Worker 1', 'Worker 2', 'Worker 3'])
        play.hands.push({ board, holder: { kind: 'model', name, window }, token: undefined });
    }
    const steps: PlanStep[] = [];
    for (let i = 0; i < 8; i++) {
      steps.push(play.newStep());
      play.order = steps.map(({ id }) => id);
    }
    play.researchId = runResearch(opened.board, planWith(...steps));
    play.use(steps);
    Object.assign(play, { history: [steps], at: 0, version: 1 });

    const { researchId } = play;
    const goOn = (): void => {
      const { state } = opened.board.research({ researchId }) ?? {};
      if (state === 'paused') reopened.board.changeResearch({ researchId, state: 'running' });
    };
    for (let deed = 0; deed < DEEDS; deed++) {
      const before = play.all();
      const lapsed = new Set(play.order.filter((id) => play.known.get(id)?.state === 'held'));
      act(play);
      check(play, before, lapsed);
      if (play.random() < 0.2) goOn();
      if (play.random() < 0.2) [opened, reopened][wholeBelow(play.random, 2)]?.changes.releaseExpired();
    }
    // All hands work to the end, without kills or failures.
    play.now += HOLD;
    for (let round = 0; opened.board.research({ researchId })?.state !== 'done'; round++) {
      assert.ok(round < 500, 'it comes to its end');
      const failed = play.order.find((id) => play.shown(id) === 'failed');
      if (failed !== undefined && play.hands[0] !== undefined) redo(play, play.hands[0], failed);
      goOn();
      const hand = play.pick(play.hands);
      assert.ok(hand);
      const other: Hand = { ...hand, token: undefined };
      claim(play, other);
      const { token } = other;
      if (token !== undefined) submit(play, other, token);
    }
    check(play, play.all(), new Set());
  });

test('reached every state and every allowed transition', () => {
  for (const [from, ways] of Object.entries(allowed)) {
    assert.ok(seen.has(from), from);
    for (const to of ways) assert.ok(seen.has(`${from} ${to}`), `${from} to ${to}`);
  }
});
