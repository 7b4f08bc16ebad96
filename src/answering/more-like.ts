import type { AnswerEvent, WordsAt } from '../notebook/answer.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import { overlap } from '../notebook/span.ts';
import { align, weightsOf } from './alignment.ts';
import { count } from './background.ts';
import type { Cited } from './citations.ts';
import { prepareClaim } from './claim.ts';
import { prepareEvidence } from './evidence.ts';
import { nearestQuotes } from './nearest-quotes.ts';
import type { PassageFinder } from './passage-finder.ts';
import { answerOf } from './quote-answer.ts';
import { passagesToFind, selectPassages } from './retriever.ts';

/** What it takes to find more like words that are cited. */
export interface MoreLikeInput {
  readonly like: WordsAt;
  readonly passages: PassageFinder;
  /** How many passages are read. */
  readonly limit: number;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}

/** Words that say at least this share of what the cited ones say are like them. */
const ALIKE = 0.4;
/** Passages that are at least this share as near in meaning as the cited one itself is are like it. */
const NEAR = 0.85;
/** Passages that are read have so many UTF-16 code units each, on average, at most. */
const CHARACTERS_OF_ONE = 3000;

/** Tells the places elsewhere in the notebook that say much the same as cited words, those most like them first. No model is asked. */
export async function findMoreLike({
  like,
  passages: finder,
  limit,
  signal,
  emit,
}: MoreLikeInput): Promise<void> {
  emit({ kind: 'started', answer: { kind: 'quotes', text: '', quotes: [], citations: [], like } });
  const found = await finder.find(like.quote, passagesToFind(limit), signal);
  throwIfCancelled(signal);
  const alike = alikeIn(found, like, limit);
  if (alike.length === 0) {
    const text = 'Nothing else in this notebook says something like that.';
    emit({ kind: 'started', answer: { kind: 'nothing', text, citations: [], like } });
    return;
  }
  const introduction = (sources: number): string => `Much the same, from ${count(sources, 'source')}:`;
  const answer = await answerOf(alike, introduction, finder);
  throwIfCancelled(signal);
  emit({ kind: 'started', answer: { ...answer, like } });
}

/** What of the found passages is like the words: by their own words first, then by meaning, where vectors found them. */
export function alikeIn(found: readonly FoundPassage[], like: WordsAt, limit: number): Cited[] {
  const isOwn = (passage: FoundPassage): boolean =>
    passage.documentId === like.documentId && overlap(passage, like.span) > 0;
  const read = selectPassages(
    found.filter((passage) => !isOwn(passage)),
    { passages: limit, characters: CHARACTERS_OF_ONE * limit },
  );
  const evidence = prepareEvidence(read);
  const claim = prepareClaim(like.quote);
  const weights = weightsOf(claim, evidence);
  const byWords = evidence.passages
    .flatMap((source) => align(claim, weights, source, evidence) ?? [])
    .filter(({ coverage }) => coverage >= ALIKE)
    .sort((a, b) => b.coverage - a.coverage)
    .flatMap(({ supports: [best] }) => best ?? []);
  const own = Math.max(0, ...found.filter(isOwn).map(({ nearness = 0 }) => nearness));
  const byMeaning = read.filter(
    (passage) =>
      own > 0 &&
      (passage.nearness ?? 0) >= NEAR * own &&
      !byWords.some((support) => support.passage === passage),
  );
  return [...byWords, ...nearestQuotes(byMeaning)];
}
