import { withoutAccents } from '../language/words/folding.ts';
import { NAME_PARTICLES, SMALL_TITLE_WORDS } from '../language/words/word-lists.ts';
/** Author or editor. An organization has only a family name. */
export interface Person {
  readonly family: string;
  readonly givenName?: string | undefined;
}

/** Item of a reference list in CSL JSON (`title`, `author`, `issued`, and so on) with its citation key as `id`. */
export interface CslItem {
  readonly id: string;
  readonly type: string;
  readonly [variable: string]: unknown;
}

/** Metadata of a work in a reference list. */
export interface Bibliography {
  readonly title: string | undefined;
  readonly authors: readonly Person[];
  readonly year: number | undefined;
  /** DOI without a URL, for example `10.1000/182`. */
  readonly doi: string | undefined;
  /** arXiv ID without a version, for example `2305.16291`. */
  readonly arxiv: string | undefined;
  /** All data from a lookup or a library. The fields above take precedence. */
  readonly item?: CslItem | undefined;
}

/** Work that a note can cite by `[@key]`. */
export interface Reference {
  readonly key: string;
  readonly item: CslItem;
  /** The work's document, if it's in the notebook. */
  readonly documentId: number | undefined;
  /** Position in a library, counted from 0; undefined if only a source describes the work. */
  readonly library: { readonly documentId: number; readonly line: number } | undefined;
}

/** Returns the original entry of a work from a .bib file; undefined for all other works. */
export function entryOfItem({ id, custom }: CslItem): string | undefined {
  const entry =
    custom !== null && typeof custom === 'object' && 'bibtex' in custom ? custom.bibtex : undefined;
  if (typeof entry !== 'string' || /\n\s{0,20}@/.test(entry)) return undefined;
  const [, key] = /^@[a-z]{1,40}\s{0,20}[{(]\s{0,20}([^,{}()="\s]{1,200})\s{0,20},/i.exec(entry) ?? [];
  return key === id ? entry : undefined;
}

/** Returns a work without its entry, which may name files of this machine. */
export function withoutEntry(item: CslItem): CslItem {
  const { id, type } = item;
  return { ...Object.fromEntries(Object.entries(item).filter(([name]) => name !== 'custom')), id, type };
}

/** Entry of a library, and the files that it names. */
export interface LibraryEntry {
  readonly item: CslItem;
  readonly line: number;
  readonly files: readonly string[];
}

/** Maximum length of a title, a name, or a number, in UTF-16 code units. */
const MAX_VALUE_LENGTH = 500;

/** Maximum length of a new citation key, in UTF-16 code units. */
export const MAX_KEY_LENGTH = 60;

/**
 * Parses a name in plain text: `Wang, Guanzhi`, `Guanzhi Wang`, or `{World Health Organization}`. Undefined if there is
 * none.
 */
export function parsePerson(name: string): Person | undefined {
  const plain = name.slice(0, MAX_VALUE_LENGTH).replaceAll(/\s+/g, ' ').trim();
  const organisation = /^\{(.*)\}$/.exec(plain)?.[1]?.trim();
  if (organisation !== undefined) return organisation === '' ? undefined : { family: organisation };
  const [family = '', ...rest] = plain.split(',').map((part) => part.trim());
  if (family === '') return undefined;
  if (rest.length > 0) {
    const givenName = rest.filter((part) => part !== '').join(', ');
    return givenName === '' ? { family } : { family, givenName };
  }
  const words = plain.split(' ');
  const particle = words.findIndex((word, index) => index > 0 && NAME_PARTICLES.has(word));
  const split = particle > 0 && particle < words.length - 1 ? particle : words.length - 1;
  // A name in Han, Hangul, or kana has its family name first and usually no space.
  if (split === 0 || /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana} ]+$/u.test(plain))
    return { family: plain };
  return { family: words.slice(split).join(' '), givenName: words.slice(0, split).join(' ') };
}

/** Splits a string into names: `Wang, Guanzhi; Xie, Yuqi`, `Guanzhi Wang, Yuqi Xie and Anna Berg`, `Wang, Guanzhi`. */
export function namesIn(value: string): string[] {
  const text = value.replaceAll(/\s+/g, ' ').trim().replace(/^by /i, '');
  if (text === '' || text.startsWith('{')) return text === '' ? [] : [text];
  const parts = (text.includes(';') ? text.split(';') : text.split(/,(?: and )?| (?:and|&) /u))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  const [first = ''] = parts;
  // "Wang, Guanzhi" and "van der Berg, Anna" are one name each.
  const isTurned =
    parts.length === 2 &&
    text.split(',').length === 2 &&
    !/ (?:and|&) /.test(text) &&
    /^(?:\p{Ll}+ )*\S+$/u.test(first);
  return isTurned ? [text] : parts;
}

/** Parses names as the user enters them: `Wang, Guanzhi; Xie, Yuqi`. */
export function parsePeople(text: string): Person[] {
  return text.split(';').flatMap((name) => parsePerson(name) ?? []);
}

/** Formats names as `parsePeople` reads them. */
export function peopleAsText(people: readonly Person[]): string {
  return people
    .map(({ family, givenName }) =>
      givenName === undefined ? (family.includes(' ') ? `{${family}}` : family) : `${family}, ${givenName}`,
    )
    .join('; ');
}

/** Returns the DOI at the start of a text, with or without its URL; undefined if there is none. */
export function parseDoi(text: string): string | undefined {
  const [, doi] =
    /^\s*(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:\s*)?(10\.\d{4,9}\/(?:[^\s"<>{}|\\^]|<\d[^\s"<>{}|\\^]{0,60}>){1,200})/i.exec(
      text,
    ) ?? [];
  return doi === undefined ? undefined : withoutTail(doi).toLowerCase();
}

/** Removes punctuation of the sentence after a DOI: `10.1000/182).`. */
function withoutTail(doi: string): string {
  let end = doi.length;
  while (end > 0 && /[.,;:'’”]/.test(doi.charAt(end - 1))) end--;
  const bare = doi.slice(0, end);
  if (!/[)\]]$/.test(bare)) return bare;
  const [open, close] = bare.endsWith(')') ? ['(', ')'] : ['[', ']'];
  const isOwn = bare.split(open).length === bare.split(close).length;
  return isOwn ? bare : withoutTail(bare.slice(0, -1));
}

/** Returns the arXiv ID at the start of a text, also in a URL or a DOI; undefined if there is none. */
export function parseArxiv(text: string): string | undefined {
  const [, number] =
    /^\s*(?:https?:\/\/(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\/|(?:https?:\/\/doi\.org\/)?10\.48550\/arxiv\.|arxiv:\s?)?(\d{4}\.\d{4,5}|[a-z-]{2,20}(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?(?:\.pdf)?(?![\w/])/i.exec(
      text,
    ) ?? [];
  return number;
}

/** Returns the DOI of an arXiv ID: arXiv registers one for each of its works. */
export function doiOfArxiv(number: string): string {
  return `10.48550/arxiv.${number.toLowerCase()}`;
}

/**
 * Returns a citation key from the first author, the year, and the first word of the title: `wang2023voyager`. Without
 * an author, the key begins with that word, and the next one follows the year: `netflix2015annual`.
 */
export function citeKey({ authors, year, title }: Pick<Bibliography, 'authors' | 'title' | 'year'>): string {
  const words = keyWords(title ?? '');
  const isSignificant = (word: string): boolean => !SMALL_TITLE_WORDS.has(word) && word !== String(year);
  const significant = words.some(isSignificant) ? words.filter(isSignificant) : words;
  const author = keyWords(authors[0]?.family ?? '').join('');
  const [first = '', second = ''] = author === '' ? significant : [author, significant[0]];
  const key = first + (year === undefined ? '' : String(year)) + second;
  return (key === '' ? 'source' : key).slice(0, MAX_KEY_LENGTH);
}

/**
 * Returns the words of a text in the letters of citation keys. Notes contain these keys, and each reading creates them
 * again, so more folding would break citations.
 */
function keyWords(text: string): string[] {
  return withoutAccents(text).match(/[\p{L}\p{N}]{1,1000}/gu) ?? [];
}

/** Returns a work as an item of a reference list; `url` is the address of a page. */
export function cslItem(key: string, reference: Bibliography, url?: string): CslItem {
  const { title, authors, year, doi, arxiv, item } = reference;
  const address = url ?? (arxiv === undefined ? undefined : `https://arxiv.org/abs/${arxiv}`);
  const type =
    doi !== undefined && arxiv === undefined ? 'article-journal' : url === undefined ? 'document' : 'webpage';
  return {
    ...item,
    id: key,
    type: item?.type ?? (arxiv === undefined ? type : 'article'),
    ...(title !== undefined && { title }),
    ...(authors.length > 0 && {
      author: authors.map(({ family, givenName }) =>
        givenName === undefined ? { literal: family } : { family, given: givenName },
      ),
    }),
    ...(year !== undefined && yearOfItem(item) !== year && { issued: { 'date-parts': [[year]] } }),
    ...(doi !== undefined && { DOI: doi }),
    ...(doi === undefined && address !== undefined && item?.['URL'] === undefined && { URL: address }),
  };
}

/** Returns the metadata of an item of a reference list. */
export function bibliographyOfItem(item: CslItem): Bibliography {
  const { title, DOI: doi, URL: url } = item;
  const number = [item['number'], doi, url].map((value) =>
    typeof value === 'string' ? parseArxiv(value) : undefined,
  );
  const isArxiv = [item['number'], doi, url, item['publisher'], item['container-title']].some(
    (value) => typeof value === 'string' && /arxiv/i.test(value),
  );
  return {
    title: typeof title === 'string' ? title : undefined,
    authors: peopleOfItem(item),
    year: yearOfItem(item),
    doi: typeof doi === 'string' ? parseDoi(doi) : undefined,
    arxiv: isArxiv ? number.find((match) => match !== undefined) : undefined,
    item,
  };
}

/** Returns the year in which an item was issued. */
export function yearOfItem(item: CslItem | undefined): number | undefined {
  const issued = item?.['issued'];
  if (typeof issued !== 'object' || issued === null) return undefined;
  if ('date-parts' in issued && Array.isArray(issued['date-parts'])) {
    const [first] = issued['date-parts'] as unknown[];
    const year = Number(Array.isArray(first) ? (first as unknown[])[0] : undefined);
    return Number.isInteger(year) ? year : undefined;
  }
  const named = 'raw' in issued ? issued.raw : 'literal' in issued ? issued.literal : undefined;
  const year = /\b\d{4}\b/.exec(typeof named === 'string' ? named : '')?.[0];
  return year === undefined ? undefined : Number(year);
}

/** Returns the authors of an item, or its editors if it has none. */
export function peopleOfItem(item: CslItem): Person[] {
  const named = [item['author'], item['editor']].find(
    (people): people is unknown[] => Array.isArray(people) && people.length > 0,
  );
  return (named ?? []).flatMap((person): Person[] => {
    if (typeof person !== 'object' || person === null) return [];
    const part = (name: string): string => {
      const value: unknown = name in person ? (person as Record<string, unknown>)[name] : undefined;
      return typeof value === 'string' ? value : '';
    };
    const family = [part('dropping-particle'), part('non-dropping-particle'), part('family'), part('suffix')]
      .filter((text) => text !== '')
      .join(' ');
    const givenName = part('given');
    if (family === '') return part('literal') === '' ? [] : [{ family: part('literal') }];
    return [givenName === '' ? { family } : { family, givenName }];
  });
}

/** Formats a work in a few words: `Wang et al. (2023)`. */
export function shortName(item: CslItem): string {
  const people = peopleOfItem(item);
  const [first, second] = people;
  const title = typeof item['title'] === 'string' ? item['title'] : item.id;
  const names =
    first === undefined
      ? title
      : second === undefined
        ? `${first.family}${item['has-more-authors'] === true ? ' et al.' : ''}`
        : people.length === 2 && item['has-more-authors'] !== true
          ? `${first.family} & ${second.family}`
          : `${first.family} et al.`;
  const year = yearOfItem(item);
  return year === undefined ? names : `${names} (${String(year)})`;
}
