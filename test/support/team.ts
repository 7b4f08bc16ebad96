// Members of a team, each with a notebook that follows the team's.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import type { ResearchLimits } from '../../src/features/research/model/project.ts';
import type { EmbeddingModel, PassageSettings } from '../../src/core/domain/settings.ts';
import type { TeamState } from '../../src/features/team/service/api.ts';
import { syncNotebook } from '../../src/features/team/service/sync-notebook.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { afterEachTest } from './after-each-test.mjs';
import { context } from './team-members.ts';
import { makeFolder, open, passageSettings, researchLimits } from './opened-notebooks.ts';
import { TIMEOUT_MS } from './until.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';

/** Runs an action on a connection as the editor opens it. */
export async function withClient<T>(
  connection: string,
  action: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openConnection(readConnectionString(connection));
  try {
    return await action(client);
  } finally {
    await closeConnection(client);
  }
}

/** Syncs machines one after another, each alone online. */
export async function syncInTurn(...machines: readonly Machine[]): Promise<void> {
  for (const machine of machines) {
    machine.goOnline();
    await machine.settled();
    await machine.goOffline();
  }
}

/** Runs statements as somebody with a raw SQL client does. */
export async function rawly<T>(connection: string, action: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: connection });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

const online = new Set<Machine>();

// One that a test failed with would keep its process from ending.
afterEachTest(() => Promise.all(Array.from(online, (machine) => machine.goOffline())));

/** A member's machine: a notebook that follows the team's while it is on. */
export class Machine {
  readonly directory: string;
  readonly index: NotebookIndex;
  connection: string;
  roots: readonly string[] = [];
  passages: PassageSettings = passageSettings;
  embeddings: EmbeddingModel | undefined;
  limits: ResearchLimits = researchLimits;
  /** Timeout of queries, in milliseconds; the product's by default. */
  queryTimeout: number | undefined;
  state: TeamState = { kind: 'connecting' };
  /** Reported states, with their times in milliseconds. */
  readonly reports: { readonly state: TeamState; readonly time: number }[] = [];
  #following: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  constructor(directory: string, index: NotebookIndex, connection: string) {
    this.directory = directory;
    this.index = index;
    this.connection = connection;
  }

  /** Joins a notebook with an empty machine. */
  static async join(connection: string, notebookId: string): Promise<Machine> {
    const to = makeFolder();
    const { id: teamId } = await teamHandlers.team({ connection }, context);
    await teamHandlers.join({ teamId, notebookId, to }, context);
    return new Machine(to, await open(to), connection);
  }

  /** Shares the notebook in a folder, and returns the machine that syncs it. */
  static async share(
    connection: string,
    from: string,
    notebookId: string,
    { isPrivate = false } = {},
  ): Promise<Machine> {
    const to = makeFolder();
    await teamHandlers.share(
      { connection, from, to, name: 'Garden', notebookId, everybody: isPrivate ? undefined : 'author' },
      context,
    );
    return new Machine(to, await open(to), connection);
  }

  goOnline(): void {
    const controller = new AbortController();
    const { connection, directory, roots, passages, embeddings, limits } = this;
    const done = syncNotebook(
      { connection, directory, roots, passages, embeddings, limits },
      (state) => {
        this.state = state;
        this.reports.push({ state, time: performance.now() });
      },
      controller.signal,
      this.queryTimeout,
    );
    this.#following = { controller, done };
    online.add(this);
  }

  async goOffline(): Promise<void> {
    this.#following?.controller.abort();
    await this.#following?.done;
    this.#following = undefined;
    online.delete(this);
  }

  /** Waits until something is so here. */
  async until<T>(
    what: string,
    look: () => Promise<T | undefined | false> | T | undefined | false,
  ): Promise<T> {
    const patience = Date.now() + TIMEOUT_MS;
    for (;;) {
      await this.index.followOthers();
      const result = await look();
      if (result !== undefined && result !== false) return result;
      if (Date.now() > patience)
        throw new Error(
          `It never came to this: ${what}; ${JSON.stringify(this.state)}; ${await this.readState()}`,
        );
      await sleep(50);
    }
  }

  /** Waits until there are no pending changes. */
  async settled(): Promise<void> {
    await withNotebook(this.directory, (sql) =>
      this.until(
        'all is sent',
        () =>
          this.state.kind === 'up-to-date' &&
          this.state.waiting === 0 &&
          sql.get('SELECT 1 FROM team_outbox WHERE refused IS NULL') === undefined,
      ),
    );
  }

  /** Waits for the changes that one of the two has sent and the other hasn't received. */
  async untilEqual(other: Machine): Promise<void> {
    await this.until('both are equal', async () => {
      await other.index.followOthers();
      return (await this.readState()) === (await other.readState());
    });
  }

  /** All that the team shares as it is here, as one text. */
  async readState(): Promise<string> {
    return withNotebook(this.directory, (sql) => {
      const rows = (query: string): unknown => sql.all(query);
      return JSON.stringify(
        {
          sources: rows('SELECT id, title FROM sources ORDER BY id'),
          documents: rows(
            'SELECT source_id, key, title, hash, passages FROM documents ORDER BY source_id, key',
          ),
          notes: rows(
            `SELECT n.id, n.title, n.text, m.thing, m.text AS original, m.made_at FROM notes n
             LEFT JOIN made_notes m ON m.note_id = n.id ORDER BY n.id`,
          ),
          extractionTables: rows('SELECT id, title, source_ids, row_kind, columns FROM matrices ORDER BY id'),
          // Cells of a document contain its local number, which differs between machines.
          cells: rows(
            `SELECT matrix_id, column_id, coalesce(d.source_id || ' ' || d.key, row_id) AS row, row_title, edited, asked,
               version, answer ->> '$.text' AS answer FROM matrix_cells
             LEFT JOIN documents d ON row_id = d.source_id || '/' || d.id
             WHERE coalesce(answer, edited) IS NOT NULL ORDER BY 1, 2, 3`,
          ),
          decks: rows('SELECT id, title, source_ids, created_at FROM card_decks ORDER BY id'),
          cards: rows(
            `SELECT deck_id, key, place, kind, maker, front, back, is_edited, is_stale, document_hash,
               removed_at IS NOT NULL AS is_removed FROM cards ORDER BY deck_id, key`,
          ),
          quizzes: rows("SELECT id, title, questions ->> '$[0].question' AS first FROM quizzes ORDER BY id"),
          conversations: rows('SELECT id, title FROM conversations WHERE shared = 1 ORDER BY id'),
          turns: rows(
            `SELECT t.id, conversation_id, question, state FROM turns t JOIN conversations c ON c.id = conversation_id
             WHERE shared = 1 ORDER BY t.id`,
          ),
          researches: rows('SELECT id, goal, report FROM researches ORDER BY id'),
          // The holder of an open step is local to a machine.
          steps: rows(
            `SELECT s.research_id, s.id, s.place, s.step, CASE WHEN s.state IN ('done', 'failed') THEN s.state END AS state, p.text
             FROM research_steps s LEFT JOIN research_products p ON p.research_id = s.research_id AND p.step_id = s.id
             WHERE place IS NOT NULL ORDER BY 1, 3`,
          ),
          remarks: rows(
            'SELECT research_id, step_id, text, is_heard FROM research_comments ORDER BY research_id, written_at, text',
          ),
          outbox: rows('SELECT kind, id, refused FROM team_outbox ORDER BY number'),
        },
        undefined,
        1,
      );
    });
  }
}

/** Connects machines to the team, and waits until the last one has a number of documents. */
export async function goOnline(machines: readonly Machine[], documents: number): Promise<void> {
  for (const machine of machines) machine.goOnline();
  const last = machines.at(-1);
  await last?.until('the sources are there', () => last.index.store.counts().documents === documents);
}
