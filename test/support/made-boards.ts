// Plans, results, and holders for boards in tests, and a board as the editor uses it.
import type {
  Holder,
  Plan,
  PlanStep,
  Product,
  ResearchOptions,
} from '../../src/features/research/model/project.ts';
import type { BoardClient } from '../../src/features/research/service/board-client.ts';
import type { Claim, ResearchBoard } from '../../src/features/research/model/board.ts';

/** Calls a board as the editor does. */
export function boardClient(board: ResearchBoard): BoardClient {
  return {
    call: (method, params) => {
      const run = board[method] as (params: unknown) => unknown;
      return new Promise((resolve) => {
        resolve(run(params) as never);
      });
    },
  };
}

export const OPTIONS: ResearchOptions = { approves: true, keepsUnsupported: false, workers: 2, tools: [] };
export const USER: Holder = { kind: 'user', name: '', window: 'here' };
export const WORKER: Holder = { kind: 'model', name: 'Worker 1', window: 'here' };
export const OTHER_WORKER: Holder = { kind: 'model', name: 'Worker 1', window: 'there' };

/** Duration of a claim in tests, in milliseconds. */
export const HOLD = 60_000;

/** Returns a step that produces `NAME product` from the results of other steps, or from sources. */
export function makeStep(id: string, from: readonly string[] = [], more: Partial<PlanStep> = {}): PlanStep {
  const materials = from.map((one) => (/^source(s$|:)/.test(one) ? one : `${one} product`));
  return {
    ...{ id, action: 'find', target: `Find ${id}`, materials, tools: ['search'], produces: `${id} product` },
    quantity: -1,
    ...more,
  };
}

export function planWith(...steps: readonly PlanStep[]): Plan {
  const last = steps.at(-1)?.produces;
  return { steps, parts: last === undefined ? [] : [{ text: 'All of it', product: last }] };
}

export function makeProduct(text: string, createdBy: Holder = WORKER): Product {
  return {
    ...{ id: '', text, statements: [], citations: [], createdBy, createdAt: 1 },
    check: { claims: 0, supported: 0, partly: 0, cut: [] },
  };
}

/** Claims a step for the worker: the first that is ready, unless `more` names one. */
export function takeStep(board: ResearchBoard, researchId: string, more: object = {}): Claim | undefined {
  return board.claimStep({ researchId, holder: WORKER, hold: HOLD, ...more });
}

/** Does a step as the user does. */
export function doAsUser(board: ResearchBoard, researchId: string, stepId: string, text: string): void {
  const { token = '' } = board.claimStep({ researchId, stepId, holder: USER, hold: HOLD }) ?? {};
  board.submitStep({ token, product: makeProduct(text, USER) });
}

/** Adds a running research project with a plan. */
export function runResearch(board: ResearchBoard, plan: Plan, goal = 'Find out'): string {
  const { researchId } = board.addResearch({ goal, bounds: {}, options: OPTIONS });
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  return researchId;
}

/** Returns the states of a project's steps by ID. */
export function statesIn(board: ResearchBoard, researchId: string): Record<string, string> {
  const steps = board.research({ researchId })?.steps ?? [];
  return Object.fromEntries(steps.map(({ id, state }) => [id, state]));
}
