import { firstIndex } from '../../core/language/first-index.ts';
import { randomInt } from 'node:crypto';
import { cutPassage, type FoundPassage } from '../../core/domain/passage.ts';
import { estimateTokens } from '../../core/language/tokens.ts';

/** Number of tokens between two passages. */
const BETWEEN = 2;
/** Minimum number of tokens that have to remain of a passage that is cut to fit. */
const MIN_PASSAGE_TOKENS = 60;

interface FencedPassages {
  /** Passages for a model, each between marks with its number, title, and location. */
  readonly fenced: string;
  /** Passages that fit, cut in the same way; number `n` is at `n - 1`. */
  readonly passages: readonly FoundPassage[];
}

/**
 * Returns a name for a pair of marks around data for a model. No source can guess it and close the marks. It ends with
 * nine digits: tokenizers agree on the tokens of digits in groups of three, but not of letters.
 */
export function newFence(name: string): string {
  return `${name}-${String(randomInt(1e8, 1e9))}`;
}

/**
 * Puts passages, best first, between marks within a number of tokens. Always includes the first one, cut if necessary.
 */
export function fencePassages(
  retrieved: readonly FoundPassage[],
  tokens: number,
  fence: string,
): FencedPassages {
  let remainingTokens = tokens;
  const fenced: string[] = [];
  const passages: FoundPassage[] = [];
  for (const passage of retrieved) {
    const number = passages.length + 1;
    const frame = estimateTokens(fencePassage({ ...passage, text: '' }, number, fence)) + BETWEEN;
    const cut =
      withinTokens(passage, remainingTokens - frame) ??
      (number === 1 ? cutWithin(passage, remainingTokens - frame) : undefined);
    if (cut === undefined) continue;
    const text = fencePassage(cut, number, fence);
    fenced.push(text);
    passages.push(cut);
    remainingTokens -= estimateTokens(text) + BETWEEN;
  }
  return { fenced: fenced.join('\n\n'), passages };
}

/** Returns a passage, or its first whole units if it has too many tokens; undefined if too little would remain. */
function withinTokens(passage: FoundPassage, tokens: number): FoundPassage | undefined {
  const { text, start } = passage;
  if (tokensAsShown(text) <= tokens) return passage;
  if (tokens < MIN_PASSAGE_TOKENS) return undefined;
  const ends = cutPassage(passage).map(({ end }) => end);
  const over = firstIndex(ends.length, (index) => tokensAsShown(text.slice(0, ends[index])) > tokens);
  const end = ends[over - 1];
  if (end === undefined || tokensAsShown(text.slice(0, end)) < MIN_PASSAGE_TOKENS) return undefined;
  return { ...passage, end: start + end, text: text.slice(0, end) };
}

/** Ratio by which a text with too many tokens is shortened each time: 90 of 100 characters stay. */
const STAYS = 0.9;

/** Cuts a passage whose units are too long, within a word if necessary. */
function cutWithin(passage: FoundPassage, tokens: number): FoundPassage {
  const { text, start } = passage;
  let length = text.length;
  while (length > 1 && tokensAsShown(text.slice(0, length)) > tokens) length = Math.floor(STAYS * length);
  const cut = text
    .slice(0, length)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd();
  return { ...passage, end: start + cut.length, text: cut };
}

function tokensAsShown(text: string): number {
  return estimateTokens(withoutMarks(text));
}

/** Puts text of sources that can't be cited between the marks of passages. */
export function fenceWords(words: string, fence: string): string {
  return `<${fence}>\n${withoutMarks(words)}\n</${fence}>`;
}

/** Puts a passage between marks with its number, title, and location. */
export function fencePassage(passage: FoundPassage, number: number, fence: string): string {
  const { sourceTitle, documentTitle, documentKey, headings } = passage;
  const titles = [...new Set([sourceTitle, documentKey === '' ? documentTitle : documentKey])].join(' › ');
  const place = headings.join(' › ');
  const attributes = [`n="${String(number)}"`, `title="${attribute(titles)}"`];
  if (place !== '') attributes.push(`place="${attribute(place)}"`);
  return `<${fence} ${attributes.join(' ')}>\n${withoutMarks(passage.text)}\n</${fence}>`;
}

function attribute(text: string): string {
  return withoutMarks(text).replace(/\s+/g, ' ').replaceAll('"', "'");
}

/**
 * Separates the characters of text that looks like a citation of Open Notebook, so that sources can't forge citations;
 * code keeps its meaning.
 */
export function withoutMarks(text: string): string {
  return text.replace(/[[【](\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)[\]】]/g, '[ $1 ]');
}
