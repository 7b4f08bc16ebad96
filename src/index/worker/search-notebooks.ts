import { openDatabaseToRead } from '../store/database/database.ts';
import { GlobalSearch } from '../store/global-search.ts';
import type { GlobalSearchApi, GlobalSearchHit, SearchedNotebook } from '../store/global-search-api.ts';
import { Statements } from '../store/database/statements.ts';
import type { Handlers } from '../../core/rpc/rpc.ts';

/** Idle time before searched notebooks are closed, in milliseconds, and maximum number of open ones. */
const IDLE_TIME = 60_000;
const MAX_OPEN_NOTEBOOKS = 30;

interface OpenNotebook {
  readonly everything: GlobalSearch;
  readonly sql: Statements;
}

/** Notebooks that are searched together, each opened for reading only. */
class OpenNotebooks {
  readonly #held = new Map<string, Promise<OpenNotebook | undefined>>();
  #idle: NodeJS.Timeout | undefined;

  async prepare(notebooks: readonly SearchedNotebook[]): Promise<void> {
    this.#hold();
    for (const { directory } of notebooks.slice(0, MAX_OPEN_NOTEBOOKS)) {
      const opened = await this.#open(directory);
      // The same error occurs in the search, which then reopens the notebook.
      await opened?.everything.prepare().catch(() => undefined);
    }
  }

  async search(
    words: string,
    limit: number,
    notebooks: readonly SearchedNotebook[],
  ): Promise<(GlobalSearchHit & { key: string })[]> {
    this.#hold();
    const hits: (GlobalSearchHit & { key: string })[] = [];
    for (const { key, directory } of notebooks.slice(0, MAX_OPEN_NOTEBOOKS)) {
      const opened = await this.#open(directory);
      try {
        for (const hit of opened?.everything.search(words, limit) ?? []) hits.push({ ...hit, key });
      } catch {
        // A notebook that was deleted or replaced is reopened at the next search.
        this.#held.delete(directory);
        opened?.sql.abandon();
      }
    }
    return hits.toSorted((a, b) => b.score - a.score || b.at - a.at).slice(0, limit);
  }

  #hold(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => void this.#letGo(), IDLE_TIME).unref();
  }

  #open(directory: string): Promise<OpenNotebook | undefined> {
    const known = this.#held.get(directory);
    if (known !== undefined) return known;
    const opening = openDatabaseToRead(directory).then(
      ({ database }) => {
        const sql = new Statements(database);
        return { sql, everything: new GlobalSearch(sql) };
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
    const notebooks = [...this.#held.values()];
    this.#held.clear();
    for (const opened of await Promise.all(notebooks)) opened?.sql.abandon();
  }
}

/** Returns the index worker's handlers for searches across notebooks. */
export function globalSearchHandlers(): Handlers<GlobalSearchApi> {
  const openNotebooks = new OpenNotebooks();
  return {
    prepareEverything: ({ notebooks }) => openNotebooks.prepare(notebooks),
    searchEverything: ({ words, limit, notebooks }) => openNotebooks.search(words, limit, notebooks),
  };
}
