// The PostgreSQL server that all files of the unit tests share: the runner starts it, and tells its address to the files.
import { startPostgres, type Postgres } from './postgres.ts';

/** The environment variable with the connection string of the server's administrator. */
export const SHARED_SERVER_VARIABLE = 'OPEN_NOTEBOOK_TEST_POSTGRES';

export function startSharedPostgres(): Promise<Postgres> {
  return startPostgres({
    max_connections: '200',
    // Without statistics PostgreSQL compiles queries that take no time.
    jit: 'off',
    // With many databases PostgreSQL would look for work in one of them each second.
    autovacuum: 'off',
    // No test ends this server, so nothing has to be repaired after that.
    full_page_writes: 'off',
  });
}
