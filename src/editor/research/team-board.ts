import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import { NotebookError } from '../../notebook/errors.ts';
import type { BoardClient, Claim, ResearchBoard } from '../../notebook/research-board.ts';
import type { Teams } from '../team/teams.ts';

type Call = (
  method: string,
  params: unknown,
  options?: { readonly signal?: AbortSignal },
) => Promise<unknown>;

/**
 * The board of a notebook that may be a team's: who has a step of it is decided by the team's database, so that of two who
 * take one at once on different machines one gets it.
 */
export function teamBoard(board: BoardClient, teams: Pick<Teams, 'claimStep' | 'releaseStep'>): BoardClient {
  /** What the steps that were taken here are held by in the team, by their tokens here. */
  const held = new Map<
    string,
    { readonly token: string; readonly researchId: string; readonly stepId: string }
  >();
  const own = board.call.bind(board) as unknown as Call;

  const claim = async (
    params: Parameters<ResearchBoard['claimStep']>[0],
    options?: { readonly signal?: AbortSignal },
  ): Promise<Claim | undefined> => {
    const taken = await board.call('claimStep', params, options);
    if (taken === undefined || held.has(taken.token)) return taken;
    const { researchId, hold, stepId } = params;
    const token = randomUUID();
    const asked = { token, researchId, stepId: taken.step.id };
    try {
      const answer = await teams.claimStep({ ...asked, hold });
      if (answer.kind === 'taken') held.set(taken.token, asked);
      if (answer.kind !== 'elsewhere') return taken;
      if (stepId !== undefined)
        throw new NotebookError('conflict', t('{0} has this step now.', answer.member));
    } catch (error) {
      await board.call('giveBackStep', { token: taken.token });
      throw error;
    }
    await board.call('giveBackStep', { token: taken.token });
    return undefined;
  };

  const call: Call = async (method, params, options) => {
    if (method === 'claimStep') return claim(params as Parameters<ResearchBoard['claimStep']>[0], options);
    const result = await own(method, params, options);
    const { token: local = '', hold = 0 } = params as { readonly token?: string; readonly hold?: number };
    const there = held.get(local);
    if (there === undefined) return result;
    switch (method) {
      case 'renewStep': {
        if (result !== true) break;
        // Without a line it is held on here: nobody else can be asked.
        const answer = await teams.claimStep({ ...there, hold }).catch(() => undefined);
        return answer?.kind !== 'elsewhere';
      }
      case 'giveBackStep':
      case 'failStep':
      case 'handInStep':
        held.delete(local);
        // Where it can't be said, its time runs out.
        teams.releaseStep(there.token).catch(() => undefined);
    }
    return result;
  };
  return { call } as unknown as BoardClient;
}
