import { ENGLISH } from './words/word-terms.ts';

/**
 * What tells that a sentence of an abstract says what was asked, not what was found. In English, the language of the
 * abstracts that its weight is fitted on.
 */
const PURPOSE =
  /^(?:OBJECTIVES?|AIMS?|PURPOSE|DESIGN|SETTING|METHODS?|BACKGROUND|PARTICIPANTS|CONTEXT|INTRODUCTION)\b|\bto (?:determine|investigate|examine|assess|evaluate|test|explore|study|identify|compare|find out)\b|\bwe (?:investigate|examine|assess|evaluate|test|stud(?:y|ied)|use|perform|conduct|measure|sought|analy[sz]e|aim)(?:d|ed)?\b/i;
const POINTS_BACK = /\b(?:it|they|them|these|those|this)\b/i;

/** Whether a sentence says what was set out to be done: "We investigated the effect of tea." In English alone. */
export function tellsPurpose(sentence: string, language: number): boolean {
  return language === ENGLISH && PURPOSE.test(sentence);
}

/** Whether a sentence has a word that may stand for what the one before it names. In English alone. */
export function pointsBack(sentence: string, language: number): boolean {
  return language === ENGLISH && POINTS_BACK.test(sentence);
}
