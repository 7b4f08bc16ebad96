import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withNotebook } from '../../src/index/library/with-notebook-db.ts';
import { HOLD, OPTIONS, planWith, makeProduct, statesIn, makeStep, USER } from '../support/made-boards.ts';
import { asked, citing, garden } from '../support/team-garden.ts';
import { useTeamServer } from '../support/team-server.ts';

const server = useTeamServer();

test('shares research projects and artifacts with a notebook, but not drafts and conversations', async () => {
  let researchId = '';
  const { one, two } = await garden(server, 'share', (index) => {
    const { board } = index.features.researches;
    ({ researchId } = board.addResearch({ goal: 'Find out', bounds: {}, options: OPTIONS }));
    board.setPlan({ researchId, plan: planWith(makeStep('a'), makeStep('b'), makeStep('c')), basedOn: 0 });
    board.changeResearch({ researchId, state: 'running' });
    const done = board.claimStep({ researchId, stepId: 'a', holder: USER, hold: HOLD });
    const citations = [citing(index, 'rainwater')];
    board.submitStep({
      token: done?.token ?? '',
      product: {
        ...makeProduct('Rainwater.', USER),
        ...{ citations, statements: [{ start: 0, end: 3, verdict: 'supported', citations: [0] }] },
      },
    });
    // A step that is under way becomes free for everyone.
    board.claimStep({ researchId, stepId: 'b', holder: USER, hold: HOLD });
    board.claimStep({ researchId, stepId: 'c', holder: USER, hold: HOLD });
    board.draftStep({ researchId, stepId: 'c', draft: 'Only a draft' });
    const conversationId = index.features.conversations.begin();
    index.features.conversations.putTurn(conversationId, asked(index, 'What is in the barrel?', 'rainwater'));
  });
  assert.deepEqual(one.index.features.conversations.list(''), []);
  one.goOnline();
  two.goOnline();
  await one.settled();
  const { board } = two.index.features.researches;
  await two.until('the research is there', () => statesIn(board, researchId).a === 'done');
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready', c: 'ready' });
  assert.equal(board.research({ researchId })?.state, 'paused');
  const product = board.product({ researchId, productId: 'a product' });
  assert.equal(product?.text, 'Rainwater.');
  assert.equal(product.createdBy.name, 'shareada');
  assert.equal(product.citations[0]?.documentId, citing(two.index, 'rainwater').documentId);
  assert.deepEqual(two.index.features.conversations.list(''), []);
  await withNotebook(two.directory, (sql) => {
    assert.equal(sql.get("SELECT 1 FROM research_steps WHERE draft <> ''"), undefined);
  });

  // The project continues on both machines.
  const claim = board.claimStep({ researchId, stepId: 'b', holder: USER, hold: HOLD });
  board.submitStep({ token: claim?.token ?? '', product: makeProduct('Saturdays.', USER) });
  await one.until(
    'what the other did is there',
    () => statesIn(one.index.features.researches.board, researchId).b === 'done',
  );
  await one.goOffline();
  await two.goOffline();
});
