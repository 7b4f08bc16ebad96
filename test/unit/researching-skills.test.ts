import assert from 'node:assert/strict';
import { test } from 'node:test';
import { primitiveSkills } from '../../src/researching/skills/skill-library.ts';
import { skillNotebook } from '../support/index-finder.ts';
import {
  addResearch,
  openWithTexts,
  numberOfPassage,
  planWith,
  scriptedModel,
  step,
  work,
  makeServices,
} from '../support/researching.ts';

const texts = {
  'lake.md':
    '# The lake\n\n## Depth\n\nThe lake is 48 m deep at its deepest place. Trout live in its upper part.\n\n## Ice\n\nIn 1963 the ice of the lake was 30 cm thick. In 1985 it was 24 cm thick.',
  'town.md': '# The town\n\n## Mills\n\nThe town had 12 mills in 1820 and has 3 mills today.',
};

test('a step is done with the skills of the extension: listed, searched, read on, computed, told', async () => {
  const index = await openWithTexts(texts);
  const replies = [
    'USE list-sources {}\nUSE list-headings {"source": "lake.md"}',
    'USE search {"queries": ["ice of the lake"], "source": "lake.md"}\nUSE read {"document": "nonsense"}',
    'USE compute {"expressions": ["(30 - 24) / 30 * 100"]}',
  ];
  const model = scriptedModel(({ purpose, before, messages }) => {
    if (purpose !== 'act') return undefined;
    const ice = numberOfPassage(messages, '30 cm thick');
    return (
      replies[before] ??
      `In 1963 the ice of the lake was 30 cm thick ${ice}. In 1985 it was 24 cm thick ${ice}. The ice of the lake got 20 % thinner.`
    );
  });
  const tools = ['list-sources', 'list-headings', 'search', 'read', 'compute'];
  const plan = planWith(
    step('ice', { action: 'write-section', target: 'Tell how the ice of the lake changed', tools }),
  );
  const research = addResearch(index, plan);
  const skills = primitiveSkills({ notebook: skillNotebook(index) });
  await work(research, makeServices(index, model, { library: { skills, composed: [] } }));
  const product = research.product('ice-text');
  assert.equal(
    product?.text,
    'In 1963 the ice of the lake was 30 cm thick. In 1985 it was 24 cm thick. The ice of the lake got 20 % thinner.',
  );
  assert.deepEqual(product.check.notes, ['Computed from figures of the sources: (30 - 24) / 30 * 100 = 20']);
  const told = research.records('ice').flatMap(({ event }) => (event.kind === 'tool' ? [event] : []));
  assert.deepEqual(
    told.map(({ skill, error }) => [skill, error === undefined]),
    [
      ['list-sources', true],
      ['list-headings', true],
      ['search', true],
      ['read', false],
      ['compute', true],
    ],
  );
});
