// Tests what query plans reveal about notebooks that a member can't view. PostgreSQL filters the rows of a table by
// row-level security and by the member's condition at once, and its plan contains the number of rows that the
// condition removed.
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type pg from 'pg';
import { closeConnection, openConnection, type Client } from '../../src/features/team/service/connect.ts';
import {
  connectionStringFor,
  readConnectionString,
} from '../../src/features/team/service/connection-string.ts';
import { hashBytes, pack } from '../../src/features/team/service/packed.ts';
import { addMember, setUpTeam } from '../../src/features/team/service/set-up.ts';
import { setUpVersion } from '../support/team-versions.ts';
import { rawly } from '../support/team.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

const text = Buffer.from('The secret is a blue door.');
const model = createHash('sha256').update('model').digest();
const parts = createHash('sha256').update('texts').digest();

/** Creates a private notebook with data in each table. */
async function createNotebook(client: pg.Client): Promise<string> {
  const notebook = randomUUID();
  const ask = (call: string, ...values: unknown[]): Promise<unknown> =>
    client.query(`SELECT open_notebook.${call}`, [notebook, ...values]);
  await ask(`create_notebook($1, 'Secret garden', NULL)`);
  await ask(`put_source($1, 'secret', $2)`, pack({}));
  await ask(`put_source($1, 'gone', $2)`, pack({}));
  await ask(`remove_source($1, 'gone')`);
  await ask(`put_document($1, 'secret', 'secret.md', $2, $3, $4)`, pack({}), hashBytes(text), text);
  await ask(`put_note($1, 'secret', 0, 'Secret plan', $2)`, pack({}));
  await ask(`put_thing($1, 'research', 'secret', '', 0, $2)`, pack({}));
  await ask(`claim_step($1, 'secret', 'step', $2, 600)`, randomUUID());
  await ask('put_vectors($1, $2, $3, 1, $4, $5)', hashBytes(text), model, parts, Buffer.alloc(2, 1));
  await ask(
    `put_postings($1, '{secret}', '{secret.md}', ARRAY[$2::bytea], '{1}', 5, 1, $3::bytea, '{secret}', '{0}', '{1}', '{9}',
       ARRAY[$3::bytea])`,
    ...[hashBytes(text), Buffer.alloc(8)],
  );
  return notebook;
}

/** Sets up a team, with an author who has a private notebook, and another author. */
async function makeTeam(
  prefix: string,
  setUp: (client: Client) => Promise<void> = setUpTeam,
): Promise<{ administrator: string; ada: string; mallory: string; notebook: string }> {
  const administrator = await server.createDatabase();
  const client = await openConnection(readConnectionString(administrator));
  await setUp(client);
  const [ada = '', mallory = ''] = await Promise.all(
    [`${prefix}ada`, `${prefix}mallory`].map(async (name) =>
      connectionStringFor(administrator, name, (await addMember(client, name, 'author')) ?? ''),
    ),
  );
  await closeConnection(client);
  const notebook = await rawly(ada, createNotebook);
  return { administrator, ada, mallory, notebook };
}

async function explain(client: pg.Client, query: string): Promise<string> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, VERBOSE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${query}`,
  );
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Conditions on indexed columns that are true in the private notebook, and others that aren't. */
const guesses: readonly (readonly [table: string, right: string, wrong: string])[] = [
  ['notes', `title = 'Secret plan'`, `title = 'Other plan'`],
  ['sources', `id = 'secret'`, `id = 'other'`],
  ['documents', `key = 'secret.md'`, `key = 'other.md'`],
  ['things', `id = 'secret'`, `id = 'other'`],
  ['claims', `research = 'secret'`, `research = 'other'`],
  ['postings', `term = 'secret'`, `term = 'other'`],
  ['passages', `key = 'secret.md'`, `key = 'other.md'`],
];

const query = (table: string, condition: string): string =>
  `SELECT 1 FROM open_notebook.${table} WHERE ${condition}`;

test('denies members the tables, whose query plans reveal private notebooks', async () => {
  const before = await makeTeam('plansbefore', (client) => setUpVersion(client, 13));
  // The previous schema reveals it: an index finds the row before row-level security removes it.
  await rawly(before.mallory, async (client) => {
    await client.query('SET enable_seqscan = off');
    for (const [table, right, wrong] of guesses) {
      assert.equal((await client.query(query(table, right))).rowCount, 0, table);
      const plan = (await explain(client, query(table, right))).replaceAll(right, wrong);
      assert.notEqual(plan, await explain(client, query(table, wrong)), table);
    }
  });
  const client = await openConnection(readConnectionString(before.administrator));
  await setUpTeam(client);
  await closeConnection(client);
  const after = await makeTeam('plansafter');
  for (const { mallory, ada } of [before, after])
    for (const connection of [mallory, ada])
      await rawly(connection, async (member) => {
        for (const [table, right] of guesses)
          for (const statement of [query(table, right), `EXPLAIN ANALYZE ${query(table, right)}`])
            await assert.rejects(member.query(statement), { code: '42501' }, statement);
      });
});

test('lets members read only the table with the version', async () => {
  const { mallory } = await makeTeam('plansopen');
  const { rows } = await rawly(mallory, (client) =>
    client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'open_notebook'::regnamespace
       AND CASE WHEN relkind = 'S' THEN has_sequence_privilege(oid, 'SELECT, USAGE')
         WHEN relkind IN ('r', 'p', 'v', 'm', 'f') THEN has_table_privilege(oid, 'SELECT, INSERT, UPDATE, DELETE, REFERENCES, TRIGGER')
           OR has_any_column_privilege(oid, 'SELECT, INSERT, UPDATE, REFERENCES') END`,
    ),
  );
  assert.deepEqual(rows, [{ name: 'about' }]);
});

/** Arguments that make each function read everything in the private notebook; `$1` is the notebook. */
const readers: Readonly<Record<string, string>> = {
  count_documents: '($1)',
  count_living_documents: '($1)',
  find_contents: `($1, ARRAY['\\x${hashBytes(text).toString('hex')}'::bytea])`,
  find_passages: `($1, '{0}', '{0}')`,
  find_terms: `($1, '{secret}')`,
  find_vectors: `($1, '\\x${model.toString('hex')}', ARRAY['\\x${hashBytes(text).toString('hex')}'::bytea],
    ARRAY['\\x${parts.toString('hex')}'::bytea], NULL)`,
  last_vectors: `($1, '\\x${model.toString('hex')}')`,
  read_blocks: `($1, 'secret', '{0}', '{0}')`,
  read_claims: '($1)',
  read_contents: `($1, ARRAY['\\x${hashBytes(text).toString('hex')}'::bytea])`,
  read_documents: '($1, 0, 1000000, NULL)',
  read_lists: `($1, '{secret}', '{0}')`,
  read_living_documents: '($1, 0, 1000000, NULL)',
  read_living_passages: `($1, '{0}', '{1}')`,
  read_named_documents: `($1, '{secret}', '{secret.md}')`,
  read_news: '($1, 0, 0, 0, 0)',
  read_notebook: '($1)',
  read_notes: '($1, 0, 1000000, NULL)',
  read_postings: `($1, '{0}')`,
  read_removed_sources: '($1)',
  read_rights: '($1)',
  read_searchable: '($1)',
  read_sources: '($1, 0, NULL)',
  read_things: '($1, 0, 1000000, NULL)',
  read_unsearchable: '($1, -1, NULL)',
  read_vectors: `($1, ARRAY(SELECT pg_catalog.generate_series(1, 1000)))`,
  read_windows: '($1)',
  read_words: '($1, 1000000)',
};

/** Functions that find nothing to read in the private notebook. */
const EMPTY = new Set(['read_unsearchable']);

test('returns nothing about a private notebook to other members, not even in query plans', async () => {
  const { ada, mallory, notebook } = await makeTeam('plansread');
  const { rows: open } = await rawly(mallory, (client) =>
    client.query<{ name: string; arguments: string }>(
      `SELECT proname AS name, pg_get_function_identity_arguments(oid) AS arguments FROM pg_proc
       WHERE pronamespace = 'open_notebook'::regnamespace AND has_function_privilege(oid, 'EXECUTE')
         AND provolatile = 's' ORDER BY name`,
    ),
  );
  const ofNotebooks = open.filter(({ arguments: all }) => all.startsWith('notebook uuid'));
  assert.deepEqual(
    ofNotebooks.map(({ name }) => name).filter((name) => name !== 'may_read'),
    Object.keys(readers),
  );
  for (const [name, call] of Object.entries(readers)) {
    const statementFor = (of: string): string =>
      `SELECT * FROM open_notebook.${name}${call.replace('$1', `'${of}'`)} AS found`;
    const [others, none] = await rawly(mallory, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(statementFor(notebook));
      // Sums and counts have a row without a value.
      assert.ok(
        rows.every((row) => Object.values(row).every((value) => value === null || value === '0')),
        name,
      );
      const other = randomUUID();
      return [
        (await explain(client, statementFor(notebook))).replaceAll(notebook, ''),
        (await explain(client, statementFor(other))).replaceAll(other, ''),
      ];
    });
    assert.equal(others, none, name);
    const { rows } = await rawly(ada, (client) => client.query(statementFor(notebook)));
    assert.equal(rows.length > 0, !EMPTY.has(name), name);
  }
});
