// Tests composed skills: their files, the errors of invalid ones, the included ones, and saved ones.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { Plan, PlanStep } from '../../src/features/research/model/project.ts';
import { critiquePlan } from '../../src/features/research/service/plan/critic-rules.ts';
import { expandComposed } from '../../src/features/research/service/plan/expand-composed.ts';
import {
  readComposedSkill,
  writeComposedSkill,
} from '../../src/features/research/service/skills/skill-file.ts';
import { skillFromPlan } from '../../src/features/research/service/skills/skill-from-plan.ts';
import { skillLibrary } from '../../src/features/research/service/skills/skill-library.ts';
import type { ComposedSkill, Skill } from '../../src/features/research/service/skills/skill.ts';
import { root } from '../support/paths.mjs';
import { shippedSkills, skillWorld } from './skills-fixtures.ts';
import { rounds } from '../support/test-size.mjs';

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('-'));
const line = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  .map((text) => text.replaceAll(/[\s{}]+/g, ' ').trim())
  .filter((text) => text !== '');

const skill: fc.Arbitrary<ComposedSkill> = fc
  .record({
    name,
    description: line,
    inputs: fc.uniqueArray(
      fc.record({ name: word.map((each) => `in-${each}`), description: line }, { noNullPrototype: true }),
      {
        selector: (input) => input.name,
        maxLength: 3,
      },
    ),
    count: fc.integer({ min: 1, max: 5 }),
    seed: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
    targets: fc.array(line, { minLength: 5, maxLength: 5 }),
    action: name,
  })
  .map(({ count, seed, targets, action, inputs, ...rest }) => ({
    ...rest,
    inputs,
    steps: Array.from({ length: count }, (_, i) => {
      const materials = ['sources', ...inputs.map((input) => input.name)];
      for (let before = 0; before < i; before++) materials.push(`p${String(before)}`);
      return {
        action,
        target: `${targets[i]!} {target}`,
        materials: materials.filter((_material, j) => (seed[i]! >> j) % 2 === 1),
        tools: seed[5 + i]! % 2 === 1 ? ['search', 'read'] : [],
        produces: `p${String(i)}`,
        quantity: seed[10 + i]! % 3 === 0 ? -1 : 1 + (seed[10 + i]! % 50),
      };
    }),
  }));

test('reads a written skill unchanged', () => {
  fc.assert(
    fc.property(skill, (skill) => {
      assert.deepEqual(readComposedSkill(writeComposedSkill(skill), 'other'), skill);
    }),
  );
});

test('reads a file as people write it', () => {
  const text = `\uFEFF---\r\ndescription: 'Counts: things'\r\nsteps:\r\n  - action: search # first\r\n    target: Count {target}\r\n    produces: count\r\n    quantity: 3\r\n---\r\n\r\n# Notes\r\n--- \r\n`;
  assert.deepEqual(readComposedSkill(text, 'count-things'), {
    name: 'count-things',
    description: 'Counts: things',
    inputs: [],
    steps: [
      {
        action: 'search',
        target: 'Count {target}',
        materials: [],
        tools: [],
        produces: 'count',
        quantity: 3,
      },
    ],
  });
});

const good = [
  'description: It counts.',
  'steps:',
  '  - action: search',
  '    target: Count',
  '    produces: count',
];
const changed = (from: string, to: string): string =>
  ['---', ...good.map((each) => each.replace(from, to)), '---', ''].join('\n');

for (const [what, text, expectedMessage] of [
  ['no front matter', '# Hello', /^Line 1: a skill must start with front matter/],
  ['front matter without an end', '---\ndescription: x\n', /^Line 1: /],
  ['broken YAML', changed('It counts.', '"It counts.'), /^Line \d: the YAML isn’t valid/],
  [
    'no description',
    changed('description: It counts.', 'name: count'),
    /^Line 2: “description” is missing\.$/,
  ],
  ['no steps', '---\ndescription: x\n---\n', /^Line 2: “steps” is missing\.$/],
  ['steps that are no list', '---\ndescription: x\nsteps: many\n---\n', /^Line 3: “steps” must be a list\.$/],
  ['a step without a target', changed('    target: Count', ''), /^Line 4: “target” is missing\.$/],
  ['an empty target', changed('Count', '""'), /^Line 5: “target” must be text and can’t be empty\.$/],
  [
    'a step that is a word',
    '---\ndescription: x\nsteps:\n  - search\n---\n',
    /^Line 4: “steps” must be a mapping with named properties\.$/,
  ],
  ['an action with spaces', changed('search', 'look for'), /^Line 4: “action” must be a skill name/],
  [
    'a misspelt field',
    changed('produces: count', 'produces: count\n    material: [sources]'),
    /^Line 7: a skill can’t have the property “material”\.$/,
  ],
  [
    'a quantity of none',
    changed('produces: count', 'produces: count\n    quantity: 0'),
    /^Line 7: “quantity” must be a whole number of 1 or more\.$/,
  ],
  [
    'an unknown material',
    changed('produces: count', 'produces: count\n    materials: [sources, lists]'),
    /^Line 7: “lists” isn’t an input, and no step produces it\.$/,
  ],
  [
    'an unknown placeholder',
    changed('Count', 'Count {things}'),
    /^Line 5: \{things\} isn’t an input\. To insert the task of the step that uses the skill, write \{target\}\.$/,
  ],
  [
    'a product that is a source',
    changed('produces: count', 'produces: sources'),
    /^Line 6: “sources” is already the name of an input, a source, or another result/,
  ],
  ['a second front matter of lists', '---\n- a\n- b\n---\n', /^Line 2: /],
  ['a scalar', '---\nhello\n---\n', /^Line 2: /],
  ['nothing', '---\n---\n', /^Line \d: /],
  [
    'aliases that explode',
    `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c]\n---\n`,
    /^Line 2: the YAML contains too many aliases\.$/,
  ],
  [
    'an alias without an anchor',
    changed('Count', '*total'),
    /^Line 5: the YAML isn’t valid \(BAD_ALIAS\)\.$/,
  ],
  ['too much', `---\ndescription: ${'x'.repeat(200_000)}\n---\n`, /^Line 1: a skill can’t be longer than/],
] as const)
  test(`reports the line of ${what}`, () => {
    assert.throws(
      () => readComposedSkill(text, 'count'),
      (error) => {
        assert.ok(error instanceof NotebookError, String(error));
        assert.match(error.message, expectedMessage);
        assert.ok(!error.message.includes('\n'));
        return true;
      },
    );
  });

test('reads any file, or rejects it in one sentence', () => {
  const piece = fc.constantFrom(
    ...changed('', '').split(/(?<=[\s:])/),
    '- ',
    '{',
    '}',
    '[',
    '*a',
    '&a ',
    '!!js ',
    '<<: ',
    '? ',
    '|\n',
    '\t',
    '__proto__:',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      try {
        readComposedSkill(`---\n${pieces.join('')}\n---\n`, 'count');
      } catch (error) {
        assert.ok(error instanceof NotebookError, String(error));
        assert.match(error.message, /^Line \d+: [^\n]+\.$/);
      }
    }),
    { numRuns: rounds(100, 500) },
  );
});

/** Skills of the workspace, which are available only in a window. */
const ofWorkspace: readonly Skill[] = [
  'find-symbol',
  'find-references',
  'diff',
  'list-tables',
  'query-table',
].map((each) => ({
  name: each,
  description: each,
  guide: each,
  input: {},
  run: () => Promise.resolve({ text: '' }),
}));

const primitive = skillWorld([], { more: ofWorkspace }).skills;
const known = new Map(primitive.map((each) => [each.name, each]));

for (const file of readdirSync(join(root, 'media', 'skills')))
  test(`${file} is included in the product and can be run`, () => {
    const text = readFileSync(join(root, 'media', 'skills', file), 'utf8');
    const read = readComposedSkill(text, '');
    assert.equal(`${read.name}.md`, file);
    assert.ok(read.steps.length >= 2 && read.steps.length <= 6);
    assert.ok(read.steps.some(({ target }) => target.includes('{target}')));
    const used = new Set(read.steps.flatMap(({ materials }) => materials));
    const ends = read.steps.filter(({ produces }) => !used.has(produces));
    assert.equal(ends.length, 1, 'it has one end');
    assert.equal(ends[0], read.steps.at(-1), 'which is its last step');
    for (const { name: input } of read.inputs) assert.ok(used.has(input), `${input} is used`);
    for (const { action, tools } of read.steps) {
      const skill = known.get(action);
      assert.ok(skill?.guide !== undefined || skill?.isForUser === true, `${action} can be done`);
      for (const tool of tools) assert.ok(known.get(tool)?.run, `${tool} is a tool`);
    }
  });

for (const { name: action } of shippedSkills())
  test(`expands a step with ${action} to steps without issues`, () => {
    const library = skillLibrary(primitive, shippedSkills());
    const plan: Plan = {
      steps: [{ ...planned('s1', 'result', ['sources'], 'the lakes of Bavaria'), action, tools: [] }],
      parts: [{ text: 'the lakes', product: 'result' }],
    };
    const input = { goal: 'the lakes of Bavaria', sources: [{ id: 'a' }], library };
    assert.deepEqual(critiquePlan(plan, input), []);
    const expanded = expandComposed(plan, library);
    assert.ok(expanded.steps.length > 1);
    assert.deepEqual(critiquePlan(expanded, input), []);
    assert.ok(expanded.steps.every(({ target }) => !target.includes('{') && target.includes('Bavaria')));
  });

test('adds steps for a missing input of a skill first', () => {
  const library = skillLibrary(primitive, shippedSkills());
  const step = { ...planned('s1', 'guide', ['sources'], 'the parser'), action: 'onboarding-guide' };
  const parts = [{ text: 'a guide', product: 'guide' }];
  const steps = expandComposed({ steps: [step], parts }, library).steps;
  assert.equal(steps.filter(({ target }) => target.startsWith('A glossary')).length, 1);
  const glossary = planned('s0', 'terms-explained', ['sources'], 'Terms');
  const existingPlan = expandComposed(
    { steps: [glossary, { ...step, materials: ['terms-explained'] }], parts },
    library,
  );
  assert.equal(existingPlan.steps.filter(({ target }) => target.startsWith('A glossary')).length, 0);
  assert.ok(existingPlan.steps.at(-1)?.materials.includes('terms-explained'));
});

test('has a dozen skills or more that build on each other', () => {
  const shipped = shippedSkills();
  assert.ok(shipped.length >= 12);
  const products = new Set(shipped.map(({ steps }) => steps.at(-1)?.produces));
  const needed = shipped.flatMap(({ inputs }) => inputs.map((input) => input.name));
  assert.ok(needed.length >= 2);
  for (const input of needed) assert.ok(products.has(input), input);
});

test('leaves skills that can’t run out of a library, and lists each once', () => {
  const step = (action: string): ComposedSkill['steps'][number] => ({
    action,
    target: 'x',
    materials: [],
    tools: ['search', 'fly'],
    produces: 'x',
    quantity: -1,
  });
  const of = (each: string, action: string): ComposedSkill => ({
    name: each,
    description: each,
    inputs: [],
    steps: [step(action)],
  });
  const library = skillLibrary(primitive, [
    of('a', 'summarize'),
    of('a', 'compare'),
    of('b', 'c'),
    of('c', 'fly'),
    of('d', 'a'),
    of('e', 'read-on'),
    of('search', 'compare'),
  ]);
  assert.deepEqual(
    library.composed.map((each) => each.name),
    ['a', 'd'],
  );
  assert.deepEqual(library.composed[0]!.steps[0]!.tools, ['search']);
  assert.equal(library.composed[0]!.steps[0]!.action, 'summarize');
  const full = skillLibrary(primitive, shippedSkills());
  assert.equal(full.composed.length, shippedSkills().length);
});

const planned = (id: string, produces: string, materials: readonly string[], target = id): PlanStep => ({
  id,
  action: 'search',
  target,
  materials,
  tools: ['search'],
  produces,
  quantity: -1,
});

test('turns a finished plan into a skill that can be read and written', () => {
  const goal = 'Compare the lakes of Bavaria!';
  const plan: Plan = {
    steps: [
      planned('s1', 'facts', ['source:a', 'source:b'], 'Facts to\n"compare the lakes of Bavaria" {x}'),
      planned('s2', 'unused', ['sources']),
      planned('s3', 'table', ['facts']),
      planned('s4', 'whole', ['facts']),
    ],
    parts: [
      { text: 'a table', product: 'table' },
      { text: 'a text', product: 'whole' },
    ],
  };
  const saved = skillFromPlan(plan, goal);
  assert.ok(saved);
  assert.equal(saved.name, 'compare-the-lakes-of-bavaria');
  assert.deepEqual(
    saved.steps.map(({ produces }) => produces),
    ['facts', 'table', 'whole', 'whole-3'],
  );
  assert.equal(saved.steps[0]!.target, 'Facts to "{target}" (x)');
  assert.deepEqual(saved.steps[0]!.materials, ['sources']);
  assert.deepEqual(saved.steps[3]!.materials, ['table', 'whole']);
  assert.deepEqual(readComposedSkill(writeComposedSkill(saved), ''), saved);
  assert.equal(skillFromPlan({ steps: [], parts: [] }, goal), undefined);
  assert.equal(skillFromPlan(plan, '比较湖泊')?.name, 'saved-skill');
});
