import type { FoundPassage, Gathered } from '../../core/domain/passage.ts';
import { overlap } from '../../core/language/span.ts';
import { termsIn } from '../../core/language/words/words.ts';

/** Reading limits of one question. */
interface ReadingLimits {
  readonly passages: number;
  /** Total length of all passages, in UTF-16 code units. */
  readonly characters: number;
}

/**
 * Number of passages to find for each wanted one: three of one section are joined, and so are three copies of a page.
 */
const FOUND_FOR_EACH = 3;

/** Returns the number of passages to find, so that enough remain after joining neighbors and dropping duplicates. */
export function passagesToFind(limit: number): number {
  return FOUND_FOR_EACH * limit;
}

/**
 * Ranks that a passage loses for each passage of its source before it. The fourth best passage, after three of its
 * source, comes after the fifth best of another source, and before the sixth best.
 */
const SAME_SOURCE_RANKS = 0.5;
/** Minimum share of common terms in duplicate passages: a page and its print version, two releases of a manual. */
const SAME_TERMS = 0.9;
/** Maximum length of joined passages, in UTF-16 code units: four of the usual length, but not the whole chapter. */
const MAX_JOINED_LENGTH = 6000;

/**
 * Selects the found passages to read, best first: joins neighbors of one document, drops duplicates, moves a dominant
 * source back a little, and applies the limits.
 */
export function selectPassages(passages: readonly FoundPassage[], limits: ReadingLimits): FoundPassage[] {
  return withinCharacters(
    spreadOverSources(dropRepetitions(mergeNeighbors(passages))).slice(0, limits.passages),
    limits.characters,
  );
}

/**
 * Returns the passages that a model reads: all in document order, or the best first, with neighbors joined and sources
 * alternating.
 */
export function readInOrder({ passages, isAll }: Gathered): readonly FoundPassage[] {
  return isAll ? passages : spreadOverSources(mergeNeighbors(passages));
}

/** Joins passages of one document that overlap or touch. The result has the rank of its best part. */
export function mergeNeighbors(passages: readonly FoundPassage[]): FoundPassage[] {
  const joined: FoundPassage[] = [];
  for (const passage of passages) {
    let grown = passage;
    let rank = joined.length;
    // A passage may close the gap between two others, so restart the search after every join.
    for (
      let i = joined.findIndex((other) => fits(other, grown));
      i >= 0;
      i = joined.findIndex((other) => fits(other, grown))
    ) {
      const [other] = joined.splice(i, 1);
      if (other !== undefined) grown = join(other, grown);
      rank = Math.min(rank, i);
    }
    joined.splice(rank, 0, grown);
  }
  return joined;
}

function fits(a: FoundPassage, b: FoundPassage): boolean {
  if (a.documentId !== b.documentId || a.start > b.end || b.start > a.end) return false;
  const isInside = overlap(a, b) === Math.min(a.end - a.start, b.end - b.start);
  return isInside || Math.max(a.end, b.end) - Math.min(a.start, b.start) <= MAX_JOINED_LENGTH;
}

function join(better: FoundPassage, other: FoundPassage): FoundPassage {
  const [first, second] = better.start <= other.start ? [better, other] : [other, better];
  const end = Math.max(first.end, second.end);
  const best = other.score > better.score ? other : better;
  const text =
    second.end <= first.end ? first.text : first.text + second.text.slice(first.end - second.start);
  return {
    ...better,
    start: first.start,
    end,
    text,
    headingSpans: [
      ...first.headingSpans,
      ...second.headingSpans.filter(({ start }) => first.headingSpans.every((known) => known.start < start)),
    ],
    headings: sharedHeadings(first, second),
    score: best.score,
    ...(best.signals && { signals: best.signals }),
  };
}

function sharedHeadings(a: FoundPassage, b: FoundPassage): readonly string[] {
  const length = a.headings.findIndex((heading, i) => heading !== b.headings[i]);
  return length < 0 ? a.headings : a.headings.slice(0, length);
}

function dropRepetitions(passages: readonly FoundPassage[]): FoundPassage[] {
  const distinct: { readonly passage: FoundPassage; readonly terms: ReadonlySet<string> }[] = [];
  for (const passage of passages) {
    const terms = new Set(termsIn(passage.text));
    const repeats = distinct.some((other) =>
      overlap(other.passage, passage) > 0 && other.passage.documentId === passage.documentId
        ? overlap(other.passage, passage) === passage.end - passage.start
        : similarity(other.terms, terms) >= SAME_TERMS,
    );
    if (!repeats) distinct.push({ passage, terms });
  }
  return distinct.map(({ passage }) => passage);
}

/** Returns the share of all terms of two texts that are in both: 0 to 1. */
function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const term of a) if (b.has(term)) shared++;
  const unionSize = a.size + b.size - shared;
  return unionSize === 0 ? 0 : shared / unionSize;
}

function spreadOverSources(passages: readonly FoundPassage[]): FoundPassage[] {
  const waiting = passages.map((passage, rank) => ({ passage, rank }));
  const countsBySource = new Map<string, number>();
  const spread: FoundPassage[] = [];
  while (waiting.length > 0) {
    const place = ({ passage, rank }: { passage: FoundPassage; rank: number }): number =>
      rank + SAME_SOURCE_RANKS * (countsBySource.get(passage.sourceId) ?? 0);
    const next = waiting.reduce((best, candidate) => (place(candidate) < place(best) ? candidate : best));
    waiting.splice(waiting.indexOf(next), 1);
    countsBySource.set(next.passage.sourceId, (countsBySource.get(next.passage.sourceId) ?? 0) + 1);
    spread.push(next.passage);
  }
  return spread;
}

function withinCharacters(passages: readonly FoundPassage[], characters: number): FoundPassage[] {
  let remainingCharacters = characters;
  return passages.filter(({ text }, rank) => {
    if (rank > 0 && text.length > remainingCharacters) return false;
    remainingCharacters -= text.length;
    return true;
  });
}
