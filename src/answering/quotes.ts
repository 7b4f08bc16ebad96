import type { FoundPassage } from '../notebook/passage.ts';
import { overlap } from '../notebook/span.ts';
import { A_REASON, ruleFor } from './answer-forms.ts';
import { askedWords } from './asked-words.ts';
import type { Cited } from './citations.ts';
import type { Asked } from './follow-up.ts';
import type { QuestionKind } from './question-kinds.ts';
import { kindOf } from './question-kinds.ts';
import type { Candidate, Weighing } from './quote-candidates.ts';
import { candidatesOf } from './quote-candidates.ts';
import { withoutEnding } from './quote-sections.ts';
import type { QuoteNeeds } from './quote-spans.ts';
import { byDocument, joinAdjacent, quoteOf } from './quote-spans.ts';
import { similarity } from './retriever.ts';
import type { SpokenOf } from './spoken-of.ts';
import { creditOf, FROM_BEFORE, identifiersIn, spokenOf } from './spoken-of.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, weighTerms, wordsOf } from './terms.ts';

/** The quotes that answer a question, best first, and how far they do. */
export interface Selection extends SpokenOf {
  readonly quotes: readonly Cited[];
}

const MOST_QUOTES = 6;
/** A quote is kept while it tells at least this share of what the best one tells. */
const SHARE_OF_BEST = 0.45;
/** How much a term still counts that an earlier quote has spoken of. */
const AGAIN = 0.5;
/** Quotes that share this much of their terms say the same. */
const SAME = 0.6;
/** Every term counts this much beside its rarity, because what the question is about is common in what it found. */
const WEIGHT_OF_ANY = 1;
/** "In Rust" of what is defined. */
const OF_ITS_PLACE = 0.4;
const NEIGHBOURS = 0.25;

/** Chooses the sentences, rows, lists and blocks of code of the passages that answer a question, in their own words. */
export function selectQuotes(question: Asked, passages: readonly FoundPassage[]): Selection {
  const { counts, respelled, ofPlace, literals } = askedWords(question, passages);
  const weighing = weighingOf(question.question, [...counts.keys()], literals);
  const named = namedSources(weighing.asked, passages);
  const candidates = passages.flatMap((passage, rank) =>
    candidatesOf(passage, rank, { ...weighing, isElsewhere: named.size > 0 && !named.has(passage.sourceId) }),
  );
  const rarity = weighTerms(candidates.map(({ terms }) => terms));
  const weights = new Map(
    [...counts].map(([term, count]) => [
      term,
      (WEIGHT_OF_ANY + rarity(term)) * count * (ofPlace.has(term) ? OF_ITS_PLACE : 1),
    ]),
  );
  const said = [question.question, ...question.carried.split('\n')];
  const pairs = new Set(said.flatMap((part) => pairsIn(wordsOf(part))));
  const chosen = choose(
    candidates.map((candidate) => weighed(candidate, weights, pairs)),
    weights,
  );
  const needs = needsOf(weighing.kind, weights);
  return {
    quotes: byDocument(joinAdjacent(chosen.map((candidate) => quoteOf(candidate.passage, candidate, needs)))),
    ...spokenOf(question.question, counts, { passages, candidates, chosen, respelled }),
  };
}

function weighingOf(
  question: string,
  asked: readonly string[],
  literals: readonly string[],
): Omit<Weighing, 'isElsewhere'> {
  return {
    kind: kindOf(question),
    asked,
    rule: ruleFor(question),
    literals,
    namesCode: identifiersIn(question).size > 0,
    asksToInstall: /\b(?:install|add|set ?up|get started|version)\b/i.test(question),
  };
}

function needsOf(kind: QuestionKind, weights: ReadonlyMap<string, number>): QuoteNeeds {
  return {
    askedIn: (text) => termsOf(text).filter((term) => weights.has(term)),
    withCode: kind === 'way',
    goesOn: (before, next) => kind === 'reason' && !A_REASON.test(before) && A_REASON.test(next),
  };
}

/** Takes what tells most beyond what was taken before, as long as it tells enough. */
function choose(candidates: readonly Weighed[], weights: ReadonlyMap<string, number>): Candidate[] {
  const told = new Set<string>();
  const chosen: Candidate[] = [];
  let bestGain = 0;
  while (chosen.length < MOST_QUOTES) {
    let next: Weighed | undefined;
    let nextGain = 0;
    for (const each of candidates) {
      const gain = gainOf(each, told);
      if (gain > nextGain && !chosen.some((other) => repeats(other, each.candidate))) {
        next = each;
        nextGain = gain;
      }
    }
    if (next === undefined || nextGain < SHARE_OF_BEST * bestGain) break;
    bestGain = Math.max(bestGain, nextGain);
    chosen.push(next.candidate);
    for (const term of weights.keys()) if (next.candidate.terms.has(term)) told.add(term);
  }
  return chosen;
}

/** The sources whose title the question names; none where it names all of them. */
function namedSources(asked: readonly string[], passages: readonly FoundPassage[]): ReadonlySet<string> {
  const terms = new Set(asked);
  const named = passages.filter(({ sourceTitle }) => {
    const title = termsOf(withoutEnding(sourceTitle));
    return title.length > 0 && title.every((term) => terms.has(term));
  });
  return new Set(named.map(({ sourceId }) => sourceId));
}

/** A candidate with what each term of the question counts for it. */
interface Weighed {
  readonly candidate: Candidate;
  readonly credits: readonly { readonly term: string; readonly weight: number; readonly credit: number }[];
  readonly factor: number;
}

function weighed(
  candidate: Candidate,
  weights: ReadonlyMap<string, number>,
  pairs: ReadonlySet<string>,
): Weighed {
  const credits = [...weights].map(([term, weight]) => ({ term, weight, credit: creditOf(candidate, term) }));
  const speaksOfIt = credits.some(({ credit }) => credit >= FROM_BEFORE);
  const isNear = speaksOfIt && pairs.size > 0 && pairsIn(candidate.words).some((pair) => pairs.has(pair));
  return { candidate, credits, factor: speaksOfIt ? candidate.factor * (isNear ? 1 + NEIGHBOURS : 1) : 0 };
}

/** What a candidate tells beyond what was told: what was told already counts less. */
function gainOf({ credits, factor }: Weighed, told: ReadonlySet<string>): number {
  if (factor === 0) return 0;
  let gain = 0;
  for (const { term, weight, credit } of credits) gain += weight * credit * (told.has(term) ? AGAIN : 1);
  return gain * factor;
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
