import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeSkill } from '../../src/features/research/service/skills/compute-skill.ts';
import type { SkillContext } from '../../src/features/research/service/skills/skill.ts';
import { skillFields, toInput } from '../../webview/research/skill-input.ts';

test('shows a field for each input of a skill, and returns valid input', async () => {
  const fields = skillFields(computeSkill.input ?? {});
  assert.deepEqual(
    fields.map(({ name, kind, isNeeded }) => [name, kind, isNeeded]),
    [
      ['expressions', 'list', true],
      ['values', 'json', false],
    ],
  );
  const input = toInput(fields, { expressions: 'total = a + b\n\n total * 2 ', values: '{"a": 1, "b": 2}' });
  assert.deepEqual(input, { expressions: ['total = a + b', 'total * 2'], values: { a: 1, b: 2 } });
  const { text = '' } = (await computeSkill.run?.(input, {} as SkillContext)) ?? {};
  assert.equal(text, 'total = a + b = 3\ntotal * 2 = 6');
  // The skill itself rejects nonsensical input.
  await assert.rejects(
    async () => computeSkill.run?.(toInput(fields, { values: 'a is 1' }), {} as SkillContext),
    { code: 'unsupported' },
  );
});

test('distinguishes numbers, choices, and flags, and leaves out empty fields', () => {
  const fields = skillFields({
    type: 'object',
    properties: {
      from: { type: 'integer', description: 'Where to begin.' },
      order: { enum: ['up', 'down'] },
      all: { type: 'boolean' },
      title: { type: 'string' },
      odd: true,
    },
    required: ['from'],
  });
  assert.deepEqual(
    fields.map(({ kind }) => kind),
    ['number', 'choice', 'flag', 'text', 'json'],
  );
  assert.deepEqual(toInput(fields, { from: ' 3 ', all: 'true', title: '  ' }), { from: 3, all: true });
  assert.deepEqual(toInput(fields, { from: 'three' }), { from: 'three' });
  assert.deepEqual(skillFields({}), []);
});
