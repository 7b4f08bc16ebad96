import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { salvage } from '../../src/index/store/database/salvage.ts';
import { migrations } from '../../src/index/store/database/migrations.ts';
import { openResearches } from '../../src/features/research/store/board.ts';
import { Statements } from '../../src/index/store/database/statements.ts';
import type { ResearchBoard } from '../../src/features/research/model/board.ts';
import {
  HOLD,
  OPTIONS,
  planWith,
  makeProduct,
  runResearch,
  statesIn,
  makeStep,
  USER,
  WORKER,
  takeStep,
} from '../support/made-boards.ts';
import { openBoard } from '../support/opened-boards.ts';
import { testCitation } from '../support/test-citation.ts';

const citation = testCitation({ quote: 'Beans' });
const statement = (start: number, end: number, ...citations: number[]) =>
  ({ start, end, verdict: 'supported', citations }) as const;

function doStep(
  board: ResearchBoard,
  researchId: string,
  stepId: string,
  text: string,
  more: object = {},
): void {
  const { token = '' } = takeStep(board, researchId, { stepId }) ?? {};
  assert.equal(board.submitStep({ token, product: { ...makeProduct(text), ...more } }), 'kept');
}

test('returns a submitted result unchanged', async () => {
  const opened = await openBoard();
  const researchId = runResearch(opened.board, planWith(makeStep('a')));
  const submitted = {
    ...{
      citations: [citation, { ...citation, number: 2 }],
      statements: [statement(0, 5, 1), statement(6, 9, 0, 1)],
    },
    check: { claims: 2, supported: 1, partly: 1, cut: ['Not so.'] },
  };
  doStep(opened.board, researchId, 'a', 'Beans are.', submitted);
  const reopened = await openBoard({ folder: opened.folder });
  assert.deepEqual(reopened.board.product({ researchId, productId: 'a product' }), {
    ...{ id: 'a product', text: 'Beans are.', createdBy: WORKER, createdAt: 1 },
    ...submitted,
  });
  assert.equal(reopened.board.research({ researchId })?.products[0]?.citations, 2);
});

test('loses only data that a newer version or damage made unreadable', async () => {
  const { board, sql } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a'), makeStep('b')));
  doStep(board, researchId, 'a', 'Beans.');
  const set = (table: string, columns: Record<string, unknown>): void => {
    for (const [column, value] of Object.entries(columns))
      sql.run(`UPDATE ${table} SET ${column} = ?`, typeof value === 'string' ? value : JSON.stringify(value));
  };
  set('research_products', {
    citations: [{ ...citation, locator: { kind: 'hologram' } }, citation],
    statements: [statement(0, 3, 0, 1), statement(2, 50, 1), { start: 'first' }],
    checked: { claims: 'many' },
    made_by: { kind: 'robot' },
  });
  const product = board.product({ researchId, productId: 'a product' });
  assert.ok(product);
  assert.deepEqual(product.citations, [citation]);
  assert.deepEqual(product.statements, [statement(0, 3, 0)]);
  assert.deepEqual(product.check, { claims: 0, supported: 0, partly: 0, cut: [] });
  assert.equal(product.createdBy.name, '');
  set('researches', {
    ...{ state: 'dreaming', bounds: { dollars: 'none', tokens: 12 }, options: { workers: 3, dreams: true } },
    ...{ objections: [{ rule: 'dream', text: 'No.' }, 7], scope: { kind: 'galaxy' }, memories: 7 },
  });
  set('research_plans', { plan: { steps: [], parts: [{ text: 'All', product: 'a product' }, {}] } });
  const research = board.research({ researchId });
  assert.ok(research);
  assert.equal(research.state, 'paused');
  assert.equal(research.bounds.tokens, 12);
  assert.equal(research.bounds.dollars, undefined);
  assert.equal(research.options.workers, 3);
  assert.equal(research.options.approves, true);
  assert.deepEqual(research.objections, [{ stepId: undefined, rule: 'model', text: 'No.' }]);
  assert.deepEqual(research.parts, [{ text: 'All', product: 'a product' }]);
  assert.deepEqual([research.scope, research.memories], [undefined, []]);
  board.record({ researchId, event: { kind: 'deed', deed: 'Took it.', by: USER } });
  set('research_records', { event: { kind: 'dream' } });
  assert.deepEqual(board.records({ researchId }), []);
});

test('restores the steps of a plan, and every readable result, from a damaged database', async () => {
  const { board, sql, folder } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a'), makeStep('b'), makeStep('c', ['a', 'b'])));
  doStep(board, researchId, 'a', 'What a is.');
  doStep(board, researchId, 'b', 'What b is.');
  const orphan = runResearch(board, planWith(makeStep('d')), 'Lost goal');
  doStep(board, orphan, 'd', 'What d is.');
  sql.run('PRAGMA foreign_keys = OFF');
  sql.run('DELETE FROM researches WHERE id = ?', orphan);
  sql.run("UPDATE research_steps SET step = '{' WHERE id = 'a'");
  sql.run("UPDATE research_products SET citations = 'damaged' WHERE step_id = 'b'");
  sql.run("DELETE FROM research_products WHERE step_id = 'd'");
  const damaged = new DatabaseSync(join(folder, 'notebook.sqlite'));
  const fresh = new DatabaseSync(':memory:');
  for (const step of migrations) fresh.exec(step);
  assert.equal(salvage(damaged, fresh).researches, 2);
  damaged.close();
  assert.deepEqual(fresh.prepare('PRAGMA foreign_key_check').all(), []);
  const { board: saved } = openResearches(new Statements(fresh));
  assert.deepEqual(statesIn(saved, researchId), { a: 'done', b: 'done', c: 'ready' });
  assert.equal(saved.product({ researchId, productId: 'b product' })?.text, 'What b is.');
  assert.equal(saved.research({ researchId: orphan })?.goal, 'Recovered from a damaged notebook');
  assert.deepEqual(statesIn(saved, orphan), { d: 'ready' });
  const { token = '' } = takeStep(saved, researchId) ?? {};
  assert.equal(saved.submitStep({ token, product: makeProduct('What c is.') }), 'kept');
  assert.equal(saved.research({ researchId })?.state, 'done');
  fresh.close();
});

test('reads research projects of a newer version, and rejects changes in one sentence', async () => {
  const opened = await openBoard();
  const researchId = runResearch(opened.board, planWith(makeStep('a')));
  const claim = opened.board.claimStep({ researchId, holder: WORKER, hold: 1 });
  opened.sql.run(`PRAGMA user_version = ${String(migrations.length + 1)}`);
  const reopened = await openBoard({ folder: opened.folder, now: () => Date.now() + HOLD });
  assert.deepEqual(statesIn(reopened.board, researchId), { a: 'ready' });
  reopened.changes.releaseExpired();
  const refused = {
    name: 'NotebookError',
    code: 'newer-database',
    message: /^This notebook is read-only because/,
  };
  const token = claim?.token ?? '';
  for (const change of [
    () => reopened.board.claimStep({ researchId, holder: USER, hold: HOLD }),
    () => reopened.board.addResearch({ goal: 'Find', bounds: {}, options: OPTIONS }),
    () => reopened.board.submitStep({ token, product: makeProduct('Late.') }),
    () => reopened.board.setPlan({ researchId, plan: planWith(makeStep('b')), basedOn: 1 }),
    () => {
      reopened.board.record({ researchId, event: { kind: 'deed', deed: 'Took it.', by: USER } });
    },
  ])
    assert.throws(change, refused);
});

test('rejects a submission on a full disk in one sentence, and saves it once there is room', async () => {
  const { board, sql } = await openBoard();
  const researchId = runResearch(board, planWith(makeStep('a'), makeStep('b', ['a'])));
  const { token = '' } = takeStep(board, researchId) ?? {};
  const pages = Number(sql.get('PRAGMA page_count')?.page_count);
  sql.get(`PRAGMA max_page_count = ${String(pages + 4)}`);
  const product = makeProduct('What a is. '.repeat(100_000));
  assert.throws(() => board.submitStep({ token, product }), {
    ...{ name: 'NotebookError', code: 'disk-full', message: /because the disk is full/ },
  });
  assert.deepEqual(statesIn(board, researchId), { a: 'in-progress', b: 'blocked' });
  sql.get('PRAGMA max_page_count = 1000000');
  assert.equal(board.submitStep({ token, product }), 'kept');
  assert.deepEqual(statesIn(board, researchId), { a: 'done', b: 'ready' });
});
