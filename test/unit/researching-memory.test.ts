import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResearchMemory } from '../../src/features/research/model/project.ts';
import type { Statement, Verdict } from '../../src/core/domain/answer.ts';
import { figuresSeen } from '../../src/features/research/service/memory/figures.ts';
import {
  memoryFileName,
  memoryText,
  readMemory,
} from '../../src/features/research/service/memory/memory-file.ts';
import { recallMemories } from '../../src/features/research/service/memory/recall.ts';
import { toSituation } from '../../src/features/research/service/memory/situation.ts';
import { generated, makeMemory, memories, nowhere, type MemoryCase } from './researching-memories.ts';
import { planWith, step } from './researching-planning.ts';

/** Counts the goals that recall the right memory first. */
async function hits(recall: (query: MemoryCase) => ReturnType<typeof recallMemories>): Promise<number> {
  let count = 0;
  for (const query of generated.queries) if ((await recall(query))[0]?.memory.id === query.memory) count++;
  return count;
}

test('recalls the right memory by part and situation far more often than by the goal alone', async () => {
  const byGoal = await hits(({ goal }) => recallMemories([goal], nowhere, memories));
  const byPart = await hits(({ goal, parts }) => recallMemories([goal, ...parts], nowhere, memories));
  const byBoth = await hits((query) => recallMemories([query.goal, ...query.parts], query, memories));
  assert.ok(byGoal <= 2, String(byGoal));
  assert.ok(byPart >= 16, String(byPart));
  assert.equal(byBoth, generated.queries.length);
});

test('chooses between memories of the same task by their situation', async () => {
  const task = ['A guide to the code for a newcomer'];
  const first = async (sources: readonly string[]): Promise<string | undefined> =>
    (await recallMemories(task, { sources, open: [] }, memories))[0]?.memory.id;
  assert.equal(await first(['ios/App']), 'guide-app');
  assert.equal(await first(['payments/src']), 'guide-payments');
});

test('recalls nothing for an unrelated goal, and reports which part recalled a memory', async () => {
  const matching: (typeof generated.strangers)[number][] = [];
  for (const each of generated.strangers)
    if ((await recallMemories([each.goal, ...each.parts], nowhere, memories)).length > 0) matching.push(each);
  assert.ok(matching.length <= 1, matching.map(({ goal }) => goal).join(', '));
  const [recalled] = await recallMemories(['Something else', 'A timeline of events'], nowhere, memories);
  assert.equal(recalled?.part, 'A timeline of events');
  assert.deepEqual(await recallMemories([], nowhere, memories), []);
  assert.deepEqual(await recallMemories(['A timeline'], nowhere, []), []);
  assert.ok((await recallMemories(['A table of the years'], nowhere, memories, 2)).length <= 2);
});

test('compares memories in other languages by their own words', async () => {
  const german = makeMemory(
    'de',
    'Heizkosten der Gebäude',
    ['Kosten je Gebäude und Jahr als Tabelle'],
    nowhere,
  );
  const chinese = makeMemory('zh', '各楼供暖费用', ['每栋楼每年的费用表格'], nowhere);
  const first = async (part: string, own: ResearchMemory): Promise<string | undefined> =>
    (await recallMemories([part], nowhere, [...memories, own]))[0]?.memory.id;
  assert.equal(await first('Die Kosten jedes Gebäudes', german), 'de');
  assert.equal(await first('每年的供暖费用', chinese), 'zh');
});

test('lists each title of a situation once, up to a maximum', () => {
  const sources = Array.from({ length: 500 }, (_, i) => ({ title: `Title  ${String(i)}` }));
  assert.equal(toSituation([...sources, ...sources]).sources.length, 60);
  assert.deepEqual(toSituation([{ title: ' A\n b ' }, { title: 'A b' }, { title: '' }], ['x']), {
    sources: ['A b'],
    open: ['x'],
  });
});

test('reads a memory back from its file unchanged, except for its sources', () => {
  const memory: ResearchMemory = {
    ...memories[0]!,
    plan: planWith([
      step('s1', { materials: ['source:a', 'source:b'] }),
      step('s2', { materials: ['p1', 'sources'] }),
    ]),
    products: { p1: 'What was found' },
    figures: [{ product: 'p1', numbers: ['12 m'], text: 'It is 12 m deep.' }],
  };
  const read = readMemory(memoryText(memory), 'vector.json');
  assert.deepEqual(read, {
    ...memory,
    id: 'shared:vector.json',
    isShared: true,
    plan: planWith([step('s1', { materials: ['sources'] }), step('s2', { materials: ['p1', 'sources'] })]),
  });
});

test('keeps the supported numbers of a result with the sentence that explains them', () => {
  const [first, second, third, fourth] = [
    'Rain fell 305 mm in one hour, for $3.2 million and 1,200 houses.',
    'It rains.',
    'Cows give 40 % chocolate.',
    'In 1947 it was 99.5%.',
  ];
  const text = [first, second, third, fourth].join(' ');
  const statement = (sentence = '', verdict: Verdict = 'supported'): Statement => {
    const start = text.indexOf(sentence);
    return { start, end: start + sentence.length, verdict, citations: [0] };
  };
  const product = {
    ...{ id: 'rain', text, citations: [], createdAt: 1 },
    statements: [
      ...[statement(first), statement(second), statement(third, 'not-found')],
      ...[statement(fourth), statement(fourth)],
    ],
    check: { claims: 4, supported: 3, partly: 0, cut: [] },
    createdBy: { kind: 'model', name: '1', window: 'here' } as const,
  };
  assert.deepEqual(figuresSeen([product, product]), [
    { product: 'rain', numbers: ['305 mm', '$3.2 million', '1,200 houses'], text: first },
    { product: 'rain', numbers: ['1947 it', '99.5%'], text: fourth },
  ]);
});

test('rejects an invalid memory in one sentence', () => {
  const good = JSON.parse(memoryText(memories[0]!)) as Record<string, unknown>;
  const plan = { steps: [{ ...step('s1'), quantity: 0 }], parts: [] };
  for (const text of [
    '',
    '{',
    '[]',
    '[['.repeat(5000),
    JSON.stringify({ ...good, version: 2 }),
    JSON.stringify({ ...good, goal: '' }),
    JSON.stringify({ ...good, plan: { steps: [], parts: [] } }),
    JSON.stringify({ ...good, plan }),
    JSON.stringify({ ...good, goal: 'x'.repeat(300_000) }),
    JSON.stringify({ ...good, products: 3 }),
  ])
    assert.throws(() => readMemory(text, 'x.json'), {
      code: 'damaged',
      message: /memories\/x\.json isn’t a valid research memory/,
    });
  const bare = {
    version: 1,
    goal: 'G',
    plan: { steps: [{ id: 's1', action: 'a', target: 't', materials: [], produces: 'p' }] },
  };
  assert.equal(readMemory(JSON.stringify(bare), 'y.json').plan.steps[0]?.quantity, -1);
});

test('names the file of a memory after its goal, with a unique name', () => {
  assert.equal(memoryFileName('Compare: the reports!', new Set()), 'compare-the-reports.json');
  assert.equal(
    memoryFileName('Compare: the reports!', new Set(['compare-the-reports.json'])),
    'compare-the-reports-2.json',
  );
  assert.equal(memoryFileName('../..', new Set()), 'memory.json');
  assert.ok(memoryFileName('word '.repeat(100), new Set()).length <= 70);
});
