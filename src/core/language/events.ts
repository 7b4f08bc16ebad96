// Finds sentences about events with a date, unlike lists of documents, footers, and accounting periods.
import { languageOfText } from './words/words.ts';
import { LANGUAGES } from './words/languages.ts';
import { partsOfPacks } from './words/pack-words.ts';

const MIN_WORDS = 5;
/** Minimum share of words in small letters. A line with less is a heading, an address, or a reference. */
const MIN_LOWER_RATIO = 0.45;
/** Verbs of documents, such as filed and published: they date a document, not an event. */
export const BOILERPLATE = new RegExp(
  String.raw`arxiv|\b(?:isbn|issn|doi|©|${partsOfPacks(({ datedReferences }) => datedReferences)})\b`,
  'iu',
);
/** The end of an accounting period, or a reporting date. */
const PERIOD_BEFORE =
  /\b(?:(?:years?|months?|quarters?|weeks?|periods?|52|53)(?: then)? end(?:ed|ing)|as (?:of|at)|at|ended|ending|dated|version|edition|release|copyright|©|compared (?:to|with)|respectively)[\s,(]*$/iu;
/** A year that only names an event: "the 2020 election". */
const NAMES_EVENT =
  /^(?:[- ](?:\p{L}+ ){0,2}?(?:elections?|campaign|draft|season|edition|version|model|budget|act|annual|form|report|plan|notes|census|conference|proceedings|survey|fiscal|tax year))\b/iu;
/** English words that say that something is, was, or came to be. */
const ENGLISH_VERB =
  /\b(?:is|are|was|were|be|been|has|have|had|did|do|does|will|would|began|became|came|went|made|took|gave|built|won|lost|led|met|left|held|sold|bought|grew|fell|rose|said|told|wrote|found|founded|brought|sent|set|ran|saw|got|broke|chose|drew|drove|felt|fought|kept|knew|laid|lay|paid|put|read|sank|sat|spoke|spent|stood|taught|thought|threw|understood|wore|introduces?|marks?|begins?|ends?|\p{L}{2,20}(?<!\b(?:unit|relat|bas))ed|\p{L}{3,20}(?:izes|ates|ifies))\b/iu;

/** Dated sentence with the text before and after its date. */
interface DatedWords {
  readonly words: string;
  readonly before: string;
  readonly behind: string;
}

/**
 * Reports whether a dated sentence describes an event: it is complete, has a verb if its language is known, and isn't
 * an entry of a document list, a footer, or an accounting period.
 * @param beginning text that determines the language
 */
export function saysWhatHappened({ words, before, behind }: DatedWords, beginning: string): boolean {
  const plain = words
    .replace(/^(?:[-*+•>]|\d{1,3}[.)])[ \t]+/, '')
    .replaceAll(/[*_`]+/g, '')
    .trim();
  if (plain.startsWith('#') || !isWhole(plain)) return false;
  const wordList = plain.match(/\p{L}[\p{L}'’-]*/gu) ?? [];
  const hasSpaces = !/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(plain);
  const code = LANGUAGES[languageOfText(beginning)]?.code;
  if (hasSpaces) {
    if (wordList.length < MIN_WORDS) return false;
    const isCased = /\p{Ll}/u.test(plain);
    const lower = wordList.filter((word) => /^\p{Ll}/u.test(word)).length;
    if (isCased && code !== 'de' && lower < MIN_LOWER_RATIO * wordList.length) return false;
  }
  if (BOILERPLATE.test(plain) || PERIOD_BEFORE.test(before) || NAMES_EVENT.test(behind)) return false;
  return code !== 'en' || ENGLISH_VERB.test(plain);
}

/** Reports whether a sentence begins and ends like one. */
function isWhole(plain: string): boolean {
  const begins = /^["'“„«(¿¡[]{0,2}(?:\p{Lu}|\p{N}|\p{Lo})/u.test(plain);
  return begins && /[.!?…。！？؟।]["'”“»)\]]{0,3}(?:\s?\[?\d*\]?)$/u.test(plain);
}
