import { t } from '@vscode/l10n';
import type { Answer, AnswerEvent } from '../notebook/answer.ts';
import { passagesInWords, sourcesInWords } from '../notebook/counts.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { Asked } from './follow-up.ts';
import { wordsToFind } from './follow-up.ts';
import type { PassageFinder } from './passage-finder.ts';
import { listRead } from './read-passages.ts';

/** What stands behind an answer: what was read for it, and what was searched for where that was not the question itself. */
export type Background = Pick<Answer, 'read' | 'searched'>;

/** An answer does without the list of what was read where a document was removed meanwhile. */
export async function backgroundOf(
  { asked, typed, finder }: { readonly asked: Asked; readonly typed: string; readonly finder: PassageFinder },
  read: readonly FoundPassage[],
): Promise<Background> {
  const list = await listRead(wordsToFind(asked), read, finder).catch(() => []);
  const searched = [asked.question, asked.carried.replaceAll('\n', ' · ')]
    .filter((part) => part !== '')
    .join(' · ');
  return { ...(list.length > 0 && { read: list }), ...(searched !== typed && { searched }) };
}

export function readingStatus(passages: readonly FoundPassage[]): AnswerEvent {
  const sources = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return {
    kind: 'status',
    text: t('Reading {0} from {1}…', passagesInWords(passages.length), sourcesInWords(sources)),
  };
}
