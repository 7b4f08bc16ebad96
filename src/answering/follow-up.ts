import type { PastTurn } from './prompt.ts';
import { termsOf } from './terms.ts';

const POINTS_BACK =
  /\b(?:it|its|they|them|their|theirs|this|that|these|those|he|him|his|she|her|hers|one|ones|same|former|latter|above|else|more)\b|^\s*(?:and|but|so|also|or|then|what about|how about|why|why not)\b/i;
/** A question of at most this many terms that points back, or of at most one, leans on the question before it. */
const FEW_TERMS = 4;
const MOST_TURNS_BACK = 3;

/** The words to search for: a follow-up's own and those of the questions that it leans on. */
export function searchWords(question: string, history: readonly PastTurn[]): string {
  const words = [question];
  for (const turn of history.slice(-MOST_TURNS_BACK).toReversed()) {
    if (!leansBack(words[0] ?? '')) break;
    words.unshift(turn.question);
  }
  return words.reverse().join('\n');
}

function leansBack(question: string): boolean {
  const terms = new Set(termsOf(question)).size;
  return terms <= 1 || (terms <= FEW_TERMS && POINTS_BACK.test(question));
}
