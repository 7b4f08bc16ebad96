import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  mayBeLeft,
  nextResumeTime,
  resumeResearch,
} from '../../src/features/research/service/work/resume.ts';
import {
  boardClient,
  HOLD,
  planWith,
  makeProduct,
  makeStep,
  USER,
  takeStep,
} from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';
import type { Research } from '../../src/features/research/model/project.ts';

const plan = planWith(makeStep('a', ['sources']), makeStep('b', ['a']));

/** Returns a board with a clock that the test sets. */
async function createBoard(): Promise<{
  readonly board: Awaited<ReturnType<typeof openBoard>>['board'];
  readonly researchId: string;
  readonly clock: { now: number };
  readonly look: () => Research;
}> {
  const clock = { now: 1_000_000 };
  const { board } = await openBoard({ now: () => clock.now });
  const options = { approves: true, keepsUnsupported: false, workers: 2, tools: [] };
  const { researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options });
  const look = (): Research => {
    const research = board.research({ researchId });
    assert.ok(research);
    return research;
  };
  return { board, researchId, clock, look };
}

function isDue(research: Research, now: number): boolean {
  const at = nextResumeTime(research, new Set());
  return at !== undefined && at <= now;
}

test('continues a plan in another window once nobody holds it', async () => {
  const { board, researchId, clock, look } = await createBoard();
  assert.equal(isDue(look(), clock.now), false, 'whoever began it is about to hold it');
  const lease = { researchId, hold: HOLD };
  assert.equal(board.claimWhole({ ...lease, window: 'here' }), true);
  assert.equal(board.claimWhole({ ...lease, window: 'there' }), false);
  clock.now += HOLD / 2;
  assert.equal(isDue(look(), clock.now), false);
  board.claimWhole({ ...lease, window: 'here' });
  clock.now += 0.75 * HOLD;
  assert.equal(isDue(look(), clock.now), false, 'it went on holding it');
  clock.now += HOLD;
  assert.equal(isDue(look(), clock.now), true);
  assert.equal(board.claimWhole({ ...lease, window: 'there' }), true);
});

test('resumes steps whose holder is gone, but none that someone holds or the user paused', async () => {
  const { board, researchId, clock, look } = await createBoard();
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'planned' });
  clock.now += HOLD;
  assert.equal(nextResumeTime(look(), new Set()), undefined, 'it waits for the user');
  board.changeResearch({ researchId, state: 'running' });
  assert.equal(isDue(look(), clock.now), false);
  clock.now += 6_000;
  assert.equal(isDue(look(), clock.now), true, 'nobody took what is ready');
  assert.equal(nextResumeTime(look(), new Set(['find'])), undefined, 'only a person does it');
  const first = takeStep(board, researchId);
  clock.now += 20_000;
  board.renewStep({ token: first?.token ?? '', hold: HOLD });
  clock.now += 50_000;
  assert.equal(isDue(look(), clock.now), false, 'it is held on to');
  clock.now += HOLD;
  assert.equal(isDue(look(), clock.now), true, 'its window is gone');
  board.changeResearch({ researchId, state: 'paused' });
  assert.equal(nextResumeTime(look(), new Set()), undefined, 'the user stopped it');
  board.changeResearch({ researchId, state: 'running' });
  const own = board.claimStep({ researchId, holder: USER, hold: HOLD });
  clock.now += 6_000;
  assert.equal(nextResumeTime(look(), new Set()), undefined, 'the user has what everything waits for');
  board.submitStep({ token: own?.token ?? '', product: makeProduct('What a is.', USER) });
  clock.now += 6_000;
  assert.equal(isDue(look(), clock.now), true);
  const last = takeStep(board, researchId);
  board.submitStep({ token: last?.token ?? '', product: makeProduct('What b is.') });
  clock.now += HOLD;
  assert.equal(look().state, 'done');
  assert.equal(mayBeLeft(look()), false, 'what is over is not begun again');
  assert.equal(board.claimWhole({ researchId, window: 'here', hold: HOLD }), true);
  assert.equal(isDue(look(), clock.now), false);
  clock.now += 2 * HOLD;
  assert.equal(isDue(look(), clock.now), true, 'its report was begun and is not there');
  board.changeResearch({ researchId, report: 'The report' });
  assert.equal(nextResumeTime(look(), new Set()), undefined);
});

test('reruns the failed steps of a project that the user resumes', async () => {
  const { board, researchId, look } = await createBoard();
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  board.failStep({ token: takeStep(board, researchId)?.token ?? '', reason: 'No source says so.' });
  assert.equal(look().state, 'failed');
  await resumeResearch(boardClient(board), { researchId, basedOn: 1, user: USER });
  assert.equal(look().state, 'running');
  assert.deepEqual(
    look().steps.map(({ state }) => state),
    ['ready', 'blocked'],
  );
});
