import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type pg from 'pg';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import {
  connectionStringFor,
  readConnectionString,
} from '../../src/features/team/service/connection-string.ts';
import { hashBytes, pack } from '../../src/features/team/service/packed.ts';
import { addMember, setUpTeam } from '../../src/features/team/service/set-up.ts';
import { rawly } from '../support/team.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { setUpVersion } from '../support/team-versions.ts';

const server = useTeamServer();

const text = Buffer.from('A text that two notebooks have.'.repeat(100));
const secret = Buffer.from('What only one notebook has.');
const model = createHash('sha256').update('model').digest();
const parts = createHash('sha256').update('texts').digest();

/** Creates a notebook of the member with a source. */
async function createNotebook(client: pg.Client): Promise<string> {
  const notebook = randomUUID();
  await client.query('SELECT open_notebook.create_notebook($1, $2, NULL)', [notebook, 'Garden']);
  await client.query('SELECT open_notebook.put_source($1, $2, $3)', [notebook, 's', pack({})]);
  return notebook;
}

async function putText(
  client: pg.Client,
  notebook: string,
  key: string,
  bytes: Buffer | null,
  hash = hashBytes(bytes ?? Buffer.of()),
): Promise<void> {
  await client.query('SELECT open_notebook.put_document($1, $2, $3, $4, $5, $6)', [
    ...[notebook, 's', key, pack({})],
    ...[hash, bytes],
  ]);
}

async function putVectors(client: pg.Client, notebook: string, of: Buffer, byte: number): Promise<void> {
  await client.query('SELECT open_notebook.put_vectors($1, $2, $3, 1, $4, $5)', [
    ...[notebook, hashBytes(of), model],
    ...[parts, Buffer.alloc(2, byte)],
  ]);
}

/** Returns all that a member can see of a text and its vectors. */
async function describeTexts(client: pg.Client, notebook: string, of: Buffer): Promise<unknown> {
  const hashes = [hashBytes(of)];
  const { rows: contents } = await client.query('SELECT * FROM open_notebook.find_contents($1, $2)', [
    notebook,
    hashes,
  ]);
  const { rows: vectors } = await client.query<{ number: string }>(
    'SELECT content, texts, dimension, number FROM open_notebook.find_vectors($1, $2, $3, $4, NULL)',
    [notebook, model, hashes, [parts]],
  );
  const { rows: values } = await client.query('SELECT vectors FROM open_notebook.read_vectors($1, $2)', [
    notebook,
    vectors.map(({ number }) => number),
  ]);
  // Numbers are counted across the team, so they are ignored.
  return { contents, vectors: vectors.map((row) => ({ ...row, number: 0 })), values };
}

test('hides from a member whether a notebook that they can’t view contains a text', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '', mallory = '' } = await makeTeam(
    administrator,
    { ada: 'author', mallory: 'author' },
    'contents',
  );
  const own = await rawly(ada, async (client) => {
    const notebook = await createNotebook(client);
    await putText(client, notebook, 'secret.md', secret);
    return notebook;
  });
  const seen = await rawly(mallory, async (client) => {
    const all: unknown[] = [];
    for (const guess of [secret, Buffer.from('What no notebook at all has.')]) {
      const notebook = await createNotebook(client);
      await assert.rejects(putText(client, notebook, 'a.md', null, hashBytes(guess)), /no such text/);
      await client.query('BEGIN');
      await putText(client, notebook, 'a.md', guess);
      await putVectors(client, notebook, guess, 1);
      const described = JSON.stringify(await describeTexts(client, notebook, guess));
      await client.query('COMMIT');
      all.push(described.replaceAll(JSON.stringify(hashBytes(guess)), 'hash'));
      await client.query('SELECT open_notebook.remove_document($1, $2, $3)', [notebook, 's', 'a.md']);
    }
    return all;
  });
  assert.equal(seen[0], seen[1]);
  await rawly(ada, async (client) => {
    assert.partialDeepStrictEqual(await describeTexts(client, own, secret), { values: [] });
    await putVectors(client, own, secret, 2);
    assert.partialDeepStrictEqual(await describeTexts(client, own, secret), {
      values: [{ vectors: Buffer.alloc(2, 2) }],
    });
  });
});

test('doesn’t upload a text again that the member can read in another notebook', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'again');
  await rawly(ada, async (client) => {
    await putText(client, await createNotebook(client), 'a.md', text);
    const other = await createNotebook(client);
    await putText(client, other, 'b.md', null, hashBytes(text));
    const { rows } = await client.query<{ bytes: Buffer }>(
      'SELECT bytes FROM open_notebook.read_contents($1, $2)',
      [other, [hashBytes(text)]],
    );
    assert.deepEqual(rows, [{ bytes: text }]);
  });
});

test('stores each text once and shares it, with its vectors, among notebooks', async () => {
  const administrator = await server.createDatabase();
  const before = await openConnection(readConnectionString(administrator));
  // Version 11 stores texts by notebook.
  await setUpVersion(before, 10);
  const [ada = '', ben = ''] = await Promise.all(
    ['beforeada', 'beforeben'].map(async (name) => {
      const password = (await addMember(before, name, 'author')) ?? '';
      return connectionStringFor(administrator, name, password);
    }),
  );
  const put = async (connection: string, keys: Readonly<Record<string, Buffer>>): Promise<string> =>
    rawly(connection, async (client) => {
      const notebook = await createNotebook(client);
      for (const [key, bytes] of Object.entries(keys)) await putText(client, notebook, key, bytes);
      return notebook;
    });
  const first = await put(ada, {
    'a.md': text,
    'b.md': text,
    'c.md': secret,
    'gone.md': Buffer.from('gone'),
  });
  const second = await put(ben, { 'd.md': text });
  await rawly(ada, async (client) => {
    await putVectors(client, first, text, 3);
    await putVectors(client, first, Buffer.from('gone'), 4);
    await client.query('SELECT open_notebook.remove_document($1, $2, $3)', [first, 's', 'gone.md']);
  });
  await setUpTeam(before);
  await closeConnection(before);
  const texts = async (notebook: string): Promise<readonly unknown[]> =>
    rawly(administrator, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>(
        `SELECT c.notebook_id, c.bytes, v.vectors, v.added_by FROM open_notebook.contents c
         LEFT JOIN open_notebook.vectors v ON v.notebook_id = c.notebook_id AND v.content = c.hash
         WHERE c.notebook_id = $1 ORDER BY c.bytes`,
        [notebook],
      );
      return rows;
    });
  const whole = { bytes: text, vectors: Buffer.alloc(2, 3), added_by: '' };
  assert.deepEqual(await texts(first), [
    { notebook_id: first, ...whole },
    { notebook_id: first, bytes: secret, vectors: null, added_by: null },
  ]);
  assert.deepEqual(await texts(second), [{ notebook_id: second, ...whole }]);
  await rawly(administrator, (client) => client.query('UPDATE open_notebook.about SET tidied_at = NULL'));
  await rawly(ben, async (client) => {
    // A text that is deleted in one notebook stays in the other.
    await client.query('SELECT open_notebook.remove_document($1, $2, $3)', [second, 's', 'd.md']);
    await client.query('SELECT open_notebook.tidy()');
  });
  assert.deepEqual(await texts(second), []);
  assert.equal((await texts(first)).length, 2);
  const { rows } = await rawly(administrator, (client) =>
    client.query<{ count: number }>('SELECT count(*)::int FROM open_notebook.vectors'),
  );
  assert.deepEqual(rows, [{ count: 1 }]);
});
