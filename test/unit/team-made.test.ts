import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { schedules } from '../../src/features/flashcards/service/schedule.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { NEW_CARD, type NewCard } from '../../src/features/flashcards/model.ts';
import { cellChange } from '../../src/features/tables/model/extraction-table.ts';
import { closeConnection, openConnection } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { setUpTeam } from '../../src/features/team/service/set-up.ts';
import { allCells } from '../support/extraction-tables.ts';
import { close, makeFolder, open, openNew } from '../support/opened-notebooks.ts';
import { asked, citing, garden } from '../support/team-garden.ts';
import { Machine, rawly } from '../support/team.ts';
import { makeTeam } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';
import { cardsOf } from '../support/flashcards.ts';
import { extractionRows } from '../../src/features/tables/store/rows.ts';
import { setUpVersion } from '../support/team-versions.ts';

const server = useTeamServer();

const clock = { now: Date.now(), dayStart: 0 };

function makeCard(index: NotebookIndex, front: string, words?: string): NewCard {
  const citation = words === undefined ? undefined : citing(index, words);
  return { key: `question ${front}`, kind: 'question', maker: 'hand', front, back: 'So.', citation };
}

/** Answers a cell as a model does. */
function answer(index: NotebookIndex, tableId: string, columnId: string, row: string, words: string): void {
  const said: Answer = {
    ...{ kind: 'written', model: 'scripted-1', text: words },
    statements: [{ start: 0, end: words.length, verdict: 'supported', citations: [0] }],
    citations: [citing(index, words)],
  };
  const { extractionTables } = index.features;
  extractionTables.want({
    tableId,
    cells: [{ columnId, rowId: row, rowTitle: 'garden.md' }],
    replacesEdited: false,
  });
  const claimed = extractionTables.claim({ tableId, holder: 'here', hold: 60_000 });
  assert.equal(claimed?.rowId, row);
  const version = extractionRows(index.sql, extractionTables.open(tableId), row).rows[0]?.version ?? '';
  const outcome = { kind: 'answered', answer: said, question: claimed.question, version } as const;
  extractionTables.keep({ tableId, columnId, rowId: row, holder: 'here', outcome });
}

/** Adds a table of documents, a deck, a quiz, and a generated note with its sources. */
function makeAll(index: NotebookIndex): { tableId: string; columnId: string } {
  const { notes } = index.features;
  const { extractionTables } = index.features;
  const cards = cardsOf(index);
  const tableId = extractionTables.add({ title: 'Works', rowKind: 'documents' });
  const columnId = extractionTables.addColumn(tableId, 'What is done?');
  const [first, second] = extractionRows(index.sql, extractionTables.open(tableId)).rows;
  answer(index, tableId, columnId, first?.id ?? '', 'watered with rainwater');
  extractionTables.edit({
    tableId,
    columnId,
    rowId: second?.id ?? '',
    rowTitle: 'kitchen.md',
    text: 'Baked.',
  });
  const documents = [first, second].flatMap((row) =>
    row?.documentId === undefined ? [] : [{ documentId: row.documentId, hash: `hash ${row.title}` }],
  );
  const { deckId } = cards.add({
    title: 'Garden',
    origin: { documents },
    cards: [makeCard(index, 'What waters tomatoes?', 'rainwater'), makeCard(index, 'When is bread baked?')],
  });
  const [card] = cards.list(deckId);
  review(index, card?.id ?? '');
  const quizId = cards.quizzes.add({
    title: 'Garden quiz',
    origin: { documents, maker: 'model' },
    questions: [
      {
        ...{ question: 'What waters tomatoes?', choices: ['Rain', 'Milk'], right: 0, reason: 'It says so.' },
        citation: citing(index, 'rainwater'),
      },
    ],
  });
  cards.quizzes.reply(quizId, { question: 0, choice: 1 });
  notes.add({ title: 'Glossary', text: 'Barrel: it holds rain.', citations: [] });
  index.features.artifacts.generatedNotes.keep('Glossary', {
    ...{ kind: 'glossary', documents, text: 'Barrel.', generatedAt: 5 },
  });
  return { tableId, columnId };
}

function review(index: NotebookIndex, cardId: string): void {
  const { schedule } = cardsOf(index).card(cardId);
  const at = Date.now();
  cardsOf(index).review({
    cardId,
    grade: 3,
    at,
    before: schedule,
    after: schedules(cardId, schedule, at)[3],
  });
}

const readState = async (machine: Machine): Promise<unknown> =>
  JSON.parse(await machine.readState()) as unknown;

test('syncs tables, decks, quizzes, and the sources of notes, but not review history', async () => {
  let tableIds = { tableId: '', columnId: '' };
  const { one, two, notebookId, strings } = await garden(server, 'made', (index) => {
    tableIds = makeAll(index);
  });
  one.goOnline();
  await one.settled();
  two.goOnline();
  await two.until('the quiz is there', () => cardsOf(two.index).quizzes.list().length === 1);
  await two.settled();
  assert.deepEqual(await readState(two), await readState(one));

  // Rows and citations refer to this machine's documents.
  const { extractionTables } = two.index.features;
  const cards = cardsOf(two.index);
  const { rows } = extractionRows(two.index.sql, extractionTables.open(tableIds.tableId));
  const cells = allCells(extractionTables, tableIds.tableId);
  assert.deepEqual(cells.map(({ rowId }) => rowId).sort(), rows.map(({ id }) => id).sort());
  const answered = cells.find(({ answer: given }) => given !== undefined);
  assert.ok(answered);
  const row = rows.find(({ id }) => id === answered.rowId);
  assert.equal(cellChange(answered, row, { question: 'What is done?' }), undefined);
  assert.equal(answered.answer?.citations[0]?.documentId, row?.documentId);
  const [deck] = cards.decks(clock);
  assert.deepEqual(
    deck?.origin?.documents.map(({ documentId }) => documentId).sort(),
    rows.map(({ documentId }) => documentId).sort(),
  );
  const [quiz] = cards.quizzes.list();
  assert.deepEqual([quiz?.title, quiz?.answered], ['Garden quiz', 0]);
  assert.equal(cards.quizzes.open(quiz?.id ?? '').questions[0]?.citation?.documentId, row?.documentId);
  const glossary = two.index.features.artifacts.generatedNotes.find('Glossary');
  assert.deepEqual(
    [glossary?.kind, glossary?.text, glossary?.documents.map(({ documentId }) => documentId).sort()],
    ['glossary', 'Barrel.', rows.map(({ documentId }) => documentId).sort()],
  );

  // Review history is private: the card is new to the other member, and the team stores nothing about it.
  const [card] = cards.list(deck.id);
  assert.deepEqual(cards.card(card?.id ?? '').schedule, NEW_CARD);
  assert.equal(cards.card(card?.id ?? '').source, 'same');
  const [reviewed] = cardsOf(one.index).list(deck.id);
  assert.notEqual(cardsOf(one.index).card(reviewed?.id ?? '').schedule.state, 0);
  const before = cardsOf(one.index).card(reviewed?.id ?? '').schedule;
  const countEntities = (): Promise<unknown> =>
    rawly(strings.mona, async (client) => {
      const { rows: all } = await client.query<{ last: string }>(
        'SELECT max(revision) AS last FROM open_notebook.read_things($1, 0, 1000000, NULL)',
        [notebookId],
      );
      return all[0]?.last;
    });
  const entityCount = await countEntities();
  review(two.index, card?.id ?? '');
  cards.suspend([card?.id ?? ''], true);
  cards.quizzes.reply(quiz?.id ?? '', { question: 0, choice: 0 });
  await withNotebook(two.directory, (sql) =>
    assert.deepEqual(sql.all('SELECT * FROM team_outbox'), [], 'nothing of it waits to be sent'),
  );
  cards.edit(card?.id ?? '', { front: 'What waters the tomatoes?', back: 'Rain.' });
  await one.until(
    'the edit is there',
    () => cardsOf(one.index).list(deck.id)[0]?.front === 'What waters the tomatoes?',
  );
  assert.notDeepEqual(await countEntities(), entityCount);
  assert.deepEqual(cardsOf(one.index).card(reviewed?.id ?? '').schedule, before);
  assert.equal(cardsOf(one.index).card(reviewed?.id ?? '').isSuspended, false);
  // A deleted card is deleted for everyone and isn't generated again. An undo restores it.
  cards.remove([card?.id ?? '']);
  await one.until('it is gone', () => cardsOf(one.index).list(deck.id).length === 1);
  assert.equal(
    cardsOf(one.index).add({ title: 'Garden', cards: [makeCard(one.index, 'What waters tomatoes?')] }).added,
    0,
  );
  cards.undo(deck.id);
  await one.until('it is back', () => cardsOf(one.index).list(deck.id).length === 2);
  assert.deepEqual(cardsOf(one.index).card(reviewed?.id ?? '').schedule, before);

  // An updated quiz is synced, and each member's replies stay with their questions.
  const quizBefore = cards.quizzes.open(quiz?.id ?? '');
  assert.deepEqual(
    quizBefore.origin?.documents.map(({ documentId }) => documentId).sort(),
    rows.map(({ documentId }) => documentId).sort(),
  );
  const bread = { question: 'What is baked?', choices: ['Bread', 'Cake'], right: 0, reason: '' };
  const quizOrigin = {
    sourceIds: undefined,
    documents: two.index.features.artifacts.currentVersions({}),
    maker: 'model' as const,
  };
  cards.quizzes.replace(quizBefore.id, quizBefore.questions, [bread, ...quizBefore.questions], quizOrigin);
  await one.until('the quiz is another', () => cardsOf(one.index).quizzes.list()[0]?.questions === 2);
  assert.deepEqual(cardsOf(one.index).quizzes.open(quizBefore.id).replies, [null, 1]);
  assert.deepEqual(cardsOf(one.index).quizzes.list()[0]?.difference, { added: 0, changed: 0, removed: 0 });

  // A copy contains everything, including the member's own review history.
  const copy = makeFolder();
  await two.settled();
  await two.goOffline();
  await duplicateNotebook(two.directory, copy);
  const own = await open(copy);
  assert.deepEqual(
    cardsOf(own)
      .decks(clock)
      .map(({ title }) => title),
    ['Garden'],
  );
  assert.notEqual(cardsOf(own).card(card?.id ?? '').schedule.state, 0);
  assert.equal(allCells(own.features.extractionTables, tableIds.tableId).length, 2);
  assert.equal(cardsOf(own).quizzes.list()[0]?.answered, 1);
  await close(own);
});

/** Creates artifacts of one member on two machines that sync the notebook. */
async function createOnBoth(
  name: string,
): Promise<{ readonly one: Machine; readonly two: Machine } & ReturnType<typeof makeAll>> {
  let tableIds = { tableId: '', columnId: '' };
  const { one, two } = await garden(server, name, (index) => {
    tableIds = makeAll(index);
  });
  one.goOnline();
  await one.settled();
  two.goOnline();
  await two.until('the quiz is there', () => cardsOf(two.index).quizzes.list().length === 1);
  return { one, two, ...tableIds };
}

test('keeps what two members change at once, per cell and per side of a card', async () => {
  const { one, two, tableId, columnId } = await createOnBoth('both');
  await one.goOffline();
  await two.goOffline();

  const rowIds = ({ index }: Machine): string[] =>
    extractionRows(index.sql, index.features.extractionTables.open(tableId)).rows.map(({ id }) => id);
  const readCell = (
    machine: Machine,
    n: number,
  ): ReturnType<typeof machine.index.features.extractionTables.cell> =>
    machine.index.features.extractionTables.cell({ tableId, columnId, rowId: rowIds(machine)[n] ?? '' });
  const edit = (machine: Machine, n: number, text: string): void =>
    machine.index.features.extractionTables.edit({
      tableId,
      columnId,
      rowId: rowIds(machine)[n] ?? '',
      rowTitle: 'A row',
      text,
    });
  // One member asks the first cell again while the other edits it. Both edit the second cell.
  answer(one.index, tableId, columnId, rowIds(one)[0] ?? '', 'rainwater from the barrel');
  edit(two, 0, 'By hand.');
  edit(one, 1, 'Baked on Saturdays.');
  edit(two, 1, 'Baked in stone.');
  const [deck] = cardsOf(one.index).decks(clock);
  const cardIds = ({ index }: Machine): string[] =>
    cardsOf(index)
      .list(deck?.id ?? '')
      .map(({ id }) => id);
  const changeCard = (
    { index }: Machine,
    id: string | undefined,
    change: { front?: string; back?: string },
  ): void => {
    const { front, back } = cardsOf(index).card(id ?? '');
    cardsOf(index).edit(id ?? '', { front, back, ...change });
  };
  changeCard(one, cardIds(one)[0], { front: 'What is poured on tomatoes?' });
  changeCard(two, cardIds(two)[0], { back: 'Rain, every morning.' });
  // Both add a column, and one renames the other's.
  one.index.features.extractionTables.addColumn(tableId, 'When?');
  two.index.features.extractionTables.addColumn(tableId, 'Where?');
  two.index.features.extractionTables.renameColumn(tableId, columnId, 'What is done there?');
  // Both create a deck of the same name, and the same card in the old one.
  for (const machine of [one, two])
    cardsOf(machine.index).add({ title: 'Bread', cards: [makeCard(machine.index, machine.connection)] });
  for (const [machine, back] of [
    [one, 'In rain.'],
    [two, 'In May.'],
  ] as const)
    cardsOf(machine.index).add({ title: 'Garden', cards: [{ ...makeCard(machine.index, 'When?'), back }] });
  one.goOnline();
  await one.settled();
  two.goOnline();
  const columns = ['What is done there?', 'When?', 'Where?'];
  for (const machine of [one, two])
    await machine.until(
      'both changes are there',
      () =>
        machine.index.features.extractionTables
          .open(tableId)
          .columns.map(({ question }) => question)
          .join() === columns.join() &&
        cardsOf(machine.index)
          .decks(clock)
          .map(({ title }) => title)
          .join() === 'Bread,Bread 2,Garden',
    );
  for (const machine of [two, one]) await machine.settled();
  await one.untilEqual(two);
  const first = readCell(one, 0);
  assert.deepEqual([first?.answer?.text, first?.edited], ['rainwater from the barrel', 'By hand.']);
  assert.equal(readCell(one, 1)?.edited, 'Baked on Saturdays.\n\nBaked in stone.');
  const card = cardsOf(one.index).card(cardIds(one)[0] ?? '');
  assert.deepEqual([card.front, card.back], ['What is poured on tomatoes?', 'Rain, every morning.']);
  const same = cardIds(one)
    .map((id) => cardsOf(one.index).card(id))
    .filter(({ front }) => front === 'When?');
  assert.deepEqual(
    same.map(({ back }) => back),
    ['In rain.\n\nIn May.'],
  );
});

test('deletes an entity for everyone, unless a member changed it meanwhile', async () => {
  const { one, two, tableId, columnId } = await createOnBoth('gone');
  await two.goOffline();
  const before = (await readState(one)) as Record<string, unknown>;
  const [deck] = cardsOf(one.index).decks(clock);
  one.index.features.extractionTables.remove(tableId);
  cardsOf(one.index).removeDeck(deck?.id ?? '');
  cardsOf(one.index).quizzes.remove(cardsOf(one.index).quizzes.list()[0]?.id ?? '');
  await one.settled();
  const [row] = extractionRows(two.index.sql, two.index.features.extractionTables.open(tableId)).rows;
  two.index.features.extractionTables.edit({
    tableId,
    columnId,
    rowId: row?.id ?? '',
    rowTitle: 'garden.md',
    text: 'Mine.',
  });
  const [card] = cardsOf(two.index).list(deck?.id ?? '');
  cardsOf(two.index).edit(card?.id ?? '', { front: 'Who waters?', back: 'So.' });
  two.goOnline();
  await one.until(
    'they are back',
    () =>
      cardsOf(one.index).list(deck?.id ?? '').length === 2 &&
      allCells(one.index.features.extractionTables, tableId).length === 2,
  );
  for (const machine of [two, one]) await machine.settled();
  await one.untilEqual(two);
  const after = (await readState(one)) as Record<string, unknown>;
  assert.deepEqual([after.matrices, after.decks, after.quizzes], [before.matrices, before.decks, []]);
  assert.equal(cardsOf(one.index).list(deck?.id ?? '')[0]?.front, 'Who waters?');
  // Nobody changes it, so it is deleted, also for members who join later.
  two.index.features.extractionTables.remove(tableId);
  cardsOf(two.index).removeDeck(deck?.id ?? '');
  await one.until(
    'they are gone',
    () =>
      one.index.features.extractionTables.list().length === 0 && cardsOf(one.index).decks(clock).length === 0,
  );
  await one.settled();
  await withNotebook(one.directory, (sql) =>
    assert.deepEqual(
      sql.all("SELECT kind, id FROM team_things WHERE kind IN ('matrix', 'cell', 'deck', 'card', 'quiz')"),
      [],
    ),
  );
});

test('deletes the cells of a deleted column on every machine', async () => {
  let tableIds = { tableId: '', columnId: '' };
  const { one, two, notebookId, strings } = await garden(server, 'column', (index) => {
    tableIds = makeAll(index);
  });
  const { tableId, columnId } = tableIds;
  one.goOnline();
  await one.settled();
  two.goOnline();
  await two.until(
    'the cells are there',
    () =>
      two.index.features.extractionTables.find(tableId) &&
      allCells(two.index.features.extractionTables, tableId).length === 2,
  );
  two.index.features.extractionTables.removeColumn(tableId, columnId);
  await one.until('they are gone', () => allCells(one.index.features.extractionTables, tableId).length === 0);
  await two.settled();
  const left = await rawly(strings.ada, (client) =>
    client.query(
      "SELECT 1 FROM open_notebook.read_things($1, 0, 1000000, NULL) WHERE kind = 'cell' AND value IS NOT NULL",
      [notebookId],
    ),
  );
  assert.equal(left.rowCount, 0);
});

test('keeps a reader from deleting shared entities, and lets a manager delete them', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'rights', makeAll);
  one.goOnline();
  await one.settled();
  const rita = await Machine.join(strings.rita, notebookId);
  rita.goOnline();
  await rita.until('the quiz is there', () => cardsOf(rita.index).quizzes.list().length === 1);
  await rita.settled();
  const sentence = /you can only view the notebook\. Ask a manager/;
  const { store } = rita.index;
  const { notes } = rita.index.features;
  const { extractionTables } = rita.index.features;
  const cards = cardsOf(rita.index);
  const [deck] = cards.decks(clock);
  const removals = [
    () => {
      extractionTables.remove(extractionTables.list()[0]?.id ?? '');
    },
    () => {
      cards.removeDeck(deck?.id ?? '');
    },
    () => {
      cards.remove([cards.list(deck?.id ?? '')[0]?.id ?? '']);
    },
    () => {
      cards.quizzes.remove(cards.quizzes.list()[0]?.id ?? '');
    },
    () => {
      notes.remove('Glossary');
    },
    () => {
      store.removeSources(store.sources().map(({ id }) => id));
    },
  ];
  for (const remove of removals) assert.throws(remove, sentence, String(remove));
  // Members can delete their own entities.
  notes.add({ title: 'Own', text: 'It is hers alone.', citations: [] });
  notes.remove('Own');
  // If an older version deleted them anyway, they come back.
  await rita.goOffline();
  await withNotebook(rita.directory, (sql) => {
    sql.write('DELETE FROM notes');
    sql.write('DELETE FROM quizzes');
    sql.write('DELETE FROM card_decks');
    sql.write('DELETE FROM matrices');
    sql.write('DELETE FROM sources');
  });
  rita.goOnline();
  await rita.untilEqual(one);

  // Members can delete their own conversations and turns, and managers those of everyone.
  two.goOnline();
  await two.until('the sources are there', () => two.index.store.counts().documents === 2);
  const open1 = one.index.features.conversations.begin();
  const first = asked(one.index, 'How are tomatoes watered?', 'rainwater');
  one.index.features.conversations.putTurn(open1, first);
  one.index.features.conversations.putTurn(open1, asked(one.index, 'When is bread baked?', 'Saturdays'));
  one.index.features.conversations.share(open1, true);
  const mona = await Machine.join(strings.mona, notebookId);
  mona.goOnline();
  const turns = (machine: Machine): number => machine.index.features.conversations.allTurns(open1).length;
  for (const machine of [two, mona]) {
    await machine.until('the conversation is there', () => turns(machine) === 2);
    await machine.settled();
  }
  assert.throws(() => {
    two.index.features.conversations.removeTurn(first.id);
  }, /rightsada asked this question\. Only they/);
  assert.throws(() => {
    two.index.features.conversations.remove(open1);
  }, /rightsada shared this conversation with the team\. Only they and the notebook’s managers/);
  assert.equal(turns(two), 2);
  mona.index.features.conversations.removeTurn(first.id);
  for (const machine of [one, two]) await machine.until('the turn is gone', () => turns(machine) === 1);
  // If the local check is bypassed, the database rejects the deletion, and everything is restored.
  await two.settled();
  await withNotebook(two.directory, (sql) => sql.write('DELETE FROM conversations WHERE id = ?', open1));
  await two.until('it is back', () => turns(two) === 1);
  mona.index.features.conversations.remove(open1);
  await two.until('it is gone', () => turns(two) === 0);
  // Its owner keeps it as private.
  await one.until('it is private', () =>
    one.index.features.conversations.list('').every(({ sharedBy }) => sharedBy === undefined),
  );
  assert.equal(turns(one), 1);
});

test('sends artifacts that were generated before this version could send them', async () => {
  const { one, two } = await garden(server, 'late', makeAll);
  one.goOnline();
  await one.settled();
  await one.goOffline();
  // Restores the state of the old version: nothing was recorded, and artifacts were skipped.
  const last = 8;
  await close(one.index);
  await close(two.index);
  for (const { directory } of [one, two])
    await withNotebook(directory, (sql) => {
      const version = Number(sql.get('PRAGMA user_version')?.user_version);
      for (const { name } of sql.all(
        `SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB '*_sent_*'
           AND tbl_name IN ('matrices', 'matrix_cells', 'card_decks', 'cards', 'quizzes', 'made_notes')`,
      ))
        sql.run(`DROP TRIGGER ${String(name)}`);
      sql.run("DELETE FROM team_things WHERE kind IN ('matrix', 'cell', 'deck', 'card', 'quiz')");
      sql.run('UPDATE team SET things_revision = 1000000 WHERE things_revision >= 0');
      for (const name of ['insert', 'update']) sql.run(`DROP TRIGGER notes_torn_${name}`);
      sql.run('DROP TABLE torn_notes');
      sql.run('ALTER TABLE team DROP COLUMN level');
      sql.run('DROP TRIGGER team_deeds_told_update');
      sql.run('ALTER TABLE team_deeds DROP COLUMN documents');
      for (const column of ['source_ids', 'made_of', 'maker'])
        sql.run(`ALTER TABLE quizzes DROP COLUMN ${column}`);
      sql.run('ALTER TABLE matrix_cells DROP COLUMN was');
      for (const table of ['team_awaited', 'team_private_marks', 'team_shared_files', 'turn_versions'])
        sql.run(`DROP TABLE ${table}`);
      for (const column of ['version', 'selection']) sql.run(`ALTER TABLE turns DROP COLUMN ${column}`);
      for (const column of ['format', 'uri', 'source']) sql.run(`DROP INDEX documents_by_${column}`);
      sql.run(`PRAGMA user_version = ${String(version - last)}`);
    });
  for (const machine of [one, two]) {
    const again = new Machine(machine.directory, await open(machine.directory), machine.connection);
    again.goOnline();
    await again.until('all is there', () => cardsOf(again.index).quizzes.list().length === 1);
    await again.settled();
    await again.goOffline();
  }
  assert.deepEqual(await readState(two), await readState(one));
});

test('asks for an update of an older database, and skips unknown entities of a newer one', async (context) => {
  const administrator = await server.createDatabase();
  const client = await openConnection(readConnectionString(administrator));
  context.after(() => closeConnection(client));
  await makeTeam(administrator, {}, 'schema');
  await client.query('DROP SCHEMA open_notebook CASCADE');
  await setUpVersion(client, 13);
  const { folder, index } = await openNew();
  cardsOf(index).add({ title: 'Garden', cards: [makeCard(index, 'When?')] });
  await close(index);
  const notebookId = randomUUID();
  await assert.rejects(
    Machine.share(administrator, folder, notebookId),
    /Ask its administrator to run “Set Up Team Database…”/,
  );
  await setUpTeam(client);
  const one = await Machine.share(administrator, folder, notebookId);
  one.goOnline();
  await one.settled();
  await client.query('ALTER TABLE open_notebook.things DROP CONSTRAINT things_kind_check');
  await client.query('UPDATE open_notebook.about SET version = version + 1');
  await client.query(`SELECT open_notebook.put_thing($1, 'timeline', 'a', '', NULL, 'x')`, [notebookId]);
  const two = await Machine.join(administrator, notebookId);
  two.goOnline();
  await two.until('the deck is there', () => cardsOf(two.index).decks(clock)[0]?.cards === 1);
  cardsOf(two.index).rename(cardsOf(two.index).decks(clock)[0]?.id ?? '', 'Kitchen');
  await one.until('it goes on', () => cardsOf(one.index).decks(clock)[0]?.title === 'Kitchen');
  await client.query('UPDATE open_notebook.about SET oldest_client = version');
  await assert.rejects(
    Machine.join(administrator, notebookId),
    /A newer version of Open Notebook set up the team database\. Update the extension/,
  );
});
