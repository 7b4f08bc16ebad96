// Tests that rules support no altered or made-up sentence and contradict no true one, in six languages.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prepareEvidence } from '../../src/answers/checking/evidence.ts';
import { checkByRules } from '../../src/answers/checking/rules.ts';
import { splitDocument } from '../../src/index/documents/splitter.ts';
import type { Verdict } from '../../src/core/domain/answer.ts';
import { floorDocuments, floorSentences, languages, type FloorSentence } from '../support/floor-texts.ts';
import { makePassage } from './answering-fixtures.ts';

interface Checked extends FloorSentence {
  readonly verdict: Verdict;
}

const documents = await floorDocuments();
const sentences = floorSentences();
const checked: Checked[] = languages.flatMap((language) => {
  const passages = documents
    .filter(({ key }) => key.startsWith(`${language}/`))
    .flatMap(({ key, title, document }, i) =>
      splitDocument(document, { size: 1_500, overlap: 50 }).map((passage) => ({
        key,
        ...makePassage(
          { id: i + 1, title, text: document.text, format: document.format, headings: passage.headings },
          passage,
        ),
      })),
    );
  const evidence = prepareEvidence(passages);
  return sentences
    .filter((sentence) => sentence.language === language)
    .map((sentence) => {
      const cited = passages.flatMap(({ key }, i) => (key === sentence.document ? [i] : []));
      return { ...sentence, verdict: checkByRules(sentence.sentence, cited, evidence).verdict };
    });
});

test('contain two hundred sentences, each with a text', () => {
  assert.equal(sentences.length, 200);
  for (const { document, sentence } of sentences)
    assert.ok(
      documents.some(({ key }) => key === document),
      sentence,
    );
});

for (const language of languages)
  test(`lets rules judge no sentence wrongly: ${language}`, () => {
    const wrong = checked.filter(
      ({ language: own, kind, verdict }) =>
        own === language && verdict === (kind === 'true' ? 'contradicted' : 'supported'),
    );
    assert.deepEqual(
      wrong.map(({ verdict, sentence }) => `${verdict}: ${sentence}`),
      [],
    );
  });
