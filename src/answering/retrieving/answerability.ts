import type { Turn } from '../../notebook/answer.ts';
import { wordsHeld } from './provenance.ts';
import { splitWords } from '../../language/words/words.ts';

/** A question of fewer words that can be looked for tells little of how well it was found. */
const FEWEST = 2;

/**
 * Whether a question that no model answered may be one that the sources answer in other words: nothing that was found
 * holds most of its own.
 */
export function isHardlyAnswerable({ question, state, answer }: Turn): boolean {
  if (state.kind !== 'done' || answer === undefined || answer.like !== undefined) return false;
  if (answer.kind === 'written') return false;
  const telling = splitWords(question).filter(({ terms }) => terms.length > 0);
  const asked = [...new Set(telling.map(({ raw }) => raw))];
  if (asked.length < FEWEST) return false;
  const found = [
    ...(answer.read ?? []).map((passage) => passage.words),
    ...answer.citations.map(({ quote }) => wordsHeld(question, quote)),
  ];
  return !found.some((held) => asked.filter((word) => held.includes(word)).length > asked.length / 2);
}
