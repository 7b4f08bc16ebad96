import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBounded } from '../../src/core/domain/bounded-json.ts';

const parsed = (json: string, depth: number, values: number): unknown =>
  parseBounded(json, { depth, values });
const refused = (json: string, depth: number, values: number): void => {
  assert.throws(() => parsed(json, depth, values), RangeError);
};

test('parses JSON of any kind as usual', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      assert.deepEqual(parsed(json, 100, 100_000), JSON.parse(json));
    }),
  );
});

test('rejects JSON that is too deep or too large before parsing', () => {
  assert.deepEqual(parsed('[[[]]]', 3, 10), [[[]]]);
  refused('[[[[]]]]', 3, 10);
  refused('[{"a":[{}]}]', 3, 10);
  assert.deepEqual(parsed('[[],[],[]]', 2, 6), [[], [], []]);
  refused('[[],[],[]]', 2, 5);
  refused('{"a":1,"b":2}', 2, 3);
  refused('['.repeat(100_000_000), 100, 1_000_000);
});

test('doesn’t count the contents of strings, however they are written', () => {
  assert.deepEqual(parsed('["[[[[,,,,::::", "\\"[[[[", "\\\\", "\\\\\\"[[[["]', 1, 4), [
    '[[[[,,,,::::',
    '"[[[[',
    '\\',
    '\\"[[[[',
  ]);
  refused('["\\\\", [[]]]', 2, 100);
});

test('reports invalid JSON as such', () => {
  for (const json of ['', '[', '"a', '"a\\', ']]', '{"a":}', '"\\'])
    assert.throws(() => parsed(json, 10, 10), SyntaxError, json);
});
