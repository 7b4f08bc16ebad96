// Tests that questions in natural words on texts in six languages are answered at least as well as measured.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import {
  ask,
  documentNames,
  readPlaces,
  searchingModel,
  shownPlaces,
  withNotebook,
  type PlaceIn,
} from '../bench/asking.ts';
import { languageOfText, termsIn } from '../../src/core/language/words/words.ts';
import type { LanguageModel } from '../../src/answers/models/language-model.ts';
import type { Answer } from '../../src/core/domain/answer.ts';
import { questionFloors, unansweredFloors, type QuestionFigure } from '../support/floor-figures.ts';
import { floorDocuments, floorQuestions, languages, type FloorQuestion } from '../support/floor-texts.ts';

/** Small enough that a search has to find the right passage first. */
const TOKENS_TOLD = 75;
/** Enough for several passages. */
const TOKENS_UNAIDED = 300;
/** Maximum share of a question's words in the sentences that answer it. */
const MAX_SHARED = 1 / 5;

interface Outcome extends Record<QuestionFigure, boolean> {
  readonly question: FloorQuestion;
  /** Kind of answer without a model. */
  readonly shown: 'nothing' | 'quotes';
  readonly places: number;
  readonly isModelAsked: boolean;
  /** `true` if the sources support the answer of a model that doesn't know it. */
  readonly isAnswered: boolean;
}

const documents = await floorDocuments();
const questions = floorQuestions();
const outcomes: Outcome[] = [];

before(async () => {
  await withNotebook(documents, async (index) => {
    const names = documentNames(index);
    for (const question of questions) {
      const shown = await ask(index, question.question);
      assert.ok(shown?.kind === 'quotes' || shown?.kind === 'nothing', question.question);
      const places = shownPlaces(shown, names);
      const model = searchingModel(question.searches);
      const askModel = (model: LanguageModel, tokens: number): Promise<Answer | undefined> =>
        ask(index, question.question, { model, writesSearches: true, tokens });
      const written = await askModel(model, TOKENS_TOLD);
      const unaided = await askModel(searchingModel([]), TOKENS_UNAIDED);
      outcomes.push({
        question,
        shown: shown.kind,
        places: places.length,
        isModelAsked: model.requests.length > 0,
        isAnswered: written?.citations.length !== 0,
        page: isIn(places, question),
        first: isIn(places.slice(0, 1), question),
        told: isIn(readPlaces(written, names), question),
        unaided: isIn(readPlaces(unaided, names), question),
      });
    }
  });
});

function isIn(places: readonly PlaceIn[], { answer }: FloorQuestion): boolean {
  if (answer === undefined) return false;
  const text = readText(answer.document);
  return places.some(
    ({ document, start, end }) =>
      document === answer.document && text.slice(start, end).includes(answer.words),
  );
}

function readText(document: string): string {
  return documents.find(({ key }) => key === document)?.document.text ?? '';
}

test('contain each answer once in its text, and some questions without one', () => {
  for (const { question, answer } of questions)
    if (answer !== undefined)
      assert.equal(readText(answer.document).split(answer.words).length - 1, 1, question);
  assert.equal(questions.length, 166);
  assert.equal(questions.filter(({ answer }) => answer === undefined).length, 26);
});

for (const language of languages)
  test(`${language}: phrases questions in different words from their answers`, () => {
    let [shared, asked] = [0, 0];
    for (const { question, answer } of questions.filter((each) => each.language === language)) {
      if (answer === undefined) continue;
      const text = readText(answer.document);
      const own = languageOfText(text);
      const sentence = new Set(termsIn(sentenceAround(text, answer.words), own));
      const terms = new Set(termsIn(question, own));
      asked += terms.size;
      shared += Array.from(terms).filter((term) => sentence.has(term)).length;
    }
    assert.ok(shared <= MAX_SHARED * asked, `${String(shared)} of ${String(asked)} words`);
  });

/** Returns the sentence, line, or cell that contains some words. */
function sentenceAround(text: string, words: string): string {
  const at = text.indexOf(words);
  const ends = /[.!?。！？|\n]/;
  const before = text.slice(0, at).split(ends).at(-1) ?? '';
  const [behind = ''] = text.slice(at + words.length).split(ends);
  return before + words + behind;
}

const wordings: Readonly<Record<QuestionFigure, string>> = {
  page: 'without a model the answer is on the first page of places',
  first: 'without a model the answer is in the first place',
  told: 'a model that has room for one passage is told the answer',
  unaided: 'a model whose searches find nothing is told the answer',
};

for (const [figure, wording] of Object.entries(wordings) as [QuestionFigure, string][])
  for (const language of languages) {
    const floor = questionFloors[language][figure];
    test(`${language}: ${wording} of ${String(floor)} questions at least`, () => {
      const own = outcomes.filter(
        ({ question }) => question.answer !== undefined && question.language === language,
      );
      const missed = own.filter((outcome) => !outcome[figure]);
      assert.ok(
        own.length - missed.length >= floor,
        [
          `${String(own.length - missed.length)} of ${String(own.length)}; not of`,
          ...missed.map(({ question }) => question.question),
        ].join('\n'),
      );
    });
  }

for (const language of languages) {
  const maxPlaces = unansweredFloors[language];
  const unanswered = (): Outcome[] =>
    outcomes.filter(({ question }) => question.answer === undefined && question.language === language);

  test(`${language}: shows for questions without an answer ${String(maxPlaces)} excerpts at most`, () => {
    const shown = unanswered().reduce((sum, { places }) => sum + places, 0);
    assert.ok(shown <= maxPlaces, `${String(shown)} places`);
  });
}

test('asks the model about unanswerable questions with excerpts, and cites nothing', () => {
  const shown = outcomes.filter(({ question, shown }) => question.answer === undefined && shown === 'quotes');
  assert.ok(shown.length > 0);
  for (const { question, isModelAsked, isAnswered } of shown) {
    assert.ok(isModelAsked, question.question);
    assert.ok(!isAnswered, question.question);
  }
});
