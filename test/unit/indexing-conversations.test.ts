import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, test } from 'node:test';
import { Conversations } from '../../src/indexing/store/conversations/conversations.ts';
import { openDatabase } from '../../src/indexing/store/database/opening.ts';
import { Statements } from '../../src/indexing/store/database/statements.ts';
import type { Citation, Turn } from '../../src/notebook/answer.ts';

const folders: string[] = [];
const opened: DatabaseSync[] = [];

afterEach(() => {
  for (const database of opened.splice(0)) database.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open(folder = mkdtempSync(join(tmpdir(), 'conversations-'))): Promise<Conversations> {
  folders.push(folder);
  const { database } = await openDatabase(folder);
  opened.push(database);
  return new Conversations(new Statements(database));
}

function turn(id: string, question: string, askedAt: number, more: Partial<Turn> = {}): Turn {
  return { id, question, askedAt, state: { kind: 'done', milliseconds: 3 }, answer: undefined, ...more };
}

const titles = (conversations: Conversations, words = ''): string[] =>
  conversations.list(words).map(({ title }) => title);

test('turns are kept as they change, and deleted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'conversations-'));
  const first = await open(folder);
  const id = first.begin();
  first.putTurn(id, turn('t', 'Why?', 5, { state: { kind: 'answering' } }));
  const answer = { kind: 'nothing' as const, text: 'Because.', citations: [] };
  const changed = turn('t', 'Why not?', 5, {
    answer,
    rating: 'good',
    scope: { kind: 'file', uri: 'file:///a.md', title: 'a.md' },
  });
  first.putTurn(id, changed);
  const second = await open(folder);
  assert.deepEqual(second.openNewest(), { id, draft: '', turns: [changed], earlier: 0 });
  second.removeTurn('t');
  assert.deepEqual(first.allTurns(id), []);
});

test('a question of another member names who asked', async () => {
  const conversations = await open();
  const id = conversations.begin();
  const question = turn('t', 'Why?', 5, { askedBy: 'Ada' });
  conversations.putTurn(id, question);
  assert.deepEqual(conversations.allTurns(id), [question]);
});

test('the conversation that was used last is the newest, wherever it was begun', async () => {
  const conversations = await open();
  const older = conversations.begin();
  conversations.begin();
  conversations.putTurn(older, turn('t', 'Still there?', Date.now() + 1_000));
  assert.equal(conversations.openNewest().id, older);
  conversations.remove(older);
  assert.notEqual(conversations.openNewest().id, older);
  assert.equal(conversations.open(older), undefined);
  // A turn of a deleted conversation that was still being answered.
  conversations.putTurn(older, turn('u', 'And now?', 9));
  assert.deepEqual(conversations.allTurns(older), []);
});

test('a list has titles, the last asked first, and finds words in titles, questions and answers', async () => {
  const conversations = await open();
  const garden = conversations.begin();
  const lathe = conversations.begin();
  conversations.begin();
  conversations.putTurn(garden, turn('a', 'How are beans sown?', 1));
  conversations.putTurn(lathe, turn('b', 'What does 100% mean?', 2));
  conversations.putTurn(garden, turn('c', 'And peas?', 3));
  assert.deepEqual(titles(conversations), ['How are beans sown?', 'What does 100% mean?']);
  assert.equal(conversations.list('')[0]?.turns, 2);

  assert.deepEqual(titles(conversations, 'PEAS'), ['How are beans sown?']);
  assert.deepEqual(titles(conversations, '0%'), ['What does 100% mean?']);
  assert.deepEqual(titles(conversations, '_'), []);
  const quote = { quote: 'The chuck is tightened.' } as Citation;
  const answer = { kind: 'quotes' as const, text: 'In its own words:', quotes: [], citations: [quote] };
  conversations.putTurn(lathe, turn('b', 'What does 100% mean?', 2, { answer }));
  assert.deepEqual(titles(conversations, 'chuck'), ['What does 100% mean?']);

  conversations.rename(lathe, ' The lathe ');
  assert.deepEqual(titles(conversations, 'lathe'), ['The lathe']);
  conversations.rename(lathe, '');
  assert.deepEqual(titles(conversations, '100'), ['What does 100% mean?']);
});

test('of a conversation of ten thousand answers as many rows are read as of one of fifty, by an index', async (context) => {
  const conversations = await open();
  const quote = 'The wheel of the mill turns only when the upper sluice is open. '.repeat(3);
  const answer = {
    kind: 'quotes' as const,
    text: quote.repeat(5),
    quotes: [],
    citations: Array.from({ length: 6 }, () => ({ quote }) as Citation),
  };
  const [few, many] = [conversations.begin(), conversations.begin()];
  for (let i = 0; i < 50; i += 1)
    conversations.putTurn(few, turn(`few${String(i)}`, `Question ${String(i)}?`, i, { answer }));
  for (let i = 0; i < 10_000; i += 1)
    conversations.putTurn(many, turn(`many${String(i)}`, `Question ${String(i)}?`, i, { answer }));
  const parsed = context.mock.method(JSON, 'parse').mock;
  const parsedFor = (id: string): number => {
    const before = parsed.callCount();
    assert.equal(conversations.open(id)?.turns.length, 50);
    return parsed.callCount() - before;
  };
  assert.equal(parsedFor(many), parsedFor(few));
  // The rows before the last are passed over in an index: neither is the whole table read, nor anything sorted.
  const [database] = opened;
  const prepare = context.mock.method(database!, 'prepare').mock;
  new Conversations(new Statements(database!)).open(many);
  const statements = prepare.calls.map(({ arguments: [sql] }) => sql);
  prepare.restore();
  assert.ok(statements.length > 0);
  for (const sql of statements)
    for (const { detail } of database!.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
      assert.match(String(detail), /^SEARCH .* USING (?:COVERING )?INDEX /, sql);
});

test('of ten thousand turns the last are given, and the ones before by and by', async () => {
  const conversations = await open();
  const id = conversations.begin();
  for (let i = 0; i < 10_000; i += 1)
    conversations.putTurn(id, turn(`t${String(i)}`, `Question ${String(i)}?`, i));
  const opened = conversations.open(id);
  assert.equal(opened?.turns.at(-1)?.id, 't9999');
  assert.equal(opened.turns.length + opened.earlier, 10_000);
  const { turns, earlier } = conversations.turns(id, opened.earlier);
  assert.equal(turns.at(-1)?.id, `t${String(opened.earlier - 1)}`);
  assert.equal(earlier, opened.earlier - turns.length);
  assert.deepEqual(
    conversations.turns(id, 3).turns.map((each) => each.id),
    ['t0', 't1', 't2'],
  );
  assert.ok(opened.turns.length <= 100);
});
