// Tests that rules support no sentence by its negation, in every language that has a stemmer.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { LANGUAGES } from '../../src/core/language/words/languages.ts';
import { languageOfText } from '../../src/core/language/words/words.ts';
import { floorNegations } from '../support/floor-texts.ts';
import { makePassage } from './answering-fixtures.ts';

const floors = floorNegations();

test('have sentences and their negations in all languages', () => {
  assert.deepEqual(
    floors.map(({ language, pairs }) => [language, pairs.length]),
    LANGUAGES.map(({ code }) => [code, 3]),
  );
});

for (const { language, beginning, pairs } of floors)
  test(`distinguishes sentences from their negations: ${language}`, () => {
    const saying = pairs.map(({ sentence }) => sentence);
    const denying = pairs.map(({ denied }) => denied);
    for (const [statement, others] of [
      [saying, denying],
      [denying, saying],
    ] as const) {
      const text = [beginning, ...statement].join('\n\n');
      assert.equal(LANGUAGES[languageOfText(text)]?.code, language);
      const evidence = prepareEvidence([makePassage({ id: 1, title: 'places', text })]);
      const verdict = (sentence: string): string => checkByRules(sentence, [0], evidence).verdict;
      for (const sentence of statement) assert.equal(verdict(sentence), 'supported', sentence);
      for (const sentence of others) assert.notEqual(verdict(sentence), 'supported', sentence);
    }
  });
