import { randomUUID } from 'node:crypto';
import { t } from '@vscode/l10n';
import { withOverrides } from '../../../core/rpc/overrides.ts';
import type { CallOptions } from '../../../core/rpc/rpc.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { BoardClient } from '../service/board-client.ts';
import type { Claim, ResearchBoard } from '../model/board.ts';
import type { Teams } from '../../team/editor/teams.ts';

/**
 * Returns the board of a notebook that may be a team notebook. The team's database then decides who has a step, so that
 * only one of two members who claim it at once on different machines gets it.
 */
export function teamBoard(board: BoardClient, teams: Pick<Teams, 'claimStep' | 'releaseStep'>): BoardClient {
  /** Team claims of the steps that were claimed here, by their local tokens. */
  const heldClaims = new Map<
    string,
    { readonly token: string; readonly researchId: string; readonly stepId: string }
  >();
  const claim = async (
    params: Parameters<ResearchBoard['claimStep']>[0],
    options?: CallOptions<never>,
  ): Promise<Claim | undefined> => {
    const claim = await board.call('claimStep', params, options);
    if (claim === undefined || heldClaims.has(claim.token)) return claim;
    const { researchId, hold, stepId } = params;
    const token = randomUUID();
    const claimRequest = { token, researchId, stepId: claim.step.id };
    try {
      const answer = await teams.claimStep({ ...claimRequest, hold });
      if (answer.kind === 'taken') heldClaims.set(claim.token, claimRequest);
      if (answer.kind !== 'elsewhere') return claim;
      if (stepId !== undefined)
        throw new NotebookError('conflict', t('This step is now assigned to {0}.', answer.member));
    } catch (error) {
      await board.call('giveBackStep', { token: claim.token });
      throw error;
    }
    await board.call('giveBackStep', { token: claim.token });
    return undefined;
  };

  /** Releases a claim. If the team's database can't be reached, the claim expires. */
  const release = (token: string): void => {
    const heldClaim = heldClaims.get(token);
    heldClaims.delete(token);
    // A claim that isn't released expires.
    if (heldClaim !== undefined) teams.releaseStep(heldClaim.token).catch(() => undefined);
  };

  return withOverrides<ResearchBoard>(board, {
    claimStep: claim,
    renewStep: async (params, options) => {
      const isHeld = await board.call('renewStep', params, options);
      const heldClaim = heldClaims.get(params.token);
      if (!isHeld || heldClaim === undefined) return isHeld;
      // Without a connection, the step stays claimed, because no other member can claim it either.
      const answer = await teams.claimStep({ ...heldClaim, hold: params.hold }).catch(() => undefined);
      return answer?.kind !== 'elsewhere';
    },
    giveBackStep: async (params, options) => {
      await board.call('giveBackStep', params, options);
      release(params.token);
    },
    failStep: async (params, options) => {
      await board.call('failStep', params, options);
      release(params.token);
    },
    submitStep: async (params, options) => {
      const became = await board.call('submitStep', params, options);
      release(params.token);
      return became;
    },
  });
}
