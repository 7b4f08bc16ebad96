import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchableQuestion, withoutMiddle } from '../../src/answers/question/long-question.ts';
import { buildPrompt } from '../../src/answers/writing/prompt.ts';
import { estimateTokens } from '../../src/core/language/tokens.ts';
import { ask, documents, scripted } from './answering-asking.ts';
import { makeNotebook, makePassage } from './answering-fixtures.ts';

const pasted = `${'The compiler said that the module was missing and stopped at once. '.repeat(900)}Where does snow melt? ${'The log ends here without more. '.repeat(300)}`;

test('searches for all words of a question of usual length', () => {
  assert.equal(searchableQuestion('Where does snow melt?'), 'Where does snow melt?');
});

test('searches a pasted text for its question and its most frequent words', () => {
  const searched = searchableQuestion(pasted);
  assert.ok(searched.startsWith('Where does snow melt?\n'));
  assert.ok(searched.includes('compiler said'));
  assert.ok(searched.length < 1000);
  assert.ok(searchableQuestion('compiler\n'.repeat(500)).length < 1000);
  assert.equal(searchableQuestion('?'.repeat(5000)), '');
});

test('shortens a text that is too long for a model in the middle, and says so', () => {
  const cut = withoutMiddle(pasted, 500);
  assert.ok(estimateTokens(cut) <= 500);
  assert.ok(cut.startsWith('The compiler said') && cut.endsWith('The log ends here without more. '));
  assert.match(cut, /left out because it is too long/);
  assert.equal(withoutMiddle('short', 500), 'short');
  assert.ok(withoutMiddle('😀'.repeat(5000), 500).isWellFormed());
});

test('leaves room for passages in the context window for a question of any length', () => {
  for (const windowTokens of [2048, 8192, 32768]) {
    const { messages, passages, isCut } = buildPrompt({
      question: pasted.repeat(10),
      history: [],
      passages: [makePassage({ id: 1, title: 'snow.txt', text: 'Snow melts above 0 degrees. '.repeat(20) })],
      instructions: '',
      windowTokens,
    });
    assert.ok(isCut);
    assert.equal(passages.length, 1);
    const tokens = messages.reduce((sum, { content }) => sum + estimateTokens(content), 0);
    assert.ok(tokens < 0.8 * windowTokens, `${String(tokens)} of ${String(windowTokens)}`);
  }
});

test('answers the question in a pasted text, and says that the text was shortened', async () => {
  const passages = makeNotebook(documents);
  const quotes = await ask(`${'It was cold. '.repeat(200)}Does snow melt above 0 degrees in winter?`, {
    passages,
  });
  assert.ok(passages.searches.every((words) => words.length < 1000));
  assert.ok(quotes.answer?.searches?.[0]?.includes('snow melt'));
  const model = scripted('Snow melts above 0 degrees [1].');
  const { answer } = await ask(pasted, { model });
  assert.ok(answer?.kind === 'written' && answer.isCut === true);
  assert.ok((model.requests[0]?.at(-1)?.content.length ?? 0) < 40_000);
});

test('doesn’t carry a pasted text over to a follow-up', async () => {
  const passages = makeNotebook(documents);
  await ask('And why does it do that?', { passages, history: [{ question: pasted, answer: 'It melts.' }] });
  assert.ok(passages.searches.every((words) => words.length < 1200));
});
