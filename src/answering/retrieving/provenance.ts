import { t } from '@vscode/l10n';
import type { Answer, AnswerEvent, ReadPassage } from '../../notebook/answer.ts';
import { passagesInWords, sourcesInWords } from '../../notebook/counts.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { PassageFinder } from './passage-finder.ts';
import { cite } from './cite.ts';
import { languageOfText, termsIn, splitWords } from '../../language/words/words.ts';

/** What stands behind an answer: what was read for it, and what was searched for where that was not the question alone. */
export type Provenance = Pick<Answer, 'read' | 'searches'>;

/**
 * `searches` are all that was searched for, what the user typed among them. An answer does without the list of what was
 * read where a document was removed meanwhile.
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

/** What is told while passages are read: how many, and of how many sources. */
export function readingStatus(passages: readonly FoundPassage[]): AnswerEvent {
  const sources = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return {
    kind: 'status',
    text: t('Reading {0} from {1}…', passagesInWords(passages.length), sourcesInWords(sources)),
  };
}

/** So much of a passage tells, later, whether it still stands there, in UTF-16 code units. */
const BEGINNING = 80;

/** What was read for a question, in the order of reading, with what each was taken for. */
export async function listRead(
  question: string,
  read: readonly FoundPassage[],
  finder: PassageFinder,
): Promise<readonly ReadPassage[]> {
  const places = await cite(
    finder,
    read.map((passage) => ({ passage, span: { start: passage.start, end: passage.end } })),
  );
  return read.map(({ documentId, start, end, text, score, nearness, signals, sourceTitle }, i) => ({
    documentId,
    title: places[i]?.title ?? sourceTitle,
    place: places[i]?.place ?? '',
    span: { start, end },
    begins: text.slice(0, BEGINNING),
    score,
    ...(nearness !== undefined && { nearness }),
    ...(signals !== undefined && { signals }),
    words: wordsHeld(question, text),
  }));
}

/** The words of a question that a text holds, in any of their forms in its language, each once. */
export function wordsHeld(question: string, text: string): string[] {
  const own = languageOfText(question);
  const language = languageOfText(text, own);
  const held = new Set(termsIn(text, language));
  const words = splitWords(question, language, own).filter(({ terms }) =>
    terms.some((term) => held.has(term)),
  );
  return [...new Set(words.map(({ raw }) => raw))];
}
