import { splitWords } from '../../language/words/words.ts';
import type { Citation } from '../../notebook/answer.ts';
import type { NewCard } from '../../notebook/cards.ts';

/** A question that a model wrote and its source bears out. */
interface MadeQuestion {
  readonly pair: { readonly question: string; readonly answer: string };
  readonly citation: Citation;
}

/** A card of each question. */
export function questionCards(made: readonly MadeQuestion[]): NewCard[] {
  return made.map(({ pair: { question, answer }, citation }) => ({
    key: questionKey(question),
    kind: 'question',
    maker: 'model',
    front: question,
    back: answer,
    citation,
  }));
}

/** Tells a question from others, whatever its case and punctuation. */
export function questionKey(question: string): string {
  return `question ${splitWords(question)
    .map((word) => word.folded)
    .join(' ')}`;
}
