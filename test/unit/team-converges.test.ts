import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import type { NotebookIndex } from '../../src/index/worker/notebook-index.ts';
import { closeConnection, openConnection, type Client } from '../../src/features/team/service/connect.ts';
import { readConnectionString } from '../../src/features/team/service/connection-string.ts';
import { seededRandom, wholeBelow } from '../support/durability-random.ts';
import { doAsUser, OPTIONS, planWith, makeStep, USER } from '../support/made-boards.ts';
import { close, input, makeFolder, open, passageSettings } from '../support/opened-notebooks.ts';
import { Machine } from '../support/team.ts';
import { highlight } from '../support/team-garden.ts';
import { makeAuthors, makeTeam } from '../support/team-members.ts';
import { had, TeamModel, words } from '../support/team-model.ts';
import { rounds } from '../support/test-size.mjs';
import { useTeamServer } from '../support/team-server.ts';
import { cardsOf } from '../support/flashcards.ts';
import { NO_LIMITS } from '../../src/features/sync.ts';
import { openReplica } from '../../src/features/team/service/replica.ts';
import { downloadChanges } from '../../src/features/team/service/download-changes.ts';
import { uploadChanges } from '../../src/features/team/service/upload-changes.ts';

const server = useTeamServer();

interface Member {
  readonly index: NotebookIndex;
  readonly sql: Statements;
  /** Syncs until nothing is left. Throws if the connection breaks. */
  exchange(isReliable: boolean): Promise<void>;
  /** Abandons the replica as an ended process does, and starts again. */
  restart(): void;
  readState(): Promise<string>;
  /** Restores the source that was deleted first. */
  restore(): Promise<void>;
  /** Disconnects, and keeps the machine's data. */
  leave(): Promise<void>;
  close(): Promise<void>;
}

async function makeMember(
  machine: Machine,
  notebookId: string,
  isLost: (query: string) => boolean,
  answered: () => unknown = () => undefined,
): Promise<Member> {
  const connection = readConnectionString(machine.connection);
  const client = await openConnection(connection);
  const { database } = await openDatabase(machine.directory);
  const sql = new Statements(database);
  let replica = openReplica(sql, [], passageSettings, NO_LIMITS);
  // The server executes the query, but the response is lost.
  const lossy = new Proxy(client, {
    get: (target, name) =>
      name !== 'query'
        ? (Reflect.get(target, name) as unknown)
        : async (...query: [string, unknown[]]): Promise<unknown> => {
            const answer = await target.query(...query);
            await answered();
            if (isLost(typeof query[0] === 'string' ? query[0] : ''))
              throw new Error('Connection terminated unexpectedly');
            return answer;
          },
  });
  const leave = async (): Promise<void> => {
    await closeConnection(client);
    sql.close();
  };
  const by = (one: Client): { client: Client; connection: typeof connection; notebookId: string } => ({
    client: one,
    connection,
    notebookId,
  });
  return {
    index: machine.index,
    sql,
    async exchange(isReliable) {
      const line = by(isReliable ? client : lossy);
      for (let round = 0; ; round++) {
        assert.ok(round < 50, 'there is an end to it');
        await downloadChanges(line, replica, () => undefined);
        if (!(await uploadChanges(line, replica))) break;
      }
      await machine.index.followOthers();
    },
    restart() {
      replica = openReplica(sql, [], passageSettings, NO_LIMITS);
    },
    async readState() {
      const memberState = JSON.parse(await machine.readState()) as object;
      const marks = sql.all(
        'SELECT source_id, key, annotations FROM file_annotations JOIN documents USING (uri) ORDER BY source_id, key',
      );
      // Annotations have no order.
      const annotations = marks.map(({ source_id: source, key, annotations: json }) => {
        const wanted = JSON.parse(String(json)) as [string, unknown][];
        return { source, key, wanted: wanted.sort(([a], [b]) => (a < b ? -1 : 1)) };
      });
      return JSON.stringify({ ...memberState, annotations }, undefined, 1);
    },
    async restore() {
      const { rows } = await client.query<{ id: string }>(
        'SELECT id FROM open_notebook.read_removed_sources($1) ORDER BY id LIMIT 1',
        [notebookId],
      );
      if (rows[0])
        await client.query('SELECT open_notebook.restore_source($1, $2)', [notebookId, rows[0].id]);
    },
    leave,
    async close() {
      await leave();
      await close(machine.index);
    },
  };
}

/** Address of the pages. All members can highlight pages, but files have to be shared first. */
const PAGES = 'https://garden.example';
const origin = { kind: 'page', url: `${PAGES}/` } as const;
const toUri = (key: string): string => `${PAGES}/${key}`;

const pick = <T>(random: () => number, all: readonly T[]): T | undefined =>
  all[wholeBelow(random, all.length)];

/** Changes a random artifact, as `change` does. */
async function changeArtifact(
  { index, sql }: Member,
  random: () => number,
  word: string,
  removes: boolean,
): Promise<void> {
  const { store } = index;
  const { extractionTables } = index.features;
  const cards = cardsOf(index);
  const matrix = pick(random, extractionTables.list());
  const column = matrix && pick(random, extractionTables.open(matrix.id).columns);
  const source = pick(random, store.sources());
  const deck = pick(random, cards.decks({ now: 0, dayStart: 0 }));
  const card = deck && pick(random, cards.list(deck.id));
  const quiz = pick(random, cards.quizzes.list());
  const front = `What is ${word}?`;
  const back = 'A word.';
  const deeds: (() => unknown)[] = [
    () => {
      const tableId = extractionTables.add({
        title: `Matrix ${word}`,
        rowKind: 'sources',
      });
      extractionTables.addColumn(tableId, 'When?');
    },
    () => {
      if (matrix) extractionTables.addColumn(matrix.id, `Where is ${word}?`);
    },
    () => {
      if (matrix && column) extractionTables.renameColumn(matrix.id, column.id, `How is ${word}?`);
    },
    ...Array<() => void>(3).fill(() => {
      if (!matrix || !column || !source) return;
      const place = { tableId: matrix.id, columnId: column.id, rowId: source.id };
      const before = extractionTables.cell(place)?.edited ?? '';
      extractionTables.edit({ ...place, rowTitle: 'A row', text: `${before} ${word}` });
    }),
    ...Array<() => void>(2).fill(() => {
      const key = `question ${String(wholeBelow(random, 4))}`;
      const title = `Deck ${String(wholeBelow(random, 3))}`;
      cards.add({ title, cards: [{ key, kind: 'question', maker: 'hand', front, back }] });
    }),
    () => {
      if (card) cards.edit(card.id, { front: `${cards.card(card.id).front} ${word}`, back });
    },
    () => {
      if (deck) cards.rename(deck.id, `Deck ${String(wholeBelow(random, 3))}`);
    },
    () => {
      if (card) cards.suspend([card.id], random() < 0.5);
    },
    () =>
      cards.quizzes.add({
        title: `Quiz ${word}`,
        questions: [{ question: front, choices: ['a', 'b'], right: 0, reason: back }],
      }),
  ];
  if (removes)
    deeds.push(
      () => {
        if (matrix && column) extractionTables.removeColumn(matrix.id, column.id);
      },
      () => {
        if (matrix) extractionTables.remove(matrix.id);
      },
      () => {
        if (card) cards.remove([card.id]);
      },
      () => {
        if (deck) cards.undo(deck.id);
      },
      () => {
        if (deck) cards.removeDeck(deck.id);
      },
      () => {
        if (quiz) cards.quizzes.remove(quiz.id);
      },
      () => {
        if (!matrix || !column || !source) return;
        const place = { tableId: matrix.id, columnId: column.id, rowId: source.id };
        if (sql.get('SELECT 1 FROM matrix_cells WHERE matrix_id = ?', matrix.id))
          extractionTables.edit({ ...place, rowTitle: 'A row', text: undefined });
      },
    );
  await pick(random, deeds)?.();
}

/** Makes a random change to shared highlights, conversations, or research projects, as `change` does. */
async function changeShared(
  member: Member,
  random: () => number,
  word: string,
  removes: boolean,
): Promise<void> {
  const { index, sql } = member;
  const { store, features } = index;
  const { annotations, conversations, researches } = features;
  const { board } = researches;
  const uri = toUri(`${String(wholeBelow(random, 4))}.md`);
  const own = pick(random, sql.all('SELECT id, shared_by FROM conversations WHERE shared = 1 ORDER BY id'));
  const research = pick(random, board.researches());
  const opened = research && board.research({ researchId: research.id });
  const step = opened && pick(random, opened.steps);
  const plan = opened && {
    steps: opened.steps.map(({ id, action, target, materials, tools, produces, quantity }) => ({
      ...{ id, action, target, materials, tools, produces, quantity },
    })),
    parts: opened.parts,
  };
  const ask = (conversationId: string): void => {
    const state = { kind: 'done', milliseconds: 5 } as const;
    const answer = { kind: 'nothing', text: '', citations: [] } as const;
    conversations.putTurn(conversationId, {
      id: randomUUID(),
      question: `Is it ${word}?`,
      askedAt: 1,
      state,
      answer,
    });
  };
  const deeds: (() => unknown)[] = [
    ...Array<() => void>(3).fill(() => {
      // Highlights that are made before the page is a source stay private.
      if (!sql.get('SELECT 1 FROM documents WHERE uri = ?', uri)) return;
      const marked = new Map(annotations.of(uri));
      const key = `k${String(wholeBelow(random, 3))}`;
      marked.set(key, highlight(1, `${marked.get(key)?.remark ?? ''} ${word}`.trim()));
      annotations.keep(uri, [...marked]);
    }),
    () => {
      const conversationId = conversations.begin();
      ask(conversationId);
      conversations.share(conversationId, true);
    },
    () => {
      if (own) ask(String(own.id));
    },
    () => {
      const { researchId } = board.addResearch({ goal: `Find ${word}`, bounds: {}, options: OPTIONS });
      board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b')), basedOn: 0 });
      board.changeResearch({ researchId, state: 'paused' });
    },
    () => {
      if (research) board.changeResearch({ researchId: research.id, goal: `${research.goal} ${word}` });
    },
    () => {
      if (research) board.commentPlan({ researchId: research.id, text: `More of ${word}` });
    },
    () => {
      if (!opened || !plan) return;
      const steps = [...plan.steps, makeStep(word)];
      board.setPlan({ researchId: opened.id, plan: { ...plan, steps }, basedOn: opened.planVersion });
    },
    ...Array<() => void>(3).fill(() => {
      if (!opened || !step) return;
      const { id: researchId } = opened;
      if (step.state === 'ready') doAsUser(board, researchId, step.id, `Made of ${word}.`);
      const product = board.product({ researchId, productId: step.produces });
      if (step.state === 'done' && product)
        board.putProduct({ researchId, product: { ...product, text: `${product.text}\n\nAnd of ${word}.` } });
    }),
  ];
  if (removes)
    deeds.push(
      () => {
        annotations.keep(uri, annotations.of(uri).slice(1));
      },
      () => {
        if (own?.shared_by === null) conversations.share(String(own.id), false);
      },
      () => {
        if (opened && step?.state === 'done')
          board.redoStep({ researchId: opened.id, stepId: step.id, user: USER });
      },
      () => {
        if (!opened || !plan || !step || step.state === 'done' || plan.steps.length < 2) return;
        const steps = plan.steps.filter(({ id }) => id !== step.id);
        const parts = [{ text: 'All', product: steps.at(-1)?.produces ?? '' }];
        board.setPlan({ researchId: opened.id, plan: { steps, parts }, basedOn: opened.planVersion });
      },
      () => {
        if (research && random() < 0.3) board.removeResearch({ researchId: research.id });
      },
      () => store.sources().length < 2 && member.restore(),
    );
  await pick(random, deeds)?.();
}

/** Reports whether a word is stored anywhere on a machine. */
function holds({ sql }: Pick<Member, 'sql'>, word: string): boolean {
  return words(sql).includes(word);
}

/**
 * Makes a random change. Everything that is added has a unique word. Without `removes`, nothing is deleted. Returns
 * whether the word is in a place where it can't be lost.
 */
async function change(
  member: Member,
  random: () => number,
  word: string,
  removes: boolean,
): Promise<boolean> {
  const { index, sql } = member;
  const { store } = index;
  const { notes } = index.features;
  const kind = random();
  if (kind < 0.6) {
    await (kind < 0.3 ? changeArtifact : changeShared)(member, random, word, removes);
    return holds(member, word);
  }
  const title = pick(random, notes.list())?.title;
  const source = pick(random, store.sources());
  const key = `${String(wholeBelow(random, 4))}.md`;
  const overwrite = { create: false, overwrite: true };
  const deeds: (() => unknown)[] = [
    () => notes.add({ title: `Note ${String(wholeBelow(random, 4))}`, text: `${word}\n`, citations: [] }),
    () => {
      if (title === undefined) return;
      const lines = notes.open(title).text.split('\n');
      lines.splice(wholeBelow(random, lines.length), 0, word);
      notes.write(title, lines.join('\n'), overwrite);
    },
    () => {
      const to = `Named ${String(wholeBelow(random, 4))}`;
      if (title !== undefined && notes.list().every((one) => one.title !== to))
        notes.rename(title, to, false);
    },
    () =>
      source &&
      index.putDocument(source.id, {
        ...input(`The word ${word} stands here. `.repeat(30), key),
        uri: toUri(key),
      }),
    () => {
      if (source) store.renameSource(source.id, `Garden ${word}`);
    },
  ];
  if (removes)
    deeds.push(
      () => {
        if (title === undefined) return;
        const lines = notes.open(title).text.split('\n');
        lines.splice(wholeBelow(random, lines.length), 1, ...(random() < 0.5 ? [word] : []));
        notes.write(title, lines.join('\n'), overwrite);
      },
      () => {
        if (title !== undefined && random() < 0.4) notes.remove(title);
      },
      () => {
        const document = pick(random, sql.all('SELECT id FROM documents'));
        if (document) store.documents.removeDocuments([Number(document.id)]);
      },
      () => {
        if (source && random() < 0.15) store.removeSources([source.id]);
      },
      () => random() < 0.3 && index.addSource(`Shed ${word}`, origin, undefined),
    );
  await pick(random, deeds)?.();
  return holds(member, word);
}

async function converge(
  seed: number,
  {
    members: count,
    steps,
    removes,
  }: { readonly members: number; readonly steps: number; readonly removes: boolean },
): Promise<void> {
  const random = seededRandom(seed);
  const names = Array.from({ length: count }, (_, number) => `m${String(seed)}x${String(number)}`);
  const { strings, folder, notebookId } = await makeAuthors(await server.createTeamDatabase(), names, {
    origin,
    plan: 'Dig.\nSow.\nWater.\nReap.\n',
  });
  const members: Member[] = [];
  for (const [number, name] of names.entries()) {
    const connection = strings[name] ?? '';
    const machine =
      number === 0
        ? await Machine.share(connection, folder, notebookId)
        : await Machine.join(connection, notebookId);
    const member = await makeMember(machine, notebookId, () => random() < 0.1);
    await member.exchange(true);
    members.push(member);
  }
  const written: string[] = [];
  const model = new TeamModel();
  for (let step = 0; step < steps; step++) {
    const member = pick(random, members);
    const word = `w${String(step)}w`;
    if (member === undefined) break;
    if (random() < 0.6) {
      const before = had(member.sql);
      if (await change(member, random, word, removes)) written.push(word);
      model.did(names[members.indexOf(member)] ?? '', before, had(member.sql));
    } else
      await member.exchange(false).catch((error: unknown) => {
        if (!String(error).includes('terminated')) throw error;
        if (random() < 0.3) member.restart();
      });
  }
  for (let round = 0; round < 3; round++) for (const member of members) await member.exchange(true);
  const [first = '', ...others] = await Promise.all(members.map((member) => member.readState()));
  for (const other of others) assert.equal(other, first, `seed ${String(seed)}`);
  const { outbox } = JSON.parse(first) as { outbox: unknown[] };
  assert.deepEqual(outbox, [], `seed ${String(seed)}`);
  const [one] = members;
  if (one) assert.deepEqual(model.faults(had(one.sql)), [], `seed ${String(seed)}`);
  if (!removes)
    for (const word of written)
      assert.ok(
        members.some((member) => holds(member, word)),
        `seed ${String(seed)}: ${word} was lost`,
      );
  for (const member of members) await member.close();
}

test('ends with the same notebook when two members make random changes over an unstable connection', async () => {
  for (let seed = 1; seed <= rounds(2, 6); seed++)
    await converge(seed, { members: 2, steps: 60, removes: seed % 2 === 0 });
});

test('ends with the same notebook for many members', async () => {
  const members = rounds(5, 20);
  const steps = rounds(60, 160);
  await converge(101, { members, steps, removes: false });
  await converge(102, { members, steps, removes: true });
});

test('doesn’t mistake an unconfirmed upload for another member’s change', async () => {
  const { ada = '' } = await makeTeam(await server.createTeamDatabase(), { ada: 'author' }, 'unheard');
  const notebookId = randomUUID();
  const folder = makeFolder();
  await close(await open(folder));
  const machine = await Machine.share(ada, folder, notebookId);
  const member = await makeMember(machine, notebookId, (query) => query.includes('put_note'));
  const { notes } = member.index.features;
  notes.add({ title: 'Plan', text: 'Dig.\n', citations: [] });
  for (const text of ['Dig deep.\n', 'Dig deeper.\n', 'Dig deepest.\n']) {
    await assert.rejects(member.exchange(false), /terminated/);
    notes.write('Plan', text, { create: false, overwrite: true });
  }
  await member.exchange(true);
  assert.equal(notes.open('Plan').text, 'Dig deepest.\n');
  await member.close();
});

test('receives a whole source that is added during another member’s sync', async () => {
  const { ada = '', ben = '' } = await makeTeam(
    await server.createTeamDatabase(),
    { ada: 'author', ben: 'author' },
    'between',
  );
  const notebookId = randomUUID();
  const folder = makeFolder();
  await close(await open(folder));
  const never = (): boolean => false;
  const one = await makeMember(await Machine.share(ada, folder, notebookId), notebookId, never);
  await one.exchange(true);
  const machine = await Machine.join(ben, notebookId);
  // Adds the source after the first statement, the second, and so on.
  for (let after = 1; after <= 8; after++) {
    let requestCount = 0;
    one.index.features.notes.add({ title: `Note ${String(after)}`, text: 'News.', citations: [] });
    const { id } = await one.index.addSource(
      `Bed ${String(after)}`,
      { kind: 'folder', uri: 'file:///a' },
      undefined,
    );
    await one.exchange(true);
    const two = await makeMember(machine, notebookId, never, async () => {
      if (++requestCount !== after) return;
      const { id: next } = await one.index.addSource(
        `Next ${String(after)}`,
        { kind: 'folder', uri: 'file:///b' },
        undefined,
      );
      for (const to of [id, next])
        await one.index.putDocument(to, input(`Bed ${String(after)} lies in the sun.`, 'a.md'));
      await one.exchange(true);
    });
    await two.exchange(false);
    await two.exchange(true);
    assert.equal(await two.readState(), await one.readState(), String(after));
    await two.leave();
  }
  await one.close();
});
