// Tests statements that were once shown wrongly, each by rules alone and with a scripted model.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { checkedByModel, checkText } from '../../src/answers/writing/check-text.ts';
import { shownVerdict } from '../../src/core/domain/answer.ts';
import { makeJudge } from '../support/judge.ts';
import { knownCases } from '../bench/fact-check.ts';
import { makeNotebook, makePassage, type TestDocument } from './answering-fixtures.ts';

const { signal } = new AbortController();

describe('A statement that was once shown wrongly', () => {
  for (const { statement, text, truth } of knownCases()) {
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
      const byRules = await checkText(`${statement.slice(0, -1)} [1].`, passages, notebook, signal);
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
