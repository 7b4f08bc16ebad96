import { t } from '@vscode/l10n';
import type { Answer } from '../notebook/answer.ts';
import { sourcesInWords } from '../notebook/counts.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { QuestionInput } from './answer-question.ts';
import type { Background } from './background.ts';
import type { Cited } from './citations.ts';
import { cite } from './citations.ts';
import type { Asked } from './follow-up.ts';
import { wordsToFind } from './follow-up.ts';
import { nearestQuotes } from './nearest-quotes.ts';
import type { PassageFinder } from './passage-finder.ts';
import { selectQuotes } from './quotes.ts';
import { passagesToFind } from './retriever.ts';
import { headerOf } from './table-header.ts';

/** What the passages say to a question in their own words, and whether that answers it. */
export interface Quoted {
  /** Found by their words, or else, where vectors found them, by their meaning. */
  readonly by: 'meaning' | 'words';
  readonly quotes: readonly Cited[];
  /** Otherwise the quotes are the nearest that was found. */
  readonly isAnswered: boolean;
}

/**
 * A passage speaks of what is asked that is so much nearer to the question than the notebook's passages are to each
 * other, in standard deviations. Measured on questions asked of their own and of other documents.
 */
const STANDS_OUT = 1.25;

/** Chooses the quotes that answer a question; whether there are any tells whether the passages answer it at all. */
export function quotesFrom(asked: Asked, read: readonly FoundPassage[]): Quoted {
  const { quotes, isEnough } = selectQuotes(asked, read);
  if (quotes.length > 0 && isEnough) return { by: 'words', quotes, isAnswered: true };
  const near = nearestQuotes(read);
  const [nearest] = near;
  if (nearest !== undefined && standsOut(nearest)) return { by: 'meaning', quotes: near, isAnswered: true };
  return { by: 'words', quotes: (quotes.length > 0 ? quotes : near).slice(0, 1), isAnswered: false };
}

/** Whether a passage is so near to the question that it speaks of the same; something is the nearest to any question. */
function standsOut({ passage }: Cited): boolean {
  return (passage.standsOut ?? Infinity) >= STANDS_OUT;
}

const INTRODUCTIONS = {
  words: (sources: number): string =>
    sources === 1
      ? t('From 1 source, in its own words:')
      : t('From {0} sources, in their own words:', sources.toLocaleString()),
  meaning: (sources: number): string =>
    t('Nothing says that in these words. The nearest in meaning, from {0}:', sourcesInWords(sources)),
};

/** Tells the quotes as the answer. */
export async function tellQuotes(
  { by, quotes }: Quoted,
  background: Background,
  { passages, signal, emit }: QuestionInput,
): Promise<void> {
  const answer = await answerOf(quotes, INTRODUCTIONS[by], passages);
  throwIfCancelled(signal);
  emit({ kind: 'started', answer: { ...answer, ...background } });
}

/** An answer in quotes; what introduces them is told by the number of their sources. */
export async function answerOf(
  quotes: readonly Cited[],
  introduction: (sources: number) => string,
  passages: PassageFinder,
): Promise<Answer> {
  const [citations, headers] = await Promise.all([
    cite(passages, quotes),
    Promise.all(quotes.map((quote) => headerOf(quote, passages))),
  ]);
  return {
    kind: 'quotes',
    text: introduction(new Set(quotes.map(({ passage }) => passage.sourceId)).size),
    quotes: quotes.map(({ passage: { format, languageId } }, citation) => {
      const header = headers[citation];
      return { citation, format, languageId, ...(header !== undefined && { header }) };
    }),
    citations,
  };
}

/** Says that nothing answers the question, and what was nearest: of what was asked, or else in the rest of the notebook. */
export async function tellNothing(
  asked: Asked,
  nearest: readonly Cited[],
  background: Background,
  { passages, place, signal, emit }: QuestionInput,
): Promise<void> {
  const isElsewhere = nearest.length === 0;
  const found = isElsewhere
    ? ((await passages.findElsewhere?.(wordsToFind(asked), passagesToFind(1), signal)) ?? [])
    : [];
  const quotes = isElsewhere ? selectQuotes(asked, found).quotes : nearest;
  const citations = await cite(passages, quotes.slice(0, 1));
  throwIfCancelled(signal);
  const [first] = citations;
  const nothing =
    place === undefined
      ? t('Nothing in this notebook answers that.')
      : t('Nothing in {0} answers that.', place);
  const where =
    first === undefined
      ? []
      : [
          isElsewhere
            ? t('In the rest of the notebook, the nearest is in {0}.', first.title)
            : t('The nearest is in {0}.', first.title),
        ];
  const text = [nothing, ...where].join(' ');
  emit({ kind: 'started', answer: { kind: 'nothing', text, citations, ...background } });
}
