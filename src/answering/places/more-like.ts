import { t } from '@vscode/l10n';
import type { AnswerEvent, WordsAt } from '../../notebook/answer.ts';
import { sourcesInWords } from '../../notebook/counts.ts';
import { throwIfCancelled } from '../../notebook/errors.ts';
import { cutPassage, type FoundPassage } from '../../notebook/passage.ts';
import type { Cited } from '../retrieving/cite.ts';
import { nearestSupports } from '../checking/nearest.ts';
import { prepareEvidenceInSteps } from '../checking/evidence.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { answerInQuotes } from './quote-answer.ts';
import { passagesToFind, selectPassages } from '../retrieving/retriever.ts';

/** What it takes to find more like words that are cited. */
interface MoreLikeInput {
  readonly like: WordsAt;
  /** The best passages for words, without those that the cited words stand in. */
  readonly find: PassageFinder['find'];
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}

/** What is like the words: in its own words, or else, where vectors found it, in its meaning. */
interface Alike {
  readonly by: 'meaning' | 'words';
  readonly quotes: readonly Cited[];
}

/**
 * What says at least this share of what the cited words say is like them: "The night tram serves the port" of
 * "The port is served from May to August by the night tram", but not "Buses are washed by hand".
 */
const ALIKE = 0.5;
/** So many passages are read. */
const PASSAGES = 8;
/** They have so many UTF-16 code units each, on average, at most. */
const CHARACTERS_OF_ONE = 3000;
const MOST_QUOTES = 3;
/**
 * A quote is kept while it is at least this share as near as the nearest, such as 0.6 beside 0.8: how near is near differs
 * from model to model.
 */
const SHARE_OF_BEST = 0.75;
/** A quote ends with the sentence that reaches this many UTF-16 code units, which is some five lines of the panel. */
const LONG_ENOUGH = 400;

const INTRODUCTIONS = {
  words: (sources: number): string => t('Similar passages from {0}:', sourcesInWords(sources)),
  meaning: (sources: number): string =>
    t(
      'No passage uses the same words. Passages with the closest meaning, from {0}:',
      sourcesInWords(sources),
    ),
};

/** Tells the places elsewhere in the notebook that say much the same as cited words, those most like them first. No model is asked. */
export async function findMoreLike(input: MoreLikeInput): Promise<void> {
  const { like, find, passages, signal, emit } = input;
  emit({ kind: 'started', answer: { kind: 'quotes', text: '', quotes: [], citations: [], like } });
  // Words in quotation marks would be looked for to the letter.
  const words = like.quote.replaceAll(/["“”„«»]/g, ' ');
  const found = await find(words, passagesToFind(PASSAGES), signal);
  throwIfCancelled(signal);
  const { by, quotes } = await alikeIn(
    selectPassages(found, { passages: PASSAGES, characters: CHARACTERS_OF_ONE * PASSAGES }),
    like.quote,
  );
  throwIfCancelled(signal);
  if (quotes.length === 0) {
    const text = t('No similar passages in this notebook.');
    emit({ kind: 'started', answer: { kind: 'nothing', text, citations: [], like } });
    return;
  }
  const answer = await answerInQuotes(quotes, INTRODUCTIONS[by], passages);
  throwIfCancelled(signal);
  emit({ kind: 'started', answer: { ...answer, like } });
}

/** What of the passages is like a quote. */
export async function alikeIn(passages: readonly FoundPassage[], quote: string): Promise<Alike> {
  const byWords = nearestSupports(quote, await prepareEvidenceInSteps(passages))
    .filter(({ coverage }) => coverage >= ALIKE)
    .sort((a, b) => b.coverage - a.coverage);
  return byWords.length > 0
    ? { by: 'words', quotes: byWords }
    : { by: 'meaning', quotes: nearestQuotes(passages) };
}

/** What the passages say that are nearest to a question in their meaning, nearest first; none where none was found so. */
function nearestQuotes(passages: readonly FoundPassage[]): Cited[] {
  const nearest = passages.reduce((best, { nearness = 0 }) => Math.max(best, nearness), 0);
  return passages
    .filter(({ nearness }) => nearness !== undefined && nearness >= SHARE_OF_BEST * nearest)
    .toSorted((a, b) => (b.nearness ?? 0) - (a.nearness ?? 0))
    .slice(0, MOST_QUOTES)
    .map(quoteBeginning);
}

/** The first sentences of a passage after its headings; code whole. */
function quoteBeginning(passage: FoundPassage): Cited {
  const { start, text, format } = passage;
  const units = format === 'code' ? [] : cutPassage(passage);
  const first = units.find(({ kind }) => kind !== 'heading')?.start ?? 0;
  const end = units.find((unit) => unit.end - first >= LONG_ENOUGH)?.end ?? text.length;
  return { passage, span: { start: start + first, end: start + end } };
}
