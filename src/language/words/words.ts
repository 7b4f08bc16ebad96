import { stopwords } from '@orama/stopwords/english';
import { stemEnglish } from './english-stems.ts';
import type { Span } from '../span.ts';

/** A word of a text: its place, its letters as they stand there, and as they are compared. */
export interface Word extends Span {
  readonly raw: string;
  /** Lower-cased, without accents, ligatures and soft hyphens; a word broken at a line's end is whole again. */
  readonly folded: string;
}

const WORD =
  /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_\u00ad]*(?:[.,](?<=\d[.,])\d[\p{L}\p{N}]*|['’]\p{L}+|[-‐](?<=\p{Ll}[-‐])\r?\n[ \t]*\p{Ll}[\p{L}\p{M}]*)*/gu;
const BROKEN = /[-‐]\r?\n[ \t]*/u;
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const ENDING = /['’](?:s|re|ve|ll|d|m)$/i;
const ASCII = /^[\x20-\x7e]*$/;

/** Words that ask or join and carry nothing to look for, beside those that the list has. */
const MORE_STOPWORDS =
  'a also am among another anyone been cannot could does done else et etc ever every explain get gets give gives got ' +
  'however if instead is it just let like list many may me might much must named need per please really shall show ' +
  'since still tell therefore though thus upon us via want well whether whose will within without would yes yet ' +
  'actually describe mean means happen happens exactly know find';
const STOPWORDS = new Set([...stopwords, ...MORE_STOPWORDS.split(' ')]);

const SMALL_NUMBERS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety hundred';
const NUMBER_WORDS = new Map([
  ...SMALL_NUMBERS.split(' ').map((word, value) => [word, String(value)] as const),
  ...TENS.split(' ').map((word, tens) => [word, String(10 * (tens + 2))] as const),
  ['hundreds', '100'],
  ['thousand', '1000'],
  ['thousands', '1000'],
  ['million', '1000000'],
  ['dozen', '12'],
  // "First" mostly orders what is said, and a second is a time, too.
  ...'third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, index) => [word, index === 0 ? '3rd' : `${String(index + 3)}th`] as const),
]);

function fold(raw: string): string {
  if (ASCII.test(raw)) return raw.toLowerCase();
  return raw
    .replace(BROKEN, '')
    .normalize('NFKD')
    .replace(/[\u0300-\u036f\u00ad]/g, '')
    .normalize('NFC')
    .replaceAll('’', "'")
    .toLowerCase();
}

/** The words of a text in their order. Numbers keep their decimal and thousands marks. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of text.matchAll(WORD)) {
    const raw = match[0];
    words.push({ start: match.index, end: match.index + raw.length, raw, folded: fold(raw) });
  }
  return words;
}

const CACHE_LIMIT = 20_000;
const cache = new Map<string, readonly string[]>();

/**
 * What a word is found by: its stem; an identifier whole and by its parts; a number without thousands marks;
 * pairs of characters in scripts that are written without spaces. Empty for stop words.
 */
export function termsOfWord(word: Word): readonly string[] {
  const known = cache.get(word.raw);
  if (known !== undefined) return known;
  if (cache.size >= CACHE_LIMIT) cache.clear();
  const terms = makeTerms(word);
  cache.set(word.raw, terms);
  return terms;
}

/** A word without its ending and without underscores around it: of emphasis in Markdown, or of a private name. */
function bare(letters: string): string {
  return letters.replace(/^_+(?=[^_])|(?<=[^_])_+$/g, '').replace(ENDING, '');
}

function makeTerms(word: Word): readonly string[] {
  const raw = bare(word.raw);
  const folded = bare(word.folded);
  if (/^\d{1,3}(?:,\d{3})+$/.test(folded)) return [folded.replaceAll(',', '')];
  if (/^\d/.test(folded) && !/\p{L}/u.test(folded)) return [folded];
  if (UNSPACED.test(folded)) return (folded.match(/\d+(?:[.,]\d+)*|\D+/g) ?? []).flatMap(pairsOf);
  if (STOPWORDS.has(folded) || STOPWORDS.has(word.folded)) return [];
  const terms = new Set([stem(NUMBER_WORDS.get(folded) ?? folded)]);
  const parts = BROKEN.test(raw) ? raw.split(BROKEN) : identifierParts(raw);
  if (parts.length > 1) {
    for (const part of parts) {
      const foldedPart = fold(part);
      if (!STOPWORDS.has(foldedPart)) terms.add(stem(foldedPart));
    }
  }
  return [...terms];
}

/** The terms of an identifier's parts, where it has several: `readFileSync` → read, file, sync. */
export function identifierTerms({ raw }: Word): string[] {
  const parts = identifierParts(raw);
  if (parts.length < 2) return [];
  return parts
    .map(fold)
    .filter((part) => !STOPWORDS.has(part))
    .map(stem);
}

/** `readFileSync` → read, File, Sync; `HTTP_port2` → HTTP, port, 2. */
function identifierParts(raw: string): string[] {
  return raw.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
}

function pairsOf(folded: string): readonly string[] {
  const characters = Array.from(folded);
  if (characters.length < 3 || /^\d/.test(folded)) return [folded];
  return characters.slice(1).map((character, i) => (characters[i] ?? '') + character);
}

function stem(folded: string): string {
  return /^[a-z]{3,}$/.test(folded) ? stemEnglish(folded) : folded;
}

/** The terms of a text in their order, with repetitions. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap(termsOfWord);
}

/** Whether a term is a number: how many, or which one in a row. */
export function isNumber(term: string): boolean {
  return /^\d+(?:[.,]\d+)*(?:st|nd|rd|th)?$/.test(term);
}

/** How much each term tells, estimated from the units of text that it does and does not stand in. */
export function weighTerms(units: readonly ReadonlySet<string>[]): (term: string) => number {
  const frequency = new Map<string, number>();
  for (const unit of units) for (const term of unit) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const count = units.length;
  return (term) => {
    const holding = frequency.get(term) ?? 0;
    return Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
  };
}
