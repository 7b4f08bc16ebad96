// Finds runs of words that may name something, unlike verbs, adverbs, and markup, by the words around them.
import { DETERMINERS, PREPOSITIONS, wordSet } from './relating-words.ts';
import { hasTermLetters, type Word } from './words/words.ts';
import { LANGUAGES } from './words/languages.ts';

/** Counts of the uses of a word in a text. */
export interface WordUse {
  count: number;
  /** Uses after an article or similar word. */
  afterDeterminer: number;
  /** Uses after "of" or a similar word, as of nouns without an article. */
  afterPreposition: number;
  /** Uses after "to", "can", or "we", as of verbs. */
  afterSubject: number;
  /** Uses before an article or pronoun, as of verbs and prepositions. */
  beforeObject: number;
  /** Uses after "is" or "very", as of adjectives. */
  afterCopula: number;
  /** Uses at the end of a run of words. */
  last: number;
  /** Capitalized uses that don't begin a sentence. */
  capital: number;
}

/** A run of one to four words, as indexes among the words of its sentence. */
export interface WordRun {
  readonly from: number;
  readonly to: number;
  /** `true` if a word that may belong to it is directly before or after it. */
  readonly isOpenBefore: boolean;
  readonly isOpenBehind: boolean;
  readonly isAfterSubject: boolean;
  readonly isAfterDeterminer: boolean;
  /** `true` after "and", so that it may be the rest of a longer term: "row and column access". */
  readonly isAfterAnd: boolean;
}

const MAX_WORDS = 4;
const MAX_WORD_LENGTH = 40;

/** English words before verbs. */
const SUBJECTS = wordSet(
  'to can could will would should must may might shall cannot not we you they i he she it who let please don doesn didn then ll',
);
/** English words after verbs and prepositions. */
const OBJECTS = wordSet(
  'a an the this these those it them him us me you your its his their our my each any all',
);
const COPULAS = wordSet(
  'is are was were be been being very more most too so as how become became becomes quite rather less',
);
/** Endings of adverbs and verbs, which few nouns have. */
export const ADVERB =
  /^(?!(?:family|supply|assembly|anomaly|reply|butterfly|monopoly|italy|july|ally|jelly|rally|tally|lily|fly|homily)$)\p{L}{2,30}ly$/u;
const PARTICIPLE =
  /^(?!(?:speed|seed|feed|need|breed|weed|bed|shed|creed|greed|sled|led|red|embed|biped|hundred|wed|deed|reed)$)\p{L}{2,30}ed$/u;
const GERUND = /^\p{L}{3,30}ing$/u;
const ADJECTIVE =
  /^(?!(?:table|cable|variable|cheque|timetable|bible|tissue|music)$)\p{L}{3,30}(?:able|ible|ful|less|ous|ish)$/u;
/** Adjectives that qualify anything and aren't part of a term. */
const QUALIFIERS = wordSet(
  'new first second third last next current previous following other same different various several many single certain entire whole ' +
    'good better best bad great big large small high low long short early late old own main major minor key important ' +
    'possible available additional further similar particular specific general common usual typical simple easy hard real ' +
    'full right left more most less least such non pre re sub co non-zero total recent likely given based using used like ' +
    'two three four five six seven eight nine ten one zero initial final original actual overall potential relevant ' +
    'above below corresponding respective appropriate necessary optional default existing resulting making getting going ' +
    'having being doing taking giving adding seeing called named step steps note example examples chapter section figure fig table page pages version versions edition number way ways ' +
    'thing things lot kind kinds sort type types part parts bit case cases fact time times day days week weeks month months year years today year-old hour hours minute minutes second seconds percent ' +
    'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday mr mrs ms dr ' +
    'suitable folks folk anybody somebody everybody lies hell demonstrates see await division department avenue street dummy enduring quote ' +
    'latter former bottom top remainder simplest consists consist contains contain includes include shows occurs occur stood went came ' +
    'await function return hello world reader manual introduction ' +
    'appendix invoking generating ' +
    'favorite favourite specified proposed certain core fellow sec eq app const let var amount number ' +
    'et al ie eg vs etc pp arxiv preprint doi isbn http https www com org html pdf png jpg jpeg img svg href src nbsp',
);
/** Code, pictures, addresses of links, tags, numbers of references, and calls of functions. */
const MARKUP =
  /`[^`\n]{1,300}`|!\[[^\][\n]{0,300}\]\([^()\n]{0,1000}\)|\]\([^()\n]{0,1000}\)|<[^<>\n]{1,300}>|\[\^?[\d, ;–-]{1,30}\]|(?<![\p{L}\p{N}])[\p{L}\p{N}.]{1,40}\(\)/gu;
const TOKEN = /[^\s"“”()[\]]+/gu;
/** A path, an address, an option, the name of a file, or an expression of code. */
const CODE_TOKEN = /[/\\_=~@$#{}<>|^+]|^--?\p{L}|^[\p{L}\p{N}-]{1,60}\.\p{Ll}{1,5}$|\p{L}{2}:\p{L}|^www\./u;

/** Matches a variable such as "itemsToKeep", but not "macOS". */
const VARIABLE = /^\p{Ll}{2,30}\p{Lu}.{4}/u;

/** Returns a sentence with signs instead of its markup, code, and addresses, as long as before. */
export function withoutMarkup(sentence: string): string {
  const hidden = (text: string): string => '\u0001'.repeat(text.length);
  return sentence
    .replaceAll(MARKUP, hidden)
    .replaceAll(TOKEN, (token) =>
      CODE_TOKEN.test(token.replace(/^[_*]{1,3}/, '').replace(/[_*.,;:!?]{1,6}$/, ''))
        ? hidden(token)
        : token,
    );
}

/** Reports whether a word can be part of a term. */
function isContent({ raw, terms }: Word): boolean {
  const [stem] = terms;
  return stem !== undefined && raw.length <= MAX_WORD_LENGTH && !VARIABLE.test(raw) && hasTermLetters(raw);
}

/** Reports whether a word is the label of a speaker in a transcript: "THE PRESIDENT: …". */
function isSpeaker(sentence: string, { raw, end }: Word): boolean {
  return /^\p{Lu}{3,30}$/u.test(raw) && sentence.charAt(end) === ':';
}

/** Reports whether a word is a cited author: "Wang et al." */
function isCited(words: readonly Word[], index: number): boolean {
  return words[index + 1]?.folded === 'et' && words[index + 2]?.folded === 'al';
}

/**
 * Reports whether a word lost its first letter to the word before it, as PDF readers do with small capitals: "V
 * OYAGER".
 */
function isTorn(words: readonly Word[], index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return (
    before !== undefined &&
    /^\p{Lu}$/u.test(before.raw) &&
    word?.start === before.end + 1 &&
    /^\p{Lu}{4,40}$/u.test(word.raw)
  );
}

/**
 * Adds how the words of a sentence are used, and returns its runs of words that may be terms.
 * @param sentence without markup
 */
export function readRuns(
  sentence: string,
  words: readonly Word[],
  language: number,
  uses: Map<string, WordUse>,
): WordRun[] {
  const determiners = DETERMINERS.get(LANGUAGES[language]?.code ?? '');
  const isEnglish = LANGUAGES[language]?.code === 'en';
  const content = words.map(
    (word, index) =>
      isContent(word) &&
      !(isEnglish && ADVERB.test(word.folded)) &&
      !isSpeaker(sentence, word) &&
      !isCited(words, index) &&
      !isTorn(words, index),
  );
  const gap = (index: number): string =>
    sentence.slice(words[index - 1]?.end ?? 0, words[index]?.start ?? sentence.length);
  /** The word directly before, if only a blank separates them. */
  const before = (index: number): string =>
    index > 0 && /^\s{1,3}$/.test(gap(index)) ? (words[index - 1]?.folded ?? '') : '';
  const isJoined = (index: number): boolean =>
    content[index - 1] === true &&
    content[index] === true &&
    /^(?:[ \u00a0]|-|‑|[ \t]*\r?\n[ \t]*)$/.test(gap(index)) &&
    !isLabel(index);
  /** Reports whether a word begins a line and ends with a colon, like `Date:` below `To:` in an email. */
  const isLabel = (index: number): boolean =>
    gap(index).includes('\n') && sentence.charAt(words[index]?.end ?? sentence.length) === ':';
  const runs: WordRun[] = [];
  for (const [index, word] of words.entries()) {
    if (content[index] !== true) continue;
    const previous = before(index);
    const right = before(index + 1) === word.folded ? (words[index + 1]?.folded ?? '') : '';
    const use = uses.get(word.folded) ?? {
      ...{
        count: 0,
        afterDeterminer: 0,
        afterPreposition: 0,
        afterSubject: 0,
        beforeObject: 0,
        afterCopula: 0,
        last: 0,
        capital: 0,
      },
    };
    uses.set(word.folded, use);
    use.count++;
    if (determiners?.has(previous) === true) use.afterDeterminer++;
    if (PREPOSITIONS.has(previous)) use.afterPreposition++;
    if (SUBJECTS.has(previous)) use.afterSubject++;
    if (OBJECTS.has(right)) use.beforeObject++;
    if (COPULAS.has(previous)) use.afterCopula++;
    if (!isJoined(index + 1)) use.last++;
    if (index > 0 && /^\p{Lu}/u.test(word.raw)) use.capital++;
    for (let to = index + 1; to <= Math.min(words.length, index + MAX_WORDS); to++) {
      if (to > index + 1 && !isJoined(to - 1)) break;
      runs.push({
        from: index,
        to,
        isOpenBefore: isJoined(index) || gap(index).endsWith('-'),
        // "Form ST-101" and "Model Y 2" include the number.
        isOpenBehind:
          isJoined(to) || (to > index + 1 && /^[ -]$/.test(gap(to)) && /\d/.test(words[to]?.raw ?? '')),
        isAfterSubject: SUBJECTS.has(previous),
        isAfterDeterminer: determiners?.has(previous) === true,
        isAfterAnd:
          (previous === 'and' || previous === 'or' || previous === '&') && content[index - 2] === true,
      });
    }
  }
  return runs;
}

/** Total use of a run of words, with its words. */
interface RunUse {
  readonly words: readonly string[];
  readonly count: number;
  readonly openBefore: number;
  readonly openBehind: number;
  readonly afterSubject: number;
  readonly afterDeterminer: number;
  readonly afterAnd: number;
}

/** Reports whether a run of words is a noun phrase, by how it and its words are used in the text. */
export function isNounPhrase(run: RunUse, uses: ReadonlyMap<string, WordUse>, language: number): boolean {
  const code = LANGUAGES[language]?.code ?? '';
  const [first = ''] = run.words;
  const head = run.words.at(-1) ?? '';
  // A run that mostly continues in another word is part of a longer term.
  if (run.openBehind > 0.4 * run.count || run.openBefore > 0.5 * run.count) return false;
  if (run.words.length > 1 && run.afterAnd > 0.5 * run.count) return false;
  const use = uses.get(head);
  if (use === undefined) return false;
  const isName = use.capital >= 0.7 * use.count;
  if (LANGUAGES[language]?.hasCapitalNouns === true) return isName;
  if (code !== 'en') return run.words.length > 1 || use.afterDeterminer > 0 || isName;
  if (QUALIFIERS.has(first) || QUALIFIERS.has(head)) return false;
  if (run.words.some((word) => isVerb(word, uses))) return false;
  if (run.afterSubject > 0.4 * run.count) return false;
  if (use.afterCopula > 0.34 * use.count && !isName) return false;
  if (PARTICIPLE.test(head) || ADJECTIVE.test(head)) return false;
  if (run.words.length > 1) {
    // "Reading Excel spreadsheets" is an action, not a name.
    if (GERUND.test(first) && run.words.length > 2 && run.afterDeterminer === 0) return false;
    if (GERUND.test(first) && run.afterDeterminer === 0 && (uses.get(first)?.afterDeterminer ?? 0) === 0)
      return false;
    // "Tasks fail" is a sentence: in front of another noun, nouns are singular.
    if (run.words.length === 2 && isPlural(first, uses) && !isPlural(head, uses) && use.afterDeterminer === 0)
      return false;
    return run.words.slice(1).every((word) => !PARTICIPLE.test(word) && !QUALIFIERS.has(word));
  }
  if (isName) return true;
  if (GERUND.test(head)) return use.afterDeterminer > 0.2 * use.count;
  // A word that rarely ends a run is an adjective.
  if (use.afterDeterminer > 0) return use.last >= 0.6 * use.count;
  return use.afterPreposition > 0 && use.last >= 0.6 * use.count;
}

/** Reports whether an English word is a plural whose singular is in the text, too. */
function isPlural(word: string, uses: ReadonlyMap<string, WordUse>): boolean {
  return word.length > 3 && word.endsWith('s') && uses.has(word.slice(0, -1));
}

/** Reports whether an English word is mostly used as a verb. */
export function isVerb(word: string, uses: ReadonlyMap<string, WordUse>): boolean {
  const use = uses.get(word);
  if (use === undefined) return false;
  const verb = use.afterSubject + use.beforeObject;
  return verb > 0.3 * use.count && verb > use.afterDeterminer;
}
