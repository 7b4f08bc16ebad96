import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import type { Research } from '../../src/features/research/model/project.ts';
import { pack, unpack } from '../../src/features/team/service/packed.ts';
import { doAsUser, makeStep, OPTIONS, planWith } from '../support/made-boards.ts';
import { rawly, type Machine, syncInTurn } from '../support/team.ts';
import { garden } from '../support/team-garden.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

const bounds = { dollars: 1, requests: 10 };
const options = { ...OPTIONS, workers: 1, tools: ['terminal'] };

/** Begins a research project on the first machine, and returns functions that read and change it. */
async function begin(prefix: string): Promise<{
  readonly one: Machine;
  readonly two: Machine;
  readonly researchId: string;
  readonly read: (machine: Machine) => Research;
  /** Writes the project's row as another member does with a raw SQL client. */
  readonly put: (change: (row: Record<string, unknown>) => object) => Promise<void>;
}> {
  const { one, two, notebookId, strings } = await garden(server, prefix);
  const { board } = one.index.features.researches;
  const { researchId } = board.addResearch({ goal: 'Find out', bounds, options });
  board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b')), basedOn: 0 });
  board.changeResearch({ researchId, state: 'running' });
  await syncInTurn(one);
  const read = ({ index }: Machine): Research => {
    const research = index.features.researches.board.research({ researchId });
    assert.ok(research);
    return research;
  };
  const put = (change: (row: Record<string, unknown>) => object): Promise<void> =>
    rawly(strings.ben, async (client) => {
      const { rows } = await client.query<{ value: Buffer; revision: string }>(
        `SELECT value, revision FROM open_notebook.read_things($1, 0, 1000000, NULL)
         WHERE kind = 'research' AND id = $2`,
        [notebookId, researchId],
      );
      const [row] = rows;
      assert.ok(row);
      await client.query(`SELECT open_notebook.put_thing($1, 'research', $2, '', $3, $4)`, [
        ...[notebookId, researchId, row.revision, pack({ ...change(unpack(row.value)) })],
      ]);
    });
  return { one, two, researchId, read, put };
}

test('keeps the budget, approval, workers, and tools of the machine that pays', async () => {
  const { one, read, put } = await begin('pays');
  const seen = read(one).planVersion;
  const steps = Array.from({ length: 22 }, (_, number) => makeStep(`s${String(number)}`));
  await put((row) => ({
    ...row,
    bounds: {},
    options: { approves: false, keepsUnsupported: true, workers: 8 },
    spent: { dollars: 0, tokens: 0, time: 0, requests: 0, toolCalls: 0 },
    plan: planWith(...steps),
  }));
  await syncInTurn(one);
  const research = read(one);
  assert.deepEqual([research.bounds, research.options], [bounds, options]);
  assert.equal(research.steps.length, 22);
  assert.equal(research.state, 'paused');
  assert.equal(research.reason, 'paysben changed the plan. Review it, then resume.');
  // It runs only once it is approved here.
  const approve = (basedOn: number): void => {
    one.index.features.researches.board.changeResearch({
      ...{ researchId: research.id, basedOn, state: 'running', reason: '' },
    });
  };
  assert.throws(
    () => {
      approve(seen);
    },
    { code: 'conflict' },
  );
  approve(research.planVersion);
  await syncInTurn(one);
  assert.equal(read(one).state, 'running');
});

for (const [what, change] of [
  ['goal', { goal: 'Find out everything' }],
  ['scope', { scope: { kind: 'sources', sourceIds: ['another'], mentioned: false } }],
] as const)
  test(`pauses a research project when another member changes its ${what}`, async () => {
    const { one, read, put, researchId } = await begin(`changes${what}`);
    one.index.features.researches.board.changeResearch({ researchId, state: 'planning' });
    await put((row) => ({ ...row, ...change }));
    await syncInTurn(one);
    assert.equal(read(one).state, 'paused');
  });

test('explains why a paused project needs a review after another member changes its plan', async () => {
  const { one, read, put, researchId } = await begin('resting');
  one.index.features.researches.board.changeResearch({ researchId, state: 'paused', reason: '' });
  await put((row) => ({ ...row, plan: planWith(makeStep('new')) }));
  await syncInTurn(one);
  const { state, reason } = read(one);
  assert.deepEqual([state, reason], ['paused', 'restingben changed the plan. Review it, then resume.']);
  assert.equal(one.index.features.researches.board.researches()[0]?.planVersion, read(one).planVersion);
});

test('pauses a research project when another member requests a rerun of a step', async () => {
  const { one, two, read, researchId } = await begin('redone');
  doAsUser(one.index.features.researches.board, researchId, 'a', 'Rainwater.');
  await syncInTurn(one, two);
  assert.equal(read(one).state, 'running');
  two.index.features.researches.board.redoStep({ researchId, stepId: 'a' });
  await syncInTurn(two, one);
  assert.equal(read(one).state, 'paused');
  assert.equal(read(one).steps[0]?.state, 'ready');
});

test('continues a research project when another member does a step or comments', async () => {
  const { one, two, read, researchId } = await begin('helps');
  await syncInTurn(two);
  const { board } = two.index.features.researches;
  board.commentPlan({ researchId, text: 'Shorter, please' });
  doAsUser(board, researchId, 'a', 'Rainwater.');
  await syncInTurn(two, one);
  const { state, steps, comments } = read(one);
  assert.deepEqual([state, steps[0]?.state, comments.length], ['running', 'done', 1]);
});

test('gives another member’s research project the limits of this machine’s settings', async () => {
  const { one, two, read, researchId } = await begin('joins');
  two.limits = { bounds: { dollars: 0.5 }, options: { ...OPTIONS, workers: 3 } };
  await syncInTurn(two);
  assert.deepEqual([read(two).bounds, read(two).options], [{ dollars: 0.5 }, { ...OPTIONS, workers: 3 }]);
  // A local change of the limits isn't synced.
  two.index.features.researches.board.changeResearch({ researchId, bounds: { dollars: 2 } });
  await syncInTurn(two, one);
  assert.deepEqual(read(one).bounds, bounds);
  assert.equal(read(one).state, 'running');
  await withNotebook(one.directory, (sql) => {
    assert.equal(sql.get("SELECT 1 FROM team_outbox WHERE kind = 'research'"), undefined);
  });
});
