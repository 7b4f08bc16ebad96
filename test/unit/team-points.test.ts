import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import type { QuestionVector } from '../../src/index/search/vectors/embeddings-api.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { STATIC_ADDRESS } from '../../src/core/domain/settings.ts';
import { findDocuments } from '../../src/features/team/service/candidates.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import { findNear, placePoints } from '../../src/features/team/service/points.ts';
import { makeSearchable } from '../../src/features/team/service/searchable.ts';
import { exchangeVectors, nothingKnown } from '../../src/features/team/service/vectors.ts';
import { startPostgresWithPgvector, type PostgresWithPgvector } from '../support/postgres-pgvector.ts';
import { exchange, joinAs, leave, shareTexts, type Member } from '../support/team-large.ts';
import { Machine, rawly } from '../support/team.ts';
import { context, makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { rounds } from '../support/test-size.mjs';
import { downloadedRevision } from '../../src/features/team/service/sync-state.ts';
import { prefetchMatches } from '../../src/features/team/service/download-documents.ts';

const DIMENSION = 8;
const model = { baseUrl: 'http://127.0.0.1:1/v1', name: 'small' };
const { signal } = new AbortController();

const without = useTeamServer();
let pgvector: PostgresWithPgvector;
before(async () => {
  pgvector = await startPostgresWithPgvector();
});
after(() => pgvector.close());

/** Returns a vector with a dimension each for water, for baking, and for others by a number in the text. */
function meaning(text: string): Float32Array {
  const number = Number(/\d+/.exec(text)?.[0] ?? 0);
  const vector = Float32Array.from({ length: DIMENSION }, (_, at) => 0.1 + ((number * (at + 7)) % 13) / 100);
  if (/rain|irrigat|water/i.test(text)) vector[0] = 2;
  else if (/bread|oven|pastry/i.test(text)) vector[1] = 2;
  else vector[2 + (number % (DIMENSION - 2))] = 2;
  return vector;
}

async function embed(index: NotebookIndex): Promise<void> {
  for (;;) {
    const batch = await index.nextEmbeddings(model, 'me');
    if (batch.kind !== 'texts') return;
    const vectors = batch.texts.map(({ hash, text }) => [hash, meaning(text)] as const);
    await index.change(() => index.embeddings.put(batch.setId, new Map(vectors)));
  }
}

async function shareVectors({ line, sql, replica }: Member): Promise<void> {
  const localVersions = {
    dataVersion: replica.store.dataVersion(),
    revision: downloadedRevision(replica, 'documents'),
  };
  await exchangeVectors(line, sql, model, nothingKnown(), localVersions, () => undefined, signal);
}

async function placeAll({ line, sql }: Member): Promise<number | undefined> {
  let [last, upTo]: (number | undefined)[] = [0, 0];
  while (upTo !== undefined && (last = await placePoints(line, sql, model, upTo)) !== upTo) upTo = last;
  return last;
}

function asVector(index: NotebookIndex, question: string): QuestionVector {
  const active = index.embeddings.active();
  assert.ok(active);
  return { setId: active.setId, values: meaning(question) };
}

const texts = new Map(
  Array.from({ length: 40 }, (_, number) => [
    `${String(number).padStart(2, '0')}.md`,
    `Paragraph ${String(number)} of the almanac tells how long the days are.`,
  ]),
);
texts.set('38.md', 'Tomatoes get rain from the barrel.');
texts.set('39.md', 'Bread is baked on Saturdays.');

let teams = 0;

interface Large {
  readonly administrator: string;
  readonly strings: Readonly<Record<'ada' | 'ben' | 'carol', string>>;
  readonly notebookId: string;
  readonly sourceId: string;
  readonly one: Member;
}

/** Shares a notebook that is too large for its members' machines, with the vectors of the first member. */
async function shareLarge(administrator: string): Promise<Large> {
  const members = { ada: 'author', ben: 'author', carol: 'author' } as const;
  const {
    ada = '',
    ben = '',
    carol = '',
  } = await makeTeam(administrator, members, `points${String(++teams)}`);
  const { member: one, notebookId, sourceId } = await shareTexts(ada, texts, { maxLocalPassages: 5 });
  await makeSearchable(one.line, one.sql, 0, signal);
  await embed(one.machine.index);
  await shareVectors(one);
  return { administrator, strings: { ada, ben, carol }, notebookId, sourceId, one };
}

/** Joins as a member whose machine stores only the first documents. */
async function joinSmall({ strings, notebookId }: Large): Promise<Member> {
  const two = await joinAs(await Machine.join(strings.ben, notebookId), notebookId, { maxLocalPassages: 5 });
  await exchange(two);
  two.sql.transaction(() => {
    two.sql.run('UPDATE team SET applying = 1');
    two.sql.run("DELETE FROM documents WHERE key > '30'");
    two.sql.run('UPDATE team SET applying = 0');
  });
  await two.machine.index.followOthers();
  await shareVectors(two);
  await embed(two.machine.index);
  return two;
}

test('finds paraphrases in a notebook larger than a machine, if the database has pgvector', async () => {
  for (const has of [true, false]) {
    const large = await shareLarge(has ? pgvector.administrator : await without.createTeamDatabase());
    const { one } = large;
    assert.equal((await placeAll(one)) === undefined, !has);
    const two = await joinSmall(large);
    const { index } = two.machine;
    const ask = async (words: string): Promise<number> =>
      prefetchMatches(two.line, two.replica, [{ words, vector: asVector(index, words) }], two.sql);
    assert.equal((await ask('irrigation')) > 0, has);
    if (has) {
      // The document arrives with its vector, so that this question finds it.
      assert.equal(index.embeddings.countMissing(model).passages, 0);
      await index.followOthers();
      const [hit] = await index.passageSearch.search('irrigation', 1, asVector(index, 'irrigation'));
      assert.equal(hit?.documentKey, '38.md');
      assert.equal(await ask('irrigation'), 0);
    }
    // Keyword search finds the same as before.
    await ask('Saturdays pastry');
    await index.followOthers();
    assert.equal((await index.passageSearch.search('Saturdays', 1))[0]?.documentKey, '39.md');
    const byWords = await findDocuments(two.line, ['tomatoes'], undefined);
    assert.deepEqual(
      byWords.map(({ key }) => key),
      ['38.md'],
    );
    const both = await findDocuments(two.line, ['Tomatoes'], { model, vectors: [meaning('pastry')] });
    assert.ok(
      both
        .slice(0, 2)
        .map(({ key }) => key)
        .includes('38.md'),
    );
    assert.equal(
      both.slice(0, 2).some(({ key }) => key === '39.md'),
      has,
    );

    // The vector of a question from a local model isn't sent.
    const sent: string[] = [];
    const { client } = two.line;
    const query = client.query.bind(client);
    client.query = ((...args: Parameters<typeof query>) => {
      sent.push(JSON.stringify(args));
      return query(...args);
    }) as typeof client.query;
    await ask('irrigation');
    assert.ok(sent.some((words) => words.includes('near(')));
    const set = two.sql.get('SELECT base_url FROM embedding_sets');
    two.sql.write('UPDATE embedding_sets SET base_url = ?', STATIC_ADDRESS);
    sent.length = 0;
    await ask('irrigation');
    assert.ok(sent.length > 0 && !sent.some((words) => words.includes('near(')));
    two.sql.write('UPDATE embedding_sets SET base_url = ?', String(set?.base_url));
    client.query = query;

    // A deleted text isn't found, and vectors of another model match nothing.
    const other = { ...model, name: 'large' };
    assert.deepEqual(
      await findDocuments(two.line, ['irrigation'], { model: other, vectors: [meaning('rain')] }),
      [],
    );
    one.machine.index.store.removeSources([large.sourceId]);
    await exchange(one);
    assert.deepEqual(
      await findDocuments(two.line, ['irrigation'], { model, vectors: [meaning('rain')] }),
      [],
    );
    // No connection is left in the middle of a transaction.
    for (const { line } of [one, two])
      assert.equal((await line.client.query('SELECT 1 WHERE now() = statement_timestamp()')).rowCount, 1);
    for (const member of [one, two]) await leave(member);
  }
});

test('indexes its vectors, and hides similar passages of notebooks that a member can’t view', async () => {
  const large = await shareLarge(pgvector.administrator);
  const { administrator, strings, notebookId, one } = large;
  await rawly(strings.ada, (client) =>
    client.query('SELECT open_notebook.set_everybody($1, NULL)', [notebookId]),
  );
  const [row] = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ model: Buffer; content: Buffer }>(
      `SELECT model, content FROM open_notebook.vectors WHERE notebook_id = $1 LIMIT 1`,
      [notebookId],
    );
    return rows;
  });
  assert.ok(row);
  const near = async (connection: string, notebook = notebookId): Promise<string[]> =>
    rawly(connection, async (client) => {
      const { rows } = await client.query<{ key: string }>(
        'SELECT key FROM open_notebook.near($1, $2, $3, $4, 3)',
        [...[notebook, row.model, DIMENSION, `[${meaning('rain').join(',')}]`]],
      );
      return rows.map(({ key }) => key);
    });
  one.machine.embeddings = model;
  one.machine.goOnline();
  await one.machine.until('it is found', async () => (await near(strings.ada))[0] === '38.md');
  await one.machine.goOffline();

  assert.deepEqual(await near(strings.carol), []);
  const own = randomUUID();
  await rawly(strings.carol, async (client) => {
    await assert.rejects(
      client.query('SELECT open_notebook.place_points($1, $2, 0)', [notebookId, row.model]),
      /not allowed/,
    );
    for (const call of ['make_points(1, 8)', 'points_of(1)', 'pgvector()'])
      await assert.rejects(client.query(`SELECT open_notebook.${call}`), /permission denied/);
    const { rows: tables } = await rawly(administrator, (raw) =>
      raw.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class WHERE relname ~ '^(points_\\d+|placed|models)$' AND relkind = 'r'`,
      ),
    );
    assert.ok(tables.some(({ name }) => name.startsWith('points_')));
    for (const { name } of tables)
      await assert.rejects(client.query(`SELECT 1 FROM open_notebook.${name}`), /permission denied/, name);
    // A notebook of their own, whose points are stored in the same table, doesn't help either.
    await client.query('SELECT open_notebook.create_notebook($1, $2, NULL)', [own, 'Own']);
  });
  assert.deepEqual(await near(strings.carol, own), []);
  // A vector that doesn't fit the model is rejected without side effects.
  await rawly(strings.ada, async (client) => {
    for (const vectorText of ['[1,2]', '[NaN,1,1,1,1,1,1,1]', "['; DROP SCHEMA open_notebook CASCADE; --"])
      await assert.rejects(
        client.query('SELECT * FROM open_notebook.near($1, $2, $3, $4, 3)', [
          notebookId,
          row.model,
          DIMENSION,
          vectorText,
        ]),
      );
  });
  assert.deepEqual((await near(strings.ada)).slice(0, 1), ['38.md']);
  await leave(one);
});

test('rejects invalid vectors, limits the models, and deletes points of deleted texts', async () => {
  const large = await shareLarge(pgvector.administrator);
  const { administrator, strings, notebookId, one } = large;
  const hash = createHash('sha256').update('made up').digest();
  const content = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ content: Buffer }>(
      'SELECT content FROM open_notebook.documents WHERE notebook_id = $1 AND key = $2',
      [notebookId, '00.md'],
    );
    return rows[0]?.content;
  });
  const count = async (table: string, where = 'true'): Promise<number> =>
    rawly(administrator, async (client) => {
      const { rows } = await client.query<{ count: string }>(
        `SELECT count(*) FROM open_notebook.${table} WHERE ${where}`,
      );
      return Number(rows[0]?.count);
    });
  const isOwn = `added_by = '${decodeURIComponent(new URL(strings.ben).username)}'`;
  await rawly(strings.ben, async (client) => {
    const put = async (of: Buffer, dimension: number, texts: number, packed: Buffer): Promise<void> => {
      await client.query('SELECT open_notebook.put_vectors($1, $2, $3, $4, $5, $6)', [
        ...[notebookId, content, of, dimension, createHash('sha256').update(String(texts)).digest(), packed],
      ]);
    };
    // Contains a NaN, an infinity, a zero vector, a valid one, too many in a row, and ones that are too long.
    const halves = (...numbers: number[]): Buffer => Buffer.from(new Uint16Array(numbers).buffer);
    await put(hash, 2, 1, halves(0x7e00, 0x3c00, 0x3c00, 0x7c00, 0, 0x8000, 0x3c00, 0xc000));
    await put(hash, 2, 2, Buffer.alloc(4 * 65, 1));
    await put(hash, 4_001, 3, Buffer.alloc(8_002, 1));
    // Uses the maximum length with the largest and the smallest numbers.
    for (const half of [0x7bff, 1])
      await put(hash, 4_000, half, halves(...new Array<number>(4_000).fill(half)));
    const before = await count('vectors');
    // A small text has few rows.
    for (let texts = 4; texts < 60; texts++) await put(hash, 2, texts, halves(0x3c00, 0x3c00));
    assert.ok((await count('vectors')) - before < 40, String(await count('vectors')));
    for (let number = 0; number < 8; number++)
      await put(createHash('sha256').update(String(number)).digest(), 2, 1, halves(0x3c00, 0x3c00));
    assert.equal(await count('models', isOwn), 4);
    let [after, last]: (string | undefined)[] = ['0', undefined];
    while (after !== last) {
      last = after;
      const { rows } = await client.query<{ number: string }>(
        'SELECT open_notebook.place_points($1, $2, $3) AS number',
        [notebookId, hash, last],
      );
      after = rows[0]?.number;
    }
  });
  const [number] = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ number: number }>(
      'SELECT number FROM open_notebook.models WHERE model = $1 AND dimension = 2',
      [hash],
    );
    return rows.map((row) => row.number);
  });
  const points = `points_${String(number)}`;
  const [first] = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ embedding: string }>(
      `SELECT embedding::text FROM open_notebook.${points} WHERE place = 3`,
    );
    return rows;
  });
  assert.equal(first?.embedding, '[1,-2]');
  assert.equal(
    await count(points, 'place IN (0, 1, 2) AND number = (SELECT min(number) FROM open_notebook.placed)'),
    0,
  );
  const long = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ number: number }>(
      'SELECT number FROM open_notebook.models WHERE model = $1 AND dimension = 4000',
      [hash],
    );
    return rows[0]?.number;
  });
  assert.equal(await count(`points_${String(long)}`), 2);
  const all = await count('vectors', `dimension = 2 AND model = '\\x${hash.toString('hex')}'`);
  assert.equal(await count('placed', `model = ${String(number)}`), all - 1);
  await rawly(administrator, (client) =>
    client.query('DELETE FROM open_notebook.vectors WHERE model = $1', [hash]),
  );
  assert.equal(await count(points), 0);
  assert.equal(await count('placed', `model = ${String(number)}`), 0);
  await leave(one);
});

test('finds the nearest passages when another notebook has nearer ones', async () => {
  const large = await shareLarge(pgvector.administrator);
  const { one, strings } = large;
  await placeAll(one);
  const nearer = Array.from(
    { length: rounds(150, 600) },
    (_, number) => [`${String(number)}.md`, `Rain ${String(number)} falls.`] as const,
  );
  const { member: other } = await shareTexts(strings.carol, new Map(nearer), { maxLocalPassages: 5 });
  await makeSearchable(other.line, other.sql, 0, signal);
  await embed(other.machine.index);
  await shareVectors(other);
  await placeAll(other);
  const vectorQuery = { model, vectors: [meaning('irrigation 5')] };
  await rawly(pgvector.administrator, (client) => client.query('ANALYZE'));
  for (const setting of ['on', 'off']) {
    // Searches with the index alone, and by comparing with all points.
    await one.line.client.query(`SET enable_indexscan = ${setting}`);
    await one.line.client.query(`SET enable_seqscan = ${setting === 'on' ? 'off' : 'on'}`);
    const [nearest, ...rest] = await findNear(one.line, vectorQuery, 100);
    assert.equal(nearest?.key, '38.md', setting);
    assert.equal(rest.length, texts.size - 1);
    const [theirs] = await findNear(other.line, vectorQuery, 100);
    // Every thirteenth text is similar.
    assert.equal(parseInt(theirs?.key ?? '', 10) % 13, 5);
  }
  await one.line.client.query('RESET ALL');
  for (const member of [one, other]) await leave(member);
});

test('continues without pgvector after it is removed, and uses it again after the next setup', async () => {
  const large = await shareLarge(pgvector.administrator);
  const { administrator, one } = large;
  await placeAll(one);
  const vectorQuery = { model, vectors: [meaning('rain')] };
  const findKey = async (): Promise<string | undefined> =>
    (await findDocuments(one.line, ['irrigation'], vectorQuery))[0]?.key;
  assert.equal(await findKey(), '38.md');
  await rawly(administrator, (client) => client.query('DROP EXTENSION vector CASCADE'));
  assert.equal(await findKey(), undefined);
  assert.equal(await placeAll(one), undefined);
  // Setup continues if the type can't be created. A type of the same name isn't mistaken for it.
  await rawly(administrator, (client) => client.query('CREATE TYPE open_notebook_vector.halfvec AS (a int)'));
  await teamHandlers.setUp({ connection: administrator }, context);
  assert.equal(await placeAll(one), undefined);
  assert.equal(await findKey(), undefined);
  await rawly(administrator, (client) => client.query('DROP TYPE open_notebook_vector.halfvec'));
  await teamHandlers.setUp({ connection: administrator }, context);
  assert.equal(await findKey(), undefined);
  await placeAll(one);
  assert.equal(await findKey(), '38.md');
  await leave(one);
});
