// Tests rules on statements about everyday documents in English, German, and French: half are true, half are false.
import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { checkEverydayStatements, evidenceSizes } from '../support/everyday-statements.ts';

const checked = await checkEverydayStatements();
/** Maximum number of true statements with marked words. Cited sentences alone can lack a name or a unit. */
const MAX_MARKED = { sentences: 6, passages: 2, notebook: 1 };

test('are 160 statements, half of them true', () => {
  assert.equal(checked.length, 160 * evidenceSizes.length);
  assert.equal(checked.filter(({ truth }) => truth === 'supported').length, 80 * evidenceSizes.length);
});

for (const size of evidenceSizes)
  describe(`Rules with the evidence of ${size}`, () => {
    const own = checked.filter((each) => each.size === size);

    it('support no false statement', () => {
      const wrong = own.filter(({ truth, check }) => truth === 'false' && check.verdict === 'supported');
      assert.deepEqual(
        wrong.map(({ statement }) => statement),
        [],
      );
    });

    it('contradict no true statement', () => {
      const wrong = own.filter(
        ({ truth, check }) => truth === 'supported' && check.verdict === 'contradicted',
      );
      assert.deepEqual(
        wrong.map(({ statement }) => statement),
        [],
      );
    });

    it('mark words in few true statements', () => {
      const marked = own.filter(({ truth, check }) => truth === 'supported' && check.missing !== undefined);
      assert.ok(marked.length <= MAX_MARKED[size], marked.map(({ statement }) => statement).join('\n'));
    });
  });
