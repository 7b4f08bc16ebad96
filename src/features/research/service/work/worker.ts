import { t } from '@vscode/l10n';
import { isCanceled, NotebookError } from '../../../../core/domain/errors.ts';
import type { BoardClient } from '../board-client.ts';
import type { Claim } from '../../model/board.ts';
import type { BoardStep, Holder, RecordedEvent, Research } from '../../model/project.ts';
import type { ResearchServices } from './services.ts';
import { BudgetExceededError, Budget } from './budget.ts';
import { doStep } from './do-step.ts';

/** Duration of the lease on a step or report, and interval of its renewal, in milliseconds. */
export const LEASE_MS = 45_000;
export const RENEWED_AFTER = 15_000;

/** Skills that only read the notebook, so the board knows when their inputs change. */
const OF_NOTEBOOK: ReadonlySet<string> = new Set([
  ...['search', 'read', 'read-on', 'list-sources', 'list-headings', 'list-tables', 'query-table', 'compute'],
  ...['extract', 'compare', 'summarize', 'write-section', 'write-note'],
]);

export interface WorkInput {
  readonly board: BoardClient;
  readonly researchId: string;
  readonly services: ResearchServices;
  /** Identifies the window. */
  readonly window: string;
  readonly signal: AbortSignal;
  /** Called whenever a step is claimed or released. */
  readonly onChange: () => void;
  /** Budget to share if others in this window work on the project, too. */
  readonly budget?: Budget;
}

/**
 * Starts up to the project's maximum number of workers, which claim steps until none is available or a signal stops
 * them. A failure of the model or an exceeded budget pauses the project, with one sentence.
 */
export async function workOn(input: WorkInput): Promise<void> {
  const { board, researchId, services } = input;
  const research = await board.call('research', { researchId });
  if (research === undefined) return;
  const budget = input.budget ?? new Budget(board, researchId, services.now);
  const floor: Floor = { ...input, budget, waiting: new Set(), busy: 0 };
  const workers = Array.from({ length: Math.max(1, research.options.workers) }, (_, i) =>
    work(floor, { kind: 'model', name: String(i + 1), window: input.window }),
  );
  const done = await Promise.allSettled(workers);
  for (const result of done) if (result.status === 'rejected') throw result.reason;
}

/** State that the workers of a window share. */
interface Floor extends WorkInput {
  readonly budget: Budget;
  readonly waiting: Set<() => void>;
  /** Number of workers with a step. */
  busy: number;
}

async function work(floor: Floor, holder: Holder): Promise<void> {
  const { board, researchId, services, signal } = floor;
  const fresh = services.library.skills.map(({ name }) => name).filter((name) => !OF_NOTEBOOK.has(name));
  const without = services.library.skills
    .filter(({ isForUser }) => isForUser === true)
    .map(({ name }) => name);
  while (!signal.aborted) {
    const claim = await board
      .call('claimStep', { researchId, holder, hold: LEASE_MS, without, fresh })
      .catch((error: unknown) => {
        // The research project was removed.
        if (error instanceof NotebookError && error.code === 'not-found') return undefined;
        throw error;
      });
    if (claim === undefined) {
      if (floor.busy === 0) return;
      // A step in progress may make another one ready.
      await new Promise<void>((resolve) => {
        floor.waiting.add(resolve);
      });
      continue;
    }
    floor.busy++;
    try {
      floor.onChange();
      await floor.budget.work(() => doClaimed(floor, claim, holder));
    } finally {
      floor.busy--;
      for (const wake of floor.waiting) wake();
      floor.waiting.clear();
      floor.onChange();
    }
  }
}

/** Does a claimed step, and then submits, fails, or releases it. */
async function doClaimed(floor: Floor, claim: Claim, holder: Holder): Promise<void> {
  const { board, researchId, signal } = floor;
  const { token, step } = claim;
  const lost = new AbortController();
  const stop = AbortSignal.any([signal, lost.signal]);
  const renewing = setInterval(() => {
    // The next renewal adds the time.
    floor.budget.spendTime().catch(() => undefined);
    board.call('renewStep', { token, hold: LEASE_MS }).then(
      (isHeld) => {
        if (!isHeld) lost.abort();
      },
      // Ignore a failure, because the next renewal may succeed before the lease expires.
      () => undefined,
    );
  }, RENEWED_AFTER);
  const record = (event: RecordedEvent): void =>
    // A missing entry in the activity log must not stop the work.
    void board.call('record', { researchId, stepId: step.id, event }).catch(() => undefined);
  try {
    record({ kind: 'deed', deed: t('Assigned'), by: holder });
    const research = await board.call('research', { researchId });
    if (research === undefined) return;
    const { services, budget } = floor;
    const context = {
      services: { ...services, keepsUnsupported: research.options.keepsUnsupported },
      budget,
      record,
      signal: stop,
    };
    const onSentBack = (reason: string): Promise<void> => board.call('sendBackStep', { token, reason });
    const outcome = await doStep({ context, claim, research, holder, onSentBack });
    if (outcome.kind === 'failed') {
      await board.call('failStep', { token, reason: outcome.reason });
      record({ kind: 'deed', deed: t('Failed: {0}', outcome.reason), by: holder });
      return;
    }
    const outcomeOnBoard = await board.call('submitStep', { token, product: outcome.product });
    const action =
      outcomeOnBoard === 'kept'
        ? t('Submitted: {0}', step.produces)
        : t('Submitted too late because the step was completed, changed, or deleted in the meantime.');
    record({ kind: 'deed', deed: action, by: holder });
  } catch (error) {
    // A step whose lease was lost isn't ours to release.
    if (lost.signal.aborted) return;
    // A claim that isn't released expires.
    await board.call('giveBackStep', { token }).catch(() => undefined);
    record({ kind: 'deed', deed: t('Unassigned'), by: holder });
    if (signal.aborted || isCanceled(error)) return;
    await pause(floor, error);
  } finally {
    clearInterval(renewing);
  }
}

/** Pauses a research project that can't continue. The reason explains it. */
async function pause({ board, researchId }: Floor, error: unknown): Promise<void> {
  const research = await board.call('research', { researchId });
  if (research?.state !== 'running') return;
  await board.call('changeResearch', { researchId, state: 'paused', reason: pauseReason(error, research) });
}

/** Maximum number of unfinished steps to name. */
const MAX_NAMED_STEPS = 3;
const MAX_NAME_LENGTH = 80;

function pauseReason(error: unknown, { steps }: Pick<Research, 'steps'>): string {
  if (!(error instanceof BudgetExceededError))
    return error instanceof NotebookError
      ? error.message
      : t('A step stopped because of an unexpected error. See the log for details, then resume.');
  const unfinished = steps.filter(({ state }) => state !== 'done');
  const named = unfinished.slice(0, MAX_NAMED_STEPS).map((step) => `“${shortTarget(step)}”`);
  const more = unfinished.length - named.length;
  const list = more > 0 ? t('{0} and {1} more', named.join(', '), more) : named.join(', ');
  return t('{0} Increase it to resume. Unfinished steps: {1}.', error.message, list);
}

function shortTarget({ target }: BoardStep): string {
  const plain = target.replaceAll(/\s+/g, ' ').trim();
  return plain.length > MAX_NAME_LENGTH ? `${plain.slice(0, MAX_NAME_LENGTH).trimEnd()}…` : plain;
}
