import { fold } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import { WordTokenizer, type QuestionWord } from './tokenizer.ts';
import { HAN, STOP_MARK } from './word-terms.ts';
import { PAIRED } from './word-pattern.ts';

/** Minimum number of letters of a stem that stands for its word. */
const MIN_STEM_LETTERS = 3;

/**
 * Matches characters that folding may change, with a digit before them on which that may depend. Dashes and quotation
 * marks aren't among them.
 */
const UNFOLDED = /\d?[\u0080-\u1fff\u2070-\uffff]{1,1000}/g;

/**
 * Returns letters of a question's words that are in every text with one of their forms, folded. Other texts may have
 * them, too. Without other words, returns the stop words.
 */
export function lettersOfQuestion(question: string): string[] {
  const tokenizer = new WordTokenizer();
  tokenizer.seen = (1 << LANGUAGES.length) - 1;
  const { terms, words } = tokenizer.questionWords(question);
  const termsOfWords = new Set(words.flatMap((word) => word.terms));
  const others = terms.filter((term) => !termsOfWords.has(term)).map((term) => term.replace(STOP_MARK, ''));
  return [...new Set([...words.flatMap(lettersOfWord), ...others.map(foldedLetters)])];
}

/** Folds a text so that the letters of questions can be looked up in it. Folding only what changes is much faster. */
export function foldedLetters(text: string): string {
  return text.toLowerCase().replace(UNFOLDED, fold);
}

/** Returns the shortest stem of a word, and the pairs of characters of a word without spaces. */
function lettersOfWord({ letters, terms }: QuestionWord): readonly string[] {
  if (HAN.test(letters) || PAIRED.test(letters)) return terms.map(foldedLetters);
  const stems = terms.filter((term) => term.length >= MIN_STEM_LETTERS && letters.startsWith(term));
  const shortest = stems.reduce((a, b) => (b.length < a.length ? b : a), letters);
  // English stems end in "i" if the word may end in "y".
  return [shortest.length > MIN_STEM_LETTERS && shortest !== letters ? shortest.replace(/i$/, '') : shortest];
}
