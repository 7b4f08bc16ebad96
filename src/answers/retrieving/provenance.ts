import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { t } from '@vscode/l10n';
import type { Answer, AnswerEvent, ReadPassage } from '../../core/domain/answer.ts';
import { passagesInWords, sourcesInWords } from '../../core/domain/counts.ts';
import type { FoundPassage } from '../../core/domain/passage.ts';
import type { PassageFinder } from './passage-finder.ts';
import { cite } from './cite.ts';
import { findTerms, languageOfText, splitWords, type Word } from '../../core/language/words/words.ts';

/** Origin of an answer: the retrieved passages, and the searches if they differ from the question. */
export type Provenance = Pick<Answer, 'read' | 'searches'>;

/**
 * Returns the provenance of an answer. `searches` are all searches, including the user's text. Omits the list of
 * passages if a document was removed in the meantime.
 */
export async function describeProvenance(
  { searches, typed, finder }: ProvenanceInput,
  read: readonly FoundPassage[],
): Promise<Provenance> {
  const list = await listRead(searches.join('\n'), read, finder).catch(() => []);
  const others = searches
    .filter((search) => search !== typed)
    .map((search) => search.replaceAll('\n', ' · '));
  return { ...(list.length > 0 && { read: list }), ...(others.length > 0 && { searches: others }) };
}

interface ProvenanceInput {
  readonly searches: readonly string[];
  readonly typed: string;
  readonly finder: PassageFinder;
}

/** Returns the status while passages are read: their number, and that of their sources. */
export function readingStatus(passages: readonly FoundPassage[]): AnswerEvent {
  const sources = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return {
    kind: 'status',
    text: t('Reading {0} from {1}…', passagesInWords(passages.length), sourcesInWords(sources)),
  };
}

/** Length of a passage's beginning that later shows whether it's unchanged, in UTF-16 code units. */
const BEGINNING = 80;

/** Returns the passages retrieved for a question, in reading order, with the reasons. */
export async function listRead(
  question: string,
  read: readonly FoundPassage[],
  finder: PassageFinder,
): Promise<readonly ReadPassage[]> {
  const [places, words] = await Promise.all([
    cite(
      finder,
      read.map((passage) => ({ passage, span: { start: passage.start, end: passage.end } })),
    ),
    findWordsInAll(question, read),
  ]);
  return read.map(({ documentId, start, end, text, score, nearness, signals, sourceTitle }, i) => ({
    documentId,
    title: places[i]?.title ?? sourceTitle,
    place: places[i]?.place ?? '',
    span: { start, end },
    begins: text.slice(0, BEGINNING),
    score,
    ...(nearness !== undefined && { nearness }),
    ...(signals !== undefined && { signals }),
    words: words[i] ?? [],
  }));
}

/** Returns the words of a question in each passage. The index works on earlier requests meanwhile. */
async function findWordsInAll(question: string, read: readonly FoundPassage[]): Promise<string[][]> {
  await yieldToOthers();
  const findWords = wordFinder(question);
  return read.map(({ text }) => findWords(text));
}

/** Returns a function that finds the distinct words of a question in a text, in any form of the text's language. */
export function wordFinder(question: string): (text: string) => string[] {
  const own = languageOfText(question);
  const byLanguage = new Map<number, QuestionWords>();
  const inLanguage = (language: number): QuestionWords => {
    const known = byLanguage.get(language);
    if (known !== undefined) return known;
    const words = splitWords(question, language, own);
    const split = { words, terms: new Set(words.flatMap(({ terms }) => terms)) };
    byLanguage.set(language, split);
    return split;
  };
  return (text) => {
    const { language, terms } = findTerms(text, own, (textLanguage) => inLanguage(textLanguage).terms);
    const contained = inLanguage(language).words.filter((word) => word.terms.some((term) => terms.has(term)));
    return [...new Set(contained.map(({ raw }) => raw))];
  };
}

/** Words of a question with their terms in one language. */
interface QuestionWords {
  readonly words: readonly Word[];
  readonly terms: ReadonlySet<string>;
}
