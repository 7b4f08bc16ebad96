import { documentParts } from '../../core/language/packs/document-words.ts';
import { findMonth } from '../../core/language/dates.ts';
import { plainWords } from '../../core/language/words/folding.ts';
import { beginsWork } from '../../core/language/section-headings.ts';
import { NAME_PARTICLES } from '../../core/language/words/word-lists.ts';
import {
  parseArxiv,
  parseDoi,
  parsePerson,
  type Bibliography,
  type Person,
} from '../../core/domain/bibliography.ts';

/** Length of the part of a first page to analyze, in UTF-16 code units. */
const ANALYZED_LENGTH = 6_000;

/** Maximum number of lines above the text of a page. */
const MAX_LINES = 40;
const MAX_LINE_LENGTH = 600;

/** Words in names of organizations and workplaces. */
const INSTITUTION =
  /\b(?:academy|association|center|centre|college|company|corporation|department|division|faculty|foundation|group|inc|institut\w*|lab(?:s|oratory|oratories)?|ltd|ministry|press|research|school|society|team|technolog\w*|universi\w*)\b/i;

/** Words that never occur in names, for lines that look like names. */
const NO_NAME =
  /\b(?:about|advising|article|authors?|available|based|by|chapter|conference|contents|contribution|copyright|cover|date|draft|edition|equal|example|exam|for|from|how|international|issue|journal|letters?|notes?|open|overview|page|paper|preprint|proceedings|published|received|report|review|science|section|survey|table|the|this|through|towards?|using|version|via|volume|what|with|workshop)\b/i;

/** Matches a word of a name: `Anna`, `O’Neill`, `J.-P.`, `“Jim”`. */
const NAME_WORD = /^(?:[“"(]?\p{Lu}[\p{L}\p{M}.'’-]*[”")]?|\p{Lu}\.)$/u;

/**
 * Returns the metadata on the first page of a work. `title` is the title that the layout of the page shows; if
 * undefined, the lines above the authors become the title.
 */
export function bibliographyOfFirstPage(text: string, title: string | undefined): Bibliography {
  const page = text.slice(0, ANALYZED_LENGTH);
  const lines = page
    .split('\n')
    .map((line) => line.slice(0, MAX_LINE_LENGTH).replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '');
  const { authors, first } = authorsIn(lines, title);
  const doi = doiIn(page);
  const arxiv = arxivIn(page) ?? (doi === undefined ? undefined : parseArxiv(doi));
  const above = first > 0 && first <= 3 ? lines.slice(0, first).join(' ') : undefined;
  return { title: title ?? above, authors, year: yearIn(page, arxiv), doi, arxiv };
}

/** Returns the consecutive author names below the title, and the index of the first line with a name. */
function authorsIn(
  lines: readonly string[],
  title: string | undefined,
): { readonly authors: Person[]; readonly first: number } {
  const begin = title === undefined ? 0 : lineBehind(lines, title);
  const authors: Person[] = [];
  let first = -1;
  for (const [index, line] of lines.entries()) {
    if (index < begin) continue;
    if (beginsWork(line) || index > begin + MAX_LINES) break;
    const names = namesIn(line, authors.length > 0);
    if (names.length === 0) {
      // One other line can separate title and authors.
      if (authors.length > 0 || (title !== undefined && index > begin + 2)) break;
      continue;
    }
    if (first < 0) first = index;
    authors.push(...names);
  }
  return { authors, first };
}

/** Returns the index of the first line after the title, which can span several lines. */
function lineBehind(lines: readonly string[], title: string): number {
  const lettersIn = (text: string): string => plainWords(text).join('');
  const titleLetters = lettersIn(title);
  for (let start = 0; start < Math.min(lines.length, MAX_LINES); start++) {
    let joined = '';
    for (let end = start; end < Math.min(lines.length, start + 4); end++) {
      joined += lettersIn(lines[end] ?? '');
      if (joined === titleLetters) return end + 1;
      if (!titleLetters.startsWith(joined)) break;
    }
    // Title and authors share one line, for example if the text was joined into a paragraph.
    if (joined.length > titleLetters.length && joined.startsWith(titleLetters)) return start;
  }
  return 0;
}

const AND = `${documentParts(({ beforeLast }) => beforeLast)}|&`;
export const BETWEEN_NAMES = new RegExp(`[,;•·]| (?:${AND}) `, 'u');
export const BEFORE_LAST_NAME = new RegExp(`^(?:${AND}) `, 'u');

/**
 * Returns the names in a line that consists of names only; else an empty list. `isContinued` is `true` if the line above has
 * names.
 */
function namesIn(line: string, isContinued: boolean): Person[] {
  const named = line.replace(/^(?:by\s|authors?(?:\(s\))?:)\s{0,9}/i, '');
  if (INSTITUTION.test(named) || NO_NAME.test(named) || /[@:]|https?|www\./.test(named)) return [];
  const parts = named
    .split(BETWEEN_NAMES)
    .map((part) => part.trim().replace(BEFORE_LAST_NAME, ''))
    // Remove marks of footnotes and workplaces: `Wang1 2`, `Liu^{1*}`, `4∗`.
    .map((part) => (part.split(/[\d\p{No}*∗⋆†‡§¶✉#^{}|/\\]/u, 1)[0] ?? '').replace(/ [a-z] ?$/u, '').trim())
    .filter((part) => !/^[a-z]$/.test(part))
    .filter((part) => part !== '');
  const isAlone = parts.length === 1 && !isContinued;
  const names = parts.map((part) => parseName(part, isAlone));
  return names.length > 0 && names.every((name) => name !== undefined) ? names : [];
}

function parseName(part: string, isAlone: boolean): Person | undefined {
  // Korean and Chinese names with spaces between letters: 김 창 호.
  if (/^[\p{sc=Han}\p{sc=Hangul}](?: ?[\p{sc=Han}\p{sc=Hangul}]){1,3}$/u.test(part))
    return { family: part.replaceAll(' ', '') };
  const words = part.split(/\s+/);
  const isName =
    words.length >= 2 &&
    words.length <= (isAlone ? 4 : 6) &&
    words.every((word) => NAME_WORD.test(word) || NAME_PARTICLES.has(word));
  // Names on separate lines can be joined in one paragraph: "Mike Cain Dan Cruikshank" is two.
  if (words.filter((word) => /^\p{Lu}\p{Ll}{2}/u.test(word)).length > 3) return undefined;
  // "Amazon Alexa AI" is a workplace.
  if (/\s\p{Lu}{2,3}$/u.test(part) && part !== part.toUpperCase()) return undefined;
  const isShouted = isAlone && part === part.toUpperCase() && part.length > 12;
  return isName && !isShouted && part.length < 60 ? parsePerson(part) : undefined;
}

/** Returns the first DOI of a page. DOIs of cited works usually follow. */
function doiIn(page: string): string | undefined {
  const at = /\b10\.\d{4,9}\//.exec(page)?.index;
  return at === undefined ? undefined : parseDoi(page.slice(at, at + 300));
}

/** Returns the arXiv ID in the stamp at a page's edge, or one that doesn't belong to a cited work. */
function arxivIn(page: string): string | undefined {
  const [stamp] =
    /arXiv:\s?(?:[\w.-]{2,20}v\d+\s{0,9}\[[a-z-]+(?:\.[A-Za-z-]+)?\]|[a-z.-]{2,20}\/\d{7})/i.exec(page) ?? [];
  if (stamp !== undefined) return parseArxiv(stamp);
  const named = /(?<!preprint )\barXiv:\s?\d{4}\.\d{4,5}/i.exec(page)?.[0];
  return named === undefined ? undefined : parseArxiv(named);
}

/** Returns the year near the publication date on a page, or the year of its arXiv ID. */
function yearIn(page: string, arxiv: string | undefined): number | undefined {
  const statedYear =
    /\b(?:published|copyright|accepted|proceedings|conference|©|\(c\))[^\n.]{0,60}?\b((?:19|20)\d\d)\b/i.exec(
      page,
    )?.[1] ??
    /(?:©|발행일?)\s*((?:19|20)\d\d)/u.exec(page)?.[1] ??
    yearOfMonth(page.slice(0, 1_500)) ??
    /\(((?:19|20)\d\d)\) ?\d+[:,]/.exec(page.slice(0, 1_500))?.[1] ??
    /\b(?:vol(?:ume|\.)?|no\.|issue) ?\d+[^\n]{0,30}?\b((?:19|20)\d\d)\b/i.exec(page)?.[1] ??
    /\bdate: \d{1,2}[/.]\d{1,2}[/.]((?:19|20)\d\d)\b/i.exec(page)?.[1];
  const number = /^(\d\d)\d\d\./.exec(arxiv ?? '')?.[1] ?? /\/(\d\d)\d{5}$/.exec(arxiv ?? '')?.[1];
  if (number !== undefined) return Number(number) + (Number(number) > 90 ? 1900 : 2000);
  return statedYear === undefined ? undefined : Number(statedYear);
}

/**
 * Returns the year after the first month name in a text: `March 2019`, `Mar. 5, 2019`, `März 2019`, `марта 2019`. Three
 * lowercase letters usually aren't a month: "set" is September in Portuguese.
 */
function yearOfMonth(text: string): string | undefined {
  for (const [, word = '', year] of text.matchAll(
    /(?<![\p{L}\p{M}])(\p{L}[\p{L}\p{M}]{2,15})\.?,? (?:de )?(?:\d{1,2}, )?((?:19|20)\d\d)(?!\d)/gu,
  ))
    if (findMonth(word) !== undefined && (word.length > 3 || /^\p{Lu}/u.test(word))) return year;
  return undefined;
}
