import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { chooseWeights, writeWeights } from '../support/choose-weights.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const STANDING = `/**
 * Chosen on made data.
 */
export const WEIGHTS = {
  share: 0.25,
  /** In UTF-16 code units. */
  longest: 1_200,
};
`;

test('writes weights in their place, and leaves the file unchanged for the same choice', () => {
  const file = join(temporaryFolder('weights-'), 'weights.ts');
  writeFileSync(file, STANDING);
  writeWeights(file, { share: 0.25, longest: 1_200 }, { WEIGHTS: 'Chosen on made data.' });
  assert.equal(readFileSync(file, 'utf8'), STANDING);
  writeWeights(file, { share: 0.3, longest: 12_000 }, { WEIGHTS: 'Chosen on other data.' });
  const other = STANDING.replace('made', 'other').replace('0.25', '0.3').replace('1_200', '12_000');
  assert.equal(readFileSync(file, 'utf8'), other);
});

test('rejects weights that are better by less than chance', async () => {
  const weights = { share: 0.25 };
  const tried = { share: [0.25, 0.5, 0.75] };
  const measure = (): number => weights.share;
  assert.deepEqual(await chooseWeights(weights, tried, measure, 1), { share: 0.25 });
  assert.deepEqual(await chooseWeights(weights, tried, measure, 0.1), { share: 0.75 });
  assert.equal(weights.share, 0.75);
});
