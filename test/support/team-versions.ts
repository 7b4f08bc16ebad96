import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SEARCH_PATH, type Client } from '../../src/features/team/service/connect.ts';
import { OLDEST_CLIENT } from '../../src/features/team/service/schema.ts';

const folder = fileURLToPath(new URL('../fixtures/team-schema', import.meta.url));

/** SQL that earlier clients ran to create version 1 of the schema and each later version, up to 14. */
export const EARLIER_STEPS: readonly string[] = readdirSync(folder)
  .sort()
  .map((name) => readFileSync(join(folder, name), 'utf8'));

/** Sets up an empty database as a client of an earlier schema version did. */
export async function setUpVersion(client: Client, version: number): Promise<void> {
  await client.query(`BEGIN; SET LOCAL search_path = ${SEARCH_PATH};
    CREATE SCHEMA open_notebook;
    CREATE TABLE open_notebook.about (team_id uuid NOT NULL, version int NOT NULL, oldest_client int NOT NULL);
    DO $$ BEGIN
      CREATE ROLE open_notebook_member NOLOGIN;
    EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
    END $$;
    GRANT USAGE ON SCHEMA open_notebook TO open_notebook_member;
    GRANT SELECT ON open_notebook.about TO open_notebook_member`);
  for (const step of EARLIER_STEPS.slice(0, version)) await client.query(step);
  const oldestClient = String(Math.min(version, OLDEST_CLIENT));
  await client.query(`INSERT INTO open_notebook.about
    VALUES (pg_catalog.md5(pg_catalog.random()::text)::uuid, ${String(version)}, ${oldestClient}); COMMIT`);
}
