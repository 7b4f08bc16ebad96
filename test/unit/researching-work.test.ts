import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LanguageModel } from '../../src/answering/models/language-model.ts';
import type { NotebookIndex } from '../../src/indexing/worker/notebook-index.ts';
import { workOn } from '../../src/researching/work/worker.ts';
import { boardInMemory, type MemoryBoard } from '../support/board-in-memory.ts';
import { notebookOfTexts, numberOfPassage, scriptedModel, step, worldOf } from '../support/researching.ts';

const texts = {
  'rain.md': '# Rain\n\nRain falls in spring. The record of rain is 305 mm in one hour, at Holt in 1947.',
  'snow.md':
    '# Snow\n\nSnow falls in winter. It melts above 0 degrees. The deepest snow lay 11.82 m deep at Mount Ibuki.',
  'fog.md': '# Fog\n\nFog is a cloud that touches the ground. Advection fog forms over cold water.',
};

function work(
  board: MemoryBoard,
  index: NotebookIndex,
  model: LanguageModel,
  signal?: AbortSignal,
): Promise<void> {
  return workOn({
    board,
    researchId: board.researchId,
    world: worldOf(index, model),
    window: 'here',
    signal: signal ?? new AbortController().signal,
    onChange: () => undefined,
  });
}

test('a step is done by lines: searched for, written, checked, and handed in with its citations', async () => {
  const index = await notebookOfTexts(texts);
  const model = scriptedModel(({ purpose, before, messages }) => {
    if (purpose !== 'act') return undefined;
    if (before === 0) return 'I look first.\n\nUSE search {"queries": ["record of rain", "deepest snow"]}';
    const [rain, snow] = [numberOfPassage(messages, '305 mm'), numberOfPassage(messages, '11.82 m')];
    return `The record of rain is 305 mm in one hour ${rain}. The deepest snow lay 11.82 m deep ${snow}. The moon is made of green cheese ${rain}. It rains in spring.`;
  });
  const plan = { steps: [step('weather')], parts: [{ text: 'Weather', product: 'weather-text' }] };
  const board = boardInMemory(plan);
  await work(board, index, model);
  const product = board.product('weather-text');
  assert.equal(
    product?.text,
    'The record of rain is 305 mm in one hour. The deepest snow lay 11.82 m deep. It rains in spring.',
  );
  assert.deepEqual(product.check.cut, ['The moon is made of green cheese.']);
  assert.deepEqual(
    product.citations.map(({ title }) => title),
    ['rain.md', 'snow.md', 'rain.md'],
  );
  assert.equal(board.research().state, 'done');
});
