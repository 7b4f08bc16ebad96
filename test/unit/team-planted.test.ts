import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import {
  connectionStringFor,
  readConnectionString,
} from '../../src/features/team/service/connection-string.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { makeSearchable } from '../../src/features/team/service/searchable.ts';
import { addMember, removeMember, setUpTeam } from '../../src/features/team/service/set-up.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { close, input, openNew } from '../support/opened-notebooks.ts';
import { plant } from '../support/planted.ts';
import { throughPort } from '../support/postgres-connection.ts';
import { startPooler } from '../support/postgres-pooler.ts';
import { Machine, rawly, withClient } from '../support/team.ts';
import { calledNames, findTeamSql } from '../support/team-sql.ts';
import { context } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { setUpVersion } from '../support/team-versions.ts';

const server = useTeamServer();

const folder = fileURLToPath(new URL('../../src/features/team/service', import.meta.url));
const called = [...new Set(findTeamSql(folder).flatMap(({ sql }) => calledNames(sql)))];

/** Returns those names for which PostgreSQL has functions. */
async function ownNames(connection: string): Promise<string[]> {
  return rawly(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY($1)`,
      [called],
    );
    return rows.map(({ name }) => name);
  });
}

test('upgrades a team database without running what a member planted in the public schema', async () => {
  const administrator = await server.createDatabase();
  await rawly(administrator, (client) => client.query("CREATE ROLE plantedmallet LOGIN PASSWORD 'x'"));
  const fired = await plant(administrator, 'plantedmallet', await ownNames(administrator));
  await withClient(administrator, async (client) => {
    await setUpVersion(client, 1);
    await setUpTeam(client);
  });
  assert.equal(await fired(), 0);
});

test('runs nothing that a member planted in the public schema', async (t) => {
  const administrator = await server.createDatabase();
  await rawly(administrator, (client) => client.query("CREATE ROLE plantedmallory LOGIN PASSWORD 'x'"));
  const fired = await plant(administrator, 'plantedmallory', await ownNames(administrator));
  await withClient(administrator, async (client) => {
    const { rows } = await client.query<{ search_path: string }>('SHOW search_path');
    assert.equal(rows[0]?.search_path, 'pg_catalog,pg_temp');
  });
  // A pooler rejects the search path.
  const setUp = await startPooler([administrator]);
  t.after(() => setUp.close());
  const strings = await withClient(throughPort(administrator, setUp.port), async (client) => {
    await setUpTeam(client);
    await addMember(client, 'plantedmallory', 'reader');
    const created: string[] = [];
    for (const name of ['plantedben', 'planteddave', 'plantedada'])
      created.push(connectionStringFor(administrator, name, (await addMember(client, name, 'author')) ?? ''));
    await removeMember(client, 'plantedada');
    return created;
  });
  assert.equal(await fired(), 0);

  const pooler = await startPooler(strings);
  t.after(() => pooler.close());
  const [ben = '', dave = ''] = strings.map((string) => throughPort(string, pooler.port));
  const { folder: from, index } = await openNew();
  const source = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const word of ['tomatoes', 'beans'])
    await index.putDocument(source.id, input(`The ${word} stand in the garden.`, `${word}.md`));
  index.features.notes.add({ title: 'Plan', text: 'Dig.', citations: [] });
  await close(index);
  const notebookId = randomUUID();
  const one = await Machine.share(ben, from, notebookId);
  one.goOnline();
  await one.settled();
  const two = await Machine.join(dave, notebookId);
  two.goOnline();
  await two.until('all is there', () => two.index.features.notes.list().length === 1);
  two.index.features.notes.remove('Plan');
  await two.settled();
  await withClient(ben, (client) =>
    withNotebook(one.directory, async (sql) => {
      const line = { client, connection: readConnectionString(ben), notebookId, maxLocalPassages: 0 };
      await makeSearchable(line, sql, 0, context.signal);
      const candidates = await findCandidates(line, ['tomatoes', 'beens', 'garden']);
      assert.equal(candidates.length, 2);
    }),
  );
  for (const work of [
    () => teamHandlers.rights({ connection: ben, notebookId }, context),
    () => teamHandlers.removedNotebooks({ connection: ben }, context),
    () => teamHandlers.removedSources({ connection: ben, notebookId }, context),
    () => teamHandlers.sizes({ connection: ben }, context),
  ])
    await work();
  await one.goOffline();
  await two.goOffline();
  assert.equal(await fired(), 0);
});
