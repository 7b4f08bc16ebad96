// Boards of researches in databases of their own; after each test they are closed and their folders removed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import { openDatabase } from '../../src/indexing/store/opening.ts';
import { openResearches, type Researches } from '../../src/indexing/store/research.ts';
import { Statements } from '../../src/indexing/store/statements.ts';
import type { Holder, Plan, PlanStep, Product, ResearchOptions } from '../../src/notebook/research.ts';
import type { BoardClient, ResearchBoard } from '../../src/notebook/research-board.ts';

const folders: string[] = [];
const opened: Statements[] = [];

afterEach(() => {
  for (const sql of opened.splice(0)) sql.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

export interface OpenedBoard extends Researches {
  readonly sql: Statements;
  readonly folder: string;
}

/** Opens the board of a folder as a window does; several may have it open at once. */
export async function openBoard({
  folder = mkdtempSync(join(tmpdir(), 'board-')),
  now = Date.now,
}: { readonly folder?: string; readonly now?: () => number } = {}): Promise<OpenedBoard> {
  folders.push(folder);
  const { database, readOnly } = await openDatabase(folder);
  const sql = new Statements(database);
  opened.push(sql);
  return { ...openResearches(sql, { now, readOnly }), sql, folder };
}

/** Asks a board as the editor does. */
export function clientOf(board: ResearchBoard): BoardClient {
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

/** How long a step is held in tests, in milliseconds. */
export const HOLD = 60_000;

/** A step that makes `NAME product` of products that are named by the steps that make them, or of sources. */
export function stepOf(id: string, from: readonly string[] = [], more: Partial<PlanStep> = {}): PlanStep {
  const materials = from.map((one) => (/^source(s$|:)/.test(one) ? one : `${one} product`));
  return {
    ...{ id, action: 'find', target: `Find ${id}`, materials, tools: ['search'], produces: `${id} product` },
    quantity: -1,
    ...more,
  };
}

export function planOf(...steps: readonly PlanStep[]): Plan {
  const last = steps.at(-1)?.produces;
  return { steps, parts: last === undefined ? [] : [{ text: 'All of it', product: last }] };
}

export function productOf(text: string, madeBy: Holder = WORKER): Product {
  return {
    ...{ id: '', text, statements: [], citations: [], madeBy, madeAt: 1 },
    check: { claims: 0, supported: 0, partly: 0, cut: [] },
  };
}

/** Adds a research with a plan, which runs. */
export function runResearch(board: ResearchBoard, plan: Plan, goal = 'Find out'): string {
  const { researchId } = board.addResearch({ goal, bounds: {}, options: OPTIONS });
  board.setPlan({ researchId, plan, basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  return researchId;
}

/** The states of a research's steps, by their ids. */
export function statesIn(board: ResearchBoard, researchId: string): Record<string, string> {
  const steps = board.research({ researchId })?.steps ?? [];
  return Object.fromEntries(steps.map(({ id, state }) => [id, state]));
}
