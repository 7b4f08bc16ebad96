import { languageOfText, splitWords, termsIn } from './words/words.ts';

/** Question with its answer, and the terms of both in one language. */
export interface NormalizedQuestion {
  readonly texts: readonly [question: string, answer: string];
  readonly language: number;
  readonly terms: ReadonlySet<string>;
  readonly answer: ReadonlySet<string>;
}

/** Minimum ratios of common words: in the shorter question, in both together, and in the answers. */
const WITHIN = 0.8;
const ALIKE = 0.5;

/** Returns the stems of a question and its answer, without question words. */
export function normalizeQuestion(
  question: string,
  answer: string,
  language = languageOfText(`${question}\n${answer}`),
): NormalizedQuestion {
  const answerTerms = termsIn(answer, language);
  // Answers such as "Yes" consist of stop words and have no terms.
  const words = answerTerms.length > 0 ? answerTerms : splitWords(answer).map(({ folded }) => folded);
  return {
    texts: [question, answer],
    language,
    terms: new Set(termsIn(question, language)),
    answer: new Set(words),
  };
}

/**
 * Reports whether two questions ask the same in other words: "When was the harbour opened?" and "In which year did the
 * harbour open?", with the same answer. On 36 pairs written by models that it wasn't made from, it finds 15 of 18
 * repeats and has no false positive among 18 others (`test/fixtures/questions/repeats.txt`).
 */
export function isSameQuestion(question: NormalizedQuestion, other: NormalizedQuestion): boolean {
  if (question.language !== other.language) {
    // One question alone is often too short to detect its language, so detect it from both.
    const language = languageOfText([...question.texts, ...other.texts].join('\n'));
    return isSameQuestion(
      normalizeQuestion(...question.texts, language),
      normalizeQuestion(...other.texts, language),
    );
  }
  const common = countCommon(question.terms, other.terms);
  const shorter = Math.min(question.terms.size, other.terms.size);
  if (shorter === 0 || common / shorter < WITHIN) return false;
  if (common / (question.terms.size + other.terms.size - common) < ALIKE) return false;
  const answers = countCommon(question.answer, other.answer);
  return answers > 0 && answers / (question.answer.size + other.answer.size - answers) >= ALIKE;
}

function countCommon(terms: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const term of terms) if (other.has(term)) common++;
  return common;
}
