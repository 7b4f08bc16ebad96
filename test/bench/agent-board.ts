import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { openResearches, type Researches } from '../../src/features/research/store/board.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import type { Holder, Plan, PlanStep } from '../../src/features/research/model/project.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { OPTIONS, planWith, makeProduct } from '../support/made-boards.ts';
import { printTable, quantile } from './table.ts';

/*
 * People beside a model on one board, as Co-Voyager set out to show and could not: made plans, steps that take as long as
 * a seeded distribution says, a clock that does not wait, and the store as two windows have it open. How long a step
 * takes is assumed, and the same for all rows: what is measured is what the board makes of it.
 */

const PLANS = 60;
const MODEL_WORKERS = 2;

/**
 * Median durations in seconds. Single steps vary around them log-normally. Models read fast, and people judge fast.
 */
const SECONDS = {
  model: { read: 45, judge: 75, write: 90 },
  user: { read: 240, judge: 30, write: 300 },
} as const;
const SPREAD = 0.5;
type Kind = keyof (typeof SECONDS)['model'];

/** Share of a model's steps that fail for good, and share of the plans in which a worker is killed once. */
const FAILING = 0.04;
const KILLED = 0.25;
/** Interval at which somebody checks a model that works alone, in seconds. */
const LOOKS_IN_AFTER = 600;

/** Duration of a claim, in seconds, as in the product. */
const HOLD = 60;
const FOLLOWING = 1;

/** Steps that people choose: the first one, or those that they are better at and then those that wait longest. */
type Habit = 'any' | 'judging';

interface Hand {
  readonly holder: Holder;
  readonly window: Researches;
  /** In seconds. */
  busy: number;
  done: number;
  current: { readonly token: string; readonly since: number } | undefined;
}

interface Outcome {
  /** In seconds. */
  readonly time: number;
  readonly modelIdle: number;
  readonly userIdle: number;
  readonly byModel: number;
  readonly byUser: number;
  readonly mended: number;
  readonly conflicts: number;
}

interface PlanningResult {
  readonly plan: Plan;
  readonly kinds: ReadonlyMap<string, Kind>;
}

/**
 * Creates a plan with reading steps at the bottom, and judging and writing steps above, each based on up to three
 * below it.
 */
function generatePlan(seed: number): PlanningResult {
  const random = seededRandom(seed);
  const count = 12 + wholeBelow(random, 19);
  const kinds = new Map<string, Kind>();
  const steps: PlanStep[] = [];
  for (let i = 0; i < count; i++) {
    const share = i / count;
    const kind: Kind = random() < 0.75 - share * 0.6 ? 'read' : random() < 0.6 ? 'judge' : 'write';
    const id = `s${String(i)}`;
    const below = steps.slice(Math.max(0, i - 8));
    const materials = new Set<string>();
    if (share > 0.3)
      for (let n = 1 + wholeBelow(random, 3); n > 0; n--) {
        const from = below[wholeBelow(random, below.length)];
        if (from !== undefined) materials.add(from.produces);
      }
    kinds.set(id, kind);
    steps.push({
      ...{ id, action: kind, target: `${kind} ${id} of plan ${String(seed)}`, tools: [], quantity: -1 },
      materials: materials.size === 0 ? ['sources'] : [...materials],
      produces: `${id} product`,
    });
  }
  const used = new Set(steps.flatMap(({ materials }) => materials));
  const last = `s${String(count)}`;
  kinds.set(last, 'write');
  steps.push({
    ...{ id: last, action: 'write', target: `write plan ${String(seed)}`, tools: [], quantity: -1 },
    materials: steps.map(({ produces }) => produces).filter((id) => !used.has(id)),
    produces: 'report',
  });
  return { plan: planWith(...steps), kinds };
}

/** Returns a random number around 1, which is the median. */
function spread(random: () => number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.exp(SPREAD * normal);
}

function play(
  { plan, kinds }: PlanningResult,
  people: number,
  habit: Habit,
  seed: number,
  clock: { now: number },
  windows: readonly [Researches, Researches],
): Outcome {
  const random = seededRandom(seed);
  const [here, there] = windows;
  const { board } = here;
  const start = clock.now;
  const { researchId } = board.addResearch({ goal: `Plan ${String(seed)}`, bounds: {}, options: OPTIONS });
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  const hand = (holder: Holder, window: Researches): Hand => ({
    ...{ holder, window, busy: 0, done: 0, current: undefined },
  });
  const workers = Array.from({ length: MODEL_WORKERS }, (_, i) =>
    hand({ kind: 'model', name: `Worker ${String(i + 1)}`, window: 'here' }, here),
  );
  // The first sits at the window that the model works in.
  const users = Array.from({ length: people }, (_, i) =>
    hand({ kind: 'user', name: '', window: i === 0 ? 'here' : 'there' }, i === 0 ? here : there),
  );
  const hands = [...workers, ...users];
  const events: { readonly at: number; readonly run: () => void }[] = [];
  const later = (seconds: number, run: () => void): void => {
    events.push({ at: clock.now + seconds * 1000, run });
  };
  const doneBy = new Map<string, number>();
  let conflicts = 0;
  let mended = 0;
  let killAt = random() < KILLED ? 1 + wholeBelow(random, 8) : Infinity;

  /** Lets idle workers check the board again: in this window at once, in the other one after it syncs. */
  const observe = (window: Researches): void => {
    look(window);
    const other = window === here ? there : here;
    later(FOLLOWING, () => {
      other.changes.releaseExpired();
      other.changes.readOtherWindows();
      if (other.changes.takeChanged().includes(researchId)) look(other);
    });
  };

  const look = (window: Researches): void => {
    window.changes.takeChanged();
    for (const hand of hands) if (hand.window === window && hand.current === undefined) take(hand);
  };

  const choose = ({ window }: Hand): string | undefined => {
    const steps = window.board.research({ researchId })?.steps ?? [];
    const failed = steps.find(({ state }) => state === 'failed');
    const ready = steps.filter(({ state }) => state === 'ready');
    if (failed !== undefined) return failed.id;
    if (habit === 'any') return ready[0]?.id;
    return ready.find(({ id }) => kinds.get(id) === 'judge')?.id;
  };

  const take = (one: Hand): void => {
    const isUser = one.holder.kind === 'user';
    const stepId = isUser ? choose(one) : undefined;
    if (isUser && stepId === undefined) return;
    const wasFailed =
      one.window.board.research({ researchId })?.steps.find(({ id }) => id === stepId)?.state === 'failed';
    const claim = one.window.board.claimStep({ researchId, stepId, holder: one.holder, hold: HOLD * 1000 });
    if (claim === undefined) return;
    if (hands.some(({ current }) => current?.token === claim.token)) conflicts++;
    const { token, step } = claim;
    one.current = { token, since: clock.now };
    const seconds = SECONDS[one.holder.kind][kinds.get(step.id) ?? 'read'] * spread(random);
    const renew = (): void => {
      if (one.current?.token !== token) return;
      if (!one.window.board.renewStep({ token, hold: HOLD * 1000 })) conflicts++;
      later(HOLD / 3, renew);
    };
    later(HOLD / 3, renew);
    if (!isUser && --killAt === 0) {
      // Kill the worker in the middle of the step, without a notification. The step is free when its claim expires.
      later(seconds / 2, () => {
        rest(one);
        one.current = { token: '', since: clock.now };
        later(5, () => {
          one.current = undefined;
          take(one);
        });
        later(HOLD, () => {
          for (const window of windows) {
            window.changes.releaseExpired();
            window.changes.readOtherWindows();
            look(window);
          }
        });
      });
      return;
    }
    later(seconds, () => {
      rest(one);
      const board = one.window.board;
      if (!isUser && random() < FAILING) {
        board.failStep({ token, reason: 'Nothing bears it out.' });
        if (people === 0)
          later(LOOKS_IN_AFTER, () => {
            board.redoStep({ researchId, stepId: step.id });
            observe(one.window);
          });
      } else if (
        board.submitStep({ token, product: makeProduct(`What ${step.id} is.`, one.holder) }) === 'kept'
      ) {
        one.done++;
        if (wasFailed) mended++;
        doneBy.set(step.id, (doneBy.get(step.id) ?? 0) + 1);
      } else conflicts++;
      observe(one.window);
    });
  };

  const rest = (one: Hand): void => {
    one.busy += (clock.now - (one.current?.since ?? clock.now)) / 1000;
    one.current = undefined;
  };

  look(here);
  later(FOLLOWING, () => {
    there.changes.readOtherWindows();
    look(there);
  });
  while (board.research({ researchId })?.state !== 'done') {
    const next = events.toSorted((a, b) => a.at - b.at)[0];
    if (next === undefined) throw new Error('Nobody does anything, and the research is not done.');
    events.splice(events.indexOf(next), 1);
    clock.now = next.at;
    next.run();
  }
  const time = (clock.now - start) / 1000;
  for (const hand of hands) rest(hand);
  for (const count of doneBy.values()) conflicts += count - 1;
  if (board.research({ researchId })?.products.length !== plan.steps.length) conflicts++;
  const idle = (of: readonly Hand[]): number =>
    1 - of.reduce((sum, { busy }) => sum + busy, 0) / (of.length * time);
  const steps = (of: readonly Hand[]): number => of.reduce((sum, { done }) => sum + done, 0);
  // Move the clock past all timers, so that late ones don't affect another run.
  clock.now += 3_600_000;
  return {
    ...{ time, conflicts, mended, modelIdle: idle(workers), userIdle: idle(users) },
    ...{ byModel: steps(workers), byUser: steps(users) },
  };
}

/** Prints how long generated plans take a model alone and with people, on the real board. */
export async function measureAgentBoard(out: string | undefined): Promise<void> {
  const rows: { readonly people: number; readonly habit: Habit; readonly outcomes: readonly Outcome[] }[] =
    [];
  for (const [people, habit] of [
    [0, 'any'],
    [1, 'any'],
    [1, 'judging'],
    [2, 'any'],
    [2, 'judging'],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'agent-board-'));
    const clock = { now: 1_700_000_000_000 };
    const opened = await Promise.all([openDatabase(folder), openDatabase(folder)]);
    const [first, second] = opened.map(({ database }) => new Statements(database));
    try {
      if (first === undefined || second === undefined) throw new Error('Two windows are needed.');
      const now = (): number => clock.now;
      const windows = [openResearches(first, { now }), openResearches(second, { now })] as const;
      const outcomes = Array.from({ length: PLANS }, (_, i) =>
        play(generatePlan(i + 1), people, habit, 1_000 + i, clock, windows),
      );
      rows.push({ people, habit, outcomes });
    } finally {
      first?.close();
      second?.close();
      rmSync(folder, { recursive: true, force: true });
    }
  }
  const alone = rows[0]?.outcomes ?? [];
  const percent = (share: number): string =>
    Number.isNaN(share) ? '' : `${String(Math.round(share * 100))} %`;
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, one) => sum + one, 0) / values.length;
  const minutes = (seconds: number): string => (seconds / 60).toFixed(1);
  console.log(
    `${String(PLANS)} made plans of 13 to 31 steps, ${String(MODEL_WORKERS)} workers of a model, two windows; times are assumed for single steps alone.`,
  );
  printTable(
    [
      ...['people', 'they take', 'median min', '90 % min', 'of alone', 'model idle', 'people idle'],
      ...['by model', 'by people', 'mended', 'conflicts'],
    ],
    rows.map(({ people, habit, outcomes }) => [
      String(people),
      people === 0 ? '' : habit === 'any' ? 'what is first' : 'what is judged',
      minutes(
        quantile(
          outcomes.map(({ time }) => time),
          0.5,
        ),
      ),
      minutes(
        quantile(
          outcomes.map(({ time }) => time),
          0.9,
        ),
      ),
      percent(mean(outcomes.map(({ time }, i) => time / (alone[i]?.time ?? NaN)))),
      percent(mean(outcomes.map(({ modelIdle }) => modelIdle))),
      people === 0 ? '' : percent(mean(outcomes.map(({ userIdle }) => userIdle))),
      mean(outcomes.map(({ byModel }) => byModel)).toFixed(1),
      mean(outcomes.map(({ byUser }) => byUser)).toFixed(1),
      mean(outcomes.map(({ mended }) => mended)).toFixed(2),
      String(outcomes.reduce((sum, { conflicts }) => sum + conflicts, 0)),
    ]),
  );
  if (out !== undefined) writeFileSync(out, `${JSON.stringify(rows, null, 2)}\n`);
  if (rows.some(({ outcomes }) => outcomes.some(({ conflicts }) => conflicts > 0))) process.exitCode = 1;
}
