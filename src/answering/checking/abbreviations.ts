import { termsIn } from '../../language/words/words.ts';

/** An abbreviation and what it stands for, as terms. */
export interface Abbreviation {
  readonly short: string;
  readonly long: readonly string[];
}

const IN_BRACKETS = /\(([\p{Lu}\d][\p{L}\d]*(?:-[\p{L}\d]+)?s?)\)/gu;
const LONGEST = 10;

/** The abbreviations that a text explains by putting them in brackets behind the words they stand for, as terms in a language. */
export function abbreviationsIn(text: string, language: number): Abbreviation[] {
  return [...text.matchAll(IN_BRACKETS)].flatMap((match) => {
    const letters = (match[1] ?? '').replace(/s$/, '');
    if (letters.length < 2 || letters.length > LONGEST || !/\p{Lu}.*\p{Lu}/u.test(letters)) return [];
    const before = text.slice(Math.max(0, match.index - 120), match.index).match(/[\p{L}\d]+/gu) ?? [];
    const long = longForm(before, letters.toLowerCase().replace(/[^\p{L}]/gu, ''));
    const [short] = termsIn(letters, language);
    const terms = long === undefined ? [] : termsIn(long.join(' '), language);
    return short === undefined || terms.length < 2 ? [] : [{ short, long: terms }];
  });
}

/** The last words whose initials are the letters; up to two small words between may have none. */
function longForm(words: readonly string[], letters: string): readonly string[] | undefined {
  let at = words.length;
  for (let i = letters.length - 1; i >= 0; i--) {
    let skipped = 0;
    do at--;
    while (at >= 0 && !words[at]?.toLowerCase().startsWith(letters.charAt(i)) && skipped++ < 2);
    if (at < 0 || !words[at]?.toLowerCase().startsWith(letters.charAt(i))) return undefined;
  }
  return words.slice(at);
}
