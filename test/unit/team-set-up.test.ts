import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { connectionStringFor } from '../../src/features/team/service/connection-string.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import {
  SCHEMA_LOCK,
  TEAM_SCHEMA,
  versionOf,
  type TeamSchema,
} from '../../src/features/team/service/schema.ts';
import { addMember, removeMember, setUpTeam } from '../../src/features/team/service/set-up.ts';
import { readSql } from '../../src/features/team/service/sql/read-sql.ts';
import { throughPort } from '../support/postgres-connection.ts';
import { startPooler } from '../support/postgres-pooler.ts';
import { startPostgres, type Postgres } from '../support/postgres.ts';
import { rawly, withClient } from '../support/team.ts';
import { context } from '../support/team-members.ts';
import { EARLIER_STEPS, setUpVersion } from '../support/team-versions.ts';

const CLIENTS = 8;

let postgres: Postgres;
before(async () => {
  postgres = await startPostgres();
});
after(() => postgres.stop());

/** The schema, with a record of the versions that a setup created. */
const counted: TeamSchema = {
  ...TEAM_SCHEMA,
  tables: `${TEAM_SCHEMA.tables}; INSERT INTO public.taken VALUES (${String(versionOf(TEAM_SCHEMA))});`,
  migrations: TEAM_SCHEMA.migrations.map(
    (text, index) => `${text}; INSERT INTO public.taken VALUES (${String(index + 2)});`,
  ),
};
const LAST_VERSION = versionOf(counted);

async function emptyDatabase(): Promise<string> {
  const administrator = await postgres.createDatabase();
  await rawly(administrator, (client) => client.query('CREATE TABLE public.taken (step int)'));
  return administrator;
}

/** Returns all objects of a team's schema with their privileges, and functions without their comments. */
async function describeSchema(administrator: string): Promise<unknown> {
  const queries = [
    `SELECT c.relname, c.relkind, c.relrowsecurity, coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's' ELSE 'r' END::"char", c.relowner))::text AS acl, a.attname, a.atttypid::regtype::text, a.attnotnull,
       a.attstorage, a.attacl::text, pg_get_expr(d.adbin, d.adrelid) AS fallback
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
     LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'open_notebook'::regnamespace ORDER BY c.relname, a.attname`,
    `SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'open_notebook'::regnamespace ORDER BY 1`,
    `SELECT indexdef FROM pg_indexes WHERE schemaname = 'open_notebook' ORDER BY 1`,
    `SELECT tablename, policyname, qual FROM pg_policies WHERE schemaname = 'open_notebook' ORDER BY 1, 2`,
    `SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE c.relnamespace = 'open_notebook'::regnamespace AND NOT t.tgisinternal ORDER BY 1`,
    String.raw`SELECT regexp_replace(regexp_replace(pg_get_functiondef(oid), '--[^\n]*', '', 'g'), '\s+', ' ', 'g') AS definition, proacl::text FROM pg_proc WHERE pronamespace = 'open_notebook'::regnamespace ORDER BY 1`,
    'SELECT version, oldest_client FROM open_notebook.about',
    'SELECT name, role FROM open_notebook.members',
  ];
  return rawly(administrator, async (client) => {
    const described: unknown[] = [];
    for (const query of queries) described.push((await client.query<Record<string, unknown>>(query)).rows);
    return described;
  });
}

/** The schema of a new database. */
let freshSchema: Promise<unknown> | undefined;
function describeFreshSchema(): Promise<unknown> {
  freshSchema ??= emptyDatabase().then(async (administrator) => {
    await withClient(administrator, (client) => setUpTeam(client));
    return describeSchema(administrator);
  });
  return freshSchema;
}

for (const index of EARLIER_STEPS.keys())
  test(`upgrades version ${String(index + 1)} to the schema of a new database`, async () => {
    const administrator = await emptyDatabase();
    await withClient(administrator, async (client) => {
      await setUpVersion(client, index + 1);
      await setUpTeam(client);
    });
    assert.deepEqual(await describeSchema(administrator), await describeFreshSchema());
  });

test('creates functions that fit the tables of a new database', async () => {
  const administrator = await emptyDatabase();
  await withClient(administrator, async (client) => {
    await setUpTeam(client);
    // Now PostgreSQL checks the bodies.
    await client.query(TEAM_SCHEMA.functions);
  });
});

test('numbers migrations without gaps', () => {
  const numbers = readSql().flatMap(([name]) => (/^\d/.test(name) ? [Number.parseInt(name)] : []));
  assert.deepEqual(
    numbers,
    TEAM_SCHEMA.migrations.map((_, index) => index + 2),
  );
});

test('sets up several databases of a server at once, even with serializable transactions', async () => {
  const administrators = await Promise.all(Array.from({ length: 3 }, emptyDatabase));
  for (const administrator of administrators)
    await rawly(administrator, (client) =>
      client.query(
        `ALTER DATABASE ${new URL(administrator).pathname.slice(1)} SET default_transaction_isolation = 'serializable'`,
      ),
    );
  // The members' role belongs to the server, and doesn't exist at first.
  await rawly(administrators[0] ?? '', (client) =>
    client.query('DROP ROLE IF EXISTS open_notebook_member'),
  ).catch(() => undefined);
  await Promise.all(
    [...administrators, ...administrators].map(async (connection) =>
      teamHandlers.setUp({ connection }, context),
    ),
  );
  const [first, ...others] = await Promise.all(administrators.map(describeSchema));
  for (const other of others) assert.deepEqual(other, first);
});

for (const before of [undefined, 1, LAST_VERSION - 1])
  for (const isPooled of [false, true]) {
    const database = before === undefined ? 'an empty database' : `a database of version ${String(before)}`;
    const way = isPooled ? ' through a pooler' : '';
    test(`sets up ${database} once when several administrators start at the same moment${way}`, async (t) => {
      const administrator = await emptyDatabase();
      if (before !== undefined) await withClient(administrator, (client) => setUpVersion(client, before));
      const pooler = isPooled ? await startPooler([administrator]) : undefined;
      t.after(() => pooler?.close());
      const connection = pooler === undefined ? administrator : throughPort(administrator, pooler.port);
      await Promise.all(
        Array.from({ length: CLIENTS }, () => withClient(connection, (client) => setUpTeam(client, counted))),
      );
      // Runs the setup again like the command, which finds nothing to do.
      const { notebooks, role } = await teamHandlers.setUp({ connection }, context);
      assert.deepEqual([notebooks, role], [[], 'manager']);
      assert.deepEqual(await describeSchema(administrator), await describeFreshSchema());
      const { rows } = await rawly(administrator, (client) =>
        client.query<{ step: number }>('SELECT step FROM public.taken ORDER BY step'),
      );
      assert.deepEqual(
        rows.map(({ step }) => step),
        before === undefined
          ? [LAST_VERSION]
          : Array.from({ length: LAST_VERSION - before }, (_, index) => before + 1 + index),
      );
    });
  }

test('rolls back a failed setup without affecting others, and asks for an update of an old version', async () => {
  const administrator = await emptyDatabase();
  const broken = { ...counted, tables: `${counted.tables}; SELECT 1 / 0` };
  await assert.rejects(
    withClient(administrator, (client) => setUpTeam(client, broken)),
    /division by zero/,
  );
  const settled = await Promise.allSettled(
    [broken, counted, broken].map(async (schema) =>
      withClient(administrator, (client) => setUpTeam(client, schema)),
    ),
  );
  assert.equal(settled[1]?.status, 'fulfilled');
  await assert.rejects(
    withClient(administrator, (client) => setUpTeam(client, { ...counted, migrations: [] })),
    (error) =>
      error instanceof NotebookError && error.message.includes('A newer version of Open Notebook set up'),
  );
  const { rows } = await rawly(administrator, (client) => client.query('SELECT step FROM public.taken'));
  assert.equal(rows.length, 1);
});

test('fails with the names of members who hold a lock or a table for too long', async () => {
  const administrator = await emptyDatabase();
  await withClient(administrator, async (client) => {
    // Version 13 changes the table.
    await setUpVersion(client, 12);
    const reader = (await addMember(client, 'lockreader', 'reader')) ?? '';
    for (const lock of [
      `SELECT pg_advisory_lock(${SCHEMA_LOCK})`,
      'BEGIN; SELECT 1 FROM open_notebook.notebooks',
    ])
      await rawly(connectionStringFor(administrator, 'lockreader', reader), async (holder) => {
        await holder.query(lock);
        await assert.rejects(
          setUpTeam(client, counted, 100),
          /^NotebookError: Sessions of these members have locked the team database: lockreader\./,
        );
      });
    await setUpTeam(client, counted);
  });
});

test('runs nothing in a schema that an unprivileged user created', async () => {
  const administrator = await postgres.createDatabase();
  const database = new URL(administrator).pathname.slice(1);
  await rawly(administrator, async (client) => {
    await client.query(`CREATE ROLE schemaowner; GRANT CREATE ON DATABASE ${database} TO schemaowner`);
    await client.query('CREATE SEQUENCE public.fired; GRANT ALL ON SEQUENCE public.fired TO PUBLIC');
    await client.query(`SET SESSION AUTHORIZATION schemaowner;
      CREATE SCHEMA open_notebook;
      CREATE TABLE open_notebook.about (team_id uuid, version int, oldest_client int);
      CREATE FUNCTION open_notebook.fire() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM nextval('public.fired'); RETURN new; END $$;
      CREATE TRIGGER fire BEFORE INSERT ON open_notebook.about FOR EACH ROW EXECUTE PROCEDURE open_notebook.fire()`);
  });
  const isRefused = (): Promise<void> =>
    assert.rejects(
      withClient(administrator, (client) => setUpTeam(client)),
      /^NotebookError: The schema open_notebook in this database, or a part of it, belongs to schemaowner\./,
    );
  await isRefused();
  await rawly(administrator, (client) => client.query('ALTER SCHEMA open_notebook OWNER TO administrator'));
  await isRefused();
  await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ is_called: boolean }>('SELECT is_called FROM public.fired');
    assert.deepEqual(rows, [{ is_called: false }]);
    await client.query(
      'ALTER DATABASE ' + database + ' OWNER TO schemaowner; DROP SCHEMA open_notebook CASCADE',
    );
  });
  await withClient(administrator, (client) => setUpTeam(client));
});

test('removes a member whose sessions the server doesn’t let the administrator end', async () => {
  const administrator = await postgres.createDatabase();
  const database = new URL(administrator).pathname.slice(1);
  await withClient(administrator, async (client) => {
    await setUpTeam(client);
    await client.query(`CREATE ROLE weakadmin LOGIN CREATEROLE PASSWORD 'x';
      DROP SCHEMA open_notebook CASCADE;
      GRANT open_notebook_member TO weakadmin WITH ADMIN OPTION;
      GRANT CREATE ON DATABASE ${database} TO weakadmin`);
  });
  await withClient(connectionStringFor(administrator, 'weakadmin', 'x'), async (client) => {
    await setUpTeam(client);
    const password = (await addMember(client, 'staying', 'reader')) ?? '';
    assert.equal(
      await rawly(connectionStringFor(administrator, 'staying', password), async (member) => {
        await member.query('SELECT open_notebook.note_seen()');
        const areSessionsEnded = await removeMember(client, 'staying');
        await assert.rejects(member.query('SELECT open_notebook.note_seen()'), { code: '42501' });
        return areSessionsEnded;
      }),
      false,
    );
  });
});
