import { partsOfPacks } from './words/pack-words.ts';

/** Phrases that announce a choice in a reply, and the text that can come between the phrase and the letter. */
const CALLED = partsOfPacks(({ choices }) => choices?.called);
const IS = partsOfPacks(({ choices }) => choices?.is);
export const STATED = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${CALLED})(?![\p{L}\p{N}])(?:\s+(?:${IS})(?![\p{L}\p{N}]))?\s{0,3}[:=]?[\s*_("'\x60[]{0,6}([A-Za-z])(?![\p{L}\p{N}'’])`,
  'giu',
);
export const STATED_UNSPACED = new RegExp(
  String.raw`(?:${partsOfPacks(({ choices }) => choices?.unspaced)})[\s:：*("'（]{0,4}([A-Za-z])(?![A-Za-z0-9])`,
  'gu',
);

/**
 * Returns the letters that a reply states as the answer, in order: "The answer is B.", "Antwort: b)", "答案是B". Empty
 * for "The answer is a matter of taste".
 */
export function parseChoiceLetters(reply: string): readonly string[] {
  const statedMatches = [...reply.matchAll(STATED), ...reply.matchAll(STATED_UNSPACED)];
  return statedMatches.flatMap(({ 0: whole, 1: letter = '', index }) => {
    const behind = reply.slice(index + whole.length, index + whole.length + 8);
    const isStated = letter === letter.toUpperCase() || /^[*_"'`]{0,4}(?:[).:\],]|\s*$|\n)/.test(behind);
    return isStated ? [letter] : [];
  });
}
