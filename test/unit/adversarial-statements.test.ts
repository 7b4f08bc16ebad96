// Tests rules alone on statements that keep the words of their text and change its meaning, and on true ones in other
// words.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { readAdversarialTexts } from '../bench/adversarial-cases.ts';
import { makePassage } from './answering-fixtures.ts';

for (const { language, text, format, statements } of readAdversarialTexts()) {
  const evidence = prepareEvidence([makePassage({ id: 1, title: 'source.md', text, format })]);
  describe(`Rules alone, ${language}: ${text.slice(0, 30)}…`, () => {
    for (const { kind, statement } of statements) {
      const check = checkByRules(statement, [0], evidence);
      if (kind === 'true')
        it(`don’t contradict or mark a true statement: ${statement}`, () => {
          assert.notEqual(check.verdict, 'contradicted');
          assert.equal(check.missing, undefined);
        });
      else
        it(`don’t support or compute a statement with another ${kind}: ${statement}`, () => {
          assert.notEqual(check.verdict, 'supported');
          assert.equal(check.computed, undefined);
        });
    }
  });
}
