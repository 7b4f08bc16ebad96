import { setTimeout as sleep } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import { isCanceled, NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';
import {
  planStep,
  type Plan,
  type Product,
  type RecordedEvent,
  type Research,
  type ResearchMemory,
  type ResearchState,
} from '../model/project.ts';
import { figuresSeen } from './memory/figures.ts';
import { toSituation } from './memory/situation.ts';
import { expandComposed, objectionsTo } from './plan/expand-composed.ts';
import { makePlan } from './plan/make-plan.ts';
import { writeReport } from './report/report.ts';
import type { WorkContext } from './work/asking.ts';
import { boundedModel, BudgetExceededError, Budget } from './work/budget.ts';
import { findCitationStatus } from './work/citation-status.ts';
import { LEASE_MS, RENEWED_AFTER, workOn, type WorkInput } from './work/worker.ts';

/** Interval of checks whether another window has written the report, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;

export interface ResearchInput extends WorkInput {
  /** Called with the current activity, in one sentence. */
  readonly emit: (status: string) => void;
  /** Parts of planning to skip, for measuring their benefit; none by default. */
  readonly without?: ReadonlySet<'backward' | 'critic' | 'memories'> | undefined;
}

/**
 * Advances a research project as far as possible: makes its plan, works on its steps, and writes the report once all
 * are done. Continues from the current state. Stops if the user has to approve the plan. A failure of the model or an
 * exceeded budget pauses the project, with one sentence.
 */
export async function doResearch(input: ResearchInput): Promise<void> {
  const { board, researchId, services, signal } = input;
  const budget = input.budget ?? new Budget(board, researchId, services.now);
  const parts = { ...input, budget };
  try {
    const before = await readResearch(parts);
    if (before?.state === 'planning' || (before?.state === 'running' && before.steps.length === 0))
      // Another window may be making the plan. If it closes, the next window continues.
      await once(parts, (own) => planIt(own, before));
    if ((await readResearch(parts))?.state === 'running') {
      await workOn(parts);
      await workOnChanged(parts);
    }
    for (let isAwaited = true; isAwaited && !signal.aborted;) {
      const { state, report } = (await readResearch(parts)) ?? {};
      isAwaited = state === 'done' && report === undefined && services.writesReport === true;
      // Another window may be writing the report. If it closes, this window continues.
      if (isAwaited && !(await once(parts, reportIt))) await sleep(CHECK_INTERVAL_MS, undefined, { signal });
    }
  } catch (error) {
    if (signal.aborted || isCanceled(error)) return;
    const research = await readResearch(parts);
    if (research === undefined) return;
    const reason =
      error instanceof NotebookError || error instanceof BudgetExceededError
        ? error.message
        : t(
            'The research project stopped because of an unexpected error. See the log for details, then resume.',
          );
    await board.call('changeResearch', { researchId, state: 'paused', reason });
    if (!(error instanceof NotebookError) && !(error instanceof BudgetExceededError)) throw error;
  }
}

/**
 * Writes the report of a research project with failed steps, from the available products.
 * @throws NotebookError if there are none yet, if there is a report or another window writes it, or if the model fails
 */
export async function reportSoFar(input: ResearchInput): Promise<void> {
  const { board, researchId, services } = input;
  const parts = { ...input, budget: input.budget ?? new Budget(board, researchId, services.now) };
  const research = await readResearch(parts);
  if (research === undefined || research.products.length === 0)
    throw new NotebookError(
      'empty',
      t('There are no results to write a report from yet. Complete at least one step first.'),
    );
  if (!(await once(parts, reportIt)))
    throw new NotebookError(
      'conflict',
      t('The report already exists, or another window is writing it. Check again in a moment.'),
    );
}

type Parts = ResearchInput & { readonly budget: Budget };

function readResearch({ board, researchId }: Parts): Promise<Research | undefined> {
  return board.call('research', { researchId });
}

/**
 * Reruns steps once before the report if sources have changed that their products cite. Leaves results by the user, and
 * results based on these, unchanged.
 */
async function workOnChanged(parts: Parts): Promise<void> {
  const { board, researchId, services } = parts;
  const research = await readResearch(parts);
  if (research?.state !== 'done' || research.report !== undefined) return;
  const sources = await services.sources();
  const isUsers = new Map(research.steps.map(({ id, holder }) => [id, holder?.kind === 'user']));
  const changed = new Map<string, string>();
  for (const { id, produces: productId } of research.steps) {
    const product = await board.call('product', { researchId, productId });
    if (product === undefined) continue;
    const standing = await findCitationStatus([product], sources, services.finder);
    if (standing.changed.size > 0) changed.set(productId, id);
  }
  // Results that don't appear in the report needn't be current.
  if (!research.parts.some(({ product }) => changed.has(product))) return;
  let isRedone = false;
  for (const stepId of changed.values()) {
    const undone = [stepId, ...(await board.call('dependentSteps', { researchId, stepId }))];
    if (undone.some((id) => isUsers.get(id) !== false)) continue;
    await board.call('redoStep', { researchId, stepId });
    isRedone = true;
  }
  if (isRedone) await workOn(parts);
}

/** Makes the plan of a research project, or revises it based on the user's comments. */
async function planIt(parts: Parts, research: Research): Promise<void> {
  const { board, researchId, services, budget, signal, emit, onChange, without } = parts;
  const comments = research.comments.filter(({ isHeard }) => !isHeard);
  const done = research.steps
    .filter(({ state }) => state === 'done' || state === 'in-progress')
    .map(({ id }) => id);
  const result = await makePlan({
    goal: research.goal,
    sources: await services.sources(),
    library: services.library,
    finder: services.finder,
    model: boundedModel(services.model, budget, services.prices),
    ...(research.steps.length > 0 && { previous: toPlan(research) }),
    comments,
    memories: without?.has('memories') === true ? [] : await readMemories(parts),
    criticizes: without?.has('critic') !== true,
    reasonsBackward: without?.has('backward') !== true,
    ...(services.open && { open: services.open() }),
    done,
    signal,
    emit,
    record: recorder(parts),
  });
  if (result.plan.steps.length === 0) {
    const reason =
      result.reason ??
      t('Couldn’t create a plan for this goal. Rephrase the goal, or write the steps yourself.');
    await board.call('changeResearch', { researchId, state: 'failed', reason });
    onChange();
    return;
  }
  const plan = expandComposed(result.plan, services.library);
  await board.call('setPlan', { researchId, plan, basedOn: research.planVersion });
  if (comments.length > 0)
    await board.call('hearComments', { researchId, commentIds: comments.map(({ id }) => id) });
  // The user decides on issues found by rules, because they block the plan.
  const isSound = result.objections.every(({ rule }) => rule === 'model');
  const state: ResearchState = research.options.approves || !isSound ? 'planned' : 'running';
  const { memories, reason = '' } = result;
  const objections = objectionsTo(plan, result.objections);
  await board.call('changeResearch', { researchId, state, objections, memories, reason });
  onChange();
}

/** Number of the notebook's own memories, most recent first, that come before shared ones. */
const OWN_FIRST = 50;

async function readMemories({ board, services }: Parts): Promise<readonly ResearchMemory[]> {
  const own = await board.call('memories', {});
  const shared = (await services.sharedMemories?.()) ?? [];
  return [...own.slice(0, OWN_FIRST), ...shared, ...own.slice(OWN_FIRST)];
}

function toPlan({ steps, parts }: Research): Plan {
  return { steps: steps.map(planStep), parts };
}

/**
 * Runs a task for the whole project unless another window does. Returns `false` if another window does, if the task is
 * already done, or if this window loses its lease before the end.
 */
async function once(
  parts: Parts,
  doing: (parts: Parts, renew: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const { board, researchId, window, signal, budget } = parts;
  const claim = (hold: number): Promise<boolean> => board.call('claimWhole', { researchId, window, hold });
  if (!(await claim(LEASE_MS))) return false;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    if (!(await claim(LEASE_MS))) lost.abort();
    throwIfCanceled(lost.signal);
  };
  const renewing = setInterval(() => {
    // Ignore a failure, because the next renewal may succeed before the lease expires.
    renew().catch(() => undefined);
  }, RENEWED_AFTER);
  try {
    const own = { ...parts, signal: AbortSignal.any([signal, lost.signal]) };
    await budget.work(() => doing(own, renew));
    return true;
  } catch (error) {
    if (lost.signal.aborted) return false;
    // A claim that isn't released expires.
    await claim(0).catch(() => undefined);
    throw error;
  } finally {
    clearInterval(renewing);
  }
}

/** Writes the report of a completed research project, and saves what worked. */
async function reportIt(parts: Parts, renew: () => Promise<void>): Promise<void> {
  const { board, researchId, services, budget, signal, emit, onChange } = parts;
  const research = await readResearch(parts);
  if (research === undefined) return;
  const products: Product[] = [];
  for (const { id } of research.products) {
    const product = await board.call('product', { researchId, productId: id });
    if (product !== undefined) products.push(product);
  }
  if (services.writesReport === true) {
    emit(t('Writing the report…'));
    const context: WorkContext = { services, budget, record: recorder(parts), signal };
    const { title, note } = await writeReport(context, research, products);
    await renew();
    const { window } = parts;
    await board.call('keepReport', { researchId, window, note: { title, ...note } });
  }
  await keepWhatWorked(parts, research, products);
  onChange();
}

/** Saves a completed project as a memory, unless the fact check found nothing in it that the sources support. */
async function keepWhatWorked(
  { board, researchId, services }: Parts,
  research: Research,
  products: readonly Product[],
): Promise<void> {
  const isUseful =
    products.some(({ check }) => check.supported + check.partly + (check.unchecked ?? 0) > 0) &&
    research.steps.every(({ state }) => state === 'done');
  if (!isUseful) return;
  const spent = (await board.call('research', { researchId }))?.spent ?? research.spent;
  await board.call('keepMemory', {
    goal: research.goal,
    situation: toSituation(await services.sources(), services.open?.()),
    plan: toPlan(research),
    products: Object.fromEntries(research.products.map(({ id, begins }) => [id, begins])),
    figures: figuresSeen(products),
    spent,
    isShared: false,
  });
}

/** Returns a recorder for events of the research project as a whole. */
function recorder({ board, researchId }: Parts): (event: RecordedEvent) => void {
  // A missing entry in the activity log must not stop the work.
  return (event) => void board.call('record', { researchId, event }).catch(() => undefined);
}
