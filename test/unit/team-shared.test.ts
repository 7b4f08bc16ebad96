import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { duplicateNotebook } from '../../src/index/library/duplicate.ts';
import { openResearches } from '../../src/features/research/store/board.ts';
import { teamBoard } from '../../src/features/research/editor/team-board.ts';
import { teamHandlers } from '../../src/features/team/service/handlers.ts';
import {
  boardClient,
  HOLD,
  OPTIONS,
  planWith,
  makeProduct,
  statesIn,
  makeStep,
  USER,
} from '../support/made-boards.ts';
import { makeFolder } from '../support/opened-notebooks.ts';
import { goOnline, Machine, rawly } from '../support/team.ts';
import { asked, citing, garden, highlight } from '../support/team-garden.ts';
import { context } from '../support/team-members.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

const questions = ({ index }: Machine): string[] =>
  index.features.conversations
    .list('')
    .flatMap(({ id, sharedBy }) =>
      index.features.conversations
        .allTurns(id)
        .map(({ question }) => `${sharedBy ?? 'private'}: ${question}`),
    )
    .sort();

test('shows a conversation to other members only while it is shared', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'talk');
  await goOnline([one, two], 2);
  const secret = one.index.features.conversations.begin();
  one.index.features.conversations.putTurn(secret, asked(one.index, 'What is secret?', 'Bread'));
  const open = one.index.features.conversations.begin();
  const first = asked(one.index, 'How are tomatoes watered?', 'rainwater');
  one.index.features.conversations.putTurn(open, first);
  one.index.features.conversations.share(open, true);
  await two.until('the conversation is there', () => questions(two).length > 0);
  assert.deepEqual(questions(two), ['talkada: How are tomatoes watered?']);
  // The citation refers to this machine's document.
  const [taken] = two.index.features.conversations.allTurns(open);
  const cited = taken?.answer?.citations[0];
  assert.equal(cited?.documentId, citing(two.index, 'rainwater').documentId);
  // A member's question is added to the shared conversation, but the one shown first is the member's own.
  assert.notEqual(two.index.features.conversations.openNewest().id, open);
  two.index.features.conversations.putTurn(open, asked(two.index, 'And bread?', 'Saturdays'));
  await one.until('what Ben asked is there', () => questions(one).length === 3);
  one.index.features.conversations.rename(open, 'Watering');
  await two.until(
    'the title is there',
    () => two.index.features.conversations.list('')[0]?.title === 'Watering',
  );
  await one.settled();
  await two.settled();

  // Nobody finds the private conversation in the database, not even managers and the administrator's logins.
  for (const name of ['ben', 'rita', 'mona'] as const)
    await rawly(strings[name], async (client) => {
      const { rows } = await client.query<{ kind: string; added_by: string }>(
        'SELECT kind, added_by FROM open_notebook.read_things($1, 0, 1000000, NULL) ORDER BY kind, added_by',
        [notebookId],
      );
      assert.deepEqual(
        rows.map(({ kind, added_by: by }) => `${kind} ${by}`),
        ['annotations talkada', 'conversation talkada', 'turn talkada', 'turn talkben'],
      );
    });
  // Nobody can change or delete another member's conversation, or add to a private one.
  const ben = strings.ben;
  for (const [sql, ...values] of [
    [`SELECT open_notebook.put_thing($1, 'turn', $2, $3, NULL, 'x')`, first.id, open],
    [`SELECT open_notebook.put_thing($1, 'conversation', $2, '', NULL, 'x')`, open],
    [`SELECT open_notebook.put_thing($1, 'turn', 'new', $2, NULL, 'x')`, secret],
    [`SELECT open_notebook.remove_thing($1, 'conversation', $2)`, open],
    [`SELECT open_notebook.remove_thing($1, 'turn', $2)`, first.id],
  ] as const)
    await rawly(ben, (client) => assert.rejects(client.query(sql, [notebookId, ...values]), sql));
  assert.throws(() => {
    two.index.features.conversations.remove(open);
  }, /talkada shared this conversation/);
  assert.throws(() => {
    two.index.features.conversations.share(open, false);
  }, /talkada shared this conversation/);

  // Rows of another member don't change a conversation that is private here.
  await rawly(ben, (client) =>
    client.query(`SELECT open_notebook.put_thing($1, 'conversation', $2, '', NULL, 'x')`, [
      notebookId,
      secret,
    ]),
  );
  one.index.features.conversations.share(open, false);
  await two.until('it is shared no more', () => questions(two).every((words) => words.startsWith('private')));
  assert.deepEqual(questions(two), ['private: And bread?']);
  await one.settled();
  assert.deepEqual(questions(one), [
    'private: And bread?',
    'private: How are tomatoes watered?',
    'private: What is secret?',
  ]);
  await rawly(strings.mona, async (client) => {
    const { rowCount } = await client.query(
      `SELECT 1 FROM open_notebook.read_things($1, 0, 1000000, NULL)
       WHERE kind <> 'annotations' AND value IS NOT NULL AND added_by = $2`,
      [notebookId, 'talkada'],
    );
    assert.equal(rowCount, 0);
  });
  // A copy isn't linked to the team, and shares nothing.
  one.index.features.conversations.share(open, true);
  await one.settled();
  await one.goOffline();
  await two.goOffline();
  const copy = makeFolder();
  await duplicateNotebook(one.directory, copy);
  await withNotebook(copy, (sql) => {
    assert.equal(sql.get('SELECT 1 FROM conversations WHERE shared = 1'), undefined);
    for (const { name } of sql.all(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'team*'",
    ))
      assert.equal(sql.get(`SELECT 1 FROM ${String(name)}`), undefined, String(name));
  });
});

test('opens the member’s own copy of a file with the highlights that others made', async () => {
  const { one, two, root } = await garden(server, 'mark');
  const uriAt = (folder: string): string => pathToFileURL(join(folder, 'notes', 'garden.md')).href;
  const uriOn = ({ index }: Machine): string => citing(index, 'rainwater').uri;
  await goOnline([one, two], 2);
  assert.equal(uriOn(two), '');
  one.index.features.annotations.keep(uriAt(root), [['a', highlight(1)]]);
  await one.settled();
  await two.goOffline();
  // Ben has the same workspace, but only one of its files.
  const own = makeFolder();
  mkdirSync(join(own, 'notes'));
  writeFileSync(join(own, 'notes', 'garden.md'), 'Tomatoes are watered with rainwater from the barrel.');
  two.roots = [pathToFileURL(own).href];
  two.goOnline();
  await two.until('the file is found', () => uriOn(two) === uriAt(own));
  assert.equal(citing(two.index, 'Saturdays').uri, '');
  await two.until('the mark is there', () => two.index.features.annotations.of(uriAt(own)).length === 1);
  await two.settled();

  // Both highlight while offline: both highlights stay, and deleted ones stay deleted.
  await one.goOffline();
  await two.goOffline();
  one.index.features.annotations.keep(uriAt(root), [
    ['a', highlight(1)],
    ['b', highlight(2)],
  ]);
  two.index.features.annotations.share(uriAt(own));
  two.index.features.annotations.keep(uriAt(own), [['c', highlight(3, 'Look here')]]);
  one.goOnline();
  two.goOnline();
  for (const [machine, folder] of [
    [one, root],
    [two, own],
  ] as const)
    await machine.until('both marks are there', () => {
      const keys = machine.index.features.annotations.of(uriAt(folder)).map(([key]) => key);
      return keys.sort().join('') === 'bc';
    });

  // An edit of a reference's metadata applies to everyone.
  const { documentId } = citing(one.index, 'rainwater');
  const edited = { title: 'The Barrel', authors: [], year: 1999, doi: undefined, arxiv: undefined };
  one.index.store.documents.references.edit(documentId, edited);
  await two.until(
    'the work is there',
    () =>
      two.index.store.documents.references.toPortable(citing(two.index, 'rainwater').documentId).edited
        ?.title === 'The Barrel',
  );
  one.index.store.documents.references.edit(documentId, undefined);
  await two.until(
    'the work is as it was found',
    () =>
      two.index.store.documents.references.toPortable(citing(two.index, 'rainwater').documentId).edited ===
      undefined,
  );
});

test('runs the steps of a research project on several machines, each step on one', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'board');
  const { ada, ben } = strings;
  await goOnline([one, two], 2);
  const { board } = one.index.features.researches;
  const { researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options: OPTIONS });
  const steps = [makeStep('a'), makeStep('b'), makeStep('c', ['a product', 'b product'])];
  board.setPlan({ researchId, plan: planWith(...steps), basedOn: 0 });
  board.changeResearch({ researchId, state: 'paused' });
  const otherBoard = two.index.features.researches.board;
  await two.until('the plan is there', () => otherBoard.research({ researchId })?.steps.length === 3);

  // One of forty simultaneous claims by two members succeeds.
  const claimed = await Promise.all(
    Array.from({ length: 40 }, async (_, i) =>
      teamHandlers.claimStep(
        {
          ...{ connection: i % 2 === 0 ? ada : ben, notebookId, researchId, stepId: 'a' },
          ...{ token: randomUUID(), seconds: 30 },
        },
        context,
      ),
    ),
  );
  assert.equal(claimed.filter((holder) => holder === undefined).length, 1);
  const winner = claimed.indexOf(undefined) % 2 === 0 ? 'boardada' : 'boardben';
  assert.ok(claimed.every((holder) => holder === undefined || holder === winner));
  for (const machine of [one, two])
    await machine.until('it is seen who has it', () => {
      const step = machine.index.features.researches.board.research({ researchId })?.steps[0];
      const [entry] = machine.index.features.researches.board.researches();
      return (
        step?.state === 'in-progress' &&
        step.holder?.name === winner &&
        // The start of another machine's claim isn't known here.
        step.startedAt === undefined &&
        entry?.state === 'paused' &&
        entry.elsewhere.join() === winner
      );
    });
  // Nobody can read the token of a claim, or release it for the holder.
  for (const connection of [ada, ben])
    await rawly(connection, async (client) => {
      await assert.rejects(client.query('SELECT token FROM open_notebook.claims'));
      await client.query('SELECT open_notebook.release_step($1, $2)', [notebookId, randomUUID()]);
    });
  await rawly(strings.rita, (client) =>
    assert.rejects(
      client.query(`SELECT open_notebook.claim_step($1, $2, 'b', $3, 5)`, [
        notebookId,
        researchId,
        randomUUID(),
      ]),
    ),
  );
  await rawly(server.administratorOf(strings.ada), (client) =>
    client.query('DELETE FROM open_notebook.claims'),
  );
  await one.until('it is to be had again', () => statesIn(board, researchId).a === 'ready');
  await two.until('it is to be had again', () => statesIn(otherBoard, researchId).a === 'ready');
  assert.deepEqual(board.researches()[0]?.elsewhere, []);

  // The boards show the same, for people and models.
  const boards = ([one, two] as const).map((machine) =>
    teamBoard(boardClient(machine.index.features.researches.board), {
      claimStep: async ({ hold, ...asked }) => {
        const { connection } = machine;
        const seconds = hold / 1_000;
        const member = await teamHandlers.claimStep({ ...asked, connection, notebookId, seconds }, context);
        return member === undefined ? { kind: 'taken' } : { kind: 'elsewhere', member };
      },
      releaseStep: async (token) =>
        teamHandlers.releaseStep({ connection: machine.connection, notebookId, token }, context),
    }),
  );
  const claim = { researchId, stepId: 'b', holder: USER, hold: HOLD };
  const both = await Promise.allSettled(boards.map((of) => of.call('claimStep', claim)));
  const [had] = both.flatMap((settled) => (settled.status === 'fulfilled' ? [settled.value] : []));
  const [refused] = both.flatMap((settled) =>
    settled.status === 'rejected' ? [String(settled.reason)] : [],
  );
  assert.match(refused ?? '', /This step is now assigned to board(?:ada|ben)/);
  const holding = boards[both.findIndex(({ status }) => status === 'fulfilled')];
  const token = had?.token ?? '';
  assert.equal(await holding?.call('renewStep', { token, hold: HOLD }), true);
  await holding?.call('giveBackStep', { token });
  for (const machine of [one, two])
    await machine.until(
      'it is to be had again',
      () => statesIn(machine.index.features.researches.board, researchId).b === 'ready',
    );

  const doStep = (
    machine: Machine,
    stepId: string,
    text: string,
    words: string,
    { own = machine.index.features.researches.board, working = (): void => undefined } = {},
  ): void => {
    const claim = own.claimStep({ researchId, stepId, holder: USER, hold: HOLD });
    working();
    const product = { ...makeProduct(text, USER), citations: [citing(machine.index, words)] };
    const statements = [{ start: 0, end: 3, verdict: 'supported', citations: [0] }] as const;
    assert.equal(own.submitStep({ token: claim?.token ?? '', product: { ...product, statements } }), 'kept');
  };
  /** Returns the duration of a step as a machine shows it, in milliseconds. */
  const took = (machine: Machine): number | undefined => {
    const step = machine.index.features.researches.board.research({ researchId })?.steps[0];
    return step?.endedAt === undefined || step.startedAt === undefined
      ? undefined
      : step.endedAt - step.startedAt;
  };
  let now = Date.now() - 30_000;
  await withNotebook(one.directory, (sql) => {
    const own = openResearches(sql, { now: () => now }).board;
    doStep(one, 'a', 'Rainwater.', 'rainwater', { own, working: () => void (now += 30_000) });
  });
  doStep(two, 'b', 'Saturdays.', 'Saturdays');
  for (const machine of [one, two])
    await machine.until('both are done', () => {
      const states = statesIn(machine.index.features.researches.board, researchId);
      return states.a === 'done' && states.b === 'done' && states.c === 'ready';
    });
  assert.deepEqual([took(one), took(two)], [30_000, 30_000]);
  const product = otherBoard.product({ researchId, productId: 'a product' });
  assert.equal(product?.text, 'Rainwater.');
  assert.equal(product.createdBy.name, 'boardada');
  assert.equal(product.citations[0]?.documentId, citing(two.index, 'rainwater').documentId);

  // One member comments on the plan while the other edits it.
  await one.settled();
  await two.settled();
  await one.goOffline();
  await two.goOffline();
  otherBoard.commentPlan({ researchId, stepId: undefined, text: 'Shorter, please' });
  const longer = planWith(...steps, makeStep('d'));
  board.setPlan({ researchId, plan: longer, basedOn: board.research({ researchId })?.planVersion ?? 0 });
  one.goOnline();
  two.goOnline();
  for (const machine of [one, two])
    await machine.until('the plan and the remark are there', () => {
      const research = machine.index.features.researches.board.research({ researchId });
      return research?.steps.length === 4 && research.comments[0]?.text === 'Shorter, please';
    });
  // Reruns a step together with the steps that depend on it.
  otherBoard.redoStep({ researchId, stepId: 'a', user: USER });
  await one.until('it is open here, too', () => statesIn(board, researchId).a === 'ready');
  assert.equal(statesIn(board, researchId).b, 'done');
  doStep(one, 'a', 'Rain.', 'rainwater');
  await one.settled();

  // A member who joins later gets everything.
  const three = await Machine.join(strings.mona, notebookId);
  three.goOnline();
  await three.until('all is there', () => {
    const states = statesIn(three.index.features.researches.board, researchId);
    return states.a === 'done' && states.b === 'done';
  });
  board.removeResearch({ researchId });
  for (const machine of [two, three])
    await machine.until(
      'it is gone',
      () => machine.index.features.researches.board.researches().length === 0,
    );
});

test('skips invalid conversations, highlights, and research projects of a member', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'evil');
  one.goOnline();
  await one.settled();
  const packed = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value));
  const put = (kind: string, id: string, within: string, value: Buffer): Promise<unknown> =>
    rawly(strings.ben, (client) =>
      client.query('SELECT open_notebook.put_thing($1, $2, $3, $4, NULL, $5)', [
        ...[notebookId, kind, id, within, value],
      ]),
    );
  const values = [
    Buffer.from('no deflate'),
    packed([]),
    packed({ title: 5, createdAt: 'never', wanted: [['a', { kind: 'virus' }]], state: 'done', product: {} }),
    packed({ id: '../evil', goal: 'x'.repeat(10_000), plan: { steps: [{}], parts: [] } }),
    deflateRawSync(Buffer.alloc(64 * 2 ** 20, 'a')),
  ];
  for (const [number, value] of values.entries()) {
    const id = String(number);
    await put('conversation', id, '', value);
    await put('turn', id, id, value);
    await put('annotations', `${one.index.store.sources()[0]?.id ?? ''}\ngarden.md`, '', value);
    await put('research', id, '', value);
    await put('step', `${id}/a`, id, value);
    const garden = one.index.store.sources()[0]?.id ?? '';
    for (const [outer, inner, place] of [
      ['matrix', 'cell', `${id}\na\n${garden}\ngarden.md`],
      ['deck', 'card', `${id}\n${'0'.repeat(64)}`],
    ] as const) {
      await put(outer, id, '', value);
      await put(inner, place, id, value);
    }
    await put('quiz', id, '', value);
  }
  await rawly(strings.ben, (client) =>
    assert.rejects(
      client.query(`SELECT open_notebook.put_thing($1, 'virus', 'a', '', NULL, 'x')`, [notebookId]),
    ),
  );
  two.goOnline();
  await two.until('the sources are there', () => two.index.store.counts().documents === 2);
  const shared = two.index.features.conversations.begin();
  two.index.features.conversations.putTurn(shared, asked(two.index, 'Does it go on?', 'rainwater'));
  two.index.features.conversations.share(shared, true);
  for (const machine of [one, two]) await machine.until('it goes on', () => questions(machine).length === 1);
  assert.deepEqual(one.index.features.researches.board.researches(), []);
  await one.settled();
  await two.settled();
});

test('shows managers sizes, authors, and dates, but no contents', async () => {
  const { one, two, notebookId, strings } = await garden(server, 'size');
  one.goOnline();
  await one.settled();
  two.goOnline();
  await two.until('the sources are there', () => two.index.store.counts().documents === 2);
  const [source] = await two.until('it is told who added it', () => {
    const sources = two.index.store.sources();
    return sources[0]?.team !== undefined && sources;
  });
  assert.ok(source);
  assert.equal(source.team?.addedBy, 'sizeada');
  assert.ok(Math.abs(source.team.addedAt - Date.now()) < 600_000);
  two.index.features.notes.add({ title: 'Plan', text: 'Dig.', citations: [] });
  await one.until(
    'it is told who wrote it',
    () => one.index.features.notes.list()[0]?.changedBy === 'sizeben',
  );
  const sizes = await teamHandlers.sizes({ connection: strings.mona }, context);
  const [size] = sizes;
  assert.deepEqual(
    [size?.name, size?.createdBy, size?.sources, size?.documents, size?.notes, size?.conversations],
    ['Garden', 'sizeada', 1, 2, 1, 0],
  );
  assert.ok((size?.bytes ?? 0) > 100 && size?.changedAt !== undefined);
  assert.deepEqual(await teamHandlers.sizes({ connection: strings.ben }, context), []);

  // Search data counts, too: vectors, and postings with the words of their window.
  await rawly(strings.ada, async (client) => {
    const { rows } = await client.query<{ content: Buffer; source: string; key: string }>(
      'SELECT content, source_id AS source, key FROM open_notebook.read_documents($1, 0, 1000000, 1)',
      [notebookId],
    );
    const { content, source: of, key } = rows[0] ?? {};
    const [hash, vectors] = [Buffer.alloc(32, 1), Buffer.alloc(64)];
    await client.query('SELECT open_notebook.put_vectors($1, $2, $3, 4, $3, $4)', [
      notebookId,
      content,
      hash,
      vectors,
    ]);
    await client.query(
      `SELECT open_notebook.put_postings($1, ARRAY[$2], ARRAY[$3], ARRAY[$4::bytea], ARRAY[1], 5, 1, $5, ARRAY['bean'], ARRAY[0],
         ARRAY[1], ARRAY[9], ARRAY[$6::bytea])`,
      [notebookId, of, key, content, Buffer.alloc(100), Buffer.alloc(1_000)],
    );
  });
  await one.settled();
  await two.settled();
  const [found] = await teamHandlers.sizes({ connection: strings.mona }, context);
  assert.equal((found?.bytes ?? 0) - size.bytes, 64 + 'bean'.length + 1_000 + 100);
});
