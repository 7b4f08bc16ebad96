import { t } from '@vscode/l10n';
import type { Answer, AnswerEvent } from '../../notebook/answer.ts';
import { passagesInWords, sourcesInWords } from '../../notebook/counts.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import type { PassageFinder } from './passage-finder.ts';
import { listRead } from './read-passages.ts';

/** What stands behind an answer: what was read for it, and what was searched for where that was not the question alone. */
export type Background = Pick<Answer, 'read' | 'searches'>;

/**
 * `searches` are all that was searched for, what the user typed among them. An answer does without the list of what was
 * read where a document was removed meanwhile.
 */
export async function backgroundOf(
  { searches, typed, finder }: BackgroundInput,
  read: readonly FoundPassage[],
): Promise<Background> {
  const list = await listRead(searches.join('\n'), read, finder).catch(() => []);
  const others = searches
    .filter((search) => search !== typed)
    .map((search) => search.replaceAll('\n', ' · '));
  return { ...(list.length > 0 && { read: list }), ...(others.length > 0 && { searches: others }) };
}

export interface BackgroundInput {
  readonly searches: readonly string[];
  readonly typed: string;
  readonly finder: PassageFinder;
}

export function readingStatus(passages: readonly FoundPassage[]): AnswerEvent {
  const sources = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return {
    kind: 'status',
    text: t('Reading {0} from {1}…', passagesInWords(passages.length), sourcesInWords(sources)),
  };
}
