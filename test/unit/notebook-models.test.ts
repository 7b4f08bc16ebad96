import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsAbout, parseEndpointChoice, parseEndpoints } from '../../src/core/domain/endpoint.ts';
import { parseModelChoice } from '../../src/core/domain/model-choice.ts';
import { usageReport } from '../../src/features/models/model/usage-report.ts';
import { addedUsage, estimateCost, dollars } from '../../src/core/domain/usage.ts';

test('reads endpoints as the user wrote them, and skips invalid ones', () => {
  const [office, azure, ...others] = parseEndpoints({
    office: 'https://models.example/v1/',
    azure: {
      address: 'https://a.example/openai/deployments/big',
      apiVersion: '2024-10-21',
      keyHeader: 'api-key',
      headers: { 'X-Team': 'garden', 'X-Number': 3 },
      inputPrice: 2,
      outputPrice: 8,
      models: {
        big: { window: 128_000, images: true, inputPrice: 1, outputPrice: 4 },
        small: { window: -1 },
      },
    },
    '': 'https://nameless.example',
    broken: 7,
    empty: {},
  });
  assert.deepEqual(others, []);
  assert.equal(office?.address, 'https://models.example/v1');
  assert.deepEqual(azure?.headers, { 'X-Team': 'garden' });
  assert.equal(azure.keyHeader, 'api-key');
  assert.equal(factsAbout(azure, 'big').windowTokens, 128_000);
  assert.deepEqual(factsAbout(azure, 'big').prices, { input: 1, output: 4 });
  assert.equal(factsAbout(azure, 'small').windowTokens, undefined);
  assert.deepEqual(factsAbout(azure, 'other').prices, { input: 2, output: 8 });
  assert.deepEqual(factsAbout(undefined, 'big'), { prices: undefined });
  for (const nothing of [null, 'x', [], undefined]) assert.deepEqual(parseEndpoints(nothing), []);
});

test('reads a selection as any version saved it, and ignores an invalid one', () => {
  const choice = { kind: 'endpoint', name: 'a', baseUrl: 'http://x/v1' } as const;
  const read = (value: unknown): unknown => parseEndpointChoice(parseModelChoice(value));
  assert.deepEqual(read({ ...choice, more: 1, prices: 'free' }), { ...choice, prices: undefined });
  const full = { ...choice, endpoint: 'office', windowTokens: 9, prices: { input: 1, output: 2 } };
  assert.deepEqual(read(JSON.parse(JSON.stringify(full))), full);
  for (const none of [
    undefined,
    null,
    'quotes',
    {},
    { kind: 'endpoint', name: 'a' },
    { kind: 'editor', name: 'a' },
    { kind: 'new' },
  ])
    assert.equal(read(none), undefined);
  assert.deepEqual(parseModelChoice({ kind: 'quotes', more: 1 }), { kind: 'quotes' });
});

test('adds up usage and cost', () => {
  const usage = { input: 1_000, output: 100, estimated: 0 };
  assert.equal(estimateCost(usage, { input: 2, output: 10 }), 0.003);
  assert.deepEqual(addedUsage(undefined, usage), usage);
  assert.deepEqual(addedUsage({ ...usage, cost: 0.1 }, usage), {
    input: 2_000,
    output: 200,
    estimated: 0,
    cost: 0.1,
  });
  assert.equal(dollars(0.00312, 'en'), '$0.0031');
  assert.equal(dollars(12.3, 'en'), '$12.30');
});

test('reports usage as a table with a total', () => {
  assert.match(usageReport([], 'en'), /hasn’t used a model yet/);
  const entry = {
    day: '2026-11-21',
    provider: 'office',
    model: 'a|b',
    requests: 2,
    input: 1_200,
    output: 80,
  };
  const report = usageReport(
    [
      { ...entry, estimated: 0, cost: 0.5 },
      { ...entry, day: '2026-11-20', estimated: 1_280 },
    ],
    'en',
  );
  assert.match(report, /2,400 tokens in and 160 out in this notebook, about \$0\.50\./);
  assert.match(report, /\| 2026-11-21 \| a\\\|b \| office \| 2 \| 1,200 \| 80 \| {2}\| about \$0\.50 \|/);
  assert.match(report, /\| 2026-11-20 \|.*\| all \| {2}\|/);
  assert.match(report, /token counts, they’re estimated/);
  assert.doesNotMatch(usageReport([{ ...entry, estimated: 0 }], 'en'), /\| (?:Estimated|Cost) \|/);
});
