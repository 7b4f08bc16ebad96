import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutEvent } from '../../src/features/research/store/records.ts';
import { Notes } from '../../src/features/notes/store/notes.ts';
import type { RecordedEvent } from '../../src/features/research/model/project.ts';
import { planWith, runResearch, makeStep, USER } from '../support/made-boards.ts';
import type { ResearchBoard } from '../../src/features/research/model/board.ts';
import { openBoard } from '../support/opened-boards.ts';

function request(...contents: readonly string[]): RecordedEvent {
  return {
    ...{ kind: 'request', purpose: 'act', model: 'small', reply: 'Yes.', input: 10, output: 2, time: 5 },
    messages: contents.map((content) => ({ role: 'user', content })),
  };
}

/** Returns the IDs of all pages of a log, newest page first. */
function readPages(board: ResearchBoard, researchId: string, stepId?: string): number[][] {
  const pages: number[][] = [];
  for (let before: number | undefined; ; before = pages.at(-1)?.[0]) {
    const { records, hasEarlier } = board.latestRecords({ researchId, stepId, before });
    pages.push(records.map(({ id }) => id));
    if (!hasEarlier) return pages;
  }
}

test('logs events in order, for all steps or one', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  const tool: RecordedEvent = {
    ...{ kind: 'tool', skill: 'search', input: { words: ['dose'] }, result: 'It is 5 mg.', time: 3 },
    error: 'None.',
  };
  const deed: RecordedEvent = { kind: 'deed', deed: 'Took it.', by: USER };
  board.record({ researchId, event: deed });
  board.record({ researchId, stepId: 'a', event: request('What is the dose?') });
  board.record({ researchId, stepId: 'a', event: tool });
  assert.deepEqual(
    board.records({ researchId }).map(({ event }) => event),
    [deed, request('What is the dose?'), tool],
  );
  assert.deepEqual(
    board.records({ researchId, stepId: 'a' }).map(({ event }) => event),
    [request('What is the dose?'), tool],
  );
  const [, second] = board.records({ researchId });
  assert.deepEqual(
    board.records({ researchId, after: second?.id }).map(({ event }) => event),
    [tool],
  );
});

test('cuts the longest texts of a long event, and marks the cuts', () => {
  const short = request('Short.', 'long '.repeat(60_000));
  assert.equal(cutEvent(short), short);
  const cut = cutEvent(request('Short.', 'begin '.repeat(100_000), 'x'.repeat(30_000)));
  assert.equal(cut.kind, 'request');
  const [first, second, third] = cut.messages.map(({ content }) => content);
  assert.equal(first, 'Short.');
  assert.match(second ?? '', /^begin [^]*\n\[… [\d,]+ characters omitted …\]\n[^]*begin $/);
  assert.equal(third?.length, 30_000);
  assert.ok(JSON.stringify(cut).length < 400_000);
  const many = cutEvent(request(...Array.from({ length: 50_000 }, () => 'many words')));
  assert.ok(JSON.stringify(many).length < 400_000);
  // Surrogate pairs aren't split.
  const smiles = cutEvent(request('😀'.repeat(300_001)));
  assert.ok(smiles.kind === 'request' && smiles.messages[0]?.content.isWellFormed());
});

test('deletes the oldest of many log entries, and reports their number', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  const long = 'x'.repeat(399_000);
  for (let i = 0; i < 100; i++) board.record({ researchId, event: request(`${String(i)} ${long}`) });
  const [latest, oldest, ...others] = board.records({ researchId });
  assert.equal(latest?.event.kind, 'deed');
  const removed = Number(/^Older entries removed to save space: (\d+)\./.exec(latest.event.deed)?.[1]);
  assert.ok(removed > 10 && removed < 50);
  assert.ok(oldest?.event.kind === 'request');
  assert.ok(oldest.event.messages[0]?.content.startsWith(`${String(removed)} `));
  assert.equal(others.length, 100 - removed - 1);
  assert.deepEqual(board.records({ researchId, after: oldest.id }), others);
  assert.equal(readPages(board, researchId).at(-1)?.[0], latest.id);
});

test('reads the log in pages, the latest first', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  assert.deepEqual(readPages(board, researchId), [[]]);
  for (let index = 0; index < 120; index++)
    board.record({ researchId, ...(index % 2 === 0 && { stepId: 'a' }), event: request(String(index)) });
  for (const stepId of [undefined, 'a']) {
    const pages = readPages(board, researchId, stepId);
    const all = board.records({ researchId, stepId }).map(({ id }) => id);
    assert.deepEqual(pages.toReversed().flat(), all);
    assert.deepEqual(
      pages.map(({ length }) => length),
      stepId === undefined ? [50, 50, 20] : [50, 10],
    );
  }
});

test('reads fewer entries at once if they are long', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  for (let index = 0; index < 6; index++) board.record({ researchId, event: request('x'.repeat(200_000)) });
  const pages = readPages(board, researchId);
  assert.deepEqual(
    pages.toReversed().flat(),
    board.records({ researchId }).map(({ id }) => id),
  );
  assert.deepEqual(
    pages.map(({ length }) => length),
    [2, 2, 2],
  );
});

test('adds up the usage of a research project', async () => {
  const { board } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  board.spend({
    researchId,
    usage: { input: 100, output: 20, estimated: 0, cost: 0.25 },
    requests: 1,
    time: 7.4,
  });
  const spent = board.spend({ researchId, usage: { input: 1, output: 2, estimated: 3 }, toolCalls: 2 });
  assert.deepEqual(spent, { dollars: 0.25, tokens: 123, time: 7, requests: 1, toolCalls: 2 });
  assert.deepEqual(board.research({ researchId })?.spent, spent);
});

test('lists memories, most recent first, and deletes them', async () => {
  const { board } = await openBoard();
  const memory = {
    ...{ goal: 'Find the dose', situation: { sources: ['Notes'], open: [] }, plan: planWith(makeStep('a')) },
    ...{ products: { 'a product': 'It is 5 mg.' }, isShared: false },
    spent: { dollars: 0, tokens: 12, time: 7, requests: 1, toolCalls: 2 },
  };
  const { memoryId } = board.keepMemory(memory);
  board.keepMemory({ ...memory, goal: 'Find another' });
  const [last, first] = board.memories();
  assert.equal(last?.goal, 'Find another');
  assert.deepEqual(first, { ...memory, id: memoryId, keptAt: first?.keptAt });
  board.forgetMemory({ memoryId });
  assert.deepEqual(
    board.memories().map(({ goal }) => goal),
    ['Find another'],
  );
});

test('reports the last change of the note with the report', async () => {
  const { board, sql } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a')));
  const changedAt = (): unknown => board.research({ researchId })?.reportChangedAt;
  assert.equal(changedAt(), undefined);
  const { title } = new Notes(sql).add({ title: 'Birds', text: 'Ten herons.', citations: [] });
  board.changeResearch({ researchId, report: title });
  sql.run('UPDATE notes SET changed_at = 7');
  assert.equal(changedAt(), 7);
  sql.run('DELETE FROM notes');
  assert.equal(changedAt(), undefined);
});
