import { SMALL_TITLE_WORDS } from '../language/words/word-lists.ts';
import { citeKey, MAX_KEY_LENGTH, type Bibliography } from './bibliography.ts';

type KeyMetadata = Pick<Bibliography, 'authors' | 'title' | 'year'>;

type WordsOf = (metadata: KeyMetadata) => readonly string[];

/** One part of a pattern, for example `shorttitle(3, 3)`. */
interface KeyPart {
  /** `true` for text in quotation marks. */
  readonly isLiteral: boolean;
  /** Returns the words that the part adds to a key; empty if the metadata has none. */
  readonly words: WordsOf;
}

const PART =
  /^(?:(auth|shorttitle|veryshorttitle)(?:\((\d{1,2})(?:, {0,9}(\d{1,2}))?\))?|(title|year|shortyear)|'([\w.:-]{1,20})'|"([\w.:-]{1,20})")(?:\.(lower|upper|capitalize))?$/;

/**
 * Returns a function that creates citation keys by a pattern in a subset of Better BibTeX's syntax, for example
 * `auth.lower + shorttitle(3, 3) + year`. Creates the default keys if the pattern is empty or invalid, and for
 * references without any of its parts.
 */
export function citationKeyFormatter(pattern: string): (metadata: KeyMetadata) => string {
  const parts = parseCitationKeyPattern(pattern);
  if (parts === undefined) return citeKey;
  return (metadata) => {
    const hasMetadata = parts.some(({ isLiteral, words }) => !isLiteral && words(metadata).length > 0);
    return hasMetadata ? joinParts(parts.flatMap(({ words }) => words(metadata))) : citeKey(metadata);
  };
}

/** Parses a pattern of citation keys; undefined if it's invalid or empty. */
export function parseCitationKeyPattern(pattern: string): readonly KeyPart[] | undefined {
  const parts = pattern.split('+').map((part) => parsePart(part.trim()));
  const valid = parts.filter((part) => part !== undefined);
  return valid.length === parts.length ? valid : undefined;
}

function parsePart(part: string): KeyPart | undefined {
  const [whole, call, first, second, field, single, double, filter] = PART.exec(part) ?? [];
  if (whole === undefined) return undefined;
  const literal = single ?? double;
  const words =
    literal === undefined
      ? metadataPart(call ?? field ?? '', numberOf(first), numberOf(second))
      : () => [literal];
  const changeCase = caseFilter(filter);
  return { isLiteral: literal !== undefined, words: (metadata) => words(metadata).map(changeCase) };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function metadataPart(name: string, first: number | undefined, second: number | undefined): WordsOf {
  switch (name) {
    case 'auth':
      return ({ authors }) => {
        const family = plainWords(authors[(second ?? 1) - 1]?.family ?? '').join('');
        // As in Better BibTeX, 0 means the whole name.
        return nonEmpty(
          Array.from(family)
            .slice(0, first === 0 ? undefined : first)
            .join(''),
        );
      };
    case 'year':
      return ({ year }) => nonEmpty(String(year ?? ''));
    case 'shortyear':
      return ({ year }) => nonEmpty(String(year ?? '').slice(-2));
    case 'title':
      return ({ title }) => titleWords(title).map(capitalize);
    default: {
      const count = first ?? (name === 'shorttitle' ? 3 : 1);
      return ({ title }) =>
        titleWords(title)
          .slice(0, count)
          .map((word, index) => (index < (second ?? 0) ? capitalize(word) : word));
    }
  }
}

function nonEmpty(word: string): string[] {
  return word === '' ? [] : [word];
}

function caseFilter(name: string | undefined): (word: string) => string {
  switch (name) {
    case 'lower':
      return (word) => word.toLowerCase();
    case 'upper':
      return (word) => word.toUpperCase();
    case 'capitalize':
      return capitalize;
    default:
      return (word) => word;
  }
}

function capitalize(word: string): string {
  const [first = '', ...rest] = word;
  return first.toUpperCase() + rest.join('');
}

/** Returns the words of a title without articles and similar words. */
function titleWords(title: string | undefined): string[] {
  const words = plainWords(title ?? '');
  const significant = words.filter((word) => !SMALL_TITLE_WORDS.has(word.toLowerCase()));
  return significant.length > 0 ? significant : words;
}

/** Returns the words of a text in their own case, without accents and marks, which citation keys can't contain. */
function plainWords(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}'’]{1,1000}/gu, '')
    .normalize('NFC');
  return plain.match(/[\p{L}\p{N}]{1,1000}/gu) ?? [];
}

/** Joins the parts of a key. In notes, a key can't have punctuation at its ends or in a row. */
function joinParts(words: readonly string[]): string {
  return words
    .join('')
    .replaceAll(/([._:-])[._:-]{1,99}/g, '$1')
    .replace(/^[._:-]/, '')
    .slice(0, MAX_KEY_LENGTH)
    .replace(/[._:-]$/, '');
}
