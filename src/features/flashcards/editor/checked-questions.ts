import type { CheckedQuestions, GeneratedQuestion } from '../../questions/service/make-questions.ts';
import type { Card, QuizQuestion } from '../model.ts';
import type { DeckChanges } from '../store/generation-api.ts';
import { questionKey } from '../service/generated-cards.ts';
import { quizOfChoices } from '../service/quiz.ts';

/**
 * Returns the changes of a deck after a fact check: cards that the model doesn't support are removed, and the others get
 * their checked citations. Cards that the user edited in the meantime stay as they are.
 */
export function checkedDeck(
  deckId: string,
  cards: readonly Card[],
  { supported, unsupported }: Pick<CheckedQuestions, 'supported' | 'unsupported'>,
): DeckChanges {
  const unchecked = new Map(
    cards
      .filter(({ citation, isEdited }) => citation?.isUnchecked === true && !isEdited)
      .map((card) => [sidesKey(card.front, card.back), card]),
  );
  const cardOf = ({ pair: { question, answer } }: GeneratedQuestion): Card | undefined =>
    unchecked.get(sidesKey(question, answer));
  return {
    ...{ deckId, origin: undefined, reworded: [], added: [] },
    outdated: unsupported.flatMap((question) => {
      const card = cardOf(question);
      if (card === undefined) return [];
      const { id: cardId, kind, front, back } = card;
      return [{ cardId, key: questionKey(front), kind, front, back }];
    }),
    unchangedCards: supported.flatMap((question) => {
      const card = cardOf(question);
      return card === undefined ? [] : [{ cardId: card.id, citation: question.citation }];
    }),
  };
}

/**
 * Returns the questions of a quiz after a fact check: without those that the model doesn't support, and with the checked
 * citations of the others.
 */
export function checkedQuiz(
  questions: readonly QuizQuestion[],
  { supported, unsupported }: Pick<CheckedQuestions, 'supported' | 'unsupported'>,
): QuizQuestion[] {
  const citations = new Map(quizOfChoices(supported).map((each) => [choicesKey(each), each.citation]));
  const removed = new Set(quizOfChoices(unsupported).map(choicesKey));
  return questions.flatMap((question) => {
    if (question.citation?.isUnchecked !== true) return [question];
    const key = choicesKey(question);
    if (removed.has(key)) return [];
    return [{ ...question, citation: citations.get(key) ?? question.citation }];
  });
}

function sidesKey(front: string, back: string): string {
  return JSON.stringify([front, back]);
}

function choicesKey({ question, choices, right }: QuizQuestion): string {
  return JSON.stringify([question, choices, right]);
}
