import { splitWords } from '../../../core/language/words/words.ts';
import type { Citation } from '../../../core/domain/answer.ts';
import type { NewCard } from '../model.ts';

/** Question by a model that its source supports. */
interface GeneratedQuestion {
  readonly pair: { readonly question: string; readonly answer: string };
  readonly citation: Citation;
}

/** Creates one card per question. */
export function questionCards(questions: readonly GeneratedQuestion[]): NewCard[] {
  return questions.map(({ pair: { question, answer }, citation }) => ({
    key: questionKey(question),
    kind: 'question',
    maker: 'model',
    front: question,
    back: answer,
    citation,
  }));
}

/** Returns a key for comparing questions, ignoring case and punctuation. */
export function questionKey(question: string): string {
  return `question ${splitWords(question)
    .map((word) => word.folded)
    .join(' ')}`;
}
