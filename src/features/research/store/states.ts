import type { BoardStep, Holder, PlanStep, StepState } from '../model/project.ts';
import { optionalText, optionalNumber, type Row } from '../../../index/store/database/database.ts';
import { readJson, readOptionalJson } from '../../../index/store/database/stored-json.ts';
import { storedHolder, storedStep } from './stored-json.ts';
import type { Statements } from '../../../index/store/database/statements.ts';

/** Stored state of a step. An open one is blocked or ready depending on the others. */
type StoredState = 'done' | 'failed' | 'in-progress' | 'open';

export interface StoredStep {
  readonly step: PlanStep;
  readonly state: StoredState;
  readonly holder: Holder | undefined;
  /** Current claim on the step. */
  readonly token: string | undefined;
  readonly heldUntil: number | undefined;
  readonly attempts: number;
  readonly reason: string | undefined;
  readonly draft: string;
  readonly sameAs: string | undefined;
  readonly isAnew: boolean;
  readonly pair: string | undefined;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Returns the steps of a research project's plan, in order. */
export function storedSteps(sql: Statements, researchId: string): StoredStep[] {
  return sql
    .all(
      'SELECT * FROM research_steps WHERE research_id = ? AND place IS NOT NULL ORDER BY place, id',
      researchId,
    )
    .flatMap(toStoredStep);
}

function toStoredStep(row: Row): StoredStep[] {
  const step = readJson<PlanStep | undefined>(storedStep, row['step'], undefined);
  // Skip a step in an unknown format from a newer version.
  if (step === undefined) return [];
  const { state } = row;
  return [
    {
      step: { ...step, id: String(row['id']) },
      state: state === 'done' || state === 'failed' || state === 'in-progress' ? state : 'open',
      holder: readOptionalJson(storedHolder, row['holder']),
      token: optionalText(row['token']),
      heldUntil: optionalNumber(row['held_until']),
      attempts: Number(row['attempts']),
      reason: optionalText(row['reason']),
      draft: String(row['draft']),
      sameAs: optionalText(row['same_as']),
      isAnew: row['is_anew'] === 1,
      pair: optionalText(row['pair']),
      startedAt: optionalNumber(row['started_at']),
      endedAt: optionalNumber(row['ended_at']),
    },
  ];
}

/** Reports whether a step is assigned at a given time. */
export function isHeld({ state, heldUntil }: StoredStep, now: number): boolean {
  return state === 'in-progress' && heldUntil !== undefined && heldUntil > now;
}

/** Returns the states of a plan's steps at a given time, and the steps that each waits for. */
export function stepStates(
  steps: readonly StoredStep[],
  now: number,
): ReadonlyMap<string, { readonly state: StepState; readonly waitsFor: readonly string[] }> {
  const makers = new Map(steps.map((stored) => [stored.step.produces, stored]));
  return new Map(
    steps.map((stored) => {
      const waitsFor = stored.step.materials.flatMap((material) => {
        const maker = makers.get(material);
        // Don't wait for an input that no step produces. The critic reported it, and the user started the project
        // anyway.
        return maker === undefined || maker.state === 'done' ? [] : [maker.step.id];
      });
      return [stored.step.id, { state: stepState(stored, waitsFor, now), waitsFor: [...new Set(waitsFor)] }];
    }),
  );
}

function stepState(stored: StoredStep, waitsFor: readonly string[], now: number): StepState {
  if (stored.state === 'done' || stored.state === 'failed') return stored.state;
  if (isHeld(stored, now)) return 'in-progress';
  return waitsFor.length > 0 ? 'blocked' : 'ready';
}

/** Returns the steps as shown on the board. */
export function boardSteps(steps: readonly StoredStep[], now: number): BoardStep[] {
  const states = stepStates(steps, now);
  return steps.map((stored) => {
    const { state = 'blocked', waitsFor = [] } = states.get(stored.step.id) ?? {};
    const isOpen = state === 'blocked' || state === 'ready';
    return {
      ...stored.step,
      state,
      holder: isOpen ? undefined : stored.holder,
      heldUntil: state === 'in-progress' ? stored.heldUntil : undefined,
      waitsFor,
      attempts: stored.attempts,
      reason: stored.reason,
      draft: stored.draft,
      sameAs: stored.sameAs,
      startedAt: isOpen ? undefined : stored.startedAt,
      endedAt: stored.endedAt,
    };
  });
}

/** Returns the steps that used or reused a step's result, directly or indirectly, in the plan's order. */
export function dependentSteps(steps: readonly StoredStep[], stepId: string): StoredStep[] {
  const byId = new Map(steps.map((stored) => [stored.step.id, stored]));
  const dependentIds = new Set([stepId]);
  const products = new Set([byId.get(stepId)?.step.produces]);
  for (let isMore = true; isMore;) {
    isMore = false;
    for (const { step, sameAs } of steps) {
      if (dependentIds.has(step.id)) continue;
      const isTwin = sameAs !== undefined && dependentIds.has(sameAs);
      if (!isTwin && !step.materials.some((material) => products.has(material))) continue;
      dependentIds.add(step.id);
      products.add(step.produces);
      isMore = true;
    }
  }
  dependentIds.delete(stepId);
  return steps.filter(({ step }) => dependentIds.has(step.id));
}
