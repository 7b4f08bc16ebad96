// PostgreSQL server for all unit test files: the runner starts it and passes its address to them.
import { startPostgres, type Postgres } from './postgres.ts';

/** The environment variable with the connection string of the server's administrator. */
export const SHARED_SERVER_VARIABLE = 'OPEN_NOTEBOOK_TEST_POSTGRES';

export function startSharedPostgres(): Promise<Postgres> {
  return startPostgres({
    max_connections: '200',
    // Without statistics, PostgreSQL compiles even quick queries.
    jit: 'off',
    // With many databases PostgreSQL would look for work in one of them each second.
    autovacuum: 'off',
    // No test kills this server, so nothing needs to be repaired.
    full_page_writes: 'off',
  });
}
