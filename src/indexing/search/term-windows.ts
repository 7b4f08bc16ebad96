import type { Span } from '../../language/span.ts';
import type { WordTokenizer } from '../../language/words/tokenizer.ts';
import { STOP_MARK } from '../../language/words/word-terms.ts';

/** Count of each of a question's terms in a text. */
export type TermCounts = ReadonlyMap<string, number>;

/**
 * Counts of a question's terms in a text, and the text's number of terms. Stop words only count if the question has no
 * other words.
 */
export interface CountedTerms {
  readonly counts: TermCounts;
  readonly length: number;
}

/** Counts the terms of a question, the keys of `weights`, in a text. */
export function countTerms(
  text: string,
  weights: ReadonlyMap<string, number>,
  tokenizer: WordTokenizer,
): CountedTerms {
  const counts = new Map<string, number>();
  let length = 0;
  const count = (term: string): void => {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  };
  // Other spellings of words don't make a text longer.
  const countSpelling = (term: string): void => {
    if (weights.has(term)) count(term);
  };
  for (const term of tokenizer.termsOfPassage(text, countSpelling)) {
    if (weights.has(term)) count(term);
    else if (term.startsWith(STOP_MARK)) continue;
    length++;
  }
  return { counts, length };
}

/** Returns the BM25 score of a text's terms; `length` is relative to the average length. */
export function bm25(
  counts: TermCounts,
  length: number,
  weights: ReadonlyMap<string, number>,
  { k, b }: { readonly k: number; readonly b: number },
): number {
  const norm = k * (1 - b + b * length);
  let score = 0;
  for (const [term, count] of counts) score += ((weights.get(term) ?? 0) * count * (k + 1)) / (count + norm);
  return score;
}

/** Sequence of spans in one text that touch or overlap. */
export interface Stretch<T extends Span> extends Span {
  readonly parts: readonly T[];
}

/** Maximum gap between passages of one stretch, in UTF-16 code units: a blank line, `\n\n`. */
const BLANK_LINE = 2;

/** Joins spans of one text that touch or overlap, or have only a blank line between them. */
export function stretches<T extends Span>(spans: readonly T[]): Stretch<T>[] {
  const joined: { start: number; end: number; parts: T[] }[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start <= last.end + BLANK_LINE) {
      last.end = Math.max(last.end, span.end);
      last.parts.push(span);
    } else joined.push({ start: span.start, end: span.end, parts: [span] });
  }
  return joined;
}
