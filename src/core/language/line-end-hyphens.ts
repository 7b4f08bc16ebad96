import type { HyphenWords } from './packs/pack.ts';
import { wordsOfPacks } from './words/pack-words.ts';

/** Words of a document that show how it spells a word that a line end splits; see `letters`. */
export interface DocumentSpellings {
  /** Words with a hyphen inside a line. */
  readonly hyphenated: ReadonlySet<string>;
  /** Words without a hyphen. */
  readonly whole: ReadonlySet<string>;
}

/** Treatment of a hyphen at a line end: `drop` and `keep` join both parts, `space` separates them. */
type HyphenTreatment = 'drop' | 'keep' | 'space';

const HYPHEN = '[-\\u00ad\\u2010\\u2011]';
const ENDS_WITH_HYPHEN = new RegExp(`[\\p{L}\\p{N}]${HYPHEN}$`, 'u');
const HYPHENS = new RegExp(HYPHEN, 'g');

const wordsOf = (kind: keyof HyphenWords): ReadonlySet<string> =>
  new Set(wordsOfPacks(({ hyphens }) => hyphens?.[kind]));
const CONJUNCTIONS = wordsOf('conjunctions');
const RANGES = wordsOf('ranges');
const LINKS = wordsOf('links');
const INNER_LINKS = wordsOf('innerLinks');
const FIRST_PARTS = wordsOf('firstParts');
const SECOND_PARTS = wordsOf('secondParts');

/** Matches English endings that aren't words of their own. */
const SUFFIX =
  /^(?:ers?|est|ens?|ened|ening|ish|ishly|ishness|ly|y|ness|nesses|ings?|ingly|ed|less|lessly|lessness|ful|fully|fulness|hood|is[mt]s?|istic|i[sz](?:e|es|ed|ing|ation)|able|ably|ability|ages?|al|ally|ality|alities|ity|ities|ments?|wards?|ships?|dom|teen|teens|teenth|t(?:y|ies|ieth)|fold|some|self|selves|tons?|ths?)$/;
/** English words that begin with a first part and have no hyphen. */
const ONE_WORDS = wordSet(
  'highway highways highland highlands highlight highlights highlighted highlighting highbrow highborn lowland ' +
    'lowlands longhand longhorn longshore longbow longtime shortcoming shortcomings shortcut shortcuts shorthand ' +
    'shortlist shortlisted shortfall shortfalls shortbread shortwave halfway halfpenny crosswalk crossroad ' +
    'crossroads crossword crosswords crossover crossbar crossbow hardware hardback hardcover hardwood software ' +
    'softwood smallpox wellhead wellspring wellington selfsame bestseller bestsellers leftover leftovers sixpence ' +
    'firstborn secondary viceroy everlasting evergreen evermore nevertheless nevermore nearby slowdown freeway ' +
    'freelance freelancer freelancers freestyle freehand freeware freemason righteous rightful partner partners ' +
    'partnered partnering partnership partnerships particle particles partridge',
);

/** Prefixes and other words that form one word with second parts. */
const PREFIXES = wordSet(
  'con cor dis non pre sub super over under inter out mis anti multi semi ultra hyper micro macro mono poly tele ' +
    'photo auto bio geo hydro electro trans fore counter after down back through with notwith some any every ' +
    'mid off life free home hand film law uni meta para eco pro per',
);

/** Words that nearly always have a hyphen after a prefix or verb, by that first part. */
const COMPOUNDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...'check sit walk opt drive trade break stand tie'
    .split(' ')
    .map((verb): [string, ReadonlySet<string>] => [verb, wordSet('in ins')]),
  [
    'ex',
    wordSet('president wife husband minister soldier boyfriend girlfriend chief officer employee partner'),
  ],
  ['mid', wordSet('century centuries market range sized level term year season')],
  ['post', wordSet('war production pandemic')],
  ['pre', wordSet('war production pandemic')],
]);

/** Matches the beginning of an address or path: it has no hyphens other than its own. */
const ADDRESS = /:\/\/|^www\.|@|^\.{0,2}[/\\~]|^[a-z]:\\|[/\\][^/\\]*[/\\]|_|\p{L}\.\p{L}\w*[-/]/iu;
/** Matches the rest of an address or path: `site.org`, `name@site`, `page/index.html`. */
const REST_OF_ADDRESS = /^[\w-]+(?:\.(?!\w+\.$)[a-z]{2,4}(?![a-z])|@\w|\/[\w-]+[./])/i;

/** Reports whether a word ends with a hyphen, of any kind that `hyphenAtLineEnd` treats. */
export function endsWithHyphen(word: string): boolean {
  const last = word.charAt(word.length - 1);
  return last === '-' || last === '\u00ad' || last === '\u2010' || last === '\u2011';
}

/**
 * Returns the treatment of the hyphen at the end of a line's last word; undefined if there is none, or the next line's
 * words don't continue it.
 */
export function hyphenAtLineEnd(
  word: string,
  next: readonly string[],
  { hyphenated, whole }: DocumentSpellings,
): HyphenTreatment | undefined {
  const [continuation = '', after = ''] = next;
  if (!ENDS_WITH_HYPHEN.test(word) || !/^[\p{L}\p{N}]/u.test(continuation)) return undefined;
  if (word.endsWith('\u00ad')) return 'drop';
  const both = letters(word + continuation);
  if (hyphenated.has(both)) return 'keep';
  const bare = both.replace(HYPHENS, '');
  const isSplit = /^\p{L}/u.test(continuation) && /\p{L}.$/u.test(word);
  if (isSplit && whole.has(bare)) return 'drop';
  if (CONJUNCTIONS.has(continuation.toLowerCase())) return 'space';
  if (RANGES.has(continuation.toLowerCase()) && (/\d.$/.test(word) || after.includes('-'))) return 'space';
  if (!isSplit || ADDRESS.test(word) || REST_OF_ADDRESS.test(continuation)) return 'keep';
  return isCompound(word.slice(0, -1), continuation) ? 'keep' : 'drop';
}

/** Reports whether two parts of a word are words of their own with a hyphen between them. */
function isCompound(word: string, continuation: string): boolean {
  const parts = word.split(HYPHENS);
  const first = (parts.at(-1) ?? '').replace(/^\P{L}+/u, '');
  const isCapitalized = /^\p{Lu}/u.test(continuation);
  // Words are split neither after one letter nor between capitals and small letters.
  if (first.length < 2) return true;
  const isAcronym = first === first.toUpperCase();
  if (isAcronym ? !isCapitalized || first.length < 4 : isCapitalized) return true;
  const firstPart = first.toLowerCase();
  const right = letters(continuation);
  const [rightStart = ''] = right.split('-');
  const isLink = LINKS.has(firstPart) || INNER_LINKS.has(firstPart);
  if ((parts.length > 1 && isLink) || (right.includes('-') && LINKS.has(rightStart))) return true;
  if (FIRST_PARTS.has(firstPart)) return !SUFFIX.test(rightStart) && !ONE_WORDS.has(firstPart + rightStart);
  if (COMPOUNDS.get(firstPart)?.has(rightStart) === true) return true;
  if (firstPart.endsWith('i') && /^i\p{L}{3}/u.test(right)) return !SUFFIX.test(rightStart);
  return SECOND_PARTS.has(rightStart) && firstPart.length > 2 && !PREFIXES.has(firstPart);
}

/** Returns a word in its form for comparison: its letters and the hyphens between them. */
export function letters(word: string): string {
  if (/^[a-z]*$/i.test(word)) return word.toLowerCase();
  return word
    .replace(/[\u2010\u2011]/g, '-')
    .replace(/^\P{L}+/u, '')
    .replace(/(?<=\p{L})\P{L}+$/u, '')
    .toLowerCase();
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
