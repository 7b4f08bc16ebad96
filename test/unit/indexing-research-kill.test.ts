// Runs in a process of its own: it starts processes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkIntegrity } from '../support/durability-checks.ts';
import type { HandsParameters, KeptMessage } from '../support/durability-hands.ts';
import { runScript } from '../support/durability-process.ts';
import { seededRandom } from '../support/durability-random.ts';
import { planWith, runResearch, makeStep } from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';
import { rounds } from '../support/test-size.mjs';

const STEPS = rounds(80, 240);
const HANDS = 3;
/**
 * Duration of a claim, which outlasts a killed process, and then the maximum lifetime of a process, in milliseconds.
 */
const HOLD = 300;
const LIFE = 120;
/** Number of processes that are killed before the others may finish. */
const KILLS = rounds(4, 12);

test('loses no saved result and repeats nothing when processes are killed', async () => {
  const { board, folder } = await openBoard();
  const random = seededRandom(7);
  const steps = Array.from({ length: STEPS }, (_, i) => {
    const from = i < 4 ? [] : [1, 2, 3].filter(() => random() < 0.5).map((back) => `s${String(i - back)}`);
    return makeStep(`s${String(i)}`, from);
  });
  const researchId = runResearch(board, planWith(...steps));
  const reportedResults = new Map<string, string>();
  let kills = 0;

  async function work(name: string): Promise<void> {
    while (board.research({ researchId })?.state !== 'done') {
      const parameters: HandsParameters = { folder, researchId, name, hold: HOLD };
      const hands = runScript('durability-hands.ts', parameters);
      let isKilled = false;
      for await (const message of hands.messages as AsyncIterable<KeptMessage>) {
        if (message.kind === 'opened') {
          if (kills >= KILLS) continue;
          kills++;
          isKilled = true;
          setTimeout(hands.kill, random() * LIFE);
          continue;
        }
        const { stepId = '', text = '' } = message;
        assert.ok(!reportedResults.has(stepId), `${stepId} was kept twice`);
        reportedResults.set(stepId, text);
      }
      const { code, complaint } = await hands.ended;
      // A process that is killed late may have exited by itself.
      assert.ok(code === 0 || (isKilled && code === undefined), complaint);
    }
  }
  await Promise.all(Array.from({ length: HANDS }, (_, i) => work(`Worker ${String(i + 1)}`)));

  assert.equal(kills, KILLS);
  assert.ok(reportedResults.size > STEPS - KILLS - 1 && reportedResults.size <= STEPS);
  const research = board.research({ researchId });
  assert.equal(research?.products.length, STEPS);
  for (const [stepId, text] of reportedResults)
    assert.equal(board.product({ researchId, productId: `${stepId} product` })?.text, text);
  checkIntegrity(folder);
});
