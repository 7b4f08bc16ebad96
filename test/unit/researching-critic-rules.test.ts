import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Objection, Plan } from '../../src/features/research/model/project.ts';
import { critiquePlan } from '../../src/features/research/service/plan/critic-rules.ts';
import type { SkillLibrary } from '../../src/features/research/service/skills/skill.ts';
import { action, composedSkill, library, minecraft, planWith, step } from './researching-planning.ts';
import { makeSource } from '../support/made-source.ts';

const sources = [makeSource('a'), makeSource('b')];

function objections(plan: Plan, skills: SkillLibrary = library): readonly Objection[] {
  return critiquePlan(plan, { goal: 'Compare the reports', sources, library: skills });
}

function rules(plan: Plan, skills?: SkillLibrary): string[] {
  return objections(plan, skills).map(({ rule, stepId }) => `${rule} ${stepId ?? '-'}`);
}

/** Lacks the smelting, as in Co-Voyager's attachment F. */
const gathered = step('s1', {
  action: 'gather',
  target: 'Iron as it comes out of the rock',
  materials: [],
  tools: ['stone-pickaxe'],
  produces: 'iron-raw',
});
const pickaxe = step('s3', {
  action: 'craft',
  target: 'An iron pickaxe',
  materials: ['iron-ingot', 'stick'],
  tools: ['crafting-table'],
  produces: 'iron-pickaxe',
  quantity: 1,
});
const sticks = step('s4', {
  action: 'craft',
  target: 'Sticks from planks',
  materials: ['plank'],
  produces: 'stick',
  quantity: 2,
});
const planks = step('s5', { action: 'gather', target: 'Planks', materials: [], produces: 'plank' });

test('reports missing and unused results in a plan for a pickaxe without smelting', () => {
  const plan = planWith([gathered, planks, sticks, pickaxe]);
  const issues = objections(plan, minecraft);
  assert.deepEqual(
    issues.map(({ rule, stepId }) => [rule, stepId]),
    [
      ['unused', 's1'],
      ['material', 's3'],
    ],
  );
  assert.equal(issues[1]?.text, 'Step s3 needs “iron-ingot”, but it isn’t a source and no step produces it.');
  assert.equal(
    issues[0]?.text,
    'No other step and no part of the goal uses “iron-raw”, the result of step s1.',
  );
});

test('accepts the plan for a pickaxe with smelting in any order', () => {
  const smelted = step('s2', {
    action: 'smelt',
    target: 'Ingots from the raw iron',
    materials: ['iron-raw'],
    tools: ['furnace'],
    produces: 'iron-ingot',
    quantity: 3,
  });
  assert.deepEqual(rules(planWith([gathered, smelted, planks, sticks, pickaxe]), minecraft), []);
  assert.deepEqual(rules(planWith([planks, sticks, smelted, gathered, pickaxe]), minecraft), []);
});

test('reports missing and unused products in a report from a table that no step extracts', () => {
  const issues = objections(
    planWith([
      step('s1', { target: 'What each report says about its costs', produces: 'passages-on-costs' }),
      step('s2', {
        action: 'write',
        target: 'A report on the costs with a table',
        materials: ['table-of-costs'],
        produces: 'report',
      }),
    ]),
  );
  assert.deepEqual(
    issues.map(({ rule, stepId }) => `${rule} ${String(stepId)}`),
    ['unused s1', 'material s2'],
  );
});

/** Co-Voyager's steps to a compass (attachment C) in our terms, each step with its inputs. */
const compass = planWith(
  (
    [
      ['gather', 'log', []],
      ['craft', 'plank', ['log']],
      ['craft', 'stick', ['plank']],
      ['gather', 'cobblestone', []],
      ['gather', 'iron-raw', ['cobblestone', 'stick']],
      ['craft', 'furnace-block', ['cobblestone']],
      ['smelt', 'iron-ingot', ['iron-raw', 'plank', 'furnace-block']],
      ['gather', 'redstone-dust', ['iron-ingot', 'stick']],
      ['craft', 'compass', ['iron-ingot', 'redstone-dust']],
    ] as const
  ).map(([action, produces, materials], i) =>
    step(`s${String(i + 1)}`, { action, target: `Some ${produces}`, produces, materials }),
  ),
);

test('accepts a plan for a compass, and reports any missing step', () => {
  assert.deepEqual(rules(compass, minecraft), []);
  for (const left of compass.steps) {
    const steps = compass.steps.filter((each) => each !== left);
    const missed = objections({ ...compass, steps }, minecraft).filter(({ text }) =>
      text.includes(`“${left.produces}”`),
    );
    assert.ok(missed.length > 0, left.produces);
  }
});

test('finds the cycle when any two steps are swapped', () => {
  for (const first of compass.steps)
    for (const then of compass.steps.filter(({ materials }) => materials.includes(first.produces))) {
      const steps = compass.steps.map((each) =>
        each === first ? { ...each, materials: [...each.materials, then.produces] } : each,
      );
      assert.ok(
        rules({ ...compass, steps }, minecraft).some((rule) => rule.startsWith('circle')),
        then.produces,
      );
    }
});

const write = step('s2', { action: 'write', target: 'The report', materials: ['p1'], produces: 'report' });
const ok = planWith([step('s1'), write]);

const cases: readonly (readonly [
  what: string,
  plan: Plan,
  expected: readonly string[],
  skills?: SkillLibrary,
])[] = [
  ['nothing to object to', ok, []],
  ['a plan without steps', { steps: [], parts: [] }, ['empty -']],
  [
    'two steps that wait for each other',
    planWith([
      step('s1', { materials: ['p2'] }),
      step('s2', { materials: ['p1'], target: 'Something else', action: 'extract' }),
    ]),
    ['circle s1'],
  ],
  [
    'a circle of three beside what is right',
    planWith([
      step('s1', { materials: ['p3'] }),
      step('s2', { materials: ['p1'] }),
      step('s3', { materials: ['p2', 'sources'] }),
      step('s4', { materials: ['p3'] }),
    ]),
    ['circle s1'],
  ],
  [
    'two circles',
    planWith(
      [
        step('s1', { materials: ['p2'] }),
        step('s2', { materials: ['p1'] }),
        step('s3', { materials: ['p4'] }),
        step('s4', { materials: ['p3'] }),
      ],
      'p2',
      'p4',
    ),
    ['circle s1', 'circle s3'],
  ],
  [
    'a step that needs what it makes',
    planWith([step('s1', { materials: ['p1', 'sources'] })]),
    ['circle s1'],
  ],
  ['a source that is not there', planWith([step('s1', { materials: ['source:z'] })]), ['material s1']],
  ['a source that is there', planWith([step('s1', { materials: ['source:b'] })]), []],
  ['a skill as a material', planWith([step('s1', { materials: ['search'] })]), ['material-or-tool s1']],
  [
    'a product as a tool',
    planWith([step('s1'), step('s2', { ...write, tools: ['p1'] })]),
    ['material-or-tool s2'],
  ],
  ['a source as a tool', planWith([step('s1', { tools: ['source:a'] })]), ['material-or-tool s1']],
  ['a tool that is not known', planWith([step('s1', { tools: ['telescope'] })]), ['skill s1']],
  ['a tool that can only be a step', planWith([step('s1', { tools: ['write'] })]), ['skill s1']],
  ['a tool that can be used', planWith([step('s1', { tools: ['read-on'] })]), []],
  ['an action that is not known', planWith([step('s1', { action: 'divine' })]), ['skill s1']],
  ['an action that is only a tool', planWith([step('s1', { action: 'read-on' })]), ['skill s1']],
  ['an action for the user', planWith([step('s1', { action: 'ask-user', materials: [] })]), []],
  ['no action', planWith([step('s1', { action: '' })]), ['empty s1']],
  ['no target', planWith([step('s1', { target: ' ' })]), ['empty s1']],
  ['no product', planWith([step('s1', { produces: '' })], 'p1'), ['empty s1', 'goal-part -']],
  ['a material without a name', planWith([step('s1', { materials: [''] })]), ['empty s1']],
  [
    'a product that is called like a skill',
    planWith([step('s1', { produces: 'search' })]),
    ['material-or-tool s1'],
  ],
  [
    'a product that is called like the sources',
    planWith([step('s1', { produces: 'sources' })]),
    ['material-or-tool s1'],
  ],
  ['a quantity of none', planWith([step('s1', { quantity: 0 })]), ['quantity s1']],
  ['a quantity below', planWith([step('s1', { quantity: -2 })]), ['quantity s1']],
  ['a part of a quantity', planWith([step('s1', { quantity: 1.5 })]), ['quantity s1']],
  ['no number as a quantity', planWith([step('s1', { quantity: Number.NaN })]), ['quantity s1']],
  ['a whole quantity', planWith([step('s1', { quantity: 5 })]), []],
  [
    'a product that nothing uses',
    planWith([step('s1'), step('s2'), step('s3', { materials: ['p2'] })]),
    ['unused s1'],
  ],
  [
    'two ids that are the same',
    planWith([step('s1'), step('s1', { target: 'Another matter', produces: 'q' })], 'p1', 'q'),
    ['duplicate s1'],
  ],
  [
    'two steps that make the same',
    planWith([step('s1', { produces: 'x' }), step('s2', { produces: 'x' })], 'x'),
    ['duplicate s2'],
  ],
  [
    'two steps that do the same',
    planWith([step('s1', { target: 'Costs, by year' }), step('s2', { target: 'costs by Year' })], 'p1', 'p2'),
    ['duplicate s2'],
  ],
  [
    'the same done to other materials',
    planWith(
      [
        step('s1', { target: 'Costs', materials: ['source:a'] }),
        step('s2', { target: 'Costs', materials: ['source:b'] }),
      ],
      'p1',
      'p2',
    ),
    [],
  ],
  [
    'a material named twice',
    planWith([step('s1'), step('s2', { ...write, materials: ['p1', 'p1'] })]),
    ['duplicate s2'],
  ],
  ['no end', { steps: [step('s1')], parts: [] }, ['unused s1', 'goal-part -']],
  ['a part that ends with nothing', planWith([step('s1')], 'p1', ''), ['goal-part -']],
  ['a part that ends with what nobody makes', planWith([step('s1')], 'p1', 'figures'), ['goal-part -']],
  ['a part without words', planWith([step('s1')], { text: ' ', product: 'p1' }), ['goal-part -']],
  [
    'words that point to another step',
    planWith([step('s1'), step('s2', { ...write, target: 'Write up the results of step 1' })]),
    ['words s2'],
  ],
  [
    'words that name another step',
    planWith([step('s1'), step('s2', { ...write, target: 'Write up s1' })]),
    ['words s2'],
  ],
  [
    'words that only look so',
    planWith([
      step('s1'),
      step('s2', { ...write, target: 'Compare the S1 and S2 trains, and “step 7” of the manual' }),
    ]),
    [],
  ],
  [
    'a composed skill that is made of itself',
    planWith([step('s1', { action: 'loop' })]),
    ['circle s1'],
    { ...library, composed: [composedSkill('loop', { steps: [step('a', { action: 'loop' })] })] },
  ],
  [
    'a composed skill',
    planWith([step('s1', { action: 'survey' })]),
    [],
    { ...library, composed: [composedSkill('survey', { steps: [step('a')] })] },
  ],
  [
    'an action that nobody is told how to do',
    planWith([step('s1', { action: 'wave' })]),
    ['skill s1'],
    { ...library, skills: [...library.skills, { name: 'wave', description: '' }, action('bow')] },
  ],
];

for (const [what, plan, expected, skills] of cases)
  test(`reports as a critic: ${what}`, () => {
    assert.deepEqual(rules(plan, skills), expected);
  });

test('writes issues as sentences', () => {
  for (const [what, plan, , skills] of cases)
    for (const { text } of objections(plan, skills)) {
      assert.match(text, /^[A-Z].*[.?]$/s, what);
      assert.doesNotMatch(text, /\{\d\}|undefined/, what);
    }
});

test('suggests a product for a name that is nearly the same', () => {
  const issues = objections(
    planWith([step('s1', { produces: 'iron-ingots' }), step('s2', { ...write, materials: ['iron-ingot'] })]),
  );
  assert.ok(
    issues.some(
      ({ text }) =>
        text === 'Step s2 needs “iron-ingot”, but no step produces it. Did you mean “iron-ingots”?',
    ),
  );
});

test('handles a chain and a cycle of a thousand steps without using the stack', () => {
  const row = Array.from({ length: 1000 }, (_, i) =>
    step(`s${String(i + 1)}`, { materials: i === 0 ? ['sources'] : [`p${String(i)}`] }),
  );
  assert.deepEqual(rules(planWith(row)), []);
  const circle = row.with(0, { ...row[0]!, materials: ['p1000'] });
  assert.deepEqual(rules(planWith(circle)), ['circle s1']);
});
