import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import { addScores, eachPosting, eachTerm, writePostings } from '../../src/features/team/service/postings.ts';
import { makeSearchable } from '../../src/features/team/service/searchable.ts';
import { makePassages } from '../bench/made-passages.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { input } from '../support/opened-notebooks.ts';
import { Machine, rawly } from '../support/team.ts';
import { exchange, leave, joinAs, shareTexts } from '../support/team-large.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { downloadedRevision } from '../../src/features/team/service/sync-state.ts';
import { listPendingChanges } from '../../src/features/team/service/outbox.ts';
import { hasDocument } from '../../src/features/team/service/local-documents.ts';
import { prefetchMatches } from '../../src/features/team/service/download-documents.ts';

const server = useTeamServer();

const { signal } = new AbortController();

test('ranks documents that aren’t on this machine as memory would', async () => {
  const members = { ada: 'author', ben: 'author', carol: 'author' } as const;
  const {
    ada = '',
    ben = '',
    carol = '',
  } = await makeTeam(await server.createTeamDatabase(), members, 'room');
  const texts = makePassages(300).texts.map((text) => text.slice(0, 450).replace(/ \S*$/, ''));
  const {
    member: one,
    notebookId,
    sourceId,
  } = await shareTexts(ada, new Map(texts.map((text, number) => [`${String(number)}.md`, text])), {
    maxLocalPassages: 100,
  });
  const upTo = await makeSearchable(one.line, one.sql, 0, signal);
  await exchange(one);
  assert.equal(upTo, downloadedRevision(one.replica, 'documents'));
  // The server doesn't do this by itself, and plans searches badly without.
  await rawly(server.administratorOf(ada), (client) => client.query('ANALYZE'));

  // The first ten are those of the index in memory.
  const memory = PassageIndex.create();
  await memory.add(texts.map((text, id) => ({ id, sourceId: 's', terms: `${String(id)}.md\n\n${text}` })));
  let [same, all] = [0, 0];
  const random = seededRandom(4);
  for (let requestCount = 0; requestCount < 40; requestCount++) {
    const words = (texts[wholeBelow(random, texts.length)] ?? '').split(' ');
    const question = Array.from({ length: 5 }, () => words[wholeBelow(random, words.length)]).join(' ');
    const scores = new Map(
      (await memory.search(question, { limit: 256 })).map(({ id, score }) => [`${String(id)}.md`, score]),
    );
    // Among equal scores, any may be included.
    const least = [...scores.values()][9] ?? 0;
    for (const { key } of (await findCandidates(one.line, [question])).slice(0, 10)) {
      all++;
      if ((scores.get(key) ?? 0) > least - 0.001) same++;
    }
  }
  assert.ok(all > 300 && same / all >= 0.99, `${String(same)} of ${String(all)}`);

  // Another machine stores a third, and downloads what a search needs.
  const two = await joinAs(await Machine.join(ben, notebookId), notebookId, { maxLocalPassages: 100 });
  await exchange(two);
  const documentCount = two.machine.index.store.counts().documents;
  assert.ok(documentCount >= 100 && documentCount < 300, String(documentCount));
  // The machine knows the total number of documents.
  assert.deepEqual(
    two.machine.index.store.sources().map(({ documents, team }) => [documents, team?.documents]),
    [[documentCount, 300]],
  );
  const lacking = texts.findIndex((_, number) => !hasDocument(two.replica, sourceId, `${String(number)}.md`));
  const key = `${String(lacking)}.md`;
  const question = (texts[lacking] ?? '').split(' ').slice(0, 8).join(' ');
  const before = downloadedRevision(two.replica, 'documents');
  assert.ok((await prefetchMatches(two.line, two.replica, [{ words: question }], two.sql)) > 0);
  assert.equal(downloadedRevision(two.replica, 'documents'), before);
  await two.machine.index.followOthers();
  const [hit] = await two.machine.index.passageSearch.search(question, 3);
  assert.equal(hit?.documentKey, key);
  assert.equal(await prefetchMatches(two.line, two.replica, [{ words: question }], two.sql), 0);
  assert.equal(listPendingChanges(two.replica).length, 0);

  // A changed document is found with its new text, and a deleted one isn't found, wherever it was stored.
  const changed = (texts[lacking] ?? '').replace(/^\S+/, 'wheelbarrow');
  await two.machine.index.putDocument(sourceId, input(changed, key));
  await exchange(two);
  await makeSearchable(two.line, two.sql, 0, signal);
  const [now] = await findCandidates(one.line, ['wheelbarrow']);
  assert.equal(now?.key, key);
  await exchange(one);
  assert.match(
    (await one.machine.index.passageSearch.search('wheelbarrow', 1))[0]?.text ?? '',
    /wheelbarrow/,
  );
  one.machine.index.store.removeSources([sourceId]);
  await exchange(one);
  assert.deepEqual(await findCandidates(two.line, ['wheelbarrow']), []);

  // A member who can't view the notebook can't read any of its words.
  await rawly(ada, (client) => client.query('SELECT open_notebook.set_everybody($1, NULL)', [notebookId]));
  await rawly(carol, async (client) => {
    for (const reader of ['read_searchable($1)', 'read_windows($1)', "find_terms($1, '{wheelbarrow}')"]) {
      const { rowCount } = await client.query(`SELECT 1 FROM open_notebook.${reader}`, [notebookId]);
      assert.equal(rowCount, 0, reader);
    }
    // The member can't read the partitions directly, either.
    const { rows: parts } = await client.query<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
       WHERE c.relnamespace = 'open_notebook'::regnamespace AND c.relkind = 'r'`,
    );
    assert.equal(parts.length, 48);
    for (const { name } of parts)
      await assert.rejects(client.query(`SELECT 1 FROM ${name}`), /permission denied/, name);
    await assert.rejects(
      client.query(
        `SELECT open_notebook.put_postings($1, '{s}', '{k}', '{x}', '{1}', 1, 1, 'x', '{t}', '{0}', '{1}', '{1}', '{x}')`,
        [notebookId],
      ),
      /not allowed/,
    );
    await assert.rejects(
      client.query(
        `SELECT open_notebook.merge_windows($1, '{0}', '{}', '{}', 0, 0, 'x', '{}', '{}', '{}', '{}', '{}')`,
        [notebookId],
      ),
      /not allowed/,
    );
    await assert.rejects(
      client.query(`SELECT open_notebook.write_window($1, 1, 1, 1, 'x', '{t}', '{0}', '{1}', '{1}', '{x}')`, [
        notebookId,
      ]),
      /permission denied/,
    );
  });
  for (const member of [one, two]) await leave(member);
});

test('returns further results when the best are in deleted sources', async () => {
  const { ada = '' } = await makeTeam(await server.createTeamDatabase(), { ada: 'author' }, 'removed');
  const texts = Array.from(
    { length: 12 },
    (_, number) => [`${String(number)}.md`, 'The blue door.'] as const,
  );
  const { member: one, sourceId } = await shareTexts(ada, new Map(texts), { maxLocalPassages: 5 });
  const { id } = await one.machine.index.addSource(
    'Other',
    { kind: 'folder', uri: 'file:///other' },
    undefined,
  );
  await one.machine.index.putDocument(
    id,
    input('A door, blue once, of which much more is told here.', 'other.md'),
  );
  await exchange(one);
  await makeSearchable(one.line, one.sql, 0, signal);
  one.machine.index.store.removeSources([sourceId]);
  await exchange(one);
  assert.deepEqual(
    (await findCandidates(one.line, ['blue door'], 5)).map(({ key }) => key),
    ['other.md'],
  );
  await leave(one);
});

test('deletes least recently used downloads, except cited, highlighted, or changed passages', async () => {
  const { ada = '', ben = '' } = await makeTeam(
    await server.createTeamDatabase(),
    { ada: 'author', ben: 'author' },
    'eviction',
  );
  const letters = 'abcdefghijklmnopqrst';
  const makeWord = (number: number): string => `qu${letters.charAt(number).repeat(3)}zok`;
  const makeKey = (number: number): string => `${String(number).padStart(2, '0')}.md`;
  const texts = Array.from(
    { length: 20 },
    (_, number) => [makeKey(number), `A ${makeWord(number)}.`] as const,
  );
  const bounds = { maxLocalPassages: 5, maxPrefetchedPassages: 6 };
  const { member: one, notebookId, sourceId } = await shareTexts(ada, new Map(texts), bounds);
  await makeSearchable(one.line, one.sql, 0, signal);
  const two = await joinAs(await Machine.join(ben, notebookId), notebookId, bounds);
  await exchange(two);
  const localDocuments = (): string[] =>
    two.sql.all('SELECT key FROM documents ORDER BY key').map((row) => String(row.key));
  // The first page of a sync is complete, so this machine is made smaller by hand.
  two.sql.transaction(() => {
    two.sql.run('UPDATE team SET applying = 1');
    two.sql.run('DELETE FROM documents WHERE key > ?', makeKey(4));
    two.sql.run('UPDATE team SET applying = 0');
  });
  const ask = async (number: number): Promise<void> => {
    const before = Date.now();
    while (Date.now() === before) await setImmediate();
    await prefetchMatches(two.line, two.replica, [{ words: makeWord(number) }], two.sql);
  };
  const readNumber = (key: string): number =>
    Number(two.sql.get('SELECT id FROM documents WHERE key = ?', key)?.id);

  for (const number of [5, 6, 7, 8, 9, 10]) await ask(number);
  assert.deepEqual(
    localDocuments(),
    Array.from({ length: 11 }, (_, number) => makeKey(number)),
  );
  await two.machine.index.followOthers();
  // One document is cited in a note, one is highlighted, one has pending changes, and one is requested again.
  const span = { start: 2, end: 2 + makeWord(5).length };
  const cited = two.machine.index.cited.cite([
    { number: 1, documentId: readNumber(makeKey(5)), passage: span, span, quote: makeWord(5) },
  ]);
  two.machine.index.features.notes.add({
    title: 'Doors',
    text: 'A door.',
    citations: cited.map((citation) => ({ id: 'one', citation })),
  });
  two.sql.write(`UPDATE documents SET uri = 'file:///there/06.md' WHERE key = ?`, makeKey(6));
  two.sql.write(`INSERT INTO file_annotations (uri, annotations) VALUES ('file:///there/06.md', '[]')`);
  await two.machine.index.putDocument(sourceId, input(`A ${makeWord(7)} and more.`, makeKey(7)));
  await ask(8);
  await ask(11);
  await ask(12);
  assert.deepEqual(localDocuments(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 12].map(makeKey));

  // Others aren't notified. A deleted document is downloaded again on request, and found.
  await exchange(two);
  await makeSearchable(two.line, two.sql, 0, signal);
  await exchange(one);
  assert.equal(one.machine.index.store.counts().documents, 20);
  await ask(9);
  assert.ok(localDocuments().includes(makeKey(9)));
  await two.machine.index.followOthers();
  assert.equal((await two.machine.index.passageSearch.search(makeWord(9), 1))[0]?.documentKey, makeKey(9));
  for (const number of [13, 14, 15, 16, 17]) await ask(number);
  assert.deepEqual(localDocuments(), [0, 1, 2, 3, 4, 5, 6, 7, 15, 16, 17].map(makeKey));
  // Documents that one question downloads always stay.
  const words = Array.from({ length: 12 }, (_, number) => makeWord(number)).join(' ');
  await prefetchMatches(two.line, two.replica, [{ words }], two.sql);
  for (let number = 0; number < 12; number++)
    assert.ok(localDocuments().includes(makeKey(number)), makeKey(number));
  for (const member of [one, two]) await leave(member);
});

test('reads invalid postings without harm', () => {
  const { blocks, length } = writePostings([{ terms: 'blue door blue', language: 'en' }], undefined);
  assert.equal(length, 3);
  const read = (bytes: Uint8Array): string[] => {
    const foundKeys: string[] = [];
    eachTerm(bytes, (term, postings) => {
      eachPosting(postings, (place, impact) => {
        assert.ok(place >= 0 && place < 32_768 && impact >= 0 && impact <= 25_000);
        foundKeys.push(term);
      });
      return undefined;
    });
    eachPosting(bytes, (place, impact) => {
      assert.ok(place >= 0 && place < 32_768 && impact >= 0 && impact <= 25_000);
    });
    addScores(bytes, 1, new Float64Array(10));
    return foundKeys;
  };
  assert.deepEqual(
    blocks.flatMap(({ bytes }) => read(bytes)),
    ['blue', 'door'],
  );
  for (let seed = 1; seed < 300; seed++)
    read(Uint8Array.from({ length: seed }, (_, at) => (seed * 7_919 * (at + 1)) >>> (at % 9)));
  read(new Uint8Array(65_536).fill(255));
});
