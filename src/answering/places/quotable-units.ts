import { cutPassage, type FoundPassage } from '../../notebook/passage.ts';
import { codeBlocks } from './code-blocks.ts';
import { splitWords } from '../../language/words/words.ts';
import type { TextFormat, Unit } from '../../language/units.ts';

/**
 * A block of HTML within Markdown lays out badges, pictures and the words of sponsors, such as
 * `<p align="center"><a href="…">Docs</a> · <a href="…">Chat</a></p>`.
 */
const RAW_HTML = /^<\/?(?:a|br|center|div|h\d|img|p|picture|sub|sup)\b/i;
/** From so many words on it tells something all the same, as a paragraph that is centred does: "<p align="center">Turndown is…". */
const LEAST_WORDS_OF_HTML = 30;
/** What has links tells something from so many words beside them on: "[The guide](guide.md) explains it", not "[Docs](docs.md) |". */
const LEAST_WORDS_BESIDE_LINKS = 2;
/** In words, the page's number among them: "Chapter 3 The Eastern Channel and Its Gates 47". */
const LONGEST_RUNNING_TITLE = 9;
/** Dots that lead to a page number: "The gate ..... 12", and not the three of "and so on...". */
const LEADERS = /(?:\.\s?){5,}/;

/** The units of a passage without what says nothing: badges, links alone, running titles. Code comes in blocks. */
export function tellingUnits(passage: FoundPassage): readonly Unit[] {
  const { text, format } = passage;
  if (format === 'code') return codeBlocks(text).map((block) => ({ ...block, kind: 'line' as const }));
  return cutPassage(passage).filter((unit) => !isBare(text, unit, format));
}

/** Whether a unit holds nothing but links, images and tags, as badges and tables of contents do. */
function isBare(text: string, { start, end, kind }: Unit, format: TextFormat): boolean {
  if (kind === 'heading' || kind === 'fence' || kind === 'row') return false;
  const unit = text.slice(start, end);
  if (LEADERS.test(unit) || (format === 'prose' && isRunningTitle(unit))) return true;
  if (!/[[<]/.test(unit)) return false;
  const rest = withoutLinks(unit).replace(/<[^<>]*>|https?:\/\/\S+|!?\[[^\]]*\]?\(?/g, ' ');
  return splitWords(rest).length < (RAW_HTML.test(unit) ? LEAST_WORDS_OF_HTML : LEAST_WORDS_BESIDE_LINKS);
}

/** Whether a unit is the line at the edge of a page: a few words, most with a capital, and the page's number. */
function isRunningTitle(unit: string): boolean {
  const words = unit.split(/\s+/);
  if (words.length > LONGEST_RUNNING_TITLE || !/^\p{Lu}[^.!?;|\n]*\s\d{1,4}$/u.test(unit)) return false;
  return 2 * words.filter((word) => /^\p{Lu}/u.test(word)).length >= words.length;
}

/** A text of Markdown with a blank for each link and image, within whose brackets others may stand. In linear time. */
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

/** Where each bracket that is closed ends. */
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

function indexOrEnd(text: string, wanted: string, from: number): number {
  const found = text.indexOf(wanted, from);
  return found < 0 ? text.length : found;
}
