import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ANY_QUANTITY, type Plan } from '../../src/features/research/model/project.ts';
import { critiquePlan } from '../../src/features/research/service/plan/critic-rules.ts';
import {
  addStep,
  changeStep,
  editPlan,
  moveStep,
  removeStep,
  splitStep,
  type Edited,
} from '../../src/features/research/service/plan/edit-plan.ts';
import { library, planWith, step } from './researching-planning.ts';
import { makeSource } from '../support/made-source.ts';
import { rounds } from '../support/test-size.mjs';
import { congruentialRandom } from '../support/durability-random.ts';

const table = step('s2', { action: 'extract', target: 'A table', materials: ['p1'], produces: 'table' });
const report = step('s3', { action: 'write', target: 'A report', materials: ['table'], produces: 'report' });
const plan = planWith([step('s1'), table, report]);
const brokenRules = (edited: Plan): string[] =>
  critiquePlan(edited, { goal: 'G', sources: [makeSource('a')], library }).map(
    ({ rule, stepId }) => `${rule} ${stepId ?? '-'}`,
  );

test('adds a step in the chosen place, with a new ID and product name', () => {
  const { plan: more, notes } = addStep(
    plan,
    { action: 'compare', target: 'The years', produces: 'Table' },
    1,
  );
  assert.deepEqual(
    more.steps.map(({ id }) => id),
    ['s1', 's4', 's2', 's3'],
  );
  assert.equal(more.steps[1]?.produces, 'table-2');
  assert.deepEqual(notes, [
    'Another step already produces “table”. The result of this step is now named “table-2”.',
  ]);
  assert.equal(addStep(plan, {}, undefined, ['s9']).plan.steps.at(-1)?.id, 's10');
  assert.equal(addStep(plan, {}).plan.steps.at(-1)?.produces, 's4-product');
});

test('changes a step, and renames its product in the steps that use it', () => {
  const { plan: changed } = changeStep(plan, 's2', {
    produces: 'Table of costs',
    quantity: 5,
    tools: ['read-on', 'read-on'],
  });
  assert.deepEqual(changed.steps[1], {
    ...table,
    produces: 'table-of-costs',
    quantity: 5,
    tools: ['read-on'],
  });
  assert.deepEqual(changed.steps[2]?.materials, ['table-of-costs']);
  assert.deepEqual(brokenRules(changed), []);
  assert.equal(changeStep(plan, 's3', { produces: 'Summary' }).plan.parts[0]?.product, 'summary');
  assert.throws(() => changeStep(plan, 's2', { quantity: 0 }), { code: 'unsupported' });
  assert.throws(() => changeStep(plan, 's2', { quantity: 1.5 }), { code: 'unsupported' });
  assert.throws(() => changeStep(plan, 's7', {}), { code: 'not-found' });
});

test('gives the steps after a deleted step its inputs', () => {
  const { plan: less, notes } = removeStep(plan, 's2');
  assert.deepEqual(less.steps[1]?.materials, ['p1']);
  assert.deepEqual(notes, ['Step s3 used “table”. It now uses the inputs of the deleted step instead: p1.']);
  assert.deepEqual(brokenRules(less), []);
});

test('ends a part of the goal with the only input of a deleted step', () => {
  const { plan: less, notes } = removeStep(plan, 's3');
  assert.deepEqual(less.parts, [{ text: 'The goal', product: 'table' }]);
  assert.deepEqual(notes, ['The part “The goal” of the goal now uses “table”.']);
  assert.deepEqual(brokenRules(less), []);
});

test('reports what it can’t repair as an issue', () => {
  const alone = planWith([
    step('s1', { action: 'ask-user', materials: [] }),
    step('s2', { materials: ['p1'] }),
  ]);
  const { plan: less, notes } = removeStep(alone, 's1');
  assert.deepEqual(notes, ['Step s2 used “p1”. Nothing replaces this input.']);
  assert.deepEqual(less.steps[0]?.materials, []);
  const none = removeStep(less, 's2');
  assert.deepEqual(none.notes, ['The part “The goal” of the goal used “p2” and no longer has a result.']);
  assert.deepEqual(brokenRules(none.plan), ['empty -']);
});

test('moves a step within the list', () => {
  const stepIds = (edited: Edited): string[] => edited.plan.steps.map(({ id }) => id);
  assert.deepEqual(stepIds(moveStep(plan, 's1', 1)), ['s2', 's1', 's3']);
  assert.deepEqual(stepIds(moveStep(plan, 's3', -4)), ['s3', 's1', 's2']);
  assert.deepEqual(stepIds(moveStep(plan, 's1', 99)), ['s2', 's3', 's1']);
  assert.deepEqual(brokenRules(moveStep(plan, 's1', 99).plan), []);
});

test('gives the parts of a split step to the step with its ID and product', () => {
  const { plan: split } = splitStep(plan, 's2', ['Rows of 2022', ' ', 'Rows of 2023', 'The table of both']);
  assert.deepEqual(
    split.steps.map(({ id, target, produces, materials }) => [id, target, produces, materials]).slice(1, 4),
    [
      ['s4', 'Rows of 2022', 'table-part', ['p1']],
      ['s5', 'Rows of 2023', 'table-part-2', ['p1']],
      ['s2', 'The table of both', 'table', ['p1', 'table-part', 'table-part-2']],
    ],
  );
  assert.deepEqual(brokenRules(split), []);
  assert.throws(() => splitStep(plan, 's2', ['One', '']), { code: 'unsupported' });
});

describe('editPlan', () => {
  const stepIds = ({ steps }: Plan): string[] => steps.map(({ id }) => id);

  test('adds a step that uses all sources after a step', () => {
    const { plan: more } = editPlan(plan, { kind: 'add', after: 's2' }, ['s7']);
    assert.deepEqual(stepIds(more), ['s1', 's2', 's8', 's3']);
    const { materials, tools, target, produces } = more.steps[2] ?? {};
    assert.deepEqual([materials, tools], [['sources'], ['search', 'read']]);
    assert.deepEqual([target, produces], ['', 's8-product']);
  });

  test('adds a step at the beginning when no step is named', () => {
    assert.equal(stepIds(editPlan(plan, { kind: 'add', after: undefined }, []).plan)[0], 's4');
  });

  test('changes a step', () => {
    const { plan: changed } = editPlan(
      plan,
      { kind: 'change', stepId: 's2', change: { target: ' Costs ', materials: ['p1', 'p1 '] } },
      [],
    );
    assert.deepEqual(changed.steps, [step('s1'), { ...table, target: 'Costs' }, report]);
  });

  test('removes a step with a note about the step that used its result', () => {
    const { plan: less, notes } = editPlan(plan, { kind: 'remove', stepId: 's2' }, []);
    assert.deepEqual([stepIds(less), notes.length], [['s1', 's3'], 1]);
  });

  test('moves a step to a place in the list', () => {
    assert.deepEqual(stepIds(editPlan(plan, { kind: 'move', stepId: 's3', to: 0 }, []).plan), [
      's3',
      's1',
      's2',
    ]);
  });

  test('splits a step without IDs of former steps', () => {
    const { plan: split } = editPlan(plan, { kind: 'split', stepId: 's2', targets: ['2022', '2023'] }, [
      's7',
    ]);
    assert.deepEqual(stepIds(split), ['s1', 's8', 's2', 's3']);
  });

  test('rejects an edit of a step that is no longer in the plan, and keeps the plan', () => {
    const before = structuredClone(plan);
    assert.throws(() => editPlan(plan, { kind: 'remove', stepId: 's9' }, []), { code: 'not-found' });
    assert.deepEqual(plan, before);
  });
});

test('keeps IDs unique and the plan valid through random edits', () => {
  for (let seed = 1; seed <= rounds(20, 200); seed++) {
    const random = congruentialRandom(seed);
    const upTo = (limit: number): number => Math.floor(random() * limit);
    const names = ['Table', 'p1', '', 'Bericht über Kosten', '费用', '!!!', 'x'.repeat(200), 'p1-part'];
    const name = (): string => names[upTo(names.length)]!;
    let current = plan;
    const seen = new Map<string, number>(current.steps.map(({ id }) => [id, 0]));
    for (let i = 1; i <= 60; i++) {
      const before = JSON.stringify(current);
      const id = current.steps[upTo(current.steps.length)]?.id ?? 's1';
      const words = {
        target: name(),
        produces: name(),
        materials: [name(), current.steps[0]?.produces ?? 'sources'],
        quantity: upTo(3) === 0 ? 3 : ANY_QUANTITY,
      };
      const used = [...seen.keys()];
      const edits: (() => Edited)[] = [
        () => addStep(current, words, upTo(20) - 5, used),
        () => changeStep(current, id, words),
        () => removeStep(current, id),
        () => moveStep(current, id, upTo(20) - 5),
        () => splitStep(current, id, [name(), name(), 'And the rest'], used),
      ];
      const kind = upTo(edits.length);
      let edited: Edited;
      try {
        edited = edits[kind]!();
      } catch (error) {
        assert.ok(current.steps.length === 0 || kind === 4, String(error));
        continue;
      }
      assert.equal(JSON.stringify(current), before, 'the plan before stays as it was');
      const after = edited.plan;
      const ids = after.steps.map((each) => each.id);
      const products = after.steps.map(({ produces }) => produces);
      assert.equal(new Set(ids).size, ids.length);
      assert.equal(new Set(products).size, products.length);
      for (const each of after.steps) {
        assert.notEqual(each.produces, '');
        assert.ok(each.quantity === -1 || each.quantity >= 1);
        assert.equal(new Set(each.materials).size, each.materials.length);
        const isNew = !current.steps.some((old) => old.id === each.id);
        assert.ok(!isNew || !seen.has(each.id), `${each.id} was another step’s`);
      }
      for (const each of ids) seen.set(each, i);
      const grown = after.steps.length - current.steps.length;
      assert.ok([[1], [0], [-1], [0], [1, 2]][kind]!.includes(grown));
      assert.doesNotThrow(() => critiquePlan(after, { goal: 'G', sources: [], library }));
      current = after;
    }
  }
});
