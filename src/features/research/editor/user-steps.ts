import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { BoardClient } from '../service/board-client.ts';
import type { Claim } from '../model/board.ts';
import type { Holder } from '../model/project.ts';

/** Duration of a claim on one of the user's steps, and the interval at which its window renews it, in milliseconds. */
const LEASE_MS = 45_000;
const RENEWAL = 15_000;

interface HeldClaim {
  readonly researchId: string;
  readonly claim: Claim;
}

/**
 * Steps that the user does in this window. They stay claimed while the window is open; if it crashes, the claims
 * expire.
 */
export class UserSteps implements vscode.Disposable {
  readonly #board: BoardClient;
  readonly #holder: Holder;
  readonly #claims = new Map<string, HeldClaim>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #timer: NodeJS.Timeout;

  readonly onDidChange = this.#changed.event;

  constructor(board: BoardClient, window: string) {
    this.#board = board;
    this.#holder = { kind: 'user', name: '', window };
    this.#timer = setInterval(() => void this.#renew(), RENEWAL);
  }

  get holder(): Holder {
    return this.#holder;
  }

  /** Returns the IDs of a project's steps that are done in this window. */
  of(researchId: string): readonly string[] {
    return [...this.#claims.values()]
      .filter((claim) => claim.researchId === researchId)
      .map(({ claim }) => claim.step.id);
  }

  /** @throws NotebookError `conflict` if somebody else has the step */
  async take(researchId: string, stepId: string): Promise<void> {
    if (this.#claims.has(stepKey(researchId, stepId))) return;
    const claim = await this.#board.call('claimStep', {
      researchId,
      stepId,
      holder: this.#holder,
      hold: LEASE_MS,
    });
    if (claim === undefined)
      throw new NotebookError(
        'conflict',
        vscode.l10n.t(
          'Can’t assign this step to you now. It’s assigned to someone else, or it’s waiting for another step.',
        ),
      );
    this.#claims.set(stepKey(researchId, stepId), { researchId, claim });
    this.#changed.fire();
  }

  async giveBack(researchId: string, stepId: string): Promise<void> {
    const { token } = this.heldClaim(researchId, stepId);
    this.forget(researchId, stepId);
    await this.#board.call('giveBackStep', { token });
  }

  /** @throws NotebookError `conflict` if the user no longer has the step */
  heldClaim(researchId: string, stepId: string): Claim {
    const heldClaim = this.#claims.get(stepKey(researchId, stepId));
    if (heldClaim !== undefined) return heldClaim.claim;
    throw new NotebookError(
      'conflict',
      vscode.l10n.t(
        'This step is no longer assigned to you. Assign it to yourself again. Your text is kept.',
      ),
    );
  }

  forget(researchId: string, stepId: string): void {
    if (this.#claims.delete(stepKey(researchId, stepId))) this.#changed.fire();
  }

  /** Releases all steps before another notebook is shown. */
  async leave(): Promise<void> {
    const claims = [...this.#claims.values()];
    this.#claims.clear();
    for (const { claim } of claims) await this.#board.call('giveBackStep', { token: claim.token });
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#changed.dispose();
  }

  async #renew(): Promise<void> {
    for (const { researchId, claim } of [...this.#claims.values()])
      try {
        const isHeld = await this.#board.call('renewStep', { token: claim.token, hold: LEASE_MS });
        if (!isHeld) this.forget(researchId, claim.step.id);
      } catch {
        // The claim outlasts one failed renewal, and the next may succeed.
      }
  }
}

function stepKey(researchId: string, stepId: string): string {
  return `${researchId} ${stepId}`;
}
