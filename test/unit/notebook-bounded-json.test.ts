import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBounded } from '../../src/notebook/bounded-json.ts';

const parsed = (json: string, depth: number, values: number): unknown =>
  parseBounded(json, { depth, values });
const refused = (json: string, depth: number, values: number): void => {
  assert.throws(() => parsed(json, depth, values), RangeError);
};

test('JSON of any kind is parsed as ever', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (json) => {
      assert.deepEqual(parsed(json, 100, 100_000), JSON.parse(json));
    }),
  );
});

test('what nests deeper, or holds more, is refused before it is parsed', () => {
  assert.deepEqual(parsed('[[[]]]', 3, 10), [[[]]]);
  refused('[[[[]]]]', 3, 10);
  refused('[{"a":[{}]}]', 3, 10);
  assert.deepEqual(parsed('[[],[],[]]', 2, 6), [[], [], []]);
  refused('[[],[],[]]', 2, 5);
  refused('{"a":1,"b":2}', 2, 3);
  refused('['.repeat(100_000_000), 100, 1_000_000);
});

test('what stands in strings counts for nothing, however it is written', () => {
  assert.deepEqual(parsed('["[[[[,,,,::::", "\\"[[[[", "\\\\", "\\\\\\"[[[["]', 1, 4), [
    '[[[[,,,,::::',
    '"[[[[',
    '\\',
    '\\"[[[[',
  ]);
  refused('["\\\\", [[]]]', 2, 100);
});

test('what is no JSON is told as that', () => {
  for (const json of ['', '[', '"a', '"a\\', ']]', '{"a":}', '"\\'])
    assert.throws(() => parsed(json, 10, 10), SyntaxError, json);
});
