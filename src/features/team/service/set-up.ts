import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { t } from '@vscode/l10n';
import pg, { type QueryConfig } from 'pg';
import { NotebookError } from '../../../core/domain/errors.ts';
import { plainTitle } from '../../../core/domain/plain-title.ts';
import { SEARCH_PATH, type Client } from './connect.ts';
import type { TeamRole } from '../model/roles.ts';
import { OLDEST_CLIENT, SCHEMA_LOCK, TEAM_SCHEMA, versionOf, type TeamSchema } from './schema.ts';

/** PostgreSQL's default number of SCRAM iterations. */
const ROUNDS = 4_096;

/** PostgreSQL's error code for a lock that wasn't available in time. */
const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL's error code for a missing permission. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Time limit of a migration, in milliseconds. Some move all data of a team. */
const MOVING = 3_600_000;

/** Maximum time that setup, adding, and removing members wait for a lock of another session, in milliseconds. */
const LOCK_TIMEOUT_MS = 30_000;

/** Maximum length of a name, in bytes. */
const MAX_NAME_LENGTH = 63;

/**
 * Creates the team's schema or upgrades it. If several clients do so at once, one does it and the others wait.
 * @throws NotebookError `unsupported` for a schema of a newer version, `forbidden` for a schema whose owner could run
 * code with the administrator's rights, `timeout` if another session holds a lock for too long
 */
export async function setUpTeam(
  client: Client,
  schema: TeamSchema = TEAM_SCHEMA,
  lockTimeout = LOCK_TIMEOUT_MS,
): Promise<void> {
  await inTransaction(client, lockTimeout, async () => {
    await client.query('SELECT pg_catalog.pg_advisory_xact_lock($1::bigint)', [SCHEMA_LOCK]);
    await client.query('CREATE SCHEMA IF NOT EXISTS open_notebook');
    await checkOwner(client);
    await client.query(
      `CREATE TABLE IF NOT EXISTS open_notebook.about (team_id uuid NOT NULL, version int NOT NULL, oldest_client int NOT NULL)`,
    );
    await client.query(`DO $$ BEGIN
        IF NOT EXISTS (SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = 'open_notebook_member') THEN
          CREATE ROLE open_notebook_member NOLOGIN;
        END IF;
      EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
      END $$`);
    await client.query('GRANT USAGE ON SCHEMA open_notebook TO open_notebook_member');
    await client.query('GRANT SELECT ON open_notebook.about TO open_notebook_member');
    const { rows } = await client.query<{ version: number; oldest_client: number }>(
      'SELECT version, oldest_client FROM open_notebook.about',
    );
    const version = versionOf(schema);
    const before = rows[0]?.version ?? 0;
    if ((rows[0]?.oldest_client ?? 0) > version) throw newerTeam();
    if (before < version) {
      await replaceFunctions(client, schema.functions);
      const changes = before === 0 ? [schema.tables] : schema.migrations.slice(before - 1);
      for (const text of changes) await client.query({ text, query_timeout: MOVING } as QueryConfig);
    }
    if (before === 0)
      await client.query(
        // gen_random_uuid() requires PostgreSQL 13.
        `INSERT INTO open_notebook.about VALUES (pg_catalog.md5(pg_catalog.random()::text || pg_catalog.clock_timestamp()::text)::uuid, $1, $2)`,
        [version, OLDEST_CLIENT],
      );
    else if (before < version)
      await client.query(
        'UPDATE open_notebook.about SET version = $1, oldest_client = greatest(oldest_client, $2)',
        [version, OLDEST_CLIENT],
      );
    await takeUpPgvector(client);
  });
}

/** Deletes the functions of an earlier version, except those that tables use, and creates or replaces all functions. */
async function replaceFunctions(client: Client, functions: string): Promise<void> {
  await client.query(`DO $$
    DECLARE one text;
    BEGIN
      FOR one IN SELECT p.oid::pg_catalog.regprocedure FROM pg_catalog.pg_proc p
        WHERE p.pronamespace = 'open_notebook'::pg_catalog.regnamespace
      LOOP
        BEGIN
          EXECUTE 'DROP FUNCTION ' || one;
        EXCEPTION WHEN dependent_objects_still_exist THEN NULL;
        END;
      END LOOP;
    END $$`);
  // The tables that the functions use are created or changed afterwards.
  await client.query('SET LOCAL check_function_bodies = off');
  await client.query(functions);
}

/**
 * Checks the schema's owner. Any user who can create schemas could have created this one, with triggers that the
 * setup would run.
 */
async function checkOwner(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `WITH schema AS (SELECT oid, nspowner FROM pg_catalog.pg_namespace WHERE nspname = 'open_notebook'),
       owners AS (
         SELECT nspowner AS oid FROM schema
         UNION SELECT relowner FROM pg_catalog.pg_class WHERE relnamespace = (SELECT oid FROM schema)
         UNION SELECT proowner FROM pg_catalog.pg_proc WHERE pronamespace = (SELECT oid FROM schema))
     SELECT o.rolname AS name FROM pg_catalog.pg_roles o JOIN owners USING (oid)
     JOIN pg_catalog.pg_database d ON d.datname = pg_catalog.current_database()
     WHERE o.rolname <> current_user AND NOT o.rolsuper AND d.datdba <> o.oid LIMIT 1`,
  );
  const [owner] = rows;
  if (owner === undefined) return;
  throw new NotebookError(
    'forbidden',
    t(
      'The schema open_notebook in this database, or a part of it, belongs to {0}. Code in it could run with your permissions. Ask the owner to set up the team database, or delete the schema.',
      plainTitle(owner.name),
    ),
  );
}

/**
 * Creates pgvector if the database offers it and the administrator has permission. A team only needs it to search
 * large notebooks by meaning. It gets its own schema, so that its script can't use objects of members.
 */
async function takeUpPgvector(client: Client): Promise<void> {
  await client.query(`DO $$ BEGIN
      IF EXISTS (SELECT 1 FROM pg_catalog.pg_available_extensions WHERE name = 'vector' AND installed_version IS NULL) THEN
        CREATE SCHEMA IF NOT EXISTS open_notebook_vector;
        CREATE EXTENSION vector SCHEMA open_notebook_vector;
      END IF;
    EXCEPTION WHEN OTHERS THEN NULL;
    END $$`);
}

/**
 * Returns the ID of the database's team.
 * @throws NotebookError if it has none, or one that this version can't work with
 */
export async function readTeam(client: Client): Promise<string> {
  const { rows } = await client.query<{ team_id: string; oldest_client: number; version: number }>(
    'SELECT team_id, oldest_client, version FROM open_notebook.about',
  );
  const [about] = rows;
  if (about === undefined || about.version < versionOf(TEAM_SCHEMA))
    throw new NotebookError(
      'older-database',
      t(
        'An older version of Open Notebook set up the team database. Ask its administrator to run “Set Up Team Database…” to upgrade it.',
      ),
    );
  if (about.oldest_client > versionOf(TEAM_SCHEMA)) throw newerTeam();
  return about.team_id;
}

/**
 * Adds a member, with a new login if the server has none of this name. Returns the password of a new login. The server
 * gets only the SCRAM verifier of the password.
 * @throws NotebookError `unsupported` for an invalid name
 */
export async function addMember(client: Client, name: string, role: TeamRole): Promise<string | undefined> {
  if (
    name === '' ||
    Buffer.byteLength(name) > MAX_NAME_LENGTH ||
    /[\0\r\n]/.test(name) ||
    name.startsWith('pg_')
  )
    throw new NotebookError(
      'unsupported',
      t('A member name must have 1 to {0} characters and can’t start with pg_.', MAX_NAME_LENGTH),
    );
  const login = pg.escapeIdentifier(name);
  let password: string | undefined;
  await inTransaction(client, LOCK_TIMEOUT_MS, async () => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_catalog.pg_roles WHERE rolname = $1', [name]);
    if (rowCount === 0) {
      password = randomBytes(24).toString('base64url');
      await client.query(`CREATE ROLE ${login} LOGIN PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`);
    }
    await client.query(`GRANT open_notebook_member TO ${login}`);
    await client.query('SELECT open_notebook.set_member($1, $2)', [name, role]);
  });
  return password;
}

/**
 * Revokes all rights in the team from a member and ends their sessions. Their login stays. Returns whether the server
 * allowed to end the sessions.
 */
export async function removeMember(client: Client, name: string): Promise<boolean> {
  await inTransaction(client, LOCK_TIMEOUT_MS, async () => {
    await client.query('SELECT open_notebook.remove_member($1)', [name]);
    await client.query(`REVOKE open_notebook_member FROM ${pg.escapeIdentifier(name)}`);
  });
  try {
    await client.query(
      `SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity
       WHERE usename = $1 AND datname = pg_catalog.current_database()`,
      [name],
    );
    return true;
  } catch (error) {
    // Some servers don't let an administrator end sessions. The rights are revoked anyway.
    if (error instanceof pg.DatabaseError && error.code === INSUFFICIENT_PRIVILEGE) return false;
    throw error;
  }
}

/**
 * Runs `work` in a transaction.
 * @throws NotebookError `timeout` if another session holds a lock for too long
 */
async function inTransaction<T>(client: Client, lockTimeout: number, action: () => Promise<T>): Promise<T> {
  // At this level, statements see changes committed while this waits for the lock. The database's default may
  // differ.
  await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    // A pooler may have dropped the settings of the connection.
    await client.query(
      `SET LOCAL search_path = ${SEARCH_PATH}; SET LOCAL lock_timeout = ${String(lockTimeout)}`,
    );
    const result = await action();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A lost connection has no transaction.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE
      ? await lockedBy(client)
      : error;
  }
}

/**
 * Returns the error for a lock, with its holders. Any client can take the advisory lock, and any reader of a table
 * can lock it against changes of the schema.
 */
async function lockedBy(client: Client): Promise<NotebookError> {
  const { rows } = await client.query<{ name: string; is_advisory: boolean }>(
    `SELECT DISTINCT a.usename AS name, l.locktype = 'advisory' AS is_advisory
     FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid
     LEFT JOIN pg_catalog.pg_class c ON c.oid = l.relation LEFT JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE l.granted AND a.usename IS NOT NULL AND l.pid <> pg_catalog.pg_backend_pid() AND a.datname = pg_catalog.current_database()
       AND (n.nspname = 'open_notebook' OR (l.locktype = 'advisory' AND l.objsubid = 1
         AND (l.classid::bigint << 32 | l.objid::bigint) = $1::bigint))
     ORDER BY is_advisory DESC, name`,
    [SCHEMA_LOCK],
  );
  const holders = rows.filter(({ is_advisory: isAdvisory }) => isAdvisory === rows[0]?.is_advisory);
  return new NotebookError(
    'timeout',
    holders.length === 0
      ? t('Another session has locked the team database. Try again.')
      : t(
          'Sessions of these members have locked the team database: {0}. Ask them to close Open Notebook and other database clients, then try again.',
          holders.map(({ name }) => plainTitle(name)).join(', '),
        ),
  );
}

/** Returns the stored form of a password in PostgreSQL; see RFC 5802. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, ROUNDS, 32, 'sha256');
  const keyed = (words: string): Buffer => createHmac('sha256', salted).update(words).digest();
  const storedKey = createHash('sha256').update(keyed('Client Key')).digest('base64');
  const serverKey = keyed('Server Key').toString('base64');
  return `SCRAM-SHA-256$${String(ROUNDS)}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}

function newerTeam(): NotebookError {
  return new NotebookError(
    'unsupported',
    t('A newer version of Open Notebook set up the team database. Update the extension to use it.'),
  );
}
