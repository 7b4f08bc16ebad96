import { fold } from './words/folding.ts';
import { LANGUAGES } from './words/languages.ts';
import { ENGLISH } from './words/word-terms.ts';

/**
 * Phrases that show that a sentence of an abstract states its aim, not a result. English only, like the abstracts that
 * the weight is fitted on.
 */
const PURPOSE =
  /^(?:OBJECTIVES?|AIMS?|PURPOSE|DESIGN|SETTING|METHODS?|BACKGROUND|PARTICIPANTS|CONTEXT|INTRODUCTION)\b|\bto (?:determine|investigate|examine|assess|evaluate|test|explore|study|identify|compare|find out)\b|\bwe (?:investigate|examine|assess|evaluate|test|stud(?:y|ied)|use|perform|conduct|measure|sought|analy[sz]e|aim)(?:d|ed)?\b/i;
/** Words that refer to the sentence before, by the index of their language. */
const pointingWords = LANGUAGES.map(({ backReferences }) => new Set(backReferences?.split(' ').map(fold)));
/** Maximum number of words before such a word for it to be the subject: "However, it fell." */
const MAX_WORDS_BEFORE = 1;

/** Reports whether a sentence states an aim: "We investigated the effect of tea." English only. */
export function tellsPurpose(sentence: string, language: number): boolean {
  return language === ENGLISH && PURPOSE.test(sentence);
}

/** Reports whether a sentence begins with a word that may refer to the previous sentence, such as a pronoun. */
export function pointsBack(sentence: string, language: number): boolean {
  const pointing = pointingWords[language];
  const first = sentence.match(/[\p{L}\p{N}]+/gu)?.slice(0, MAX_WORDS_BEFORE + 1) ?? [];
  return pointing !== undefined && first.some((word) => pointing.has(fold(word.toLowerCase())));
}
