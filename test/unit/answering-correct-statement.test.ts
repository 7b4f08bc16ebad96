import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkText } from '../../src/answers/writing/check-text.ts';
import { correctStatement } from '../../src/answers/writing/correct-statement.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

type Written = Extract<Answer, { kind: 'written' }>;

const spending: TestDocument = {
  id: 1,
  title: 'spending.md',
  text: 'The town spent 2,540 euros in 2021 and 2,987 euros in 2022.',
};
const passages = makeNotebook([spending]);
const { signal } = new AbortController();

/** Returns an answer whose statements are the cited texts, marked as contradicted. */
async function answerOf(text: string): Promise<Written> {
  const {
    text: plain,
    statements,
    citations,
  } = await checkText(text, [makePassage(spending)], passages, signal);
  return {
    ...{ kind: 'written', model: '', text: plain, citations },
    statements: statements.map((statement) => ({ ...statement, verdict: 'contradicted' })),
  };
}

/** Corrects the statement with some words by a model with this reply. Returns the text of the answer. */
async function correct(markdown: string, words: string, statement: string): Promise<string> {
  const answer = await answerOf(markdown);
  const index = answer.statements.findIndex(({ start, end }) =>
    answer.text.slice(start, end).includes(words),
  );
  assert.ok(index >= 0, JSON.stringify(answer.statements));
  const replies = [
    JSON.stringify({ statement }),
    '[{"n": 1, "verdict": "supported", "words": "2,540 euros in 2021"}]',
  ];
  const model: LanguageModel = {
    name: 'corrector-1',
    async *stream() {
      await Promise.resolve();
      yield replies.shift() ?? '';
    },
  };
  const corrected = await correctStatement({ answer, index, model, passages, signal });
  for (const { start, end } of corrected.answer.statements)
    assert.doesNotMatch(corrected.answer.text.slice(start, end), /^\s|\s$|^$/);
  if (corrected.statement !== undefined)
    assert.equal(
      corrected.answer.text.slice(corrected.statement.start, corrected.statement.end),
      corrected.text,
    );
  return corrected.answer.text;
}

const head = '| Year | Spent | Visitors |\n| --- | --- | --- |\n';
const cells = `${head}| 2021 | 2,600 [1] | 80 [1] |\n| 2022 | 2,987 [1] | 90 [1] |\n`;
const rows = `${head}| 2021 | 2,600 | 80 [1] |\n| 2022 | 2,987 | 90 [1] |\n`;

describe('The correction of a table in an answer', () => {
  it('replaces a cell', async () => {
    assert.equal(
      (await correct(cells, '2,600', '2,540')).trim(),
      `${head}| 2021 | 2,540 | 80 |\n| 2022 | 2,987 | 90 |`,
    );
  });

  it('takes the cell of a row if the model replies with the row', async () => {
    assert.equal(
      (await correct(cells, '2,600', '| 2021 | 2,540 | 80 |')).trim(),
      `${head}| 2021 | 2,540 | 80 |\n| 2022 | 2,987 | 90 |`,
    );
  });

  it('rejects a reply that adds a cell', async () => {
    await assert.rejects(correct(cells, '2,600', '2,540 | 2,987'), { code: 'unsupported' });
    await assert.rejects(correct(rows, '2,600', '| 2021 | 2,540 | 80 | more |'), { code: 'unsupported' });
  });

  it('empties a cell that the sources don’t support', async () => {
    assert.equal((await correct(cells, '2,600', '')).trim(), `${head}| 2021 | | 80 |\n| 2022 | 2,987 | 90 |`);
  });

  it('replaces a row, with its bars', async () => {
    for (const reply of ['| 2021 | 2,540 | 80 |', '2021 | 2,540 | 80'])
      assert.equal(
        (await correct(rows, '2,600', reply)).trim(),
        `${head}| 2021 | 2,540 | 80 |\n| 2022 | 2,987 | 90 |`,
      );
  });

  it('removes a row with its line', async () => {
    assert.equal((await correct(rows, '2,600', '')).trim(), `${head}| 2022 | 2,987 | 90 |`);
  });
});

describe('The correction of text', () => {
  it('removes a list item with its mark', async () => {
    const text =
      'Spending:\n\n- The town spent 2,600 euros in 2021. [1]\n- The town spent more in 2022. [1]\n';
    assert.equal((await correct(text, '2,600', '')).trim(), 'Spending:\n\n- The town spent more in 2022.');
  });

  it('removes a sentence with the space that separates it', async () => {
    const text = 'The town spent 2,600 euros in 2021. [1] It spent more in 2022. [1]';
    assert.equal((await correct(text, '2,600', '')).trim(), 'It spent more in 2022.');
  });
});
