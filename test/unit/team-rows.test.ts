import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import { findCandidates } from '../../src/features/team/service/candidates.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import type { NotebookConnection } from '../../src/features/team/service/notebook-connection.ts';
import { unpack } from '../../src/features/team/service/packed.ts';
import { writePostings } from '../../src/features/team/service/postings.ts';
import { duplicateAsReplica, makeReplica } from '../../src/features/team/service/replicas.ts';
import { readRights } from '../../src/features/team/service/rights.ts';
import { exchangeVectors, nothingKnown } from '../../src/features/team/service/vectors.ts';
import type { Statements } from '../../src/index/store/database/statements.ts';
import { FakeTeam } from '../support/fake-team.ts';
import { doAsUser, planWith, makeStep, runResearch } from '../support/made-boards.ts';
import { changeRows } from '../support/changed-rows.ts';
import { wholeBelow } from '../support/durability-random.ts';
import { randomOf } from '../support/mutations.ts';
import { close, input, makeFolder, open, passageSettings, openNew } from '../support/opened-notebooks.ts';
import { asked, citing, highlight } from '../support/team-garden.ts';
import { partsOf } from '../support/team-parts.ts';
import { rounds } from '../support/test-size.mjs';
import { cardsOf } from '../support/flashcards.ts';
import { extractionRows } from '../../src/features/tables/store/rows.ts';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica } from '../../src/features/team/service/replica.ts';
import { listPendingChanges } from '../../src/features/team/service/outbox.ts';
import { findFiles } from '../../src/features/team/service/document-files.ts';
import { downloadChanges, downloadClaims } from '../../src/features/team/service/download-changes.ts';
import { uploadChanges } from '../../src/features/team/service/upload-changes.ts';

const DIMENSION = 8;

/** Number of rows that are changed before everything is read again. */
const AT_ONCE = 10;

const { signal } = new AbortController();
const connection = readConnectionString('postgres://ada@localhost/team');

/** Sends a notebook with every kind of entity that a team shares. */
async function sendAll(team: FakeTeam, notebookId: string): Promise<void> {
  const { folder: from, index } = await openNew();
  const { id } = await index.addSource('Garden', { kind: 'folder', uri: 'file:///notes' }, undefined);
  for (const [key, text] of [
    ['garden.md', '# Tomatoes\n\nTomatoes are watered with rainwater from the barrel.'],
    ['kitchen.md', 'Bread is baked on Saturdays in the stone oven.'],
  ] as const)
    await index.putDocument(id, input(text, key));
  const citation = citing(index, 'rainwater');
  index.features.notes.add({
    ...{ title: 'Plan', text: 'Dig the beds.' },
    citations: [{ id: '0123456789abcdef', citation }],
  });
  index.features.notes.add({ title: 'Glossary', text: 'Barrel: it holds rain.', citations: [] });
  const documents = [{ documentId: citation.documentId, hash: 'hash' }];
  index.features.artifacts.generatedNotes.keep('Glossary', {
    ...{ kind: 'glossary', documents, text: 'Barrel.', generatedAt: 5 },
  });
  const { extractionTables, researches } = index.features;
  const cards = cardsOf(index);
  const tableId = extractionTables.add({ title: 'Works', rowKind: 'documents' });
  const columnId = extractionTables.addColumn(tableId, 'What is done?');
  const [row] = extractionRows(index.sql, extractionTables.open(tableId)).rows;
  extractionTables.edit({ tableId, columnId, rowId: row?.id ?? '', rowTitle: 'garden.md', text: 'Watered.' });
  cards.add({
    title: 'Deck',
    origin: { documents },
    cards: [{ key: 'k', kind: 'question', maker: 'hand', front: 'What?', back: 'So.', citation }],
  });
  cards.quizzes.add({
    title: 'Quiz',
    origin: { documents, maker: 'model' },
    questions: [{ question: 'What?', choices: ['Rain', 'Milk'], right: 0, reason: 'So.', citation }],
  });
  const researchId = runResearch(researches.board, planWith({ ...makeStep('a'), action: 'ask-user' }));
  doAsUser(researches.board, researchId, 'a', 'Blue.');
  const turn = asked(index, 'How are tomatoes watered?', 'rainwater');
  await close(index);
  const to = makeFolder();
  await duplicateAsReplica(from, to, randomUUID(), notebookId);
  const shared = await open(to);
  const conversation = shared.features.conversations.begin();
  shared.features.conversations.putTurn(conversation, turn);
  shared.features.conversations.share(conversation, true);
  shared.features.annotations.keep('file:///notes/kitchen.md', [['k', highlight(1)]]);
  shared.features.annotations.share('file:///notes/kitchen.md');
  await withNotebook(to, async (sql) => {
    const replica = openReplica(sql, ['file:///notes'], passageSettings, NO_LIMITS);
    const line = { client: team.client, connection, notebookId };
    await downloadChanges(line, replica, () => undefined);
    while (await uploadChanges(line, replica));
    assert.deepEqual(listPendingChanges(replica), []);
  });
}

/** Lets the team find passages by common, rare, and misspelled words. */
function addPostings(team: FakeTeam): void {
  const passages = Array.from({ length: 300 }, (_, number) => ({
    terms: `garden ${number % 60 === 0 ? 'tomato' : `word${String(number)}`}`,
    language: undefined,
  }));
  const { blocks, words, length, languages } = writePostings(passages, undefined);
  const window = { base: 0, passages: passages.length };
  for (const { term, place, holding, maxScore, bytes } of blocks)
    team.tables.postings.push({
      ...window,
      term,
      place,
      holding,
      most: maxScore,
      postings: Buffer.from(bytes),
    });
  team.tables.windows.push({ ...window, words: Buffer.from(words) });
  team.tables.searchable.push({ languages: String(languages), passages: '300', length: String(length) });
  team.tables.passages.push({ windows: '1', passage: 60, source_id: 's', key: 'garden.md' });
}

/** Sends the local vectors to the team. */
function addVectors(team: FakeTeam, sql: Statements): void {
  for (const { content, texts, count } of partsOf(sql))
    team.tables.vectors.push({
      ...{ content, texts, dimension: DIMENSION, number: String(team.tables.vectors.length + 1) },
      vectors: Buffer.from(new Uint16Array(DIMENSION * count).fill(0x3c00).buffer),
    });
}

/** Reads all team data as the views and commands do. */
function readAll(index: NotebookIndex): void {
  for (const { id } of index.store.sources())
    for (const stamp of index.store.documents.stamps(id)) {
      index.store.documents.document(stamp.id);
      index.store.documents.documentPassages(stamp.id);
    }
  for (const { title } of index.features.notes.list()) {
    index.features.notes.open(title);
    index.features.artifacts.generatedNotes.find(title);
  }
  for (const { id } of index.features.conversations.list('')) index.features.conversations.allTurns(id);
  for (const { id } of index.features.extractionTables.list()) {
    extractionRows(index.sql, index.features.extractionTables.open(id));
    index.features.extractionTables.cells({ tableId: id, after: 0 });
  }
  for (const { id } of cardsOf(index).decks({ now: 1, dayStart: 0 })) cardsOf(index).readWholeDeck(id);
  for (const { id } of cardsOf(index).quizzes.list()) cardsOf(index).quizzes.open(id);
  const { board } = index.features.researches;
  for (const { id: researchId } of board.researches()) {
    const research = board.research({ researchId });
    for (const { id: stepId } of research?.steps ?? []) board.records({ researchId, stepId });
  }
}

/**
 * Reports whether work succeeded. A rejection in a sentence of its own counts as a failure, and other errors are
 * thrown.
 */
async function isTaken(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    if (error instanceof NotebookError) return false;
    throw error;
  }
}

test('rejects or skips changed rows of every table, and keeps the rest readable', async () => {
  const notebookId = randomUUID();
  const team = new FakeTeam();
  await sendAll(team, notebookId);
  const kinds = new Set(team.tables.things.map(({ kind }) => kind));
  assert.equal(kinds.size, 10, [...kinds].join(' '));
  addPostings(team);
  team.tables.claims.push({ research: 'r', step: 'a', member: 'ben' });

  const directory = makeFolder();
  await makeReplica(directory, randomUUID(), notebookId);
  const index = await open(directory);
  index.features.notes.add({ title: 'Own', text: 'It stays.', citations: [] });
  await withNotebook(directory, async (sql) => {
    const replica = openReplica(sql, ['file:///here'], passageSettings, NO_LIMITS);
    const line: NotebookConnection = { client: team.client, connection, notebookId };
    const take = async (): Promise<boolean> => {
      // Exceeds the revision of a changed row.
      team.later += 1e10;
      for (const kind of ['sources', 'documents', 'notes', 'things'])
        sql.run(`UPDATE team SET ${kind}_revision = 0`);
      return isTaken(async () => {
        await downloadChanges(line, replica, () => undefined);
        await findFiles(replica);
        await downloadClaims(line, replica);
        await readRights(line.client, notebookId);
        await findCandidates(line, ['garden tomato', 'tomatoe']);
        // Vectors of a model are received only once.
        const model = { baseUrl: 'http://127.0.0.1:1', name: String(team.later) };
        const localVersions = { dataVersion: 0, revision: 0 };
        await exchangeVectors(line, sql, model, nothingKnown(), localVersions, () => undefined, signal);
      });
    };
    assert.equal(await downloadChanges(line, replica, () => undefined), 0);
    addVectors(team, sql);
    assert.ok(await take());
    assert.equal(sql.number('SELECT count(*) AS count FROM embedding_sets'), 1);
    assert.equal((await findCandidates(line, ['garden tomato'])).length, 1);
    readAll(index);
    const goal = rounds(300, 10_000);
    let changes = 0;
    let takenCount = 0;
    let seed = 0;
    for (; changes < goal; seed++) {
      const random = randomOf(seed);
      const isColumn = seed % 4 === 0;
      const names = Object.keys(team.tables);
      const chosen = names[wholeBelow(random, names.length)];
      // A rejected column ends the round.
      let left = isColumn ? 1 : AT_ONCE;
      team.change = (table, rows) => {
        let changed = rows;
        while (left > 0 && (isColumn ? table === chosen : random() < 0.7)) {
          const before = changed;
          changed = changeRows(random, before, isColumn);
          if (changed === before) break;
          left--;
          changes++;
        }
        return changed;
      };
      try {
        if (await take()) takenCount++;
        readAll(index);
        assert.equal(index.features.notes.open('Own').text, 'It stays.');
      } catch (error) {
        throw new Error(`With the seed ${String(seed)}`, { cause: error });
      }
    }
    assert.ok(takenCount > seed / 2, `${String(takenCount)} of ${String(seed)}`);
    team.change = (_, rows) => rows;
    assert.ok(await take());
    readAll(index);
    const texts = index.features.notes.list().map(({ title }) => index.features.notes.open(title).text);
    for (const text of ['Dig the beds.', 'Barrel: it holds rain.', 'It stays.'])
      assert.ok(texts.includes(text), text);
    assert.deepEqual(sql.all('PRAGMA foreign_key_check'), []);
    assert.equal(sql.get('PRAGMA integrity_check')?.integrity_check, 'ok');
  });
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});

test('hashes a text differently in each notebook, and the same within one', async () => {
  const hashes: string[] = [];
  for (const salt of ['a', 'b', 'a']) {
    const team = new FakeTeam();
    Object.assign(team.tables.notebooks[0] ?? {}, { salt: salt.repeat(40) });
    await sendAll(team, randomUUID());
    hashes.push(
      team.tables.contents
        .map(({ hash }) => (hash as Buffer).toString('hex'))
        .toSorted()
        .join(' '),
    );
  }
  const [one = '', other = '', again] = hashes;
  assert.ok(one.split(' ').every((hash) => !other.includes(hash)));
  assert.equal(one, again);
});

test('sends the origins of artifacts in the form that earlier versions read', async () => {
  const team = new FakeTeam();
  await sendAll(team, randomUUID());
  const documentNames = [{ sourceId: team.tables.sources[0]?.id, key: 'garden.md', hash: 'hash' }];
  const sent = (kind: string): Record<string, unknown> =>
    unpack(team.tables.things.find((entity) => entity.kind === kind)?.value as Buffer);
  assert.deepEqual(sent('deck').made, { madeOf: documentNames });
  const { made, madeAt } = sent('quiz');
  assert.deepEqual(made, { madeOf: documentNames, maker: 'model' });
  assert.equal(typeof madeAt, 'number');
  const notes = team.tables.notes.map(({ value }) => unpack(value as Buffer));
  assert.deepEqual(notes.find(({ title }) => title === 'Glossary')?.made, {
    ...{ thing: 'glossary', text: 'Barrel.', madeAt: 5 },
    madeOf: [{ documentId: 1, hash: 'hash' }],
  });
});
