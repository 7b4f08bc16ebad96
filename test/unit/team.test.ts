import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { input } from '../support/opened-notebooks.ts';
import { ownNotebook } from '../support/team-garden.ts';
import { Machine, rawly } from '../support/team.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

test('finds and changes sources that another member shares', async () => {
  const members = { ada: 'author', ben: 'author' } as const;
  const { ada = '', ben = '' } = await makeTeam(await server.createTeamDatabase(), members, 'finds');
  const notebookId = randomUUID();
  const one = await Machine.share(ada, await ownNotebook(), notebookId);
  const team = await teamHandlers.team({ connection: ben }, context);
  assert.deepEqual(team.notebooks, [{ id: notebookId, name: 'Garden', role: 'author' }]);
  const two = await Machine.join(ben, notebookId);
  one.goOnline();
  two.goOnline();
  const [found] = await two.until('it is found', async () => {
    const hits = await two.index.passageSearch.search('How are tomatoes watered?', 3);
    return hits.length > 0 && hits;
  });
  assert.match(found?.text ?? '', /rainwater/);
  await two.until('the note is there', () => two.index.features.notes.list().length === 1);

  // Both change the note in different lines.
  await one.goOffline();
  await two.goOffline();
  one.index.features.notes.write('Plan', 'Dig the beds deep.\n\nSow the beans.\n', {
    create: false,
    overwrite: true,
  });
  two.index.features.notes.write('Plan', 'Dig the beds.\n\nSow the beans in May.\n', {
    create: false,
    overwrite: true,
  });
  two.index.features.notes.add({ title: 'Harvest', text: 'Beans first.', citations: [] });
  one.index.features.notes.add({ title: 'Harvest', text: 'Peas first.', citations: [] });
  one.goOnline();
  two.goOnline();
  for (const machine of [one, two])
    await machine.until('both changes are there', () => {
      const text = machine.index.features.notes.open('Plan').text;
      return (
        text === 'Dig the beds deep.\n\nSow the beans in May.\n' &&
        machine.index.features.notes.list().length === 3
      );
    });
  await one.settled();
  await two.settled();

  const [source] = one.index.store.sources();
  one.index.store.removeSources([source?.id ?? '']);
  await two.until('the source is gone', () => two.index.store.sources().length === 0);
  const removed = await teamHandlers.removedSources({ connection: ben, notebookId }, context);
  assert.deepEqual(
    removed.map(({ title, removedBy }) => [title, removedBy]),
    [['Garden', 'findsada']],
  );
  assert.ok(
    await teamHandlers.restoreSource({ connection: ben, notebookId, sourceId: source?.id ?? '' }, context),
  );
  for (const machine of [one, two])
    await machine.until('the source is back', () => machine.index.store.counts().documents === 2);
  await one.settled();
  await two.settled();
  await one.untilEqual(two);
  await one.goOffline();
  await two.goOffline();
});

test('empties entities deleted more than thirty days ago, except those others still have', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'tidy');
  const notebookId = randomUUID();
  const one = await Machine.share(ada, await ownNotebook(), notebookId);
  const otherId = randomUUID();
  const other = await Machine.share(ada, await ownNotebook(), otherId);
  other.goOnline();
  await other.settled();
  await other.goOffline();
  const extra = await one.index.addSource('Shed', { kind: 'folder', uri: 'file:///shed' }, undefined);
  await one.index.putDocument(extra.id, input('The spade hangs behind the door of the shed.', 'shed.md'));
  one.goOnline();
  await one.settled();
  one.index.store.removeSources(one.index.store.sources().map(({ id }) => id));
  one.index.features.notes.remove('Plan');
  await one.settled();
  const counts = (): Promise<unknown> =>
    rawly(administrator, async (client) => {
      const { rows } = await client.query<{ counts: number[] }>(
        `SELECT ARRAY[(SELECT count(*) FROM open_notebook.documents), (SELECT count(*) FROM open_notebook.contents),
           (SELECT count(*) FROM open_notebook.sources WHERE octet_length(value) > 0),
           (SELECT count(*) FROM open_notebook.notes WHERE octet_length(value) > 0)]::int[] AS counts`,
      );
      return rows[0]?.counts;
    });
  const passDays = (days: number): Promise<unknown> =>
    rawly(administrator, async (client) => {
      for (const table of ['sources', 'notes', 'notebooks'])
        await client.query(
          `UPDATE open_notebook.${table} SET removed_at = removed_at - make_interval(days => $1)`,
          [days],
        );
      await client.query('UPDATE open_notebook.about SET tidied_at = tidied_at - make_interval(days => $1)', [
        days,
      ]);
    });
  const comeAgain = async (): Promise<void> => {
    await one.goOffline();
    one.goOnline();
    await one.settled();
  };
  assert.deepEqual(await counts(), [5, 5, 3, 2], 'before the thirty days are over');
  await passDays(29);
  await comeAgain();
  assert.deepEqual(await counts(), [5, 5, 3, 2], 'before the thirty days are over');
  await passDays(2);
  await comeAgain();
  await one.until('it is emptied', async () => isDeepStrictEqual(await counts(), [2, 2, 1, 1]));

  // Earlier versions of a text are deleted too, but not twice a day. So is everything in a deleted notebook.
  const [kept] = other.index.store.sources();
  await other.index.putDocument(
    kept?.id ?? '',
    input('Bread is baked on Sundays in the clay oven.', 'kitchen.md'),
  );
  other.goOnline();
  await other.settled();
  await other.goOffline();
  assert.deepEqual(await counts(), [2, 3, 1, 1]);
  await comeAgain();
  assert.deepEqual(await counts(), [2, 3, 1, 1], 'on the same day');
  await passDays(1);
  await comeAgain();
  await one.until('what it was before is gone', async () => isDeepStrictEqual(await counts(), [2, 2, 1, 1]));
  await rawly(ada, (client) => client.query('SELECT open_notebook.remove_notebook($1)', [otherId]));
  await passDays(31);
  await comeAgain();
  await one.until('the notebook is emptied', async () => isDeepStrictEqual(await counts(), [0, 0, 0, 0]));
  await one.goOffline();
});

test('gives a member no more access with a raw SQL client than in the editor', async () => {
  const members = { ada: 'author', ben: 'reader', carol: 'author' } as const;
  const administrator = await server.createTeamDatabase();
  const { ada = '', ben = '', carol = '' } = await makeTeam(administrator, members, 'raw');
  const notebookId = randomUUID();
  const one = await Machine.share(ada, await ownNotebook(), notebookId, { isPrivate: true });
  one.goOnline();
  await one.settled();
  const hash = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ hash: Buffer }>('SELECT hash FROM open_notebook.contents LIMIT 1');
    return rows[0]?.hash ?? Buffer.alloc(0);
  });
  assert.equal(hash.length, 32);
  const tables = ['notebooks', 'rights', 'sources', 'documents', 'contents', 'notes', 'things', 'members'];
  const isRefused = (connection: string, sql: string, ...values: unknown[]): Promise<void> =>
    rawly(connection, (client) => assert.rejects(client.query(sql, values), sql));
  // A member without access to the notebook sees nothing of it, and can't use a text by its hash.
  const readNotes = 'SELECT * FROM open_notebook.read_notes($1, 0, 1000000, NULL)';
  await rawly(carol, async (client) => {
    assert.equal((await client.query(readNotes, [notebookId])).rowCount, 0);
  });
  const own = randomUUID();
  await rawly(carol, async (client) => {
    await client.query(`SELECT open_notebook.create_notebook($1, 'Own', NULL)`, [own]);
    await client.query(`SELECT open_notebook.put_source($1, 's', '')`, [own]);
  });
  await isRefused(carol, `SELECT open_notebook.put_document($1, 's', 'k', '', $2, NULL)`, own, hash);
  await isRefused(carol, `SELECT open_notebook.put_document($1, 's', 'k', '', $2, 'other')`, own, hash);
  // A reader changes nothing. Nobody can change a table or assume a role that can.
  await rawly(administrator, (client) =>
    client.query(`SELECT open_notebook.set_right($1, 'rawben', 'reader')`, [notebookId]),
  );
  await rawly(ben, async (client) => {
    const { rowCount } = await client.query(readNotes, [notebookId]);
    assert.equal(rowCount, 1);
  });
  for (const connection of [ben, carol]) {
    await isRefused(connection, `SELECT open_notebook.put_note($1, 'n', 0, 'Title', '')`, notebookId);
    await isRefused(connection, `SELECT open_notebook.put_source($1, 's', '')`, notebookId);
    await isRefused(connection, `SELECT open_notebook.remove_note($1, 'n', 0)`, notebookId);
    await isRefused(connection, `SELECT open_notebook.set_right($1, session_user, 'manager')`, notebookId);
    await isRefused(connection, `SELECT open_notebook.remove_notebook($1)`, notebookId);
  }
  for (const connection of [ada, ben, carol]) {
    await isRefused(connection, `SELECT open_notebook.set_member(session_user, 'manager')`);
    await isRefused(connection, `SELECT open_notebook.begin_change($1, 0)`, notebookId);
    await isRefused(connection, `SET ROLE administrator`);
    await isRefused(connection, `SET SESSION AUTHORIZATION administrator`);
    await isRefused(connection, `CREATE TABLE open_notebook.mine ()`);
    await isRefused(connection, `UPDATE open_notebook.about SET oldest_client = 999`);
    for (const table of tables) {
      await isRefused(connection, `SELECT FROM open_notebook.${table}`);
      await isRefused(connection, `DELETE FROM open_notebook.${table}`);
      await isRefused(connection, `INSERT INTO open_notebook.${table} DEFAULT VALUES`);
      await isRefused(connection, `ALTER TABLE open_notebook.${table} DISABLE ROW LEVEL SECURITY`);
    }
  }
  await one.goOffline();
});
