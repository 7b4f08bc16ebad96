import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { withOverrides } from '../../../core/rpc/overrides.ts';
import type { Filling } from '../service/fill-table.ts';
import { cellKey, type CellPlace, type ClaimedCell, type TableBoard } from '../model/extraction-table.ts';
import type { Teams } from '../../team/editor/teams.ts';

/** Time that a cell claimed by another member is left to them, and the interval of checks, in milliseconds. */
const CLAIM_GRACE_MS = 5_000;
const CHECK_INTERVAL_MS = 1_000;
/**
 * Time that an answered cell stays claimed, so that nobody fills it before the answer has reached them, in
 * milliseconds.
 */
const SEND_TIMEOUT_MS = 15_000;
/**
 * Maximum time for the team's database to return the holder of a cell, and the pause after it didn't, in milliseconds.
 */
const TIMEOUT_MS = 5_000;
const SILENCE = 30_000;

type Board = Filling['board'];
type Claim = Parameters<TableBoard['claimCell']>[0];

interface HeldCell {
  readonly tableId: string;
  readonly stepId: string;
  /** Token of the claim in the team. */
  readonly token: string;
  /** Timer that releases an answered cell. */
  releasing: NodeJS.Timeout | undefined;
}

/**
 * Cells that this window fills in a team notebook. The team's database decides who has a cell, as with research steps,
 * so that only one of several members who fill a table fills it. Without a connection to the database, each fills all
 * cells.
 */
export class TeamCells {
  readonly #teams: Pick<Teams, 'claimStep' | 'releaseStep'>;
  /** Claims by tables and cells. */
  readonly #held = new Map<string, HeldCell>();
  #silentUntil = 0;

  constructor(teams: Pick<Teams, 'claimStep' | 'releaseStep'>) {
    this.#teams = teams;
  }

  /**
   * Returns the board of a notebook that may be a team notebook. Claiming a cell waits while other members hold all
   * remaining cells, until one is answered or released, or the signal aborts.
   */
  board(own: Board, signal: AbortSignal): Board {
    const unsentPlaces = new Map<string, CellPlace>();
    return withOverrides<TableBoard>(own, {
      claimCell: (params) => this.#claim(own, params, unsentPlaces, signal),
      renewCells: async (params, options) => {
        await own.call('renewCells', params, options);
        this.#renew(params.tableId, params.hold);
      },
      releaseCells: async (params, options) => {
        await own.call('releaseCells', params, options);
        const { tableId, cell } = params;
        for (const [key, held] of [...this.#held])
          if (
            held.releasing === undefined &&
            (cell === undefined ? held.tableId === tableId : key === heldKey(tableId, cell))
          )
            this.#release(key, held);
      },
      keepCell: async (params, options) => {
        const isSaved = await own.call('keepCell', params, options);
        this.#releaseFilled(params, isSaved);
        return isSaved;
      },
    });
  }

  async #claim(
    own: Board,
    params: Claim,
    unsentPlaces: Map<string, CellPlace>,
    signal: AbortSignal,
  ): Promise<ClaimedCell | undefined> {
    const { tableId, holder } = params;
    for (;;) {
      const cell = await own.call('claimCell', params);
      if (cell === undefined) {
        await forgetAnswered(own, tableId, unsentPlaces);
        if (unsentPlaces.size === 0 || signal.aborted) return undefined;
        // Only a cancellation ends the wait early. The loop checks the signal.
        await sleep(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
        continue;
      }
      const { columnId, rowId } = cell;
      if (!(await this.#isElsewhere(params, cell, signal))) {
        unsentPlaces.delete(cellKey(cell));
        return cell;
      }
      await own.call('leaveCell', { tableId, columnId, rowId, holder, hold: CLAIM_GRACE_MS });
      unsentPlaces.set(cellKey(cell), { columnId, rowId });
    }
  }

  async #isElsewhere({ tableId, hold }: Claim, cell: ClaimedCell, signal: AbortSignal): Promise<boolean> {
    if (cell.sharedId === undefined || Date.now() < this.#silentUntil) return false;
    const key = heldKey(tableId, cell);
    const before = this.#held.get(key);
    clearTimeout(before?.releasing);
    const heldCells: HeldCell = {
      tableId,
      // Paths may be longer than the ID of a claim.
      stepId: createHash('sha256').update(cell.sharedId).digest('hex'),
      token: before?.token ?? randomUUID(),
      releasing: undefined,
    };
    const patience = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    try {
      const answer = await this.#teams.claimStep({ ...claimName(heldCells), hold }, patience);
      if (answer.kind === 'taken') this.#held.set(key, heldCells);
      return answer.kind === 'elsewhere';
    } catch {
      // Without the team's database, cells are filled here. Two members may fill the same cell.
      if (!signal.aborted) this.#silentUntil = Date.now() + SILENCE;
      return false;
    }
  }

  /** Renews the claims of a table. Claims that can't be renewed expire. */
  #renew(tableId: string, hold: number): void {
    for (const heldCell of this.#held.values())
      if (heldCell.tableId === tableId && heldCell.releasing === undefined)
        // A claim that isn't renewed expires.
        this.#teams.claimStep({ ...claimName(heldCell), hold }).catch(() => undefined);
  }

  #releaseFilled(result: Parameters<TableBoard['keepCell']>[0], isSaved: boolean): void {
    const key = heldKey(result.tableId, result);
    const heldCell = this.#held.get(key);
    if (heldCell === undefined) return;
    // Another member may be able to fill a cell that failed here.
    if (!isSaved || result.outcome.kind === 'failed') this.#release(key, heldCell);
    else heldCell.releasing = setTimeout(() => this.#release(key, heldCell), SEND_TIMEOUT_MS).unref();
  }

  #release(key: string, heldCell: HeldCell): void {
    clearTimeout(heldCell.releasing);
    this.#held.delete(key);
    // A claim that isn't released expires.
    this.#teams.releaseStep(heldCell.token).catch(() => undefined);
  }
}

/** Returns a claim in the form of the team's database, which identifies it by a research project and a step. */
function claimName({ tableId, stepId, token }: HeldCell): {
  readonly researchId: string;
  readonly stepId: string;
  readonly token: string;
} {
  return { researchId: tableId, stepId, token };
}

function heldKey(tableId: string, cell: CellPlace): string {
  return `${tableId} ${cellKey(cell)}`;
}

async function forgetAnswered(
  own: Board,
  tableId: string,
  unsentPlaces: Map<string, CellPlace>,
): Promise<void> {
  for (const [key, { columnId, rowId }] of [...unsentPlaces]) {
    const cell = await own.call('tableCell', { tableId, columnId, rowId });
    if (cell === undefined || cell.state === 'resting') unsentPlaces.delete(key);
  }
}
