import type { Research, ResearchEntry } from '../../notebook/research.ts';

/** A research of which nothing was heard for so long is worked on by nobody, unless it is held, in milliseconds. */
const QUIET = 5_000;

/** Whether a research may be one that a window went away from; `whenToGoOn` tells more of it. */
export function mayBeLeft({ state, wholeUntil }: Pick<ResearchEntry, 'state' | 'wholeUntil'>): boolean {
  return state === 'planning' || state === 'running' || (state === 'done' && wholeUntil !== undefined);
}

/**
 * From when on a window is to go on with a research, as nobody does any more: what holds its plan, its report and its
 * steps has run out, and something is to be had. Undefined where that does not follow from how it stands: it waits for the
 * user, or is over. Who holds something may go on holding it, so it has to be looked at again then.
 * @param forUser the actions whose steps only people do
 */
export function whenToGoOn(research: Research, forUser: ReadonlySet<string>): number | undefined {
  const { state, steps, wholeUntil = 0, changedAt } = research;
  if (!mayBeLeft(research)) return undefined;
  const quiet = changedAt + QUIET;
  if (state !== 'running' || steps.length === 0) return Math.max(quiet, wholeUntil);
  const held = steps.flatMap(({ state: own, holder, heldUntil = 0 }) =>
    own === 'in-progress' && holder?.kind === 'model' ? [heldUntil] : [],
  );
  if (held.length > 0) return Math.max(quiet, Math.min(...held));
  return steps.some((step) => step.state === 'ready' && !forUser.has(step.action)) ? quiet : undefined;
}
