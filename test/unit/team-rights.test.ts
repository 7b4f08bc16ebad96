import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import type { OwnRight } from '../../src/features/team/service/api.ts';
import type { TeamRole } from '../../src/features/team/model/roles.ts';
import { countNotebooks } from '../../src/index/library/duplicate.ts';
import { Machine, rawly } from '../support/team.ts';
import { ownNotebook } from '../support/team-garden.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

const mayIn = async (connection: string, notebookId: string): Promise<TeamRole | undefined> =>
  (await teamHandlers.team({ connection }, context)).notebooks.find(({ id }) => id === notebookId)?.role;

const forbidden = { code: 'forbidden' };

test('grants and revokes another member’s access to a private notebook, and keeps its contents', async () => {
  const members = { ada: 'author', ben: 'author', carol: 'author' } as const;
  const {
    ada = '',
    ben = '',
    carol = '',
  } = await makeTeam(await server.createTeamDatabase(), members, 'open');
  const notebookId = randomUUID();
  const one = await Machine.share(ada, await ownNotebook(), notebookId, { isPrivate: true });
  one.goOnline();
  await one.settled();
  assert.equal(await mayIn(ben, notebookId), undefined);
  const give = async (right: OwnRight | undefined): Promise<void> =>
    teamHandlers.setRight({ connection: ada, notebookId, member: 'openben', right }, context);

  await give('reader');
  assert.equal(await mayIn(ben, notebookId), 'reader');
  assert.equal(await mayIn(carol, notebookId), undefined);
  const two = await Machine.join(ben, notebookId);
  two.goOnline();
  await two.until('it is taken in', () => two.index.features.notes.list().length === 1);
  await two.settled();
  assert.deepEqual(await countNotebooks([two.directory]), [{ sources: 1, notes: 1, right: 'reader' }]);

  // A reader's changes stay pending until the reader can edit.
  two.index.features.notes.add({ title: 'Harvest', text: 'Beans first.', citations: [] });
  await two.until('it is refused', () => two.state.kind === 'refused');
  assert.deepEqual(
    one.index.features.notes.list().map(({ title }) => title),
    ['Plan'],
  );
  await give('author');
  await two.settled();
  await one.until('it is there', () => one.index.features.notes.list().length === 2);

  // The error is one sentence once access is revoked.
  await give(undefined);
  await two.until('it is told', () => two.state.kind === 'refused');
  assert.equal(
    'reason' in two.state && two.state.reason,
    'The team notebook was deleted, or you no longer have access to it. Your local copy is unchanged.',
  );
  assert.equal(two.index.features.notes.list().length, 2);
  assert.equal((await two.index.passageSearch.search('tomatoes', 3)).length, 1);
  await assert.rejects(async () => teamHandlers.rights({ connection: ben, notebookId }, context), forbidden);
  await give('reader');
  await two.goOffline();
  two.goOnline();
  await two.until('it is followed again', () => two.state.kind === 'up-to-date');
  await one.goOffline();
  await two.goOffline();
});

for (const everybody of ['reader', 'author', undefined] as const)
  test(`reports the rights of each role if everybody is ${everybody ?? 'denied access'}`, async () => {
    const members = { ada: 'author', author: 'author', reader: 'reader', manager: 'manager' } as const;
    const prefix = `told${everybody ?? 'none'}`;
    const strings = await makeTeam(await server.createTeamDatabase(), members, prefix);
    const { ada: connection = '' } = strings;
    const notebookId = randomUUID();
    await Machine.share(connection, await ownNotebook(), notebookId, { isPrivate: true });
    await teamHandlers.setEverybody({ connection, notebookId, right: everybody }, context);
    for (const right of ['manager', 'author', 'reader', 'none', undefined] as const) {
      for (const short of ['author', 'reader', 'manager'])
        await teamHandlers.setRight({ connection, notebookId, member: prefix + short, right }, context);
      const rights = await teamHandlers.rights({ connection, notebookId }, context);
      assert.equal(rights.everybody, everybody);
      for (const short of ['author', 'reader', 'manager']) {
        const member = rights.members.find(({ name }) => name === prefix + short);
        assert.equal(member?.own, right);
        assert.equal(
          member?.may,
          await mayIn(strings[short] ?? '', notebookId),
          `${short}, ${String(right)}`,
        );
      }
    }
  });

test('reports that the member who shared a private notebook can manage it', async () => {
  const { ada: connection = '' } = await makeTeam(
    await server.createTeamDatabase(),
    { ada: 'author' },
    'owner',
  );
  const notebookId = randomUUID();
  await Machine.share(connection, await ownNotebook(), notebookId, { isPrivate: true });
  const { members } = await teamHandlers.rights({ connection, notebookId }, context);
  assert.deepEqual(
    members.filter(({ isSelf }) => isSelf),
    [{ name: 'ownerada', inTeam: 'author', own: 'manager', may: 'manager', isSelf: true }],
  );
});

test('keeps anyone but managers from changing rights or the name of a notebook, with any client', async () => {
  const members = { ada: 'author', ben: 'author', carol: 'author' } as const;
  const {
    ada = '',
    ben = '',
    carol = '',
  } = await makeTeam(await server.createTeamDatabase(), members, 'raws');
  const notebookId = randomUUID();
  await Machine.share(ada, await ownNotebook(), notebookId, { isPrivate: true });
  await teamHandlers.setRight({ connection: ada, notebookId, member: 'rawsben', right: 'reader' }, context);
  const rights = await teamHandlers.rights({ connection: ada, notebookId }, context);
  for (const connection of [ben, carol]) {
    const there = { connection, notebookId };
    const tries: (() => unknown)[] = [
      () => teamHandlers.setRight({ ...there, member: 'rawsben', right: 'manager' }, context),
      () => teamHandlers.setEverybody({ ...there, right: 'author' }, context),
      () => teamHandlers.renameNotebook({ ...there, name: 'Mine' }, context),
      () => teamHandlers.removeNotebook(there, context),
      () => teamHandlers.restoreNotebook(there, context),
    ];
    for (const attempt of tries) await assert.rejects(() => Promise.resolve(attempt()), forbidden);
    for (const sql of [
      `SELECT open_notebook.set_right('${notebookId}', session_user, 'manager')`,
      `SELECT open_notebook.set_everybody('${notebookId}', 'author')`,
      `SELECT open_notebook.restore_notebook('${notebookId}')`,
      `INSERT INTO open_notebook.rights VALUES ('${notebookId}', session_user, 'manager')`,
      `UPDATE open_notebook.rights SET role = 'manager'`,
      `UPDATE open_notebook.notebooks SET everybody = 'author'`,
    ])
      await rawly(connection, (client) => assert.rejects(client.query(sql), { code: '42501' }, sql));
  }
  assert.deepEqual(await teamHandlers.rights({ connection: ada, notebookId }, context), rights);
  // A reader can see the rights. A right for someone who isn't a member is reported.
  const seen = await teamHandlers.rights({ connection: ben, notebookId }, context);
  assert.deepEqual(
    seen.members.map(({ name, own, may }) => [name, own, may]),
    rights.members.map(({ name, own, may }) => [name, own, may]),
  );
  await assert.rejects(
    async () =>
      teamHandlers.setRight({ connection: ada, notebookId, member: 'nobody', right: 'reader' }, context),
    { code: 'not-found' },
  );
});

test('renames a notebook for the team, deletes it, and restores it within thirty days', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' }, 'renamed');
  const notebookId = randomUUID();
  const there = { connection: ada, notebookId };
  const one = await Machine.share(ada, await ownNotebook(), notebookId);
  one.goOnline();
  await one.settled();
  const two = await Machine.join(ben, notebookId);
  two.goOnline();
  await two.until('it is taken in', () => two.index.features.notes.list().length === 1);
  await teamHandlers.renameNotebook({ ...there, name: 'Our garden' }, context);
  for (const machine of [one, two])
    await machine.until('the name is told', () => {
      const { state } = machine;
      return state.kind === 'up-to-date' && state.name === 'Our garden';
    });

  await teamHandlers.removeNotebook(there, context);
  for (const machine of [one, two]) await machine.until('it is told', () => machine.state.kind === 'refused');
  assert.equal(await mayIn(ben, notebookId), undefined);
  await assert.rejects(async () => teamHandlers.rights(there, context), forbidden);
  assert.equal(two.index.features.notes.list().length, 1);
  assert.deepEqual(await teamHandlers.removedNotebooks({ connection: ben }, context), []);
  const removed = await teamHandlers.removedNotebooks({ connection: ada }, context);
  assert.deepEqual(
    removed.map(({ id, name }) => [id, name]),
    [[notebookId, 'Our garden']],
  );
  await one.goOffline();
  // Changes made meanwhile are sent once the notebook is restored.
  two.index.features.notes.add({ title: 'Harvest', text: 'Beans first.', citations: [] });
  assert.equal(await teamHandlers.restoreNotebook(there, context), true);
  assert.equal(await teamHandlers.restoreNotebook(there, context), false, 'it is there already');
  await two.goOffline();
  one.goOnline();
  two.goOnline();
  await one.until(
    'it is back, with what was written meanwhile',
    () => one.index.features.notes.list().length === 2,
  );

  await teamHandlers.removeNotebook(there, context);
  await rawly(administrator, (client) =>
    client.query("UPDATE open_notebook.notebooks SET removed_at = removed_at - interval '31 days'"),
  );
  assert.equal(await teamHandlers.restoreNotebook(there, context), false);
  assert.deepEqual(await teamHandlers.removedNotebooks({ connection: ada }, context), []);
  for (const machine of [one, two]) await machine.goOffline();
});
