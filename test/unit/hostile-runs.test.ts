import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowSteps } from '../support/hostile-run.ts';
import { hostileKinds } from '../support/hostile-texts.ts';

test('no step from reading to drawing is held up by long runs of the same', async () => {
  assert.deepEqual(await slowSteps(hostileKinds('runs')), []);
});
