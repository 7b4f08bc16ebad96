import { openDatabaseToRead } from '../store/database/database.ts';
import { Everything } from '../store/everything.ts';
import type { EverythingApi, EverythingHit, SearchedNotebook } from '../store/everything-api.ts';
import { Statements } from '../store/database/statements.ts';
import type { Handlers } from '../../messages/rpc.ts';

/** Idle time before searched notebooks are closed, in milliseconds, and maximum number of open ones. */
const IDLE_TIME = 60_000;
const MAX_HELD = 30;

interface Held {
  readonly everything: Everything;
  readonly sql: Statements;
}

/** Notebooks that are searched together, each opened for reading only. */
class HeldNotebooks {
  readonly #held = new Map<string, Promise<Held | undefined>>();
  #idle: NodeJS.Timeout | undefined;

  async prepare(notebooks: readonly SearchedNotebook[]): Promise<void> {
    this.#hold();
    for (const { directory } of notebooks.slice(0, MAX_HELD)) {
      const held = await this.#open(directory);
      // The same error occurs in the search, which then reopens the notebook.
      await held?.everything.prepare().catch(() => undefined);
    }
  }

  async search(
    words: string,
    limit: number,
    notebooks: readonly SearchedNotebook[],
  ): Promise<(EverythingHit & { key: string })[]> {
    this.#hold();
    const found: (EverythingHit & { key: string })[] = [];
    for (const { key, directory } of notebooks.slice(0, MAX_HELD)) {
      const held = await this.#open(directory);
      try {
        for (const hit of held?.everything.search(words, limit) ?? []) found.push({ ...hit, key });
      } catch {
        // A notebook that was deleted or replaced is reopened at the next search.
        this.#held.delete(directory);
        held?.sql.abandon();
      }
    }
    return found.toSorted((a, b) => b.score - a.score || b.at - a.at).slice(0, limit);
  }

  #hold(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#letGo(), IDLE_TIME).unref();
  }

  #open(directory: string): Promise<Held | undefined> {
    const known = this.#held.get(directory);
    if (known !== undefined) return known;
    const opening = openDatabaseToRead(directory).then(
      ({ database }) => {
        const sql = new Statements(database);
        return { sql, everything: new Everything(sql) };
      },
      () => {
        this.#held.delete(directory);
        return undefined;
      },
    );
    this.#held.set(directory, opening);
    return opening;
  }

  async #letGo(): Promise<void> {
    const all = [...this.#held.values()];
    this.#held.clear();
    for (const held of await Promise.all(all)) held?.sql.abandon();
  }
}

/** Returns the index worker's handlers for searches across notebooks. */
export function everythingHandlers(): Handlers<EverythingApi> {
  const held = new HeldNotebooks();
  return {
    prepareEverything: ({ notebooks }) => held.prepare(notebooks),
    searchEverything: ({ words, limit, notebooks }) => held.search(words, limit, notebooks),
  };
}
