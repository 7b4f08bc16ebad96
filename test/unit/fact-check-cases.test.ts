// Tests statements that were once shown wrongly and others like them, each by rules alone and with a scripted model.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { checkedByModel, checkText } from '../../src/answers/writing/check-text.ts';
import { shownVerdict } from '../../src/core/domain/answer.ts';
import { makeJudge } from '../support/judge.ts';
import { knownCases } from '../bench/fact-check.ts';
import { turnedCases } from '../bench/turned-cases.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const { signal } = new AbortController();

describe('A statement that was once shown wrongly, or that turns the meaning of its text', () => {
  for (const { statement, text, truth } of [...knownCases(), ...turnedCases()]) {
    const document: TestDocument = {
      id: 1,
      title: 'source.md',
      text,
      format: text.startsWith('|') ? 'markdown' : 'prose',
    };
    it(`is not judged wrongly by rules: ${statement}`, () => {
      const check = checkByRules(statement, [0], prepareEvidence([makePassage(document)]));
      assert.notEqual(check.verdict, truth === 'supported' ? 'contradicted' : 'supported');
      // Words that the source has in another form aren't marked.
      if (truth === 'supported') assert.equal(check.missing, undefined);
    });

    it(`has the verdict of the model: ${statement}`, async () => {
      const notebook = makeNotebook([document]);
      const passages = [makePassage(document)];
      const byRules = await checkText(
        `${statement.slice(0, -1)} [1]${statement.slice(-1)}`,
        passages,
        notebook,
        signal,
      );
      const judge = makeJudge((asked, evidence) => {
        assert.ok(asked.includes(statement));
        assert.ok(evidence.includes(text.split(/[.|]/)[0] ?? ''), evidence);
        return truth === 'supported';
      });
      const { text: checked } = await checkedByModel(byRules, {
        ...{ model: judge, finder: notebook, read: passages, signal },
      });
      assert.deepEqual(
        checked.statements.map((each) => shownVerdict(each)),
        [truth === 'supported' ? 'supported' : 'not-found'],
      );
    });
  }
});

describe('A table in an answer whose cells cite the very row', () => {
  const text =
    '| Year | Spending (millions) |\n| --- | --- |\n| 2022 | 2,987 |\n| 2021 | 2,540 |\n| 2020 | 2,188 |';
  const notebook = makeNotebook([{ id: 1, title: 'spending.md', text, format: 'markdown' }]);
  const passages = [makePassage({ id: 1, title: 'spending.md', text, format: 'markdown' })];
  const written =
    '| Year | Spending | Source |\n| --- | --- | --- |\n| 2022 | 2,987 [1] | report [1] |\n| 2021 | 2,540 [1] | report [1] |\n| 2020 | 2,188 [1] | report [1] |\n';
  const numbers = ['2,987', '2,540', '2,188'];

  it('is never red by rules', async () => {
    for (const table of [
      written,
      written.replaceAll(' [1] |', ' |').replaceAll('report |', 'report [1] |'),
    ]) {
      const { statements } = await checkText(table, passages, notebook, signal);
      assert.ok(statements.length >= 3);
      assert.deepEqual(
        statements
          .filter(({ verdict, missing }) => verdict === 'contradicted' || missing !== undefined)
          .map(({ verdict }) => verdict),
        [],
      );
    }
  });

  it('is supported by an honest model', async () => {
    const byRules = await checkText(written, passages, notebook, signal);
    const judge = makeJudge((asked, evidence) =>
      numbers.some((number) => asked.includes(number) && evidence.includes(number)),
    );
    const { text: checked } = await checkedByModel(byRules, {
      model: judge,
      finder: notebook,
      read: passages,
      signal,
    });
    const verdicts = checked.statements
      .filter(({ start, end }) => numbers.includes(checked.text.slice(start, end).trim()))
      .map((each) => shownVerdict(each));
    assert.deepEqual(verdicts, ['supported', 'supported', 'supported']);
  });
});
