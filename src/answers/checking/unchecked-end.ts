import { streamedSentences } from '../../core/language/streamed-sentences.ts';
import type { Answer } from '../../core/domain/answer.ts';
import { isClaim } from './claim.ts';

/**
 * Returns a written answer with an unchecked statement for each sentence after its last statement, because an answer
 * that ends early has text that nobody checked. Returns other answers unchanged.
 */
export function withUncheckedEnd(answer: Answer | undefined): Answer | undefined {
  if (answer?.kind !== 'written') return answer;
  const { text, statements } = answer;
  const checkedEnd = statements.at(-1)?.end ?? 0;
  const sentences = streamedSentences();
  sentences.append(text);
  const unchecked = sentences
    .take(true)
    .filter(({ start, end, isItem }) => {
      const words = text.slice(start, end);
      return start >= checkedEnd && (isClaim(words, isItem) || isCutOff(words));
    })
    .map(({ start, end }) => ({ start, end, verdict: 'unchecked' as const, citations: [] }));
  return unchecked.length === 0 ? answer : { ...answer, statements: [...statements, ...unchecked] };
}

/** Reports whether a sentence has no end, which may have made it a claim. */
function isCutOff(words: string): boolean {
  return /^[\p{L}\p{N}]/u.test(words) && /[\p{L}\p{N},;]$/u.test(words);
}
