import { cutPassage, type FoundPassage } from '../../core/domain/passage.ts';
import { codeBlocks } from './code-blocks.ts';
import { splitWords } from '../../core/language/words/words.ts';
import type { TextFormat, Unit } from '../../core/language/units.ts';

/**
 * Matches a block of HTML within Markdown, which is layout for badges, pictures, and sponsors, such as `<p
 * align="center"><a href="…">Docs</a> · <a href="…">Chat</a></p>`.
 */
const RAW_HTML = /^<\/?(?:a|br|center|div|h\d|img|p|picture|sub|sup)\b/i;
/**
 * Minimum number of words in HTML that is worth quoting, such as a centered paragraph: "<p align="center">Turndown
 * is…".
 */
const MIN_HTML_WORDS = 30;
/**
 * Minimum number of words besides links in a unit worth quoting: "[The guide](guide.md) explains it", not
 * "[Docs](docs.md) |".
 */
const MIN_WORDS_BESIDE_LINKS = 2;
/** Maximum number of words, including the page number: "Chapter 3 The Eastern Channel and Its Gates 47". */
const MAX_RUNNING_TITLE_LENGTH = 9;
/** Matches dots before a page number, "The gate ..... 12", but not the three of "and so on...". */
const LEADERS = /(?:\.\s?){5,}/;

/**
 * Returns the units of a passage worth quoting, without badges, bare links, and running titles. Code is split into
 * blocks.
 */
export function quotableUnits(passage: FoundPassage): readonly Unit[] {
  const { text, format } = passage;
  if (format === 'code') return codeBlocks(text).map((block) => ({ ...block, kind: 'line' as const }));
  return cutPassage(passage).filter((unit) => !isBare(text, unit, format));
}

/** Reports whether a unit contains only links, images, and tags, such as badges and tables of contents. */
function isBare(text: string, { start, end, kind }: Unit, format: TextFormat): boolean {
  if (kind === 'heading' || kind === 'fence' || kind === 'row') return false;
  const unit = text.slice(start, end);
  if (LEADERS.test(unit) || (format === 'prose' && isRunningTitle(unit))) return true;
  if (!/[[<]/.test(unit)) return false;
  const rest = withoutLinks(unit).replace(/<[^<>]*>|https?:\/\/\S+|!?\[[^\]]*\]?\(?/g, ' ');
  return splitWords(rest).length < (RAW_HTML.test(unit) ? MIN_HTML_WORDS : MIN_WORDS_BESIDE_LINKS);
}

/**
 * Reports whether a unit is the running title of a page: a few words, most of them capitalized, and the page number.
 */
function isRunningTitle(unit: string): boolean {
  const words = unit.split(/\s+/);
  if (words.length > MAX_RUNNING_TITLE_LENGTH || !/^\p{Lu}[^.!?;|\n]*\s\d{1,4}$/u.test(unit)) return false;
  return 2 * words.filter((word) => /^\p{Lu}/u.test(word)).length >= words.length;
}

/** Returns Markdown with a space in place of each link and image, which can be nested. Runs in linear time. */
export function withoutLinks(text: string): string {
  const closing = closingBrackets(text);
  let rest = '';
  let from = 0;
  let nextParenthesis = -1;
  for (let open = text.indexOf('['); open >= 0; open = text.indexOf('[', Math.max(open + 1, from))) {
    const after = (closing.get(open) ?? NaN) + 1;
    let end: number | undefined;
    if (text[after] === '[') end = closing.get(after);
    else if (text[after] === '(') {
      if (nextParenthesis < after) nextParenthesis = indexOrEnd(text, ')', after);
      end = nextParenthesis < text.length ? nextParenthesis : undefined;
    }
    if (end === undefined) continue;
    rest += `${text.slice(from, open > from && text[open - 1] === '!' ? open - 1 : open)} `;
    from = end + 1;
  }
  return rest + text.slice(from);
}

/** Returns the end of each closed bracket by its start. */
function closingBrackets(text: string): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '[') open.push(i);
    else if (text[i] === ']') {
      const start = open.pop();
      if (start !== undefined) closing.set(start, i);
    }
  }
  return closing;
}

function indexOrEnd(text: string, searched: string, from: number): number {
  const position = text.indexOf(searched, from);
  return position < 0 ? text.length : position;
}
