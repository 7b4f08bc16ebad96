import type { FoundPassage } from '../notebook/passage.ts';
import type { Span } from '../notebook/span.ts';
import { overlap } from '../notebook/span.ts';
import { codeBlocks } from './code-blocks.ts';
import type { Cited } from './citations.ts';
import { ruleFor } from './question-kinds.ts';
import { similarity } from './retriever.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, weighTerms, wordsOf } from './terms.ts';
import type { UnitKind } from './units.ts';
import { unitsOf } from './units.ts';

/**
 * The quotes that answer a question, best first, and how much of it is spoken of in one place, 0 to 1: the mean of
 * what the best quote and what the best passage tell. Terms scattered over unrelated passages do not add up.
 */
export interface Selection {
  readonly quotes: readonly Cited[];
  readonly coverage: number;
}

const MOST_QUOTES = 6;
/** A quote is kept while it tells at least this share of what the best one tells. */
const SHARE_OF_BEST = 0.4;
/** How much a term still counts that an earlier quote has spoken of. */
const AGAIN = 0.5;
/** Quotes that share this much of their terms say the same. */
const SAME = 0.6;
const FROM_HEADING = 0.5;
/** Every term counts this much beside its rarity, because what the question is about is common in what it found. */
const WEIGHT_OF_ANY = 1;
const RANK_DECAY = 0.12;
const NEIGHBOURS = 0.25;
const FEW_WORDS = 4;
/** What such a sentence speaks of stands in the one before it. */
const LEANS_BACK =
  /^(?:\*\*|[-*+•]\s)?(?:It|This|These|Those|They|That|Such|Its|Their|He|She|However|Therefore|Thus|Hence|Instead|Otherwise|So|But|And)\b/;

interface Candidate extends Span {
  readonly passage: FoundPassage;
  readonly kind: UnitKind;
  readonly text: string;
  readonly words: readonly Word[];
  readonly terms: ReadonlySet<string>;
  /** What it tells, apart from which terms: by its rank, kind and wording. */
  readonly factor: number;
  readonly inContext: ReadonlySet<string>;
}

/** Chooses the sentences, rows and blocks of code of the passages that answer a question, in their own words. */
export function selectQuotes(question: string, passages: readonly FoundPassage[]): Selection {
  const asked = [...new Set(termsOf(question))];
  const rule = ruleFor(question);
  const candidates = passages.flatMap((passage, rank) => candidatesOf(passage, rank, rule));
  const weigh = weighTerms(candidates.map(({ terms }) => terms));
  const weights = new Map(asked.map((term) => [term, WEIGHT_OF_ANY + weigh(term)]));
  const pairs = new Set(pairsIn(wordsOf(question)));

  const told = new Map<string, number>();
  const chosen: Candidate[] = [];
  let bestGain = 0;
  while (chosen.length < MOST_QUOTES) {
    let next: Candidate | undefined;
    let nextGain = 0;
    for (const candidate of candidates) {
      const gain = gainOf(candidate, weights, told, pairs);
      if (gain > nextGain && !chosen.some((other) => repeats(other, candidate))) {
        next = candidate;
        nextGain = gain;
      }
    }
    if (next === undefined || nextGain < SHARE_OF_BEST * bestGain) break;
    bestGain = Math.max(bestGain, nextGain);
    chosen.push(next);
    for (const term of asked) told.set(term, Math.max(told.get(term) ?? 0, creditOf(next, term)));
  }

  const inOneQuote = chosen.map((quote) => shareOf(weights, (term) => creditOf(quote, term)));
  const inOnePassage = passages.map((passage) => {
    const own = candidates.filter((candidate) => candidate.passage === passage);
    return shareOf(weights, (term) => Math.max(0, ...own.map((candidate) => creditOf(candidate, term))));
  });
  const coverage = (Math.max(0, ...inOneQuote) + Math.max(0, ...inOnePassage)) / 2;
  return { quotes: joinAdjacent(chosen.map(withWhatItLeansOn)), coverage };
}

/** The share of the question's weight that gets credit. */
function shareOf(weights: ReadonlyMap<string, number>, credit: (term: string) => number): number {
  let all = 0;
  let credited = 0;
  for (const [term, weight] of weights) {
    all += weight;
    credited += weight * credit(term);
  }
  return all === 0 ? 0 : credited / all;
}

function candidatesOf(passage: FoundPassage, rank: number, rule: (text: string) => number): Candidate[] {
  const titles = [passage.documentTitle, passage.documentKey, ...passage.headings].join('\n');
  const inContext = new Set(termsOf(titles));
  const units =
    passage.format === 'code'
      ? codeBlocks(passage.text).map((block) => ({ ...block, kind: 'line' as const }))
      : unitsOf(passage.text, passage.format).filter(({ kind }) => kind !== 'heading');
  return units.map(({ start, end, kind }) => {
    const text = passage.text.slice(start, end);
    const words = wordsOf(text);
    const brief = words.length < FEW_WORDS ? 0.5 : 1;
    const asks = text.endsWith('?') ? 0.5 : 1;
    const factor = (rule(text) * brief * asks) / (1 + RANK_DECAY * rank);
    return {
      passage,
      start,
      end,
      kind,
      text,
      words,
      terms: new Set(words.flatMap(termsOfWord)),
      factor,
      inContext,
    };
  });
}

function creditOf(candidate: Candidate, term: string): number {
  if (candidate.terms.has(term)) return 1;
  return candidate.inContext.has(term) ? FROM_HEADING : 0;
}

function gainOf(
  candidate: Candidate,
  weights: ReadonlyMap<string, number>,
  told: ReadonlyMap<string, number>,
  pairs: ReadonlySet<string>,
): number {
  let gain = 0;
  let speaksOfIt = false;
  for (const [term, weight] of weights) {
    const credit = creditOf(candidate, term);
    speaksOfIt ||= candidate.terms.has(term);
    gain += weight * Math.max(credit - (told.get(term) ?? 0), AGAIN * credit);
  }
  if (!speaksOfIt) return 0;
  if (pairs.size > 0 && pairsIn(candidate.words).some((pair) => pairs.has(pair))) gain *= 1 + NEIGHBOURS;
  return gain * candidate.factor;
}

/** Pairs of terms that stand side by side, stop words between them left out. */
function pairsIn(words: readonly Word[]): string[] {
  const terms = words.flatMap((word) => termsOfWord(word).slice(0, 1));
  return terms.slice(1).map((term, i) => `${terms[i] ?? ''} ${term}`);
}

function repeats(a: Candidate, b: Candidate): boolean {
  if (a === b) return true;
  if (a.passage === b.passage && overlap(a, b) > 0) return true;
  return similarity(a.terms, b.terms) >= SAME;
}

/** Takes in the sentence before one that begins with a pronoun, and the rows of a short table. */
function withWhatItLeansOn(candidate: Candidate): Cited {
  const { passage } = candidate;
  let { start, end } = candidate;
  if (candidate.kind === 'sentence' && LEANS_BACK.test(candidate.text)) {
    const before = unitsOf(passage.text, passage.format).findLast((unit) => unit.end <= start);
    if (before?.kind === 'sentence' && !passage.text.slice(before.end, start).includes('\n\n'))
      ({ start } = before);
  } else if (candidate.kind === 'row') ({ start, end } = tableAround(passage.text, candidate));
  return { passage, span: { start: passage.start + start, end: passage.start + end } };
}

const LONGEST_TABLE = 1500;

/** The table of a row from its header to its last row, or the row alone where the table is long. */
function tableAround(text: string, row: Span): Span {
  const rows = unitsOf(text, 'markdown').filter(({ kind }) => kind === 'row');
  const belongs = (between: string): boolean => /^[\s|:-]*$/.test(between) && !/\n[ \t]*\r?\n/.test(between);
  let { start, end } = row;
  for (const other of rows.toReversed())
    if (other.end <= start && belongs(text.slice(other.end, start))) ({ start } = other);
  for (const other of rows)
    if (other.start >= end && belongs(text.slice(end, other.start))) ({ end } = other);
  return end - start <= LONGEST_TABLE ? { start, end } : row;
}

/** Joins quotes that overlap or follow each other in one passage; the joined quote stands where the better one stood. */
function joinAdjacent(quotes: readonly Cited[]): Cited[] {
  const joined: Cited[] = [];
  for (const quote of quotes) {
    const index = joined.findIndex((other) => other.passage === quote.passage && touches(other, quote));
    const other = joined[index];
    if (other === undefined) joined.push(quote);
    else {
      const span = {
        start: Math.min(other.span.start, quote.span.start),
        end: Math.max(other.span.end, quote.span.end),
      };
      joined[index] = { passage: quote.passage, span };
    }
  }
  return joined;
}

function touches(a: Cited, b: Cited): boolean {
  const [first, second] = a.span.start <= b.span.start ? [a.span, b.span] : [b.span, a.span];
  if (second.start <= first.end) return true;
  const { text, start } = a.passage;
  return /^[ \t]*\r?\n?[ \t]*$/.test(text.slice(first.end - start, second.start - start));
}
