import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ELSEWHERE,
  membersElsewhere,
  NOTHING_SPENT,
  type BoardStep,
  type Holder,
  type Research,
} from '../../src/features/research/model/project.ts';
import { boardStep, researchPageState, researchWith } from '../support/shown-research.ts';
import {
  announcement,
  boundAsTyped,
  boundOfTyped,
  checkInWords,
  productCheckInWords,
  holderInWords,
  makerInWords,
  isOpen,
  isWorkedOn,
  materialInWords,
  measures,
  numberSteps,
  boundsInTheWay,
  researchStateInWords,
  stepTimeInWords,
  describeReuse,
  waitingInWords,
  withStepNumbers,
} from '../../webview/research/words.ts';

const state = researchPageState();

describe('a step in words', () => {
  it('names its holder', () => {
    const user: Holder = { kind: 'user', name: '', window: 'here' };
    assert.equal(holderInWords(user, 'here'), 'You');
    assert.equal(holderInWords(user, 'there'), 'You, in another window');
    assert.equal(holderInWords({ kind: 'model', name: '2', window: 'there' }, 'here'), 'Model 2');
    assert.equal(holderInWords({ ...user, name: 'ada' }, 'here'), 'ada');
    assert.equal(makerInWords(user), 'You');
    assert.equal(makerInWords({ ...user, name: 'ada' }), 'ada');
  });

  it('names the steps that it waits for by number', () => {
    const board = researchWith({ steps: [boardStep('a'), boardStep('b'), boardStep('c')] });
    const waiting = boardStep('d', { waitsFor: ['a', 'c', 'gone'] });
    assert.equal(waitingInWords(waiting, numberSteps(board)), 'waiting for steps 1 and 3');
    assert.equal(waitingInWords(boardStep('d'), numberSteps(board)), undefined);
  });

  it('is named by its number in an issue', () => {
    const board = researchWith({ steps: [boardStep('find'), boardStep('s4'), boardStep('s4.1')] });
    assert.equal(
      withStepNumbers('Step s4.1 uses the skill “find”. Steps s4 and s4.1 do the same task as s9.', board),
      'Step 3 uses the skill “find”. Steps 2 and 3 do the same task as s9.',
    );
  });

  it('names its inputs', () => {
    const board = researchWith({ steps: [boardStep('a'), boardStep('b')] });
    const describeMaterial = (material: string): string => materialInWords(material, board, state.sources);
    assert.equal(describeMaterial('sources'), 'all sources');
    assert.equal(describeMaterial('source:s1'), 'birds.md');
    assert.equal(describeMaterial('source:s2'), 'a removed source');
    assert.equal(describeMaterial('b-product'), 'result of step 2');
    assert.equal(describeMaterial('ingots'), 'ingots (not produced by any step)');
  });

  it('can be changed until it begins, and again after it failed', () => {
    const open = (['ready', 'blocked', 'failed'] as const).map((one) => isOpen({ state: one }));
    const begun = (['in-progress', 'done'] as const).map((one) => isOpen({ state: one }));
    assert.deepEqual(
      [open, begun],
      [
        [true, true, true],
        [false, false],
      ],
    );
  });

  it('shows its duration, and when it finished if known here', () => {
    const minute = 60_000;
    const describeTime = (more: Partial<BoardStep>): string | undefined =>
      stepTimeInWords(boardStep('a', more), 10 * minute)?.replaceAll('\u00a0', ' ');
    assert.equal(describeTime({ state: 'in-progress', startedAt: 7 * minute }), 'for 3 min');
    assert.equal(describeTime({ state: 'in-progress' }), undefined);
    assert.equal(describeTime({ state: 'done', startedAt: minute, endedAt: 5 * minute }), 'took 4 min');
    assert.equal(describeTime({ state: 'failed', startedAt: minute, endedAt: 5 * minute }), 'took 4 min');
    assert.equal(describeTime({ state: 'done', endedAt: 5 * minute }), undefined);
    assert.equal(describeTime({ state: 'ready' }), undefined);
    // A reused result took no time.
    assert.equal(describeTime({ state: 'done', sameAs: 'b', startedAt: minute, endedAt: minute }), undefined);
  });

  it('describes the check of its result, and the removed sentences', () => {
    assert.equal(
      checkInWords({ claims: 9, supported: 6, partly: 1, unchecked: 1, cut: ['A.'] }),
      '6 of 9 statements supported · 1 partly supported · 1 not fact-checked · 1 removed',
    );
    assert.equal(checkInWords({ claims: 0, supported: 0, partly: 0, cut: [] }), 'no statements to check');
  });
});

describe('a person’s result', () => {
  const check = { claims: 1, supported: 0, partly: 0, cut: [] };
  const createdBy = { kind: 'user', name: '', window: 'w' } as const;

  it('has no count of statements if no source supports one', () => {
    assert.equal(productCheckInWords({ createdBy, check }), undefined);
    assert.equal(
      productCheckInWords({ createdBy, check: { ...check, supported: 1 } }),
      '1 of 1 statement supported',
    );
    assert.equal(
      productCheckInWords({ createdBy: { ...createdBy, kind: 'model' }, check }),
      '0 of 1 statement supported',
    );
  });
});

describe('limits', () => {
  it('are entered in minutes and saved in milliseconds, and empty means no limit', () => {
    assert.equal(boundOfTyped('time', '1.5'), 90_000);
    assert.equal(boundAsTyped('time', 90_000), '1.5');
    assert.equal(boundOfTyped('dollars', '0,25'), 0.25);
    for (const typed of ['', ' ', '0', '-3', 'many', 'Infinity'])
      assert.equal(boundOfTyped('tokens', typed), undefined, typed);
  });

  it('show how much is used, and which one is reached', () => {
    const bounded = researchWith({
      bounds: { tokens: 1000, requests: 4 },
      spent: { ...NOTHING_SPENT, tokens: 250, requests: 5 },
    });
    const shares = measures(bounded.spent, bounded.bounds).map(({ key, share }) => [key, share]);
    assert.deepEqual(Object.fromEntries(shares), {
      dollars: undefined,
      tokens: 0.25,
      time: undefined,
      requests: 1,
      toolCalls: undefined,
    });
    assert.deepEqual(
      boundsInTheWay(bounded).map(({ key }) => key),
      ['requests'],
    );
  });
});

describe('running work', () => {
  const model: Holder = { kind: 'model', name: '1', window: 'there' };

  it('in other windows is recognized by their claimed steps', () => {
    const claimedStep = boardStep('a', { state: 'in-progress', holder: model, heldUntil: 100 });
    assert.equal(isWorkedOn({ ...state, research: researchWith({ steps: [claimedStep] }) }, 50), true);
    assert.equal(isWorkedOn({ ...state, research: researchWith({ steps: [claimedStep] }) }, 150), false);
    assert.equal(
      isWorkedOn({ ...state, activity: { status: '', isTakenOver: false }, research: researchWith() }, 0),
      true,
    );
  });

  it('on other machines is recognized even if it is paused on this one', () => {
    const holders = ['ada', 'ben', 'ada'].map((name) => ({ kind: 'user', name, window: ELSEWHERE }) as const);
    const steps = holders.map((holder, place) =>
      boardStep(String(place), { state: 'in-progress', holder, heldUntil: 100 }),
    );
    const paused = researchWith({ state: 'paused', steps });
    assert.deepEqual(membersElsewhere(paused.steps), ['ada', 'ben']);
    assert.equal(isWorkedOn({ ...state, research: paused }, 150), true);
    const announced = (more: Partial<Research>): string =>
      announcement({ ...state, research: { ...paused, ...more } });
    assert.equal(announced({}), 'ada and ben are working on it. 0 of 3 steps done');
    assert.equal(announced({ steps: steps.slice(0, 1) }), 'ada is working on it. 0 of 1 step done');
    assert.equal(
      announced({ state: 'running' }),
      'Running · ada and ben are working on it. 0 of 3 steps done',
    );
    assert.equal(
      announced({ steps: [boardStep('a', { state: 'done', holder: holders[0] })] }),
      'Paused. 1 of 1 step done',
    );
    assert.equal(researchStateInWords('paused', ['ada']), 'ada is working on it');
  });

  it('is announced to a screen reader in a sentence or two', () => {
    const steps = [boardStep('a', { state: 'done' }), boardStep('b', { state: 'failed' }), boardStep('c')];
    assert.equal(
      announcement({ ...state, research: researchWith({ steps, reason: 'A bound is reached.' }) }),
      'Running. 1 of 3 steps done, 1 failed. A bound is reached.',
    );
    assert.equal(announcement({ ...state, research: undefined }), '');
  });
});

describe('a reused result', () => {
  it('names its origin', () => {
    const researches = [{ id: 'r1', goal: 'Tell of rain.' }];
    const numbers = new Map([['s2', 2]]);
    assert.equal(describeReuse('s2', researches, numbers), 'same result as step 2');
    assert.equal(
      describeReuse('r1/s2', researches, numbers),
      'reused from the research project “Tell of rain.”',
    );
    assert.equal(describeReuse('gone/s2', researches, numbers), 'reused from another research project');
  });
});
