/** Changes in a folder: paths below it, or too many to list. */
export type Changes = ReadonlySet<string> | 'many';

/** Delays before the changes of a folder are handled. */
export interface ChangeTiming {
  /** Time without changes before they are handled, in milliseconds. */
  readonly settleMs: number;
  /** Rest after a check that soon followed another one, in durations of that check. */
  readonly restRatio: number;
}

const DEFAULT_TIMING: ChangeTiming = { settleMs: 800, restRatio: 4 };

/** Maximum delay of changes while others keep arriving, in milliseconds. */
const MAX_WAIT_MS = 5_000;

/**
 * If checks of a folder follow each other within this time, the folder rests for a multiple of the check's duration. So
 * a folder that changes all the time costs little.
 */
const SOON = 5_000;
const MAX_REST_MS = 60_000;

/** Number of changed paths above which they aren't listed individually. */
const MAX_PATHS = 5_000;

interface Pending {
  paths: Set<string> | 'many';
  since: number;
  timer: NodeJS.Timeout | undefined;
}

/** Collects changes until they settle, and then handles them together, one batch at a time for each folder. */
export class ChangeSettler {
  readonly #look: (id: string, changes: Changes) => Promise<void>;
  readonly #pending = new Map<string, Pending>();
  readonly #looking = new Set<string>();
  readonly #lookedAt = new Map<string, number>();
  readonly #restUntil = new Map<string, number>();
  readonly #timing: ChangeTiming;

  constructor(look: (id: string, changes: Changes) => Promise<void>, timing: Partial<ChangeTiming> = {}) {
    this.#look = look;
    this.#timing = { ...DEFAULT_TIMING, ...timing };
  }

  /**
   * Records that a path in a folder was created, changed, or deleted: `''` for the folder itself, `undefined` for too
   * many to list.
   */
  recordChange(id: string, path: string | undefined): void {
    const pending = this.#pending.get(id) ?? { paths: new Set(), since: Date.now(), timer: undefined };
    this.#pending.set(id, pending);
    if (path === undefined || path === '') pending.paths = 'many';
    else if (pending.paths !== 'many' && pending.paths.add(path).size > MAX_PATHS) pending.paths = 'many';
    if (!this.#looking.has(id)) this.#schedule(id, pending);
  }

  /** Discards pending changes of a folder. */
  forget(id: string): void {
    clearTimeout(this.#pending.get(id)?.timer);
    this.#pending.delete(id);
    this.#lookedAt.delete(id);
    this.#restUntil.delete(id);
  }

  dispose(): void {
    for (const id of [...this.#pending.keys()]) this.forget(id);
  }

  #schedule(id: string, pending: Pending): void {
    const now = Date.now();
    const settled = Math.min(now + this.#timing.settleMs, pending.since + MAX_WAIT_MS);
    const due = Math.max(settled, this.#restUntil.get(id) ?? 0);
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => void this.#begin(id, pending.paths), Math.max(0, due - now));
  }

  async #begin(id: string, changes: Changes): Promise<void> {
    this.#pending.delete(id);
    this.#looking.add(id);
    const started = Date.now();
    try {
      await this.#look(id, changes);
    } finally {
      this.#looking.delete(id);
      const now = Date.now();
      const rests = started - (this.#restUntil.get(id) ?? this.#lookedAt.get(id) ?? -Infinity) < SOON;
      this.#lookedAt.set(id, now);
      if (rests)
        this.#restUntil.set(id, now + Math.min(MAX_REST_MS, this.#timing.restRatio * (now - started)));
      else this.#restUntil.delete(id);
      const next = this.#pending.get(id);
      if (next !== undefined) this.#schedule(id, next);
    }
  }
}
