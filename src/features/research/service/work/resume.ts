import type { BoardClient } from '../board-client.ts';
import type { Holder, Research, ResearchEntry } from '../../model/project.ts';

/** Time without news after which nobody works on a project, unless there is a lease, in milliseconds. */
const IDLE_TIMEOUT_MS = 5_000;

/** Reports whether a window may have abandoned a research project; `nextResumeTime` knows more. */
export function mayBeLeft({ state, wholeUntil }: Pick<ResearchEntry, 'state' | 'wholeUntil'>): boolean {
  return state === 'planning' || state === 'running' || (state === 'done' && wholeUntil !== undefined);
}

/**
 * Returns the time from which a window should resume an abandoned research project: the leases on its plan, report, and
 * steps have expired, and there is work left. Undefined if the project waits for the user or is over. A lease can be
 * renewed, so check again at that time.
 * @param forUser the actions whose steps only people do
 */
export function nextResumeTime(research: Research, forUser: ReadonlySet<string>): number | undefined {
  const { state, steps, wholeUntil = 0, changedAt } = research;
  if (!mayBeLeft(research)) return undefined;
  const quiet = changedAt + IDLE_TIMEOUT_MS;
  if (state !== 'running' || steps.length === 0) return Math.max(quiet, wholeUntil);
  const leaseEnds = steps.flatMap(({ state: own, holder, heldUntil = 0 }) =>
    own === 'in-progress' && holder?.kind === 'model' ? [heldUntil] : [],
  );
  if (leaseEnds.length > 0) return Math.max(quiet, Math.min(...leaseEnds));
  return steps.some((step) => step.state === 'ready' && !forUser.has(step.action)) ? quiet : undefined;
}

/**
 * Sets a project to running. If failed steps keep it from running, marks them to be rerun.
 * @param basedOn the version of the plan that the user saw
 * @throws NotebookError if the plan or the project changed
 */
export async function resumeResearch(
  board: BoardClient,
  {
    researchId,
    basedOn,
    user,
  }: { readonly researchId: string; readonly basedOn: number | undefined; readonly user: Holder },
): Promise<void> {
  await board.call('changeResearch', { researchId, basedOn, state: 'running', reason: '' });
  const research = await board.call('research', { researchId });
  if (research?.state !== 'failed') return;
  for (const { id, state } of research.steps)
    if (state === 'failed') await board.call('redoStep', { researchId, stepId: id, user });
}
