// The PostgreSQL server that the unit tests of a run share. A test that ends the server, or needs other settings,
// starts its own with `startPostgres`. Logins belong to the server, so each file gives its members a prefix.
import { after, before } from 'node:test';
import pg from 'pg';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { setUpTeam } from '../../src/features/team/service/set-up.ts';
import type { Postgres } from './postgres.ts';
import { SHARED_SERVER_VARIABLE, startSharedPostgres } from './shared-postgres.ts';

export interface TeamServer {
  readonly port: number;
  /** Creates an empty database, and returns its administrator's connection string. */
  createDatabase(): Promise<string>;
  /** Creates a team's database without other members, and returns its administrator's connection string. */
  createTeamDatabase(): Promise<string>;
  /** Returns the administrator's connection string to the database of a member. */
  administratorOf(member: string): string;
}

/** The names of the databases of this process begin with it. */
const PREFIX = `team_${String(process.pid)}_`;

/** Lock that serializes the creation of the template among processes: any number that nothing else uses. */
const TEMPLATE_LOCK = 4_611;
const TEMPLATE = 'team_template';

/** The first version that has more than one way to copy a database. Copying files is faster than logging each page. */
const FIRST_VERSION_WITH_STRATEGY = 150_000;

/** Number of databases that this process created, which their names contain. */
let databases = 0;

/** Lets the tests of a file use the shared server, or a server of this process if the run has none. */
export function useTeamServer(): TeamServer {
  let own: Postgres | undefined;
  let administrator = '';
  let copy = '';
  const run = async <T>(connection: string, action: (client: pg.Client) => Promise<T>): Promise<T> => {
    const client = new pg.Client({ connectionString: connection });
    await client.connect();
    try {
      return await action(client);
    } finally {
      await client.end();
    }
  };
  const stringFor = (database: string): string => {
    const url = new URL(administrator);
    url.pathname = database;
    return url.href;
  };
  const create = async (options = ''): Promise<string> => {
    const name = PREFIX + String(++databases);
    await run(administrator, (client) => client.query(`CREATE DATABASE ${name}${options}`));
    return stringFor(name);
  };
  before(async () => {
    const shared = process.env[SHARED_SERVER_VARIABLE];
    if (shared === undefined) own = await startSharedPostgres();
    administrator = shared ?? own?.administrator ?? '';
  });
  after(async () => {
    await run(administrator, endSessions);
    await own?.stop();
  });
  return {
    get port() {
      return Number(new URL(administrator).port);
    },
    createDatabase: () => create(),
    administratorOf: (member) => stringFor(new URL(member).pathname),
    async createTeamDatabase() {
      copy ||= await run(administrator, makeTemplate);
      const database = await create(copy);
      // Copies of the template would be one team.
      await run(database, (client) =>
        client.query('UPDATE open_notebook.about SET team_id = md5(random()::text)::uuid'),
      );
      return database;
    },
  };

  /** Makes the template if the server has none; returns how a database is created from it. */
  async function makeTemplate(client: pg.Client): Promise<string> {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [TEMPLATE]);
    if (rowCount === 0) {
      await client.query(`CREATE DATABASE ${TEMPLATE}`);
      const connection = await openConnection(readConnectionString(stringFor(TEMPLATE)));
      await setUpTeam(connection);
      await closeConnection(connection);
    }
    await client.query('SELECT pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    const strategy = (rows[0]?.version ?? 0) < FIRST_VERSION_WITH_STRATEGY ? '' : ' STRATEGY file_copy';
    return ` TEMPLATE ${TEMPLATE}${strategy}`;
  }
}

/** Ends connections that failed tests left open, because they keep the process from ending. */
async function endSessions(client: pg.Client): Promise<void> {
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE starts_with(datname, $1)',
    [PREFIX],
  );
}
