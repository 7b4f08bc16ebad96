import { firstIndex } from '../../language/first-index.ts';
import { randomInt } from 'node:crypto';
import { cutPassage, type FoundPassage } from '../../notebook/passage.ts';
import { estimateTokens } from '../../language/tokens.ts';

/** Tokens between two passages. */
const BETWEEN = 2;
/** A passage that does not fit is cut where at least so many tokens of it are left. */
const LEAST_OF_PASSAGE = 60;

interface FencedPassages {
  /** The passages as a model is shown them, each between marks that tell its number, title and place. */
  readonly fenced: string;
  /** Those that found room, cut as they are shown; number `n` is at `n - 1`. */
  readonly passages: readonly FoundPassage[];
}

/**
 * The name of a pair of marks around what is data for a model. It cannot be guessed, so no source can close it. Digits by
 * threes: tokenizers agree on how many tokens those are, whereas of letters each has its own mind.
 */
export function newFence(name: string): string {
  return `${name}-${String(randomInt(1e8, 1e9))}`;
}

/** Fences passages, best first, within a number of tokens; the first always, cut where it must be. */
export function fencePassages(given: readonly FoundPassage[], tokens: number, fence: string): FencedPassages {
  let left = tokens;
  const fenced: string[] = [];
  const passages: FoundPassage[] = [];
  for (const passage of given) {
    const number = passages.length + 1;
    const frame = estimateTokens(fencePassage({ ...passage, text: '' }, number, fence)) + BETWEEN;
    const cut =
      withinTokens(passage, left - frame) ?? (number === 1 ? cutWithin(passage, left - frame) : undefined);
    if (cut === undefined) continue;
    const text = fencePassage(cut, number, fence);
    fenced.push(text);
    passages.push(cut);
    left -= estimateTokens(text) + BETWEEN;
  }
  return { fenced: fenced.join('\n\n'), passages };
}

/** A passage, or its first whole units where it is longer than so many tokens; undefined where too little would be left. */
function withinTokens(passage: FoundPassage, tokens: number): FoundPassage | undefined {
  const { text, start } = passage;
  if (tokensAsShown(text) <= tokens) return passage;
  if (tokens < LEAST_OF_PASSAGE) return undefined;
  const ends = cutPassage(passage).map(({ end }) => end);
  const over = firstIndex(ends.length, (index) => tokensAsShown(text.slice(0, ends[index])) > tokens);
  const end = ends[over - 1];
  if (end === undefined || tokensAsShown(text.slice(0, end)) < LEAST_OF_PASSAGE) return undefined;
  return { ...passage, end: start + end, text: text.slice(0, end) };
}

/** What has too many tokens loses so much each time: 90 of 100 characters stay. */
const STAYS = 0.9;

/** A passage without whole units that are short enough, cut within a word where it must be. */
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

/** Words of sources that are not to be cited, between the marks of passages. */
export function fenceWords(words: string, fence: string): string {
  return `<${fence}>\n${withoutMarks(words)}\n</${fence}>`;
}

/** A passage between marks that tell its number, title and place. */
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

/** Sets apart what would read as a citation of ours, so that a source cannot cite in our name; code keeps its meaning. */
export function withoutMarks(text: string): string {
  return text.replace(/[[【](\^?\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*)[\]】]/g, '[ $1 ]');
}
