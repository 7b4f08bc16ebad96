import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatMessage } from '../../src/answers/models/language-model.ts';
import { primitiveSkills } from '../../src/features/research/service/skills/skill-library.ts';
import { skillNotebook } from '../support/index-finder.ts';
import {
  actingModel,
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

test('does a step with the built-in skills to list, search, read, compute, and write', async () => {
  const index = await openWithTexts(texts);
  const replies = [
    'USE list-sources {}\nUSE list-headings {"source": "lake.md"}',
    'USE search {"queries": ["ice of the lake"], "source": "lake.md"}\nUSE read {"document": "nonsense"}',
    'USE compute {"expressions": ["(30 - 24) / 30 * 100"]}',
  ];
  const model = actingModel(({ before, messages }) => {
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
  assert.deepEqual(product.check.notes, [
    'Calculated from figures in the sources: (30 - 24) / 30 * 100 = 20',
  ]);
  const toolEvents = research.records('ice').flatMap(({ event }) => (event.kind === 'tool' ? [event] : []));
  assert.deepEqual(
    toolEvents.map(({ skill, error }) => [skill, error === undefined]),
    [
      ['list-sources', true],
      ['list-headings', true],
      ['search', true],
      ['read', false],
      ['compute', true],
    ],
  );
});

/** Four protocols, one of which doesn't mention sterility. */
const protocols = {
  'hens.md': '# Hens\n\nThe hens are kept at 18 °C. Their water is sterile.',
  'geese.md': '# Geese\n\nThe geese are kept at 12 °C. Their water is filtered.',
  'ducks.md': '# Ducks\n\nThe ducks are kept at 14 °C. Their water is boiled.',
  'swans.md': '# Swans\n\nThe swans are kept at 10 °C. They like bread.',
};

test('stops after the first attempt when one of four sources lacks a fact of the table', async () => {
  const index = await openWithTexts(protocols);
  const row = (messages: readonly ChatMessage[], name: string, degrees: string, water: string): string => {
    const mark = numberOfPassage(messages, degrees);
    assert.notEqual(mark, '');
    return `| ${name} | ${degrees} ${mark} | ${water === '' ? 'not in the sources' : `${water} ${mark}`} |`;
  };
  const model = actingModel(({ before, messages }) => {
    if (before === 0) return 'USE extract {"facts": ["temperature", "sterility of the water"]}';
    return [
      '| Birds | Temperature | Sterility |\n|---|---|---|',
      row(messages, 'Hens', '18 °C', 'Their water is sterile'),
      row(messages, 'Geese', '12 °C', 'Their water is filtered'),
      row(messages, 'Ducks', '14 °C', 'Their water is boiled'),
      row(messages, 'Swans', '10 °C', ''),
    ].join('\n');
  });
  const skills = primitiveSkills({ notebook: skillNotebook(index) });
  const table = step('table', {
    action: 'extract',
    target:
      'A table with a row for each of the birds and columns for temperature and sterility, with the figures and where the source is silent, say so',
    columns: ['Birds', 'Temperature', 'Sterility'],
    quantity: 4,
  });
  const research = addResearch(index, planWith(table));
  await work(research, makeServices(index, model, { library: { skills, composed: [] } }));
  assert.deepEqual(
    research.now().steps.map(({ state, reason }) => [state, reason]),
    [['done', undefined]],
  );
  assert.equal(research.records('table').filter(({ event }) => event.kind === 'sent-back').length, 0);
  const product = research.product('table-text');
  assert.ok(product);
  assert.match(product.text, /\| Swans \| 10 °C \| not in the sources \|/);
  assert.deepEqual(product.check, { claims: 7, supported: 3, partly: 0, unchecked: 4, cut: [] });
  const titles = product.statements.map(({ citations }) => citations.map((i) => product.citations[i]?.title));
  assert.deepEqual(titles, [
    ...[['hens.md'], ['hens.md'], ['geese.md'], ['geese.md']],
    ...[['ducks.md'], ['ducks.md'], ['swans.md'], []],
  ]);
});

test('extracts from every named source within the token limit, and reports the shortened one', async () => {
  const long = Array.from(
    { length: 200 },
    (_, day) => `On day ${String(day)} of the year the keeper of the lighthouse wrote that nothing happened.`,
  ).join('\n\n');
  const index = await openWithTexts({ ...protocols, 'long.md': `# Log\n\n${long}\n\nIt was kept at 7 °C.` });
  const finder = skillNotebook(index);
  const extract = primitiveSkills({ notebook: finder }).find(({ name }) => name === 'extract');
  const sources = index.store.sources();
  assert.ok(extract?.run);
  const result = await extract.run(
    { facts: ['temperature at which it was kept'] },
    {
      ...{ finder: finder.finderIn(sources[0]?.id ?? ''), sources: () => Promise.resolve(sources) },
      ...{
        materials: [],
        model: scriptedModel(() => ''),
        tokens: 3_000,
        signal: new AbortController().signal,
      },
    },
  );
  assert.deepEqual(
    new Set(result.passages?.map(({ sourceTitle }) => sourceTitle)),
    new Set(sources.map(({ title }) => title)),
  );
  assert.deepEqual(result.notes, [
    'Only the passages of “long.md” that best match the requested facts were read.',
  ]);
  assert.match(result.text, /"hens\.md": the next passage, the whole source/);
});
