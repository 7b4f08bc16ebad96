import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type pg from 'pg';
import { pack } from '../../src/features/team/service/packed.ts';
import { rawly } from '../support/team.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

async function readChannel(client: pg.Client, notebook: string): Promise<string | undefined> {
  const { rows } = await client.query<{ channel: string }>(
    'SELECT channel FROM open_notebook.read_notebook($1)',
    [notebook],
  );
  return rows[0]?.channel;
}

test('notifies only members who can view a notebook', async () => {
  const administrator = await server.createTeamDatabase();
  const members = { ada: 'author', mallory: 'author' } as const;
  const { ada = '', mallory = '' } = await makeTeam(administrator, members, 'channels');
  const notebook = randomUUID();
  await rawly(mallory, async (listener) => {
    const notifications: string[] = [];
    listener.on('notification', ({ channel }) => notifications.push(channel));
    const hear = async (): Promise<string[]> => {
      await listener.query('SELECT 1');
      return notifications.splice(0);
    };
    await rawly(ada, async (client) => {
      const change = (): Promise<unknown> =>
        client.query('SELECT open_notebook.put_source($1, $2, $3)', [notebook, 's', pack({})]);
      const right = (role: string | null): Promise<unknown> =>
        client.query('SELECT open_notebook.set_right($1, $2, $3)', [notebook, 'channelsmallory', role]);
      await client.query('SELECT open_notebook.create_notebook($1, $2, NULL)', [notebook, 'Private']);
      for (const name of ['open_notebook', notebook]) await listener.query(`LISTEN "${name}"`);
      assert.equal(await readChannel(listener, notebook), undefined);
      await change();
      assert.deepEqual(await hear(), []);

      await right('reader');
      const first = (await readChannel(listener, notebook)) ?? '';
      await listener.query(`LISTEN "${first}"`);
      await change();
      assert.deepEqual(await hear(), [first]);

      // The loss of the right is the last notification.
      await right(null);
      assert.deepEqual(await hear(), [first]);
      await change();
      assert.deepEqual(await hear(), []);

      // The channel of a notebook that everyone can view changes, too.
      await client.query("SELECT open_notebook.set_everybody($1, 'reader')", [notebook]);
      const second = (await readChannel(listener, notebook)) ?? '';
      assert.notEqual(second, first);
      await listener.query(`LISTEN "${second}"`);
      await rawly(administrator, (manager) =>
        manager.query("SELECT open_notebook.remove_member('channelsmallory')"),
      );
      assert.deepEqual(await hear(), [second]);
      await change();
      assert.deepEqual(await hear(), []);
    });
  });
});

test('stops notifying a former manager of notebooks that they can’t view', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '', eve = '' } = await makeTeam(administrator, { ada: 'author', eve: 'manager' }, 'managed');
  const notebook = randomUUID();
  await rawly(eve, async (listener) => {
    const notifications: string[] = [];
    listener.on('notification', ({ channel }) => notifications.push(channel));
    await rawly(ada, (client) =>
      client.query('SELECT open_notebook.create_notebook($1, $2, NULL)', [notebook, 'Private']),
    );
    await listener.query(`LISTEN "${(await readChannel(listener, notebook)) ?? ''}"`);
    await rawly(administrator, (manager) =>
      manager.query("SELECT open_notebook.set_member('managedeve', 'author')"),
    );
    await listener.query('SELECT 1');
    notifications.length = 0;
    await rawly(ada, (client) =>
      client.query('SELECT open_notebook.rename_notebook($1, $2)', [notebook, 'Hidden']),
    );
    await listener.query('SELECT 1');
    assert.deepEqual(notifications, []);
  });
});
