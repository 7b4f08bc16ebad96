// A board in memory, as plain as it can be: one window, no undo, no pairs.
import type { BoardClient, Claim, ResearchBoard } from '../../src/notebook/research-board.ts';
import {
  NOTHING_SPENT,
  type BoardStep,
  type Bounds,
  type Plan,
  type Product,
  type RecordedEvent,
  type Research,
  type ResearchOptions,
  type ResearchRecord,
} from '../../src/notebook/research.ts';

type Calls = { readonly [M in keyof ResearchBoard]?: ResearchBoard[M] };

export interface MemoryBoard extends BoardClient {
  readonly researchId: string;
  research(): Research;
  product(id: string): Product | undefined;
  records(stepId?: string): readonly ResearchRecord[];
}

export function boardInMemory(
  plan: Plan,
  { bounds = {}, options }: { bounds?: Bounds; options?: Partial<ResearchOptions> } = {},
): MemoryBoard {
  const researchId = 'research';
  const products = new Map<string, Product>();
  const records: ResearchRecord[] = [];
  const tokens = new Map<string, string>();
  let token = 0;
  const steps: BoardStep[] = plan.steps.map((step) => ({
    ...step,
    state: 'ready',
    holder: undefined,
    heldUntil: undefined,
    waitsFor: [],
    attempts: 0,
    reason: undefined,
    draft: '',
    sameAs: undefined,
    startedAt: undefined,
    endedAt: undefined,
  }));
  let research: Research = {
    id: researchId,
    goal: 'Find out',
    state: 'running',
    reason: undefined,
    createdAt: 1,
    changedAt: 1,
    revision: 1,
    scope: undefined,
    bounds,
    spent: NOTHING_SPENT,
    options: { approves: false, keepsUnsupported: false, workers: 2, tools: [], ...options },
    planVersion: 1,
    canUndo: false,
    canRedo: false,
    parts: plan.parts,
    steps: [],
    objections: [],
    comments: [],
    products: [],
    memories: [],
    report: undefined,
  };
  const waitsFor = (step: BoardStep): string[] =>
    steps
      .filter(
        ({ id, produces, state }) => id !== step.id && step.materials.includes(produces) && state !== 'done',
      )
      .map(({ id }) => id);
  const current = (): Research => ({
    ...research,
    steps: steps.map((step) => ({
      ...step,
      waitsFor: waitsFor(step),
      state: step.state === 'ready' && waitsFor(step).length > 0 ? 'blocked' : step.state,
    })),
  });
  const change = (id: string, more: Partial<BoardStep>): void => {
    const at = steps.findIndex((step) => step.id === id);
    const step = steps[at];
    if (step !== undefined) steps[at] = { ...step, ...more };
  };
  const held = (given: string): string | undefined => tokens.get(given);
  const settle = (): void => {
    if (steps.every(({ state }) => state === 'done')) research = { ...research, state: 'done' };
  };
  const calls: Calls = {
    research: () => current(),
    product: ({ productId }) => products.get(productId),
    changeResearch: ({
      state = research.state,
      reason = research.reason,
      bounds: most = research.bounds,
      report,
    }) => {
      research = { ...research, state, reason: reason === '' ? undefined : reason, bounds: most, report };
    },
    claimStep: ({ holder, without = [] }): Claim | undefined => {
      if (research.state !== 'running') return undefined;
      const step = current().steps.find(
        ({ state, action }) => state === 'ready' && !without.includes(action),
      );
      if (step === undefined) return undefined;
      const name = `token ${String(++token)}`;
      tokens.set(name, step.id);
      change(step.id, { state: 'in-progress', holder });
      return {
        token: name,
        step: { ...step, state: 'in-progress', holder },
        materials: step.materials.flatMap((id) => products.get(id) ?? []),
      };
    },
    renewStep: ({ token: given }) => held(given) !== undefined,
    giveBackStep: ({ token: given }) => {
      const id = held(given);
      tokens.delete(given);
      if (id !== undefined) change(id, { state: 'ready', holder: undefined });
    },
    handInStep: ({ token: given, product }) => {
      const id = held(given);
      tokens.delete(given);
      if (id === undefined) return 'late';
      products.set(product.id, product);
      change(id, { state: 'done' });
      settle();
      return 'kept';
    },
    sendBackStep: ({ token: given, reason }) => {
      const step = steps.find(({ id }) => id === held(given));
      if (step !== undefined) change(step.id, { attempts: step.attempts + 1, reason });
    },
    failStep: ({ token: given, reason }) => {
      const id = held(given);
      tokens.delete(given);
      if (id !== undefined) change(id, { state: 'failed', reason });
    },
    spend: ({ usage, time = 0, requests = 0, toolCalls = 0 }) => {
      const { spent } = research;
      research = {
        ...research,
        spent: {
          dollars: spent.dollars + (usage?.cost ?? 0),
          tokens: spent.tokens + (usage?.input ?? 0) + (usage?.output ?? 0),
          time: spent.time + time,
          requests: spent.requests + requests,
          toolCalls: spent.toolCalls + toolCalls,
        },
      };
      return research.spent;
    },
    record: ({ stepId, event }) => {
      records.push({ id: records.length + 1, stepId, at: 1, event: structuredClone<RecordedEvent>(event) });
    },
    records: ({ stepId }) => records.filter((each) => stepId === undefined || each.stepId === stepId),
  };
  return {
    researchId,
    research: current,
    product: (id) => products.get(id),
    records: (stepId) => records.filter((each) => stepId === undefined || each.stepId === stepId),
    call: (method, params) => {
      const run = calls[method] as ((params: unknown) => unknown) | undefined;
      return new Promise((resolve) => {
        if (run === undefined) throw new Error(`The board in memory has no ${method}.`);
        resolve(run(params) as never);
      });
    },
  };
}
