import type { FoundPassage } from '../notebook/passage.ts';
import { overlap } from '../notebook/span.ts';
import { codeBlocks } from './code-blocks.ts';
import type { Cited } from './citations.ts';
import type { Asked } from './follow-up.ts';
import { isDefinitionAsked, isWayAsked, ruleFor } from './question-kinds.ts';
import { byDocument, joinAdjacent, quoteOf } from './quote-spans.ts';
import { similarity } from './retriever.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, weighTerms, wordsOf } from './terms.ts';
import type { Unit } from './units.ts';
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
const SHARE_OF_BEST = 0.45;
/** How much a term still counts that an earlier quote has spoken of. */
const AGAIN = 0.5;
/** Quotes that share this much of their terms say the same. */
const SAME = 0.6;
const FROM_HEADING = 0.5;
/** Every term counts this much beside its rarity, because what the question is about is common in what it found. */
const WEIGHT_OF_ANY = 1;
/** What a question only leans on counts less than what it says itself. */
const CARRIED = 0.6;
const RANK_DECAY = 0.12;
const NEIGHBOURS = 0.25;
const FEW_WORDS = 4;
const MANY_LINES = 20;
/** The first sentence under the heading of what is asked for. */
const OPENING = 1.35;
/** A source beside the one that the question names. */
const ELSEWHERE = 0.6;
interface Candidate extends Unit {
  readonly passage: FoundPassage;
  readonly text: string;
  readonly words: readonly Word[];
  readonly terms: ReadonlySet<string>;
  /** What it tells, apart from which terms: by its rank, kind and wording. */
  readonly factor: number;
  readonly inContext: ReadonlySet<string>;
}

/** Chooses the sentences, rows and blocks of code of the passages that answer a question, in their own words. */
export function selectQuotes({ question, carried }: Asked, passages: readonly FoundPassage[]): Selection {
  const own = new Set(termsOf(question));
  const asked = [...new Set([...own, ...termsOf(carried)])];
  const rule = ruleFor(question);
  const isDefined = isDefinitionAsked(question);
  const withCode = isWayAsked(question);
  const named = namedSources(asked, passages);
  const candidates = passages.flatMap((passage, rank) =>
    candidatesOf(passage, rank, asked, {
      rule,
      isDefined,
      isElsewhere: named.size > 0 && !named.has(passage.sourceId),
    }),
  );
  const weigh = weighTerms(candidates.map(({ terms }) => terms));
  const weights = new Map(
    asked.map((term) => [term, (WEIGHT_OF_ANY + weigh(term)) * (own.has(term) ? 1 : CARRIED)]),
  );
  const pairs = new Set([question, ...carried.split('\n')].flatMap((part) => pairsIn(wordsOf(part))));

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

  const isAsked = (text: string): boolean => termsOf(text).some((term) => weights.has(term));
  const inOneQuote = chosen.map((quote) => shareOf(weights, (term) => creditOf(quote, term)));
  const inOnePassage = passages.map((passage) => {
    const own = candidates.filter((candidate) => candidate.passage === passage);
    return shareOf(weights, (term) => Math.max(0, ...own.map((candidate) => creditOf(candidate, term))));
  });
  const coverage = (Math.max(0, ...inOneQuote) + Math.max(0, ...inOnePassage)) / 2;
  return {
    quotes: byDocument(
      joinAdjacent(chosen.map((unit) => quoteOf(unit.passage, unit, { isAsked, withCode }))),
    ),
    coverage,
  };
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

/** The sources whose title the question names; none where it names all of them. */
function namedSources(asked: readonly string[], passages: readonly FoundPassage[]): ReadonlySet<string> {
  const terms = new Set(asked);
  const named = passages.filter(({ sourceTitle }) => {
    const title = termsOf(sourceTitle.replace(/\.\w+$/, ''));
    return title.length > 0 && title.every((term) => terms.has(term));
  });
  return new Set(named.map(({ sourceId }) => sourceId));
}

interface Weighing {
  /** How much more a text tells by its form. */
  readonly rule: (text: string) => number;
  /** Whether it is asked what something is. */
  readonly isDefined: boolean;
  /** Whether the question names another source. */
  readonly isElsewhere: boolean;
}

function candidatesOf(
  passage: FoundPassage,
  rank: number,
  asked: readonly string[],
  { rule, isDefined, isElsewhere }: Weighing,
): Candidate[] {
  const titles = [passage.documentTitle, passage.documentKey, ...passage.headings].join('\n');
  const inContext = new Set(termsOf(titles));
  const units =
    passage.format === 'code'
      ? codeBlocks(passage.text).map((block) => ({ ...block, kind: 'line' as const }))
      : unitsOf(passage.text, passage.format).filter((unit) => !isBare(passage.text, unit));
  return units.flatMap((unit, index) => {
    if (unit.kind === 'heading' || isTail(passage.text, unit)) return [];
    const { start, end } = unit;
    const text = passage.text.slice(start, end);
    const words = wordsOf(text);
    const before = units[index - 1];
    const heading = before?.kind === 'heading' ? termsOf(passage.text.slice(before.start, before.end)) : [];
    const terms = new Set(words.flatMap(termsOfWord));
    // A definition that stands first under the heading of a thing leaves out its name.
    const opens =
      opensWith(heading, asked, isDefined) && !(isDefined && asked.some((term) => terms.has(term)));
    const factor =
      rule(text) * formOf(unit, text, words.length) * (opens ? OPENING : 1) * (isElsewhere ? ELSEWHERE : 1);
    return {
      ...unit,
      passage,
      text,
      words,
      // What stands first under the heading of a thing speaks of it, whether it names it or not.
      terms: opens ? new Set([...terms, ...heading]) : terms,
      factor: factor / (1 + RANK_DECAY * rank),
      inContext,
    };
  });
}

/** Whether what stands first under a heading is about what is asked: all of it, or, of a definition, all that is asked. */
function opensWith(heading: readonly string[], asked: readonly string[], isDefined: boolean): boolean {
  if (heading.length === 0 || asked.length === 0) return false;
  const shared = asked.filter((term) => heading.includes(term)).length;
  if (isDefined && shared === asked.length) return true;
  return heading.every((term) => asked.includes(term)) && 2 * shared >= asked.length;
}

/** Whether a unit is the end of a block of code whose beginning stands in no passage. */
function isTail(text: string, { kind, start }: Unit): boolean {
  return kind === 'fence' && !/^[ \t>]*(?:`{3}|~{3})[^\n]*\n[ \t]*\S/.test(text.slice(start));
}

/** Whether a unit holds nothing but links, images and tags, as badges and tables of contents do. */
function isBare(text: string, { start, end, kind }: Unit): boolean {
  if (kind === 'heading' || kind === 'fence' || kind === 'row') return false;
  const unit = text.slice(start, end);
  if (!/[[<]/.test(unit)) return false;
  const rest = unit
    .replace(/!?\[(?:[^[\]]|\[[^\]]*\](?:\([^)]*\))?)*\](?:\([^)]*\)|\[[^\]]*\])/g, ' ')
    .replace(/<[^>]*>/g, ' ');
  return wordsOf(rest).length < 2;
}

/** How well a unit reads as an answer by its form alone. */
function formOf({ kind }: Unit, text: string, words: number): number {
  const lines = kind === 'fence' ? text.split('\n').length : 0;
  const isCut = kind === 'fence' && !/\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/.test(text);
  return (
    (words < FEW_WORDS ? 0.5 : 1) *
    (text.endsWith('?') ? 0.5 : 1) *
    (lines > MANY_LINES ? MANY_LINES / lines : 1) *
    (isCut ? 0.5 : 1)
  );
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
