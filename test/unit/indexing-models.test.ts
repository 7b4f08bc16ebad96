import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Conversations } from '../../src/features/chat/store/conversations.ts';
import { Models } from '../../src/index/store/models.ts';
import { openStatements } from '../support/opened-databases.ts';

async function open(): Promise<{ models: Models; conversations: Conversations }> {
  const { sql } = await openStatements();
  return { models: new Models(sql), conversations: new Conversations(sql) };
}

const local = {
  kind: 'endpoint',
  baseUrl: 'http://127.0.0.1:1234/v1',
  name: 'llama3',
  windowTokens: 8192,
} as const;
const hosted = {
  kind: 'endpoint',
  baseUrl: 'https://models.example/v1',
  endpoint: 'office',
  name: 'big',
  prices: { input: 2, output: 8 },
} as const;

test('saves a model for the notebook, and another for a conversation', async () => {
  const { models, conversations } = await open();
  const [first, second] = [conversations.begin(), conversations.begin()];
  assert.deepEqual(models.readSelected(first), { notebook: undefined, conversation: undefined });
  models.pick(local, undefined);
  models.pick(hosted, second);
  assert.deepEqual(models.readSelected(first), { notebook: local, conversation: undefined });
  assert.deepEqual(models.readSelected(second), { notebook: local, conversation: hosted });
  models.pick({ kind: 'quotes' }, undefined);
  models.pick(undefined, second);
  assert.deepEqual(models.readSelected(second), { notebook: { kind: 'quotes' }, conversation: undefined });
  models.pick(undefined, undefined);
  assert.deepEqual(models.readSelected(first).notebook, undefined);
});

test('adds up usage and known costs by day, provider, and model', async () => {
  const { models, conversations } = await open();
  const entry = { day: '2026-11-20', provider: 'office', model: 'big', requests: 1, estimated: 0 };
  models.addUsage({ ...entry, input: 100, output: 10 });
  models.addUsage({ ...entry, input: 200, output: 20, cost: 0.5 });
  models.addUsage({ ...entry, input: 1, output: 1, estimated: 2 });
  models.addUsage({ ...entry, day: '2026-11-21', input: 5, output: 5 });
  assert.deepEqual(models.usage(), [
    { ...entry, day: '2026-11-21', input: 5, output: 5 },
    { ...entry, requests: 3, input: 301, output: 31, estimated: 2, cost: 0.5 },
  ]);

  const id = conversations.begin();
  const usage = { input: 300, output: 30, estimated: 0, cost: 0.5 };
  const turn = { id: 't', question: 'Why?', askedAt: 1, answer: undefined, usage } as const;
  conversations.putTurn(id, { ...turn, state: { kind: 'done', milliseconds: 3 } });
  assert.deepEqual(conversations.allTurns(id)[0]?.usage, usage);
});
