import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import type { Plan } from '../../src/features/research/model/project.ts';
import { critiquePlan } from '../../src/features/research/service/plan/critic-rules.ts';
import {
  expandComposed,
  objectionsTo,
  explainCycle,
} from '../../src/features/research/service/plan/expand-composed.ts';
import { readComposedSkill } from '../../src/features/research/service/skills/skill-file.ts';
import type { ComposedSkill, SkillLibrary } from '../../src/features/research/service/skills/skill.ts';
import { action, composedSkill, library, minecraft, planWith, step } from './researching-planning.ts';
import { makeSource } from '../support/made-source.ts';

function withComposed(...composed: readonly ComposedSkill[]): SkillLibrary {
  return { ...library, composed };
}

const survey = composedSkill('survey', {
  inputs: [{ name: 'question', description: 'what is asked' }],
  steps: [
    step('', { target: 'What is said about {target}', produces: 'found', materials: ['sources'] }),
    step('', {
      action: 'extract',
      target: 'Rows on {question}',
      materials: ['found', 'question'],
      produces: 'rows',
    }),
  ],
});

const summarizeSteps = ({ steps }: Plan): unknown[] =>
  steps.map(({ id, action, target, materials, produces }) => [id, action, target, materials, produces]);

test('expands a composed skill to its steps and keeps the name of its product', () => {
  const plan = planWith([
    step('s1', { action: 'ask-user', target: 'What is asked', materials: [], produces: 'question' }),
    step('s2', {
      action: 'survey',
      target: 'costs',
      materials: ['question', 'source:a'],
      produces: 'table',
      quantity: 7,
    }),
    step('s3', { action: 'write', target: 'A note', materials: ['table'], produces: 'note' }),
  ]);
  const expanded = expandComposed(plan, withComposed(survey));
  assert.deepEqual(summarizeSteps(expanded), [
    ['s1', 'ask-user', 'What is asked', [], 'question'],
    ['s2.1', 'search', 'What is said about costs', ['source:a'], 'table-found'],
    ['s2.2', 'extract', 'Rows on question', ['table-found', 'question'], 'table'],
    ['s3', 'write', 'A note', ['table'], 'note'],
  ]);
  assert.equal(expanded.steps[2]?.quantity, 7);
  assert.deepEqual(critiquePlan(expanded, { goal: 'G', sources: [makeSource('a')], library }), []);
  assert.deepEqual(expandComposed(expanded, withComposed(survey)), expanded);
});

test('uses a product for an input by position if no name matches', () => {
  const plan = planWith([
    step('s1'),
    step('s2', { action: 'survey', target: 'costs', materials: ['p1'], produces: 't' }),
  ]);
  assert.deepEqual(expandComposed(plan, withComposed(survey)).steps[2]?.materials, ['t-found', 'p1']);
});

test('prefers the product with the name of an input, and reads the others with the sources', () => {
  const terms = composedSkill('glossary', {
    steps: [step('', { action: 'extract', produces: 'terms-explained' })],
  });
  const guide = composedSkill('guide', {
    inputs: [{ name: 'terms-explained', description: 'The terms' }],
    steps: [
      step('', { produces: 'way' }),
      step('', {
        action: 'write',
        target: 'A guide',
        materials: ['way', 'terms-explained'],
        produces: 'guide',
      }),
    ],
  });
  const skills = withComposed(guide, terms);
  const expandMaterials = (materials: readonly string[]): unknown[] =>
    expandComposed(
      planWith([step('s1', { produces: 'p1' }), step('s2', { action: 'guide', materials, produces: 'g' })]),
      skills,
    )
      .steps.slice(1)
      .map((each) => [each.id, each.materials]);
  assert.deepEqual(expandMaterials(['sources', 'p1']), [
    ['s2.1.1', ['sources']],
    ['s2.2', ['sources', 'p1']],
    ['s2.3', ['g-way', 'terms-explained']],
  ]);
  const plan = planWith([
    step('s1', { produces: 'terms-found' }),
    step('s2', { action: 'guide', materials: ['terms-found'], produces: 'g' }),
  ]);
  assert.deepEqual(
    expandComposed(plan, skills).steps.map(({ materials }) => materials),
    [['sources'], ['sources'], ['g-way', 'terms-found']],
  );
});

test('reports an input that no step produces', () => {
  const guide = composedSkill('guide', {
    inputs: [{ name: 'terms-explained', description: 'The terms' }],
    steps: [
      step('', { action: 'write', target: 'A guide', materials: ['terms-explained'], produces: 'guide' }),
    ],
  });
  const plan = planWith([step('s1', { action: 'guide', materials: [], produces: 'g' })]);
  const issues = critiquePlan(plan, { goal: 'G', sources: [], library: withComposed(guide) });
  assert.deepEqual(
    issues.map(({ rule, stepId }) => [rule, stepId]),
    [['material', 's1']],
  );
  assert.match(issues[0]?.text ?? '', /needs “terms-explained”/);
});

test('moves an issue of an expanded step to its first step', () => {
  const plan = planWith([
    step('s1'),
    step('s2', { action: 'survey', target: 'costs', materials: ['p1'], produces: 't' }),
  ]);
  const expanded = expandComposed(plan, withComposed(survey));
  const objections = ['s1', 's2', undefined].map((stepId) => ({
    stepId,
    rule: 'model' as const,
    text: 'It is too long.',
  }));
  assert.deepEqual(
    objectionsTo(expanded, objections).map(({ stepId }) => stepId),
    ['s1', 's2.1', undefined],
  );
});

test('keeps the products of a skill apart when it is used twice', () => {
  const plan = planWith(
    [
      step('s1', { action: 'survey', target: 'costs', materials: ['sources'], produces: 't' }),
      step('s2', { action: 'survey', target: 'dates', materials: ['sources'], produces: 't-found' }),
    ],
    't',
    't-found',
  );
  const { steps } = expandComposed(plan, withComposed(survey));
  const products = steps.map(({ produces }) => produces);
  assert.equal(new Set(products).size, products.length);
  assert.ok(products.includes('t') && products.includes('t-found'));
});

/** ODYSSEY's recursion: a pickaxe that is missing is made first, and its inputs before it. */
const mine: SkillLibrary = {
  ...minecraft,
  composed: [
    composedSkill('mine-diamond', {
      inputs: [{ name: 'iron-pickaxe', description: 'An iron pickaxe' }],
      steps: [
        step('', { action: 'gather', target: 'Diamonds', materials: ['iron-pickaxe'], produces: 'diamond' }),
      ],
    }),
    composedSkill('craft-iron-pickaxe', {
      inputs: [{ name: 'iron-ingot', description: 'Ingots of iron' }],
      steps: [
        step('', { action: 'gather', target: 'Sticks', materials: [], produces: 'stick' }),
        step('', {
          action: 'craft',
          target: 'The pickaxe',
          materials: ['iron-ingot', 'stick'],
          produces: 'iron-pickaxe',
        }),
      ],
    }),
    composedSkill('smelt-iron', {
      steps: [
        step('', { action: 'gather', target: 'Raw iron', materials: [], produces: 'iron-raw' }),
        step('', { action: 'smelt', target: 'Ingots', materials: ['iron-raw'], produces: 'iron-ingot' }),
      ],
    }),
  ],
};

test('adds the steps for a missing input, and for their inputs', () => {
  const plan = planWith([
    step('s1', { action: 'mine-diamond', target: 'A diamond', materials: [], produces: 'diamond' }),
  ]);
  const expanded = expandComposed(plan, mine);
  assert.deepEqual(
    expanded.steps.map(({ id, action, produces }) => `${id} ${action} -> ${produces}`),
    [
      's1.1.1.1 gather -> iron-ingot-iron-raw',
      's1.1.1.2 smelt -> iron-ingot',
      's1.1.2 gather -> iron-pickaxe-stick',
      's1.1.3 craft -> iron-pickaxe',
      's1.2 gather -> diamond',
    ],
  );
  assert.deepEqual(critiquePlan(expanded, { goal: 'G', sources: [], library: mine }), []);
});

test('doesn’t repeat an existing step, unless it depends on the requested product', () => {
  const existingPlan = planWith([
    step('s1', { action: 'craft', target: 'A pickaxe', materials: [], produces: 'iron-pickaxe' }),
    step('s2', { action: 'mine-diamond', target: 'A diamond', materials: [], produces: 'diamond' }),
  ]);
  assert.deepEqual(
    expandComposed(existingPlan, mine).steps.map(({ id }) => id),
    ['s1', 's2.1'],
  );
  const later = planWith([
    step('s1', { action: 'mine-diamond', target: 'A diamond', materials: [], produces: 'diamond' }),
    step('s2', { action: 'craft', target: 'A pickaxe', materials: ['diamond'], produces: 'iron-pickaxe' }),
  ]);
  const expanded = expandComposed(later, mine);
  assert.ok(expanded.steps.length > 4);
  assert.deepEqual(critiquePlan(expanded, { goal: 'G', sources: [], library: mine }), []);
});

test('leaves endlessly recursive skills unexpanded, and reports them', () => {
  const a = composedSkill('a', { steps: [step('', { action: 'b', produces: 'x' })] });
  const b = composedSkill('b', { steps: [step('', { action: 'a', produces: 'y' })] });
  const plan = planWith([step('s1', { action: 'a' })]);
  assert.deepEqual(expandComposed(plan, withComposed(a, b)), plan);
  assert.equal(explainCycle(a, withComposed(a, b)), 'The skill “a” contains itself: a → b → a.');
  const makers = ['x', 'y'].map((name, i) =>
    composedSkill(`make-${name}`, {
      inputs: [{ name: ['y', 'x'][i]!, description: 'The other' }],
      steps: [step('', { materials: [['y', 'x'][i]!], produces: name })],
    }),
  );
  const { steps } = expandComposed(
    planWith([step('s1', { action: 'make-x', materials: [], produces: 'x' })]),
    withComposed(...makers),
  );
  assert.ok(steps.length < 10);
  const many = Array.from({ length: 9 }, (_, i) =>
    composedSkill(`c${String(i)}`, {
      steps: [0, 1, 2, 3].map((n) => step('', { action: `c${String(i + 1)}`, produces: `x${String(n)}` })),
    }),
  );
  assert.match(explainCycle(many[0], withComposed(...many)) ?? '', /too many other skills/);
});

test('expands every composed skill of the product to a plan without issues', () => {
  const composed = globSync('media/skills/*.md').map((file) =>
    readComposedSkill(readFileSync(file, 'utf8'), basename(file, '.md')),
  );
  const called = new Set(
    composed.flatMap(({ steps }) => steps.flatMap((each) => [each.action, ...each.tools])),
  );
  for (const { name } of composed) called.delete(name);
  const skills = [...called].map((name) => action(name, { run: () => Promise.resolve({ text: '' }) }));
  assert.ok(composed.length >= 12);
  for (const { name } of composed) {
    const plan = planWith([step('s1', { action: name, target: 'the costs of heating', produces: 'whole' })]);
    const criticized = { goal: 'G', sources: [], library: { skills, composed } };
    assert.deepEqual(critiquePlan(plan, criticized), [], name);
    const expanded = expandComposed(plan, criticized.library);
    assert.ok(expanded.steps.length > 1, name);
    assert.ok(
      expanded.steps.every((each) => called.has(each.action)),
      name,
    );
    assert.deepEqual(critiquePlan(expanded, criticized), [], name);
  }
});
