import { wholeWordsOfPacks } from './words/pack-words.ts';

/** Names and signs that occur only in code: `readFile`, `read_file`, `fs.read`, `read()`, `==`. */
const CODE_SIGNS =
  /\p{Ll}\p{Lu}|\w\(\)|\p{L}_\p{L}|(?<=[\p{L}\d]{2})(?:\.|::|->)\p{L}{2}|[=!<>]=|=>|&&|\|\||[`{}]/u;

/** Words for code and its parts, in questions in the most common languages. */
export const CODE_WORDS = new RegExp(`(?<!\\p{L})${wholeWordsOfPacks(({ codeWords }) => codeWords)}`, 'iu');

/**
 * Reports whether a question may be about code, because it has a name or a sign of code, or a word for code.
 * Otherwise, parts of names in code match its words by chance, such as `_wrapLeft` for "How much is left?".
 */
export function mayAskForCode(question: string): boolean {
  return CODE_SIGNS.test(question) || CODE_WORDS.test(question);
}
