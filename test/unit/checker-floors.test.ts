// How well the checker tells true sentences from altered and made-up ones in six languages, and that it does not get
// worse.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSentence } from '../../src/answering/checking/checker.ts';
import { prepareEvidence } from '../../src/answering/checking/evidence.ts';
import { splitDocument } from '../../src/indexing/documents/splitter.ts';
import type { Verdict } from '../../src/notebook/answer.ts';
import { sentenceFloors } from '../support/floor-figures.ts';
import {
  floorDocuments,
  floorSentences,
  languages,
  sentenceKinds,
  type FloorSentence,
} from '../support/floor-texts.ts';
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
      return { ...sentence, verdict: checkSentence(sentence.sentence, cited, evidence).verdict };
    });
});

test('there are two hundred sentences, each of a text', () => {
  assert.equal(sentences.length, 200);
  for (const { document, sentence } of sentences)
    assert.ok(
      documents.some(({ key }) => key === document),
      sentence,
    );
});

for (const language of languages) {
  const floors = sentenceFloors[language];
  for (const kind of sentenceKinds) {
    const isRight = ({ verdict }: Checked): boolean => (verdict === 'supported') === (kind === 'true');
    const floor = floors[kind];
    const wording = kind === 'true' ? 'true sentences are called supported' : `of kind ${kind} are not`;
    test(`${language}: ${String(floor)} ${wording}`, () => {
      const own = checked.filter((sentence) => sentence.language === language && sentence.kind === kind);
      const wrong = own.filter((sentence) => !isRight(sentence));
      assert.ok(own.length - wrong.length >= floor, told(own, wrong));
    });
  }

  test(`${language}: no more than ${String(floors.contradicted)} true sentences are called contradicted`, () => {
    const own = checked.filter((sentence) => sentence.language === language && sentence.kind === 'true');
    const wrong = own.filter(({ verdict }) => verdict === 'contradicted');
    assert.ok(wrong.length <= floors.contradicted, told(own, wrong));
  });
}

function told(own: readonly Checked[], wrong: readonly Checked[]): string {
  const lines = wrong.map(({ language, verdict, sentence }) => `${language}, ${verdict}: ${sentence}`);
  return [`${String(own.length - wrong.length)} of ${String(own.length)} are right`, ...lines].join('\n');
}
