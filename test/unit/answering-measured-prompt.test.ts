import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measuredPrompt } from '../../src/answers/writing/prompt.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { makePassage } from './answering-fixtures.ts';

const windowTokens = 4_000;
/** Number of tokens left for the prompt if a quarter of the window is reserved for the answer. */
const room = windowTokens - 0.25 * windowTokens;
const { signal } = new AbortController();

const passages = Array.from({ length: 40 }, (_, index) =>
  makePassage({
    id: index + 1,
    title: `bed-${String(index)}.md`,
    text: 'Tomatoes are watered every second morning with rainwater from the barrel. '.repeat(6),
  }),
);
const input = { question: 'How often are tomatoes watered?', history: [], passages, instructions: '' };

/** Returns a model whose tokenizer needs `density` times the estimated tokens. */
function counting(countDense: (text: string) => number | undefined): LanguageModel & { texts: string[] } {
  const texts: string[] = [];
  return {
    name: 'Counting',
    windowTokens,
    texts,
    countTokens: (text) => {
      texts.push(text);
      return Promise.resolve(countDense(text));
    },
    stream: () => assert.fail('nothing is asked of it'),
  };
}

for (const density of [0.6, 0.8, 1, 1.6, 3])
  test(`fits a prompt by the model’s own count at ${String(density)} times the estimate`, async () => {
    const countDense = (text: string): number => Math.ceil(density * estimateTokens(text));
    const model = counting(countDense);
    const prompt = await measuredPrompt(model, input, signal);
    const counted = countDense(prompt.messages.map(({ content }) => content).join('\n\n'));
    assert.ok(counted <= room, `${String(counted)} of ${String(room)}`);
    if (density < 0.8 || density > 1)
      assert.ok(counted > 0.8 * room, `${String(counted)} of ${String(room)}`);
    assert.ok(model.texts.length <= 3, `${String(model.texts.length)} counts`);
  });

test('counts a prompt once if it fits without omissions', async () => {
  const model = counting((text) => Math.ceil(text.length / 10));
  const prompt = await measuredPrompt(model, { ...input, passages: passages.slice(0, 2) }, signal);
  assert.equal(prompt.passages.length, 2);
  assert.equal(model.texts.length, 1);
});

test('fits passages that need more tokens per character than the rest', async () => {
  const dense = passages.map((passage) => ({ ...passage, text: 'Жук жив. '.repeat(60) }));
  const countDense = (text: string): number => Math.ceil(text.length / 6) + 2 * text.split('Ж').length;
  const model = counting(countDense);
  const prompt = await measuredPrompt(model, { ...input, passages: dense }, signal);
  assert.ok(countDense(prompt.messages.map(({ content }) => content).join('\n\n')) <= room);
  assert.ok(model.texts.length <= 3);
});

test('fits the estimate if the model can’t count tokens', async () => {
  const silent = counting(() => undefined);
  const mute = { ...silent, countTokens: undefined };
  const [a, b] = [await measuredPrompt(silent, input, signal), await measuredPrompt(mute, input, signal)];
  assert.equal(a.passages.length, b.passages.length);
  assert.ok(a.passages.length < passages.length);
});
