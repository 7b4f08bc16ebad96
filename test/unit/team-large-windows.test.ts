// Tests how the team database merges the postings of a large notebook without deleted ones, even when killed.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import { openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import type { NotebookConnection } from '../../src/features/team/service/notebook-connection.ts';
import { mergeWindows, windowsToMerge, type Window } from '../../src/features/team/service/merge-windows.ts';
import { hashBytes, pack } from '../../src/features/team/service/packed.ts';
import { writePostings } from '../../src/features/team/service/postings.ts';
import { makeSearchable, savePostings } from '../../src/features/team/service/searchable.ts';
import { setUpTeam } from '../../src/features/team/service/set-up.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { input } from '../support/opened-notebooks.ts';
import { startPostgres } from '../support/postgres.ts';
import { rounds } from '../support/test-size.mjs';
import { Machine, rawly } from '../support/team.ts';
import { exchange, leave, joinAs, shareTexts, type Member } from '../support/team-large.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { setUpVersion } from '../support/team-versions.ts';

const server = useTeamServer();

const { signal } = new AbortController();

/** Returns a word that only one text contains, two edits away from all others. */
function ownWord(number: number): string {
  const letter = (at: number): string => 'abcdefghij'.charAt(at).repeat(2);
  return `qu${letter(Math.floor(number / 10))}${letter(number % 10)}ok`;
}

/** Returns texts with a unique word each and common words. */
function gardenTexts(count: number): Map<string, string> {
  return new Map(
    Array.from({ length: count }, (_, number) => [
      `${String(number)}.md`,
      `The blue door ${ownWord(number)} opens to a garden. ${'Roses grow there. '.repeat(1 + (number % 5))}`,
    ]),
  );
}

/** Writes each of the team's documents as a separate window, as members do who add one after the other. */
async function writeEach(line: NotebookConnection, texts: ReadonlyMap<string, string>): Promise<void> {
  const { rows } = await line.client.query<{ source_id: string; key: string; content: Buffer }>(
    'SELECT source_id, key, content FROM open_notebook.read_documents($1, 0, 1000000, NULL)',
    [line.notebookId],
  );
  for (const { source_id: sourceId, key, content } of rows) {
    const terms = `${key}\n\n${texts.get(key) ?? ''}`;
    const written = writePostings([{ terms, language: 'en' }], undefined);
    await savePostings(line, [{ name: { sourceId, key }, content, passages: 1 }], written);
  }
}

async function listWindows({ client, notebookId }: NotebookConnection): Promise<Window[]> {
  const { rows } = await client.query<Window>(
    'SELECT base, passages, dead FROM open_notebook.read_windows($1)',
    [notebookId],
  );
  return rows;
}

/** Asserts that each document is found by its unique word, and that all postings are in the right place. */
async function assertWhole(
  line: NotebookConnection,
  administrator: string,
  documents: number,
): Promise<void> {
  for (let number = 0; number < documents; number++) {
    const candidates = await findCandidates(line, [ownWord(number)]);
    assert.deepEqual(
      candidates.map(({ key }) => key),
      [`${String(number)}.md`],
    );
  }
  assert.equal((await findCandidates(line, ['garden'])).length, Math.min(documents, 100));
  const { rows } = await rawly(administrator, (client) =>
    client.query<{ count: string }>(
      `SELECT count(*) AS count FROM open_notebook.passages p WHERE p.notebook_id = $1 AND NOT EXISTS (
       SELECT 1 FROM open_notebook.windows w WHERE w.notebook_id = $1 AND p.first >= w.base AND p.first + p.count <= w.base + w.passages)
     UNION ALL SELECT count(*) FROM open_notebook.postings p WHERE p.notebook_id = $1 AND NOT EXISTS (
       SELECT 1 FROM open_notebook.windows w WHERE w.notebook_id = $1 AND p.base = w.base)`,
      [line.notebookId],
    ),
  );
  assert.deepEqual(
    rows.map(({ count }) => count),
    ['0', '0'],
  );
  const windows = await listWindows(line);
  for (const [at, { base, passages }] of windows.entries())
    assert.ok((windows[at + 1]?.base ?? Infinity) >= base + passages);
  assert.equal(
    windows.reduce((sum, { passages, dead }) => sum + passages - dead, 0),
    documents,
  );
}

test('merges windows when eight have the same size, or when a third of one is dead', () => {
  const of = (...passages: number[]): Window[] =>
    passages.map((count, at) => ({ base: at * 40_000, passages: count, dead: 0 }));
  const sizes = (windows: readonly Window[]): number[] =>
    windowsToMerge(windows).map(({ passages }) => passages);
  assert.deepEqual(sizes([]), []);
  assert.deepEqual(sizes(of(3, 3, 3, 3, 3, 3, 3)), []);
  assert.deepEqual(sizes(of(3, 3, 3, 3, 3, 3, 3, 30_000, 3)), [3, 3, 3, 3, 3, 3, 3, 3]);
  assert.deepEqual(sizes(of(1, 7, 8, 63, 64, 500, 512, 4_000, 4_096, 30_000)), []);
  // Merges no more than the capacity of one window.
  assert.deepEqual(sizes(of(...Array.from({ length: 9 }, () => 10_000))), [10_000, 10_000, 10_000]);
  assert.deepEqual(sizes(of(...Array.from({ length: 60 }, () => 32_768))), []);
  assert.deepEqual(windowsToMerge([{ base: 0, passages: 1_000, dead: 200 }]), []);
  const dying = { base: 0, passages: 1_000, dead: 400 };
  assert.deepEqual(windowsToMerge([dying, { base: 1_000, passages: 10, dead: 0 }]), [dying]);
  // However documents are added and removed, few windows remain, and merging ends.
  const random = seededRandom(3);
  let windows: Window[] = [];
  let next = 0;
  let written = 0;
  for (let added = 0; added < 5_000; added++) {
    const passages = 1 + wholeBelow(random, 6);
    windows.push({ base: next, passages, dead: 0 });
    next += passages;
    for (let due = windowsToMerge(windows); due.length > 0; due = windowsToMerge(windows)) {
      const left = due.reduce((sum, one) => sum + one.passages - one.dead, 0);
      windows = windows.filter((one) => !due.includes(one));
      windows.push({ base: next, passages: left, dead: 0 });
      next += left;
      written += left;
    }
  }
  assert.ok(windows.length < 35, String(windows.length));
  assert.ok(written < 5 * 5_000 * 3.5, String(written));
});

test('merges documents that are added one by one, and frees the space of deleted ones', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'merging');
  const { member: one, sourceId } = await shareTexts(ada, gardenTexts(20), { maxLocalPassages: 10 });
  const { machine, line } = one;
  let upTo = await makeSearchable(line, one.sql, 0, signal);
  for (let number = 20; number < 40; number++) {
    const key = `${String(number)}.md`;
    await machine.index.putDocument(sourceId, input(gardenTexts(40).get(key) ?? '', key));
    await exchange(one);
    upTo = await makeSearchable(line, one.sql, upTo, signal);
    assert.ok((await listWindows(line)).length <= 9);
  }
  await assertWhole(line, administrator, 40);

  // A third is deleted and others change. After a merge, nothing of the old texts is left.
  for (let number = 0; number < 40; number += 2) {
    const key = `${String(number)}.md`;
    if (number < 26)
      await machine.index.putDocument(sourceId, input(`A wheelbarrow stands at ${String(number)}.`, key));
    else {
      const row = one.sql.get('SELECT id FROM documents WHERE key = ?', key);
      machine.index.store.documents.removeDocuments([Number(row?.id)]);
    }
  }
  await exchange(one);
  await makeSearchable(line, one.sql, upTo, signal);
  const windows = await listWindows(line);
  assert.ok(
    windows.every(({ passages, dead }) => dead <= 0.3 * passages),
    JSON.stringify(windows),
  );
  assert.equal(
    windows.reduce((sum, { passages, dead }) => sum + passages - dead, 0),
    33,
  );
  assert.deepEqual(await findCandidates(line, [ownWord(4)]), []);
  assert.equal((await findCandidates(line, ['wheelbarrow'])).length, 13);
  assert.equal((await findCandidates(line, [ownWord(5)]))[0]?.key, '5.md');
  await leave(one);
});

test('lets one of two members merge while a reader still finds everything', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '', ben = '' } = await makeTeam(administrator, { ada: 'author', ben: 'author' }, 'together');
  const texts = gardenTexts(40);
  const { member: one, notebookId } = await shareTexts(ada, texts, { maxLocalPassages: 10 });
  const two = await joinAs(await Machine.join(ben, notebookId), notebookId, { maxLocalPassages: 10 });
  for (let round = 0; round < rounds(2, 3); round++) {
    await writeEach(one.line, texts);
    const merging = Promise.all([mergeWindows(one.line, signal), mergeWindows(two.line, signal)]);
    await rawly(ben, async () => {
      const reader = await openConnection(two.line.connection);
      for (let number = 0; number < 40; number += 3) {
        const candidates = await findCandidates({ ...two.line, client: reader }, [ownWord(number)]);
        assert.equal(candidates[0]?.key, `${String(number)}.md`);
      }
      await reader.end();
    });
    await merging;
    await assertWhole(one.line, administrator, 40);
    assert.ok((await listWindows(one.line)).length < 16);
  }
  for (const member of [one, two]) await leave(member);
});

test('keeps all postings from before or after a merge when the server is killed', async (context) => {
  const own = await startPostgres();
  context.after(() => own.stop());
  const administrator = await own.createDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' });
  const texts = gardenTexts(rounds(24, 40));
  const { member: one, notebookId } = await shareTexts(ada, texts, { maxLocalPassages: 10 });
  await leave(one);
  const random = seededRandom(7);
  for (let round = 0; round < rounds(2, 5); round++) {
    let member: Member = await joinAs(one.machine, notebookId, { maxLocalPassages: 10 });
    await writeEach(member.line, texts);
    const merging = mergeWindows(member.line, signal).catch(() => undefined);
    await sleep(wholeBelow(random, 60));
    await own.kill();
    await merging;
    await leave(member);
    await own.start();
    member = await joinAs(one.machine, notebookId, { maxLocalPassages: 10 });
    await assertWhole(member.line, administrator, texts.size);
    await mergeWindows(member.line, signal);
    await assertWhole(member.line, administrator, texts.size);
    await leave(member);
  }
});

/** Counts the rows of postings that it receives. */
class CountingClient extends pg.Client {
  rows = 0;

  override query = (async (...query: [string, unknown[]]) => {
    const result: pg.QueryResult<{ postings?: unknown }> = await super.query(...query);
    this.rows += result.rows.filter(({ postings }) => postings instanceof Buffer).length;
    return result;
  }) as pg.Client['query'];
}

test('reads common words only in passages that they can lift, with the same top results as memory', async () => {
  const administrator = await server.createTeamDatabase();
  const { ada = '' } = await makeTeam(administrator, { ada: 'author' }, 'common');
  const line: NotebookConnection = {
    client: await openConnection(readConnectionString(ada)),
    connection: readConnectionString(ada),
    notebookId: randomUUID(),
  };
  await line.client.query(`SELECT open_notebook.create_notebook($1, 'Garden', 'author')`, [line.notebookId]);
  await line.client.query(`SELECT open_notebook.put_source($1, 's', '')`, [line.notebookId]);
  const packed = pack({ text: '' });
  await line.client.query(`SELECT open_notebook.put_document($1, 's', 'a.md', '', $2, $3)`, [
    line.notebookId,
    hashBytes(packed),
    packed,
  ]);
  const random = seededRandom(11);
  const common = ['garden', 'blue', 'door', 'roof', 'stone', 'river', 'hedge', 'moss'];
  const texts = Array.from({ length: 20_000 }, (_, number) =>
    [
      ...common.filter(() => wholeBelow(random, 4) > 0),
      ...(number % 3_000 === 7 ? ['wheelbarrow'] : []),
      ...Array.from(
        { length: wholeBelow(random, 9) },
        () => `filler${'abcdefgh'.charAt(wholeBelow(random, 8))}`,
      ),
    ].join(' '),
  );
  const written = writePostings(
    texts.map((terms) => ({ terms, language: 'en' })),
    undefined,
  );
  await savePostings(
    line,
    [{ name: { sourceId: 's', key: 'a.md' }, content: hashBytes(packed), passages: texts.length }],
    written,
  );
  const memory = PassageIndex.create();
  await memory.add(texts.map((terms, number) => ({ id: number + 1, sourceId: 's', terms, language: 'en' })));
  const reader = new CountingClient({ connectionString: ada });
  await reader.connect();
  const question = `wheelbarrow ${common.join(' ')}`;
  const rows = written.blocks.filter(({ term, holding }) => holding > 0 && !term.startsWith('filler')).length;
  for (const limit of [5, 100]) {
    reader.rows = 0;
    const hits = await memory.search(question, { limit: 256 });
    const scores = new Map(hits.map(({ id, score }) => [id - 1, score]));
    const candidates = await findCandidates({ ...line, client: reader }, [question], limit);
    assert.equal(candidates.length, limit);
    for (const [at, { passage }] of candidates.entries())
      assert.ok(
        Math.abs((scores.get(passage) ?? 0) - (hits[at]?.score ?? 0)) < 0.001,
        `${String(at)} of ${String(limit)}`,
      );
    // Seven passages contain the rare word, so five requested ones all do.
    if (limit === 5) assert.ok(reader.rows < 0.7 * rows, `${String(reader.rows)} of ${String(rows)}`);
    else assert.ok(reader.rows >= rows, `${String(reader.rows)} of ${String(rows)}`);
  }
  await reader.end();
  await line.client.end();
});

test('finds compounds, inflections, and words with prefixes in the team database', async () => {
  const { ada = '' } = await makeTeam(await server.createTeamDatabase(), { ada: 'author' }, 'forms');
  const texts = gardenTexts(15);
  texts.set('compound.md', 'Krankenversicherungen heute');
  texts.set('inflection.md', 'Conexiones seguras');
  texts.set('prefix.md', 'הוא גר בבית גדול');
  const { member: one } = await shareTexts(ada, texts, { maxLocalPassages: 10 });
  await makeSearchable(one.line, one.sql, 0, signal);
  for (const [search, key] of [
    ['Versicherung', 'compound.md'],
    ['conexión', 'inflection.md'],
    ['בית', 'prefix.md'],
  ] as const)
    assert.deepEqual(
      (await findCandidates(one.line, [search])).map((found) => found.key),
      [key],
      search,
    );
  await leave(one);
});

test('corrects misspelled words with the terms of the team database', async () => {
  const { ada = '' } = await makeTeam(await server.createTeamDatabase(), { ada: 'author' }, 'spelling');
  const texts = gardenTexts(30);
  texts.set('30.md', 'A wheelbarrow and an accordion stand in the shed.');
  const { member: one } = await shareTexts(ada, texts, { maxLocalPassages: 10 });
  await makeSearchable(one.line, one.sql, 0, signal);
  const keys = async (...searches: string[]): Promise<string[]> =>
    (await findCandidates(one.line, searches)).map(({ key }) => key);
  for (const misspelt of ['wheelbarow', 'weelbarrow', 'wheelbarrwo', 'acordion'])
    assert.deepEqual(await keys(misspelt), ['30.md'], misspelt);
  // A known word next to it changes nothing, as in memory.
  assert.equal((await keys('garden wheelbarow'))[0], '30.md');
  assert.deepEqual(await keys('telescopes'), []);
  // Invalid words and postings of a member correct nothing and hide nothing.
  const { client, notebookId } = one.line;
  for (const garbage of ['\\x00ff', '\\xffffffffffffffff', '\\x'])
    await client.query(
      `SELECT open_notebook.put_postings($1, '{s}', '{k}', '{x}', '{32768}', 1, 1, $2, '{a,garden,quzz}', '{0,0,0}', '{0,9,0}', '{0,25000,0}', ARRAY[$2, $2, $2]::bytea[])`,
      [notebookId, garbage],
    );
  assert.deepEqual(await keys('acordion'), ['30.md']);
  await mergeWindows(one.line, signal);
  assert.deepEqual(await keys('acordion'), ['30.md']);
  assert.equal((await keys('garden')).length, 30);
  // Numbers and codes aren't corrected.
  assert.deepEqual(await keys('x5001'), []);
  await leave(one);
});

test('finds and merges postings of the previous version', async () => {
  const administrator = await server.createDatabase();
  const client = new pg.Client({ connectionString: administrator });
  await client.connect();
  // Version 4 stores postings in windows.
  await setUpVersion(client, 3);
  const notebookId = '8a6e0804-2bd0-4672-b79d-d97027f9071a';
  await client.query(`SELECT open_notebook.create_notebook($1, 'Garden', 'author')`, [notebookId]);
  await client.query(`SELECT open_notebook.put_source($1, 's', '')`, [notebookId]);
  for (let number = 0; number < 9; number++)
    await client.query(`SELECT open_notebook.put_document($1, 's', $2, '', sha256($3), $3)`, [
      notebookId,
      `${String(number)}.md`,
      Buffer.from(`text ${String(number)}`),
    ]);
  // In the previous version, a list was gaps between passages and weights of the term, with one row per block.
  for (let number = 0; number < 9; number++)
    await client.query(
      `SELECT open_notebook.put_postings($1, '{s}', $2, ARRAY[sha256($3)], '{1}', 2, 1, $4, '{0,0}', '{1,1}', $5)`,
      [
        notebookId,
        [`${String(number)}.md`],
        Buffer.from(`text ${String(number)}`),
        ['blue', ownWord(number)],
        [Buffer.from([0, 0x90, 0x4e]), Buffer.from([0, 0x90, 0x4e])],
      ],
    );
  await setUpTeam(client);
  await client.end();
  const line: NotebookConnection = {
    client: await openConnection(readConnectionString(administrator)),
    connection: readConnectionString(administrator),
    notebookId,
  };
  const findKeys = async (word: string): Promise<string[]> =>
    (await findCandidates(line, [word])).map(({ key }) => key);
  for (const isMerged of [false, true]) {
    assert.equal((await listWindows(line)).length, isMerged ? 1 : 9);
    assert.equal((await findKeys('blue')).length, 9);
    assert.deepEqual(await findKeys(ownWord(7)), ['7.md']);
    await mergeWindows(line, signal);
  }
  await line.client.end();
});
