import { endsInAbbreviation, isAbbreviationUntold } from './abbreviations.ts';
import { endOfMarks, markdownLines, type MarkdownLine } from './markdown-lines.ts';
import { monthNames, plainMonth } from './months.ts';
import { documentParts } from './packs/document-words.ts';
import type { Span } from './span.ts';

/**
 * Maximum length of text for one call of the segmenter, in UTF-16 code units, to limit the memory. Longer text is
 * split at white space.
 */
const MAX_SEGMENT_LENGTH = 50_000;

/** Length of the text before a possible sentence end that decides about it, in UTF-16 code units. */
const MAX_PREFIX_LENGTH = 40;
/** Maximum length between backticks. A longer span is unclosed code. */
const MAX_CODE_LENGTH = 200;

/** Created on first use, because the first segmenter of a process takes tens of milliseconds. */
let segmenter: Intl.Segmenter | undefined;

const INITIAL = /(?:^|[\s([{"'“‘.-])\p{Lu}\.\s*$/u;
/** A single capital that ends a sentence more often than it begins a name: "vitamin C.", "and I." */
const NO_INITIAL = /(?:^|\s)(?:I|\p{Ll}{3,}\s+\p{Lu})\.\s*$/u;
/** A period that makes a number an ordinal: "am 1. Mai", "im 3. Stock". */
export const ORDINAL = new RegExp(
  String.raw`(?:^|\s)(?:${documentParts(({ abbreviations }) => abbreviations?.beforeOrdinal)})\s+\d{1,2}\.\s+$`,
  'u',
);
let knownMonths: ReadonlySet<string> | undefined;
/** The number or letter of a list item, usually in Markdown. */
const ITEM_NUMBER = /^(?:(?:\d{1,3}|\p{L})[.)]\s*)?$/u;
/** A mark that doesn't end a sentence: of a Markdown image, or of an operator such as `!==` and `?.`. */
const IN_CODE = /(?:^|[\s[(])!\[.?$|[!?][=.(\w]$/;
const OPEN_BRACKET = /[.!?]["'”’»)\]]*[[(]$/u;
const REFERENCE = /^[^\s[\]()][^[\]()]{0,30}[\])](?:\[[^\s[\]][^[\]]{0,30}\])*\s*/u;
/** Marks directly after the end of a sentence that belong to it, such as emphasis in "**So.** Then". */
const CLOSING_EMPHASIS = /^[*_~]+["'”’»)\]]*(?=\s|$)\s*/u;
/** Reference numbers directly after the end of a sentence, as in "so.[3]". */
const LEADING_REFERENCE = /^(?:\[[^\s[\]][^[\]]{0,30}\]\s*)+/u;

/*
 * Patterns that detect the ends of sentences only by punctuation. They are much faster than the rules above, but wrong
 * after "e.g.". They are for texts that are only cut or searched at these positions.
 */
const MARKED_END = /[.!?](?=\s)|[。！？]/;
const MARKED_BEGINNING = /\n\s*|[.!?…]["'”’»)\]]*\s+|[。！？]["'”’」』）]*\s*/gu;
const MARKED_QUESTION = /(?<![^.!?。？！\n])[^.!?。？！\n]+[?？]/gu;

/** Marks at the end of words that can end a sentence: "so.”", "so…)", "です。", "है।", "؟" in Arabic. */
const MARK_AT_END = /[.!?…。！？।॥؟۔։]["'”’»)\]」』）】》〉]*$/u;
/** After these, a capital letter says nothing about the word: an end mark or colon with its surrounding marks. */
const BEFORE_CAPITAL = /[.!?…:。！？։]["'”’»)*_]*\s+["'“„*_(]*$/u;

/** Part of a text that sentences don't cross. Paragraphs and items have several sentences. */
export interface Block extends Span {
  readonly kind: 'code' | 'heading' | 'item' | 'paragraph' | 'row' | 'rule' | 'ruler';
}

/** End of a sentence, and where the segmenter continues, which can differ. */
export interface Cut {
  readonly end: number;
  readonly from: number;
}

/**
 * Returns the sentences of prose or Markdown within a span, in order and without surrounding white space. Headings,
 * list items, table rows, and blank lines end a sentence. A fenced code block is one sentence. Line breaks within a
 * paragraph and marks within code don't end one. Each character except white space belongs to exactly one sentence.
 */
export function cutSentences(text: string, span?: Span): Span[] {
  return cutBlocks(text, span).flatMap((block) => sentencesOfBlock(text, block));
}

/** Returns the blocks of prose or Markdown within a span, in order. */
export function cutBlocks(text: string, span: Span = { start: 0, end: text.length }): Block[] {
  const blocks: Block[] = [];
  const scanner = new BlockScanner();
  for (const line of markdownLines(text, span)) blocks.push(...scanner.take(line));
  return [...blocks, ...scanner.end(span.end)];
}

/** Returns the sentences of a block. Blocks other than paragraphs and items are one sentence. */
export function sentencesOfBlock(text: string, { kind, start, end }: Block): Span[] {
  const sentences: Span[] = [];
  const add = (from: number, to: number): void => {
    const sentence = trimSpan(text, from, to);
    if (sentence !== undefined) sentences.push(sentence);
  };
  let begin = start;
  if (kind === 'paragraph' || kind === 'item')
    for (const cut of findCuts(text, { end: begin, from: begin }, end, false)) {
      add(begin, cut.end);
      begin = cut.end;
    }
  add(begin, end);
  return sentences;
}

/** Combines lines to blocks, one line after another. */
export class BlockScanner {
  #open: Pick<Block, 'kind' | 'start'> | undefined;

  /** The block of the last line, which the next line may continue. */
  get open(): Pick<Block, 'kind' | 'start'> | undefined {
    return this.#open;
  }

  /** Adds a line. Returns the blocks that it ends, including its own. */
  take({ kind, start, next }: MarkdownLine): Block[] {
    if (kind === 'code' || (kind === 'text' && this.#open !== undefined && this.#open.kind !== 'code'))
      return [];
    if (kind === 'closing') return this.end(next);
    const ended = this.end(start);
    if (kind === 'opening') this.#open = { kind: 'code', start };
    else if (kind === 'item') this.#open = { kind, start };
    else if (kind === 'text') this.#open = { kind: 'paragraph', start };
    else if (kind !== 'blank') ended.push({ kind, start, end: next });
    return ended;
  }

  /** Ends the open block and returns it. */
  end(end: number): Block[] {
    const ended = this.#open === undefined ? [] : [{ ...this.#open, end }];
    this.#open = undefined;
    return ended;
  }
}

/**
 * Yields the ends of the sentences of a paragraph, except its last one. If it starts after an earlier end, it finds
 * the same ends as from the start of the paragraph.
 * @param isOpen whether text may follow after `end`; then text that may become code counts as code
 */
export function* findCuts(text: string, last: Cut, end: number, isOpen: boolean): Generator<Cut> {
  let cut = last;
  for (let from = Math.min(cut.end, cut.from); from < end;) {
    const to = end - from <= MAX_SEGMENT_LENGTH ? end : stretchEnd(text, from);
    for (cut of cutsOfStretch(text, { start: from, end: to }, cut, isOpen && to === end)) yield cut;
    from = to;
    if (to === end) return;
    cut = { end: to, from: to };
    yield cut;
  }
}

/** Reports whether a cut in an incomplete paragraph is final, whatever follows. */
export function isCutSure(text: string, begin: number, cut: number, end: number): boolean {
  const prefix = text.slice(Math.max(begin, cut - MAX_PREFIX_LENGTH), cut);
  const rest = text.slice(cut, end);
  if (/^[[(][^\])]{0,80}$/.test(rest)) return false;
  // After "3." a month may follow, and after "Fig." a number.
  return (/\d\.\s*$/.test(prefix) || isAbbreviationUntold(prefix) ? /\p{L}\P{L}/u : /\p{L}/u).test(rest);
}

/**
 * Returns an offset after white space, or at least between two characters, at most `MAX_SEGMENT_LENGTH` further on.
 */
function stretchEnd(text: string, from: number): number {
  const limit = from + MAX_SEGMENT_LENGTH;
  for (let at = limit; at > from + MAX_SEGMENT_LENGTH / 2; at--)
    if (/\s/.test(text.charAt(at - 1))) return at;
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code < 0xe000 ? limit - 1 : limit;
}

function* cutsOfStretch(text: string, { start, end }: Span, last: Cut, isOpen: boolean): Generator<Cut> {
  // The segmenter ends a sentence at every line break.
  const words = text.slice(start, end).replace(/[\r\n\u2028\u2029\u0085]/g, ' ');
  const code = codeIn(words, isOpen);
  const from = Math.max(0, last.from - start);
  let begin = Math.max(0, last.end - start);
  let near = 0;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'sentence' });
  for (const segment of segmenter.segment(words.slice(from))) {
    const index = from + segment.index;
    if (segment.index === 0 || index <= begin) continue;
    while ((code[near]?.end ?? Infinity) <= index) near++;
    if ((code[near]?.start ?? Infinity) < index) continue;
    const cut = boundary(words, begin, index);
    if (cut === undefined) continue;
    begin = cut;
    yield { end: start + cut, from: start + index };
  }
}

/** Returns the code spans of a paragraph, between runs of backticks of equal length. ``Quotes of TeX'' aren't code. */
function codeIn(words: string, isOpen: boolean): Span[] {
  const code: Span[] = [];
  const opening = /(?<![\\`])`+/g;
  for (let match = opening.exec(words); match !== null; match = opening.exec(words)) {
    const { 0: mark, index: start } = match;
    const inside = start + mark.length;
    const near = words.slice(inside, start + MAX_CODE_LENGTH);
    const closing = placeOfRun(near, mark);
    if (mark === '``' && near.slice(0, closing).includes("''")) continue;
    if (closing !== undefined) {
      opening.lastIndex = inside + closing + mark.length;
      code.push({ start, end: opening.lastIndex });
    } else if (isOpen && words.length - start <= MAX_CODE_LENGTH)
      return [...code, { start, end: words.length }];
  }
  return code;
}

/** Returns the position of the first run of backticks that is as long as a mark. */
function placeOfRun(text: string, mark: string): number | undefined {
  for (const { 0: run, index } of text.matchAll(/`+/g)) if (run === mark) return index;
  return undefined;
}

/**
 * Reports whether words begin with a German month, Austrian ones included, so that the period marks an ordinal: "3.
 * Jänner".
 */
function isGermanMonth(words: string): boolean {
  const [word] = /^\p{Lu}\p{L}+/u.exec(words) ?? [];
  if (word === undefined) return false;
  knownMonths ??= new Set(['de', 'de-AT'].flatMap((code) => monthNames(code, 'long')).map(([name]) => name));
  return knownMonths.has(plainMonth(word));
}

/** Reports whether words with a final period are the number of a list item: "> 2.", "- a.". */
function isItemNumber(words: string): boolean {
  return ITEM_NUMBER.test(words.slice(endOfMarks(words)));
}

/**
 * Returns the actual end of a sentence that starts at `begin` and that the segmenter ends at `index`; undefined if it
 * continues.
 */
function boundary(words: string, begin: number, index: number): number | undefined {
  const tail = words.slice(Math.max(begin, index - MAX_PREFIX_LENGTH), index);
  const following = words.slice(index, index + 80);
  const emphasis = CLOSING_EMPHASIS.exec(following)?.[0].length ?? 0;
  if (emphasis === 0 && IN_CODE.test(words.slice(Math.max(begin, index - 3), index + 1))) return undefined;
  if (OPEN_BRACKET.test(tail)) {
    const reference = REFERENCE.exec(words.slice(index, index + 40));
    return reference === null ? index - 1 : index + reference[0].length;
  }
  if (/\.\s*$/.test(tail)) {
    if (index - begin <= 12 && isItemNumber(words.slice(begin, index))) return undefined;
    if (ORDINAL.test(tail) || (/\d\.\s*$/.test(tail) && isGermanMonth(words.slice(index, index + 12))))
      return undefined;
    if (INITIAL.test(tail) && !NO_INITIAL.test(tail)) return undefined;
    if (endsInAbbreviation(tail, following)) return undefined;
  }
  if (/\s$/.test(tail)) return index;
  return index + emphasis + (LEADING_REFERENCE.exec(following.slice(emphasis))?.[0].length ?? 0);
}

/** Returns the start of the first sentence or line that begins in a span; undefined if none does. */
export function firstBeginning(text: string, { start, end }: Span): number | undefined {
  MARKED_BEGINNING.lastIndex = 0;
  const match = MARKED_BEGINNING.exec(text.slice(start, end));
  return match === null ? undefined : start + match.index + match[0].length;
}

/** Returns the end of the first sentence that ends within a span; undefined if none does. */
export function firstEnd(text: string, { start, end }: Span): number | undefined {
  const at = text.slice(start, end).search(MARKED_END);
  return at < 0 ? undefined : start + at + 1;
}

/** Reports whether words end with a mark that can end a sentence. */
export function endsWithMark(words: string): boolean {
  return MARK_AT_END.test(words);
}

/** Reports whether a word after these words may be capitalized because it begins a sentence. */
export function mayBeginSentence(before: string): boolean {
  return BEFORE_CAPITAL.test(before);
}

/** Returns the sentences of a text that end with a question mark. */
export function markedQuestions(text: string): string[] {
  return Array.from(text.matchAll(MARKED_QUESTION), ([sentence]) => sentence.trim());
}

/** Returns a span without surrounding white space; undefined if nothing else is in it. */
export function trimSpan(text: string, start: number, end: number): Span | undefined {
  let from = start;
  let to = end;
  while (from < to && isBlank(text, from)) from++;
  while (to > from && isBlank(text, to - 1)) to--;
  return from < to ? { start: from, end: to } : undefined;
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(text.charAt(at)));
}
