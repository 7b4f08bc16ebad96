import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { embedTexts } from '../../src/answers/models/openai-embeddings.ts';
import { endpointAlias } from '../../src/index/search/vectors/endpoint-alias.ts';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { Embeddings } from '../../src/index/search/vectors/embeddings.ts';
import { Store } from '../../src/index/store/store.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { STATIC_ADDRESS, type EmbeddingModel } from '../../src/core/domain/settings.ts';
import { hashModel } from '../../src/features/team/service/vectors.ts';
import { runScript } from '../support/durability-process.ts';
import { startOpenAIServer, type OpenAIServer } from '../support/openai-server.ts';
import { close, input, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { Machine, rawly } from '../support/team.ts';
import { makeTeam } from '../support/team-members.ts';
import { partsOf } from '../support/team-parts.ts';
import { TIMEOUT_MS } from '../support/until.ts';
import { useTeamServer } from '../support/team-server.ts';

const DIMENSION = 8;
const DAY = 86_400_000;
const { signal } = new AbortController();

const server = useTeamServer();
let endpoint: OpenAIServer;
let model: EmbeddingModel;
before(async () => {
  endpoint = await startOpenAIServer({ apiKey: 'sk-secret' });
  endpoint.embed(meaning);
  model = { baseUrl: endpoint.baseUrl, name: 'small' };
});
after(() => endpoint.close());

/** Returns a vector with a dimension each for water, for baking, and for other topics. */
function meaning(text: string): Float32Array {
  const vector = new Float32Array(DIMENSION);
  vector[0] = /rain|irrigat|water/i.test(text) ? 1 : 0;
  vector[1] = /bread|oven|pastry/i.test(text) ? 1 : 0;
  vector[2] = 0.1;
  return vector;
}

async function ask(texts: readonly string[], by = model): Promise<(Float32Array | null)[]> {
  const access = { ...by, apiKey: 'sk-secret' };
  return await embedTexts(access, texts, { signal, timeout: TIMEOUT_MS, retries: 0 });
}

/** Embeds the missing passages of a model with its endpoint, and returns the requested texts. */
async function embed(index: NotebookIndex, by = model): Promise<readonly string[]> {
  const requestedTexts: string[] = [];
  for (;;) {
    const batch = await index.nextEmbeddings(by, 'me');
    if (batch.kind !== 'texts') return requestedTexts;
    const texts = batch.texts.map(({ text }) => text);
    requestedTexts.push(...texts);
    const vectors = await ask(texts, by);
    await index.change(() =>
      index.embeddings.put(
        batch.setId,
        new Map(batch.texts.map(({ hash }, place) => [hash, vectors[place] ?? null])),
      ),
    );
  }
}

/** Returns the passage nearest to a question that shares no word with it. */
async function nearest(index: NotebookIndex, question: string): Promise<string | undefined> {
  const active = index.embeddings.active();
  assert.ok(active);
  const [values] = await ask([question], active.model);
  assert.ok(values);
  return (await index.passageSearch.search(question, 1, { setId: active.setId, values }))[0]?.text;
}

/** Long enough for more than one row. */
const long = Array.from(
  { length: 1_000 },
  (_, number) => `Paragraph ${String(number)} of the almanac tells how long the days are in that week. `,
).map((line) => line.repeat(5));
const texts: Readonly<Record<string, string>> = {
  'garden.md': 'Tomatoes get rain from the barrel.',
  'kitchen.md': 'Bread is baked on Saturdays in the stone oven.',
  'almanac.md': long.join('\n\n'),
};

interface Team {
  readonly administrator: string;
  readonly strings: Readonly<Record<'ada' | 'ben' | 'carol', string>>;
  readonly notebookId: string;
  readonly one: Machine;
}

let teams = 0;

/** Creates a team with a notebook of one member, who hasn't embedded it yet and is offline. */
async function share({ isPrivate = false } = {}): Promise<Team> {
  const administrator = await server.createTeamDatabase();
  const members = { ada: 'author', ben: 'author', carol: 'author' } as const;
  const prefix = `vectors${String(++teams)}`;
  const { ada = '', ben = '', carol = '' } = await makeTeam(administrator, members, prefix);
  const { folder, index } = await openNew();
  const { id } = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const [key, text] of Object.entries(texts)) await index.putDocument(id, input(text, key));
  await close(index);
  const notebookId = randomUUID();
  const one = await Machine.share(ada, folder, notebookId, { isPrivate });
  one.embeddings = model;
  return { administrator, strings: { ada, ben, carol }, notebookId, one };
}

async function countRows(connection: string): Promise<number> {
  return rawly(connection, async (client) => {
    const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM open_notebook.vectors');
    return Number(rows[0]?.count);
  });
}

/** Ends a machine's wait for the vectors of others. */
async function waitInVain(machine: Machine): Promise<void> {
  await withNotebook(machine.directory, (sql) => sql.write('UPDATE team_awaited SET until = 0'));
}

/** Embeds on the first machine, and waits until the team has everything. */
async function sendAll({ administrator, one }: Team): Promise<void> {
  one.goOnline();
  await one.settled();
  // A new connection looks for vectors at once, and an open one every three seconds.
  await one.goOffline();
  const embeddedTexts = await embed(one.index);
  one.goOnline();
  const rows = 2 + Math.ceil((embeddedTexts.length - 2) / 64);
  assert.ok(rows > 5, String(rows));
  await one.until('the vectors are sent', async () => (await countRows(administrator)) === rows);
}

async function join(
  { strings, notebookId }: Team,
  by: EmbeddingModel | undefined = model,
  { isWaiting = false } = {},
): Promise<Machine> {
  const two = await Machine.join(strings.ben, notebookId);
  two.embeddings = by;
  two.goOnline();
  await two.until('the texts are there', () => two.index.store.counts().documents === 3);
  await two.settled();
  if (!isWaiting) await waitInVain(two);
  return two;
}

test('finds another member’s passage by meaning without generating an embedding again', async () => {
  const team = await share();
  await sendAll(team);
  const two = await join(team);
  await two.until('the vectors are there', () => two.index.embeddings.countMissing(model).passages === 0);
  assert.deepEqual(await embed(two.index), []);
  assert.match((await nearest(two.index, 'irrigation')) ?? '', /Tomatoes/);
  assert.match((await nearest(two.index, 'pastry')) ?? '', /Bread/);

  // Later documents also arrive with vectors from the member who embedded them.
  const [source] = two.index.store.sources();
  await two.index.putDocument(source?.id ?? '', input('Peas need no water in April.', 'peas.md'));
  assert.equal((await embed(two.index)).length, 1);
  const { one } = team;
  await one.until(
    'the new one is there with its vector',
    () =>
      one.index.store.counts().documents === 4 &&
      one.index.embeddings.countMissing(model).awaitedUntil === undefined,
  );
  assert.deepEqual(await embed(one.index), []);

  // A copy keeps the vectors.
  await two.goOffline();
  const to = makeFolder();
  await duplicateNotebook(two.directory, to);
  const copy = await open(to);
  assert.deepEqual(await embed(copy), []);
  assert.match((await nearest(copy, 'pastry')) ?? '', /Bread/);

  // The rows contain neither the endpoint nor its key.
  await rawly(team.administrator, async (client) => {
    const { rows } = await client.query<{ row: string }>(
      "SELECT encode(convert_to(v::text, 'UTF8'), 'escape') AS row FROM open_notebook.vectors v",
    );
    const all = rows.map(({ row }) => row).join('\n');
    for (const word of ['127.0.0.1', 'sk-secret', 'small', endpointAlias(model.baseUrl)])
      assert.ok(!all.includes(word), word);
  });
});

test('waits until the member who added a document embeds it', async () => {
  const team = await share();
  const { one } = team;
  one.goOnline();
  await one.settled();
  const two = await join(team, model, { isWaiting: true });
  const { passages, awaitedUntil = 0, total } = two.index.embeddings.countMissing(model);
  assert.equal(passages, 0);
  assert.deepEqual(await embed(two.index), []);
  assert.equal(two.index.embeddings.active(), undefined);
  // Embeddings of a local model cost nothing.
  assert.equal(two.index.embeddings.countMissing({ ...model, baseUrl: STATIC_ADDRESS }).passages, total);
  // A member's own documents aren't waited for.
  const [source] = two.index.store.sources();
  await two.index.putDocument(source?.id ?? '', input('Peas need no water in April.', 'peas.md'));
  assert.equal(two.index.embeddings.countMissing(model).passages, 1);
  assert.deepEqual(await embed(two.index), ['Peas need no water in April.']);
  await one.until('it is there', () => one.index.store.counts().documents === 4);
  const own = await embed(one.index);
  assert.ok(own.length === total && !own.some((text) => text.includes('Peas')), String(own.length));
  await two.until('all vectors are there', () => {
    const left = two.index.embeddings.countMissing(model);
    return left.passages === 0 && left.awaitedUntil === undefined;
  });
  assert.deepEqual(await embed(two.index), []);
  assert.match((await nearest(two.index, 'irrigation')) ?? '', /Tomatoes/);

  // If nobody embeds it, one machine begins. While vectors arrive, the others keep waiting.
  await two.goOffline();
  const three = await Machine.join(team.strings.carol, team.notebookId);
  three.goOnline();
  await three.until('the texts are there', () => three.index.store.counts().documents === 4);
  await three.goOffline();
  await withNotebook(three.directory, (sql) => {
    const store = new Store(sql);
    const now = Date.now();
    const later = (by: number): Embeddings =>
      new Embeddings(
        sql,
        (id) => store.documents.document(id),
        () => now + by,
      );
    const ends = sql.all('SELECT until FROM team_awaited').map(({ until }) => Number(until));
    assert.ok(ends.length === 4 && ends.every((end) => end - now < 180_000));
    assert.equal(later(0).countMissing(model).passages, 0);
    assert.equal(later(180_000).countMissing(model).passages, total + 1);
    assert.equal(later(180_000).next(model, 'me').kind, 'texts');
    const [first] = store.documents.ofSource(source?.id ?? '');
    const soon = Math.min(...ends) - now - 1;
    later(soon).takeOver(model, DIMENSION, first?.id ?? 0, new Map());
    assert.equal(later(soon + 2).countMissing(model).passages, 0);
  });
  assert.ok(awaitedUntil > Date.now());
});

test('doesn’t replace a member’s own vectors, or the adder’s, with those of another member', async () => {
  const team = await share();
  const { administrator, strings, one } = team;
  one.goOnline();
  await one.settled();
  await one.goOffline();
  // Writes all parts of all documents before anybody embeds them.
  const poison = await withNotebook(one.directory, (sql) => partsOf(sql));
  await rawly(strings.carol, async (client) => {
    for (const { content, texts, count } of poison)
      await client.query('SELECT open_notebook.put_vectors($1, $2, $3, $4, $5, $6)', [
        ...[team.notebookId, content, hashModel(model), DIMENSION, texts],
        Buffer.from(new Uint16Array(DIMENSION * count).fill(0x3c00).buffer),
      ]);
  });
  assert.equal(await countRows(administrator), poison.length);
  one.goOnline();
  await one.settled();
  const { length } = await embed(one.index);
  assert.equal(length, one.index.embeddings.countMissing(model).total);
  await one.until('the vectors are sent', async () => (await countRows(administrator)) === 2 * poison.length);
  const two = await join(team);
  await two.until('the vectors are there', () => two.index.embeddings.countMissing(model).passages === 0);
  assert.deepEqual(await embed(two.index), []);
  assert.match((await nearest(two.index, 'irrigation')) ?? '', /Tomatoes/);
  assert.match((await nearest(two.index, 'pastry')) ?? '', /Bread/);
});

test('generates embeddings for another model or other passages on each machine', async () => {
  const team = await share();
  await sendAll(team);
  const large = { ...model, name: 'large' };
  const two = await join(team, large);
  const { total } = two.index.embeddings.countMissing(large);
  assert.equal(two.index.embeddings.countMissing(large).passages, total);
  assert.equal((await embed(two.index, large)).length, total);
  // Without a model, no vectors are received.
  await two.goOffline();
  const three = await Machine.join(team.strings.carol, team.notebookId);
  three.goOnline();
  await three.until('the texts are there', () => three.index.store.counts().documents === 3);
  await three.settled();
  await waitInVain(three);
  assert.equal(three.index.embeddings.countMissing(model).passages, total);
  await three.goOffline();

  // A machine with longer passages splits the almanac differently. Texts that fit into one passage are the same.
  const { directory, index, connection } = await Machine.join(team.strings.carol, team.notebookId);
  await close(index);
  const passages = { size: 4_000, overlap: 0 };
  const cut = new Machine(directory, await open(directory, undefined, passages), connection);
  [cut.passages, cut.embeddings] = [passages, model];
  cut.goOnline();
  await cut.until('the texts are there', () => cut.index.store.counts().documents === 3);
  await waitInVain(cut);
  const taken = (): number => {
    const { passages, total } = cut.index.embeddings.countMissing(model);
    return total - passages;
  };
  await cut.until('what is the same is taken', () => taken() === 2);
  const longer = cut.index.embeddings.countMissing(model).passages;
  assert.ok(longer < total - 2, String(longer));
  assert.equal((await embed(cut.index)).length, longer);
  await cut.goOffline();
});

test('skips invalid vectors and generates them again', async () => {
  const team = await share();
  await sendAll(team);
  const { administrator, one } = team;
  await one.goOffline();
  // One vector has another length than it declares, one has no numbers, one is zero, and one is truncated.
  await rawly(administrator, async (client) => {
    await client.query(
      `WITH numbered AS (SELECT content, texts, octet_length(vectors) AS size, row_number() OVER (ORDER BY number) AS place
         FROM open_notebook.vectors)
       UPDATE open_notebook.vectors v SET
         dimension = CASE n.place WHEN 1 THEN 4 ELSE dimension END,
         vectors = CASE n.place WHEN 2 THEN decode(repeat('ff', n.size), 'hex') WHEN 3 THEN decode(repeat('0080', n.size / 2), 'hex')
           WHEN 4 THEN substr(vectors, 1, 16) ELSE vectors END
       FROM numbered n WHERE n.content = v.content AND n.texts = v.texts`,
    );
  });
  const two = await join(team);
  const { total } = two.index.embeddings.countMissing(model);
  await two.until('the others are there', () => two.index.embeddings.countMissing(model).passages < total);
  await two.settled();
  const embeddedTexts = await embed(two.index);
  assert.ok(embeddedTexts.length >= 4 && embeddedTexts.length < total, String(embeddedTexts.length));
  assert.equal(two.index.embeddings.countMissing(model).passages, 0);
  assert.match((await nearest(two.index, 'irrigation')) ?? '', /Tomatoes/);
  assert.match((await nearest(two.index, 'pastry')) ?? '', /Bread/);
});

test('denies a member the vectors of texts that they can’t read, and deletes them with the text', async () => {
  const team = await share({ isPrivate: true });
  await sendAll(team);
  const { administrator, strings, notebookId, one } = team;
  const [row] = await rawly(administrator, async (client) => {
    const { rows } = await client.query<{ content: Buffer; model: Buffer }>(
      'SELECT content, model FROM open_notebook.vectors LIMIT 1',
    );
    return rows;
  });
  assert.ok(row);
  const readAll = `SELECT 1 FROM open_notebook.read_vectors($1, ARRAY(SELECT generate_series(1, 1000)))`;
  const put = 'SELECT open_notebook.put_vectors($1, $2, $3, $4, $5, $6)';
  const own = randomUUID();
  const values = (notebook: string, dimension = 1): unknown[] => [
    ...[notebook, row.content, row.model, dimension],
    ...[Buffer.alloc(32), Buffer.alloc(2, 1)],
  ];
  const before = await countRows(administrator);
  await rawly(strings.carol, async (client) => {
    assert.equal((await client.query(readAll, [notebookId])).rowCount, 0);
    await assert.rejects(client.query(put, values(notebookId)), /not allowed/);
    // A notebook of their own without this text doesn't help, either.
    await client.query('SELECT open_notebook.create_notebook($1, $2, NULL)', [own, 'Own']);
    await client.query(put, values(own));
    await assert.rejects(client.query('DELETE FROM open_notebook.vectors'), /permission denied/);
  });
  assert.equal(await countRows(administrator), before);
  await rawly(strings.ada, async (client) => {
    await client.query(
      "SELECT open_notebook.set_right($1, name, 'reader') FROM open_notebook.read_members() WHERE name LIKE '%ben'",
      [notebookId],
    );
    for (const dimension of [0, 2, 20_000])
      await assert.rejects(client.query(put, values(notebookId, dimension)), /check constraint/);
  });
  await rawly(strings.ben, async (client) => {
    assert.equal((await client.query(readAll, [notebookId])).rowCount, before);
    await assert.rejects(client.query(put, values(notebookId)), /not allowed/);
  });
  // A reader receives them.
  const two = await join(team);
  await two.until('the vectors are there', () => two.index.embeddings.countMissing(model).passages === 0);

  one.index.store.removeSources(one.index.store.sources().map(({ id }) => id));
  await one.settled();
  await rawly(administrator, async (client) => {
    await client.query("UPDATE open_notebook.sources SET removed_at = removed_at - interval '31 days'");
    await client.query('UPDATE open_notebook.about SET tidied_at = NULL');
  });
  await rawly(strings.ada, (client) => client.query('SELECT open_notebook.tidy()'));
  assert.equal(await countRows(administrator), 0);
});

test('loses no vectors when a machine is killed while it sends or receives them', async () => {
  const team = await share();
  const { administrator, strings, notebookId, one } = team;
  one.goOnline();
  await one.settled();
  await one.goOffline();
  const { length } = await embed(one.index);
  const two = await Machine.join(strings.ben, notebookId);
  two.embeddings = model;
  for (const { connection, directory } of [one, two])
    // A claim with the timestamp of another day blocks nobody.
    for (const [time, ahead] of [DAY, -DAY].entries()) {
      const work = { connection, directory, ahead, embeddings: model };
      const running = runScript('team-work.ts', work);
      for await (const state of running.messages)
        if ((state as { kind: string }).kind !== 'connecting') break;
      await sleep(time * 30);
      running.kill();
      await running.ended;
    }
  one.goOnline();
  await one.until(
    'the vectors are sent',
    async () => (await countRows(administrator)) === 2 + Math.ceil((length - 2) / 64),
  );
  two.goOnline();
  await two.until('the texts are there', () => two.index.store.counts().documents === 3);
  await waitInVain(two);
  await two.until('the vectors are there', () => two.index.embeddings.countMissing(model).passages === 0);
  assert.deepEqual(await embed(two.index), []);
  assert.match((await nearest(two.index, 'irrigation')) ?? '', /Tomatoes/);
});
