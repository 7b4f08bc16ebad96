import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { NotebookError } from '../../src/core/domain/errors.ts';
import type { Plan } from '../../src/features/research/model/project.ts';
import { jsonIn } from '../../src/answers/models/ask-in-form.ts';
import { objectionsIn } from '../../src/features/research/service/plan/critic.ts';
import { expandComposed } from '../../src/features/research/service/plan/expand-composed.ts';
import { makePlan } from '../../src/features/research/service/plan/make-plan.ts';
import { replyLines, planLinesIn } from '../../src/features/research/service/plan/plan-lines.ts';
import { assertLinear } from '../support/growth.ts';
import { composedSkill, fenced, makeFinder, library, planWith, step } from './researching-planning.ts';
import { makeSource } from '../support/made-source.ts';
import { rounds } from '../support/test-size.mjs';
import { congruentialRandom } from '../support/durability-random.ts';

/** Returns a random reply of a model that plans, errs, repeats itself, ignores the form, lies, or rambles. */
function replyBy(random: () => number): string {
  const upTo = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(all: readonly T[]): T => all[upTo(all.length)]!;
  const names = [
    'S1',
    's1',
    'S99',
    'sources',
    'search',
    'p1',
    'P 2',
    'p3',
    'loop',
    '',
    'None',
    'read-on',
    '3 p1',
    'source:a',
    '费用',
    '__proto__',
    'toString',
  ];
  const value = (): unknown =>
    pick([
      () => pick(names),
      () => upTo(9) - 3,
      () => null,
      () => [pick(names), pick(names)],
      () => ({ name: pick(names), amount: upTo(3) }),
      () => true,
      () => 'x'.repeat(upTo(5000)),
    ])();
  const randomSteps = Array.from({ length: upTo(8) }, (_, i) => ({
    id: pick([`s${String(i)}`, `s${String(upTo(4))}`, value()]),
    action: pick(['search', 'write', 'loop', 'extract', value()]),
    target: pick(['What is said', `Subject ${String(i)}`, value()]),
    materials: pick([['S1'], [`p${String(upTo(8))}`], value()]),
    tools: pick([[], ['read-on'], value()]),
    produces: pick([`p${String(i)}`, value()]),
    quantity: pick([-1, 2, value()]),
  }));
  const parts = pick([[], [{ part: 'G1', product: `p${String(upTo(8))}` }], value()]);
  const plan = fenced({ steps: randomSteps, parts });
  return pick([
    () => plan,
    () => plan,
    () => plan,
    () => plan.slice(0, upTo(plan.length)),
    () =>
      JSON.stringify({
        objections: [{ step: pick(names), text: `Something is wrong with ${String(upTo(99))}.` }],
      }),
    () =>
      fenced({ parts: [{ text: pick(names), needs: [pick(names), { text: 'x', needs: [{ text: 'y' }] }] }] }),
    () => fenced({ reason: 'I can’t.' }),
    () =>
      randomSteps
        .map(
          (each, i) => `${String(i + 1)}. ${String(each.action)}: it (uses S1) -> ${String(each.produces)}`,
        )
        .join('\n'),
    () => '',
    () => 'Let me think about that. '.repeat(upTo(5000)),
    () => `<think>${'hmm '.repeat(upTo(100))}</think>${plan}`,
    () => JSON.stringify(value()),
    () => '[{'.repeat(upTo(3000)),
  ])();
}

test('ends planning with randomly misbehaving models within the limits, with a plan or a reason', async () => {
  const skills = {
    ...library,
    composed: [
      composedSkill('loop', {
        inputs: [{ name: 'p3', description: 'A thing' }],
        steps: [step('', { action: 'search', produces: 'p3' })],
      }),
    ],
  };
  const previous: Plan = planWith([
    step('s1'),
    step('s2', { action: 'write', target: 'It', materials: ['p1'], produces: 'p2' }),
  ]);
  for (let seed = 1; seed <= rounds(40, 300); seed++) {
    const random = congruentialRandom(seed);
    let requests = 0;
    const model: LanguageModel = {
      name: 'random',
      async *stream() {
        await Promise.resolve();
        requests++;
        if (random() < 0.02) throw new NotebookError('server', 'The server failed.');
        yield* replyBy(random).match(/[^]{1,1000}/g) ?? [];
      },
    };
    const isRevision = random() < 0.3;
    const outcome = await makePlan({
      goal: 'Compare the reports',
      sources: [makeSource('a')],
      library: skills,
      finder: makeFinder(),
      model,
      ...(isRevision && { previous, done: ['s1'] }),
      signal: new AbortController().signal,
      emit: () => undefined,
      record: () => undefined,
    }).catch((error: unknown) => {
      assert.ok(
        error instanceof NotebookError && error.code === 'server',
        `${String(seed)}: ${String(error)}`,
      );
    });
    assert.ok(requests <= 3 + 4 * 3 + 4, `${String(seed)}: ${String(requests)} requests`);
    if (outcome === undefined) continue;
    const { plan, rounds: revisions, reason } = outcome;
    assert.ok(revisions <= 4);
    assert.ok(plan.steps.length > 0 || (reason ?? '') !== '', String(seed));
    const ids = plan.steps.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, String(seed));
    for (const each of plan.steps) {
      assert.match(each.id, /^s\d+$/);
      assert.ok(each.target.length <= 2000 && each.materials.length <= 60);
      assert.ok(
        [each.action, each.produces, ...each.materials, ...each.tools].every(
          (name) => typeof name === 'string',
        ),
      );
      assert.ok(Number.isSafeInteger(each.quantity));
    }
    if (isRevision && outcome.plan.steps.length > 0)
      assert.deepEqual(
        plan.steps.find(({ id }) => id === 's1'),
        previous.steps[0],
        String(seed),
      );
    assert.ok(expandComposed(plan, skills).steps.length <= 400);
  }
});

const hostile: Readonly<Record<string, string>> = {
  brackets: '1. a: ((((',
  'open brackets in lines': '(uses ',
  arrows: '1. a: b -> ',
  lines: '- a\n',
  'lines that go in': '- a\n  ',
  fences: '```\n',
  'empty fences': '```json\n```\n',
  braces: '{"a":[',
  ids: 's1: ',
  colons: 's1.1.1.1:',
  spaces: ' ',
  quotes: '"\\',
};

for (const [what, part] of Object.entries(hostile))
  test(`reads a reply of ${what} in linear time`, () => {
    assertLinear((size) => {
      const text = part.repeat(size);
      jsonIn(text);
      replyLines(text);
      planLinesIn(text);
      objectionsIn(text, planWith([step('s1')]));
    }, 2_000);
  });

test('separates the lines of a plan from fences, whatever their numbering', () => {
  const reply = '~~~text\n1. search: rain -> p1\n  • read: p1 -> p2\n(3) ```a``` -> p3\n4: sort -> p4\n~~~';
  assert.deepEqual(replyLines(reply), [
    { indent: 0, words: 'search: rain -> p1', isListed: true },
    { indent: 2, words: 'read: p1 -> p2', isListed: true },
    { indent: 0, words: '```a``` -> p3', isListed: true },
    { indent: 0, words: 'sort -> p4', isListed: true },
  ]);
});
