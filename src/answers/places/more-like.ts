import { t } from '@vscode/l10n';
import type { AnswerEvent, WordsAt } from '../../core/domain/answer.ts';
import { sourcesInWords } from '../../core/domain/counts.ts';
import { throwIfCanceled } from '../../core/domain/errors.ts';
import { cutPassage, type FoundPassage } from '../../core/domain/passage.ts';
import type { Cited } from '../retrieving/cite.ts';
import { nearestSupports } from '../checking/nearest.ts';
import { prepareEvidenceInSteps } from '../checking/evidence.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { answerInQuotes } from './quote-answer.ts';
import { passagesToFind, selectPassages } from '../retrieving/retriever.ts';

/** Parameters of a search for passages similar to cited text. */
interface MoreLikeInput {
  readonly like: WordsAt;
  /** Finds the best passages for words, except those with the cited text. */
  readonly find: PassageFinder['find'];
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}

/** Passages similar to the text: by words or else, if embeddings found them, by meaning. */
interface Alike {
  readonly by: 'meaning' | 'words';
  readonly quotes: readonly Cited[];
}

/**
 * Minimum share of the cited text's content in a similar one: "The night tram serves the port" is similar to "The port
 * is served from May to August by the night tram", but not to "Buses are washed by hand".
 */
const ALIKE = 0.5;
/** Maximum number of passages to read. */
const PASSAGES = 8;
/** Maximum average length of a passage, in UTF-16 code units. */
const CHARACTERS_OF_ONE = 3000;
const MAX_QUOTES = 3;
/**
 * Minimum similarity of a quote, as a ratio to the best one, such as 0.6 to 0.8, since the usual similarity depends on
 * the model.
 */
const SHARE_OF_BEST = 0.75;
/** A quote ends with the sentence that reaches this many UTF-16 code units, which is about five lines of the panel. */
const LONG_ENOUGH = 400;

const INTRODUCTIONS = {
  words: (sources: number): string => t('Similar passages from {0}:', sourcesInWords(sources)),
  meaning: (sources: number): string =>
    t(
      'No passage uses the same words. Passages with the closest meaning, from {0}:',
      sourcesInWords(sources),
    ),
};

/**
 * Reports passages elsewhere in the notebook that are similar to cited text, best first. Doesn't use a language model.
 */
export async function findMoreLike(input: MoreLikeInput): Promise<void> {
  const { like, find, passages, signal, emit } = input;
  emit({ kind: 'started', answer: { kind: 'quotes', text: '', quotes: [], citations: [], like } });
  // Strip quotation marks, or the search treats the words as an exact phrase.
  const words = like.quote.replaceAll(/["“”„«»]/g, ' ');
  const candidates = await find(words, passagesToFind(PASSAGES), signal);
  throwIfCanceled(signal);
  const { by, quotes } = await alikeIn(
    selectPassages(candidates, { passages: PASSAGES, characters: CHARACTERS_OF_ONE * PASSAGES }),
    like.quote,
  );
  throwIfCanceled(signal);
  if (quotes.length === 0) {
    const text = t('No similar passages in this notebook.');
    emit({ kind: 'started', answer: { kind: 'nothing', text, citations: [], like } });
    return;
  }
  const answer = await answerInQuotes(quotes, INTRODUCTIONS[by], passages);
  throwIfCanceled(signal);
  emit({ kind: 'started', answer: { ...answer, like } });
}

/** Returns the parts of passages that are similar to a quote. */
export async function alikeIn(passages: readonly FoundPassage[], quote: string): Promise<Alike> {
  const byWords = nearestSupports(quote, await prepareEvidenceInSteps(passages))
    .filter(({ coverage }) => coverage >= ALIKE)
    .sort((a, b) => b.coverage - a.coverage);
  return byWords.length > 0
    ? { by: 'words', quotes: byWords }
    : { by: 'meaning', quotes: nearestQuotes(passages) };
}

/**
 * Returns the beginnings of the passages with the closest meaning to a question, nearest first; empty if none was found
 * by meaning.
 */
function nearestQuotes(passages: readonly FoundPassage[]): Cited[] {
  const nearest = passages.reduce((best, { nearness = 0 }) => Math.max(best, nearness), 0);
  return passages
    .filter(({ nearness }) => nearness !== undefined && nearness >= SHARE_OF_BEST * nearest)
    .toSorted((a, b) => (b.nearness ?? 0) - (a.nearness ?? 0))
    .slice(0, MAX_QUOTES)
    .map(quoteBeginning);
}

/** Returns the first sentences of a passage after its headings; code as a whole. */
function quoteBeginning(passage: FoundPassage): Cited {
  const { start, text, format } = passage;
  const units = format === 'code' ? [] : cutPassage(passage);
  const first = units.find(({ kind }) => kind !== 'heading')?.start ?? 0;
  const end = units.find((unit) => unit.end - first >= LONG_ENOUGH)?.end ?? text.length;
  return { passage, span: { start: start + first, end: start + end } };
}
