import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as v from 'valibot';
import { fitting, maybe } from '../../src/core/domain/json-schemas.ts';

test('keeps the valid items of a stored list, and rejects anything but a list', () => {
  const schema = fitting(v.object({ id: v.string() }));
  assert.deepEqual(v.parse(schema, [{ id: 'a', more: 1 }, null, { id: 2 }, 'b']), [{ id: 'a' }]);
  for (const other of [{}, 'list', null, undefined]) assert.equal(v.is(schema, other), false);
});

test('drops an optional value of another type', () => {
  const schema = v.object({ name: maybe(v.string()) });
  assert.deepEqual(v.parse(schema, {}), {});
  assert.deepEqual(v.parse(schema, { name: 'a' }), { name: 'a' });
  assert.deepEqual(v.parse(schema, { name: 7 }), { name: undefined });
});
