import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openDatabase } from '../../src/index/store/database/opening.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import { Conversations } from '../../src/features/chat/store/conversations.ts';
import type { Citation, Turn } from '../../src/core/domain/answer.ts';
import { newFolder, openStatements } from '../support/opened-databases.ts';

const open = async (folder?: string): Promise<Conversations> =>
  new Conversations((await openStatements(folder)).sql);

function turn(id: string, question: string, askedAt: number, more: Partial<Turn> = {}): Turn {
  return { id, question, askedAt, state: { kind: 'done', milliseconds: 3 }, answer: undefined, ...more };
}

const titles = (conversations: Conversations, words = ''): string[] =>
  conversations.list(words).map(({ title }) => title);

test('saves turns when they change, and deletes them', async () => {
  const folder = newFolder();
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

test('names the member who asked a question', async () => {
  const conversations = await open();
  const id = conversations.begin();
  const question = turn('t', 'Why?', 5, { askedBy: 'Ada' });
  conversations.putTurn(id, question);
  assert.deepEqual(conversations.allTurns(id), [question]);
});

test('opens the conversation that was used last, wherever it began', async () => {
  const conversations = await open();
  const older = conversations.begin();
  conversations.begin();
  conversations.putTurn(older, turn('t', 'Still there?', Date.now() + 1_000));
  assert.equal(conversations.openNewest().id, older);
  conversations.remove(older);
  assert.notEqual(conversations.openNewest().id, older);
  assert.equal(conversations.open(older), undefined);
  // Saves a turn of a deleted conversation that was still being answered.
  conversations.putTurn(older, turn('u', 'And now?', 9));
  assert.deepEqual(conversations.allTurns(older), []);
});

test('lists titles, most recent first, and searches titles, questions, and answers', async () => {
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

test('reads as many rows of a conversation of ten thousand answers as of one of fifty', async (context) => {
  const folder = newFolder();
  const conversations = await open(folder);
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
  // An index skips the earlier rows, so the query neither scans the table nor sorts.
  const { database } = await openDatabase(folder);
  context.after(() => {
    database.close();
  });
  const prepare = context.mock.method(database, 'prepare').mock;
  new Conversations(new Statements(database)).open(many);
  const statements = prepare.calls.map(({ arguments: [sql] }) => sql);
  prepare.restore();
  assert.ok(statements.length > 0);
  for (const sql of statements)
    for (const { detail } of database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all())
      assert.match(String(detail), /^SEARCH .* USING (?:COVERING )?INDEX |^CORRELATED SCALAR SUBQUERY/, sql);
});

test('loads the last of ten thousand turns first, and earlier ones gradually', async () => {
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

describe('versions of an answer', () => {
  const answerOf = (text: string): Turn['answer'] => ({ kind: 'nothing', text, citations: [] });
  const shown = (conversations: Conversations): unknown => {
    const [{ question, answer, version } = turn('none', '', 0)] = conversations.openNewest().turns;
    return [question, answer?.text, version && `${String(version.position)} of ${String(version.count)}`];
  };
  /** Asks one question in a new conversation until its last answer is “Answer N”. */
  async function askOften(times: number): Promise<Conversations> {
    const conversations = await open();
    const id = conversations.begin();
    conversations.putTurn(id, turn('t', 'Why?', 5, { answer: answerOf('Answer 1'), rating: 'good' }));
    for (let number = 2; number <= times; number++) {
      const again = conversations.askAgain(
        turn('t', `Why ${String(number)}?`, 5, { state: { kind: 'answering' } }),
      );
      conversations.putTurn(id, { ...again, answer: answerOf(`Answer ${String(number)}`) });
    }
    return conversations;
  }

  test('are saved with their questions and ratings', async () => {
    const conversations = await askOften(3);
    assert.deepEqual(shown(conversations), ['Why 3?', 'Answer 3', '3 of 3']);
    const first = conversations.showVersion('t', 1);
    assert.equal(first?.rating, 'good');
    assert.deepEqual(shown(conversations), ['Why?', 'Answer 1', '1 of 3']);
    conversations.showVersion('t', 2);
    assert.deepEqual(shown(conversations), ['Why 2?', 'Answer 2', '2 of 3']);
    assert.equal(conversations.showVersion('t', 4), undefined);
    assert.equal(conversations.showVersion('t', 0), undefined);
    conversations.askAgain(turn('t', 'Why 4?', 5));
    assert.deepEqual(shown(conversations), ['Why 4?', undefined, '4 of 4']);
  });

  test('are ten at most, without the oldest', async () => {
    const conversations = await askOften(13);
    assert.deepEqual(shown(conversations), ['Why 13?', 'Answer 13', '10 of 10']);
    conversations.showVersion('t', 1);
    assert.deepEqual(shown(conversations), ['Why 4?', 'Answer 4', '1 of 10']);
  });

  test('leave out attempts without an answer', async () => {
    const conversations = await askOften(2);
    conversations.askAgain(turn('t', 'Why 3?', 5));
    conversations.askAgain(turn('t', 'Why 4?', 5));
    assert.deepEqual(shown(conversations), ['Why 4?', undefined, '3 of 3']);
    conversations.showVersion('t', 2);
    assert.deepEqual(shown(conversations), ['Why 2?', 'Answer 2', '2 of 2']);
  });

  test('are deleted and restored together', async () => {
    const conversations = await askOften(3);
    const { id, turns } = conversations.openNewest();
    const versions = conversations.removeTurn('t');
    conversations.restoreTurn(id, turns[0]!, versions);
    assert.deepEqual(shown(conversations), ['Why 3?', 'Answer 3', '3 of 3']);
    conversations.showVersion('t', 1);
    assert.deepEqual(shown(conversations), ['Why?', 'Answer 1', '1 of 3']);
  });

  test('change in a window that still shows another one', async () => {
    const conversations = await askOften(1);
    const { id, turns } = conversations.openNewest();
    const again = conversations.askAgain(turn('t', 'Why 2?', 5));
    conversations.putTurn(id, { ...again, answer: answerOf('Answer 2') });
    conversations.putTurn(id, { ...turns[0]!, rating: 'bad' });
    assert.deepEqual(shown(conversations), ['Why 2?', 'Answer 2', '2 of 2']);
    assert.equal(conversations.showVersion('t', 1)?.rating, 'bad');
  });
});

test('saves the selected text of a question', async () => {
  const conversations = await open();
  const id = conversations.begin();
  const start = { line: 2, character: 0 };
  const selection: Turn['selection'] = {
    uri: 'file:///a.ts',
    title: 'a.ts',
    locator: { kind: 'lines', start, end: { line: 4, character: 1 } },
  };
  conversations.putTurn(id, turn('t', 'Why?\n\n```ts\nx\n```', 5, { selection }));
  assert.deepEqual(conversations.allTurns(id)[0]?.selection, selection);
  assert.deepEqual(titles(conversations), ['Why?']);
});
