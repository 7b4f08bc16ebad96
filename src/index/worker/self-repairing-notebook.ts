import { join } from 'node:path';
import type { IndexSettings } from '../../core/domain/settings.ts';
import type { OpenResult } from './api.ts';
import {
  damagedError,
  fileAt,
  isDamaged,
  mayTellOfDamage,
  ReplacedError,
} from '../store/database/database.ts';
import { NotebookIndex } from './notebook-index.ts';
import { repairDatabase } from '../store/database/opening.ts';

type Opening = Parameters<typeof NotebookIndex.open>;

/**
 * Notebook that repairs itself if its database turns out to be damaged: it's quarantined, its readable content is
 * recovered, and the request is repeated. All requests go through `run`.
 */
export class SelfRepairingNotebook {
  #opening: Opening;
  readonly #path: string;
  readonly #reopened: (result: OpenResult) => void;
  #index: NotebookIndex;
  #file: string | undefined;
  #mending: Promise<boolean> | undefined;
  #isKnownWhole = false;

  private constructor(opening: Opening, index: NotebookIndex, reopened: (result: OpenResult) => void) {
    this.#opening = opening;
    this.#path = pathIn(opening);
    this.#index = index;
    this.#file = fileAt(this.#path);
    this.#reopened = reopened;
  }

  /** Opens a notebook; `reopened` is called after each repair. See `NotebookIndex.open`. @throws NotebookError */
  static async open(
    opening: Opening,
    reopened: (result: OpenResult) => void,
  ): Promise<{ readonly notebook: SelfRepairingNotebook; readonly result: OpenResult }> {
    const { index, result } = await openAndRepair(opening);
    return { notebook: new SelfRepairingNotebook(opening, index, reopened), result };
  }

  /** Open notebook; replaced after a repair. */
  get index(): NotebookIndex {
    return this.#index;
  }

  /** Uses these settings from now on; see `NotebookIndex.setIndexSettings`. */
  setIndexSettings(settings: IndexSettings): void {
    const [directory, , events, access] = this.#opening;
    this.#opening = [directory, settings, events, access];
    this.#index.setIndexSettings(settings);
  }

  /** Runs work on the notebook, and repeats it if its database was damaged or replaced. */
  async run<T>(action: () => T | Promise<T>): Promise<T> {
    if (this.#mending !== undefined) await this.#mending;
    const usedIndex = this.#index;
    try {
      if (usedIndex.isReplaced) throw new ReplacedError();
      return await action();
    } catch (error) {
      // The repair that another call started may have caused this error.
      if (this.#mending !== undefined) await this.#mending;
      else if (this.#index === usedIndex) await this.#mend(error);
      if (this.#index === usedIndex)
        throw this.#opening[3] === 'read' && isDamaged(error) ? damagedError(error) : error;
      return await action();
    }
  }

  /** Closes the notebook after a repair in progress. */
  async close(): Promise<void> {
    await this.#mending;
    await this.#index.close();
  }

  /** Returns `true` if the notebook was reopened. */
  #mend(error: unknown): Promise<boolean> {
    const isReplaced = error instanceof ReplacedError;
    const isSure = isDamaged(error) || (error instanceof Error && isDamaged(error.cause));
    const isReadOnly = this.#opening[3] === 'read';
    if (!isReplaced && (isReadOnly || !mayTellOfDamage(error))) return Promise.resolve(false);
    if (!isReplaced && !isSure) {
      // Our own code caused the error, unless stored data is invalid. Checking that once is enough.
      if (this.#isKnownWhole) return Promise.resolve(false);
      this.#isKnownWhole = this.#index.isWhole();
      if (this.#isKnownWhole) return Promise.resolve(false);
    }
    this.#mending = this.#openAnew(!isReplaced).finally(() => {
      this.#mending = undefined;
    });
    return this.#mending;
  }

  async #openAnew(isDamagedNow: boolean): Promise<boolean> {
    await this.#index.abandon();
    const { notice } = isDamagedNow
      ? await repairDatabase(this.#path, this.#file, true)
      : { notice: undefined };
    const { index, result } = await openAndRepair(this.#opening);
    this.#index = index;
    this.#file = fileAt(this.#path);
    this.#reopened({ ...result, notice: notice ?? result.notice });
    return true;
  }
}

/** Opens a notebook, and repairs it first if necessary. */
async function openAndRepair(opening: Opening): ReturnType<typeof NotebookIndex.open> {
  try {
    return await NotebookIndex.open(...opening);
  } catch (error) {
    if (opening[3] === 'read' || !mayTellOfDamage(error)) throw error;
    const path = pathIn(opening);
    const { notice } = await repairDatabase(path, fileAt(path), isDamaged(error));
    if (notice === undefined) throw error;
    const { index, result } = await NotebookIndex.open(...opening);
    return { index, result: { ...result, notice } };
  }
}

function pathIn([directory]: Opening): string {
  return join(directory, 'notebook.sqlite');
}
