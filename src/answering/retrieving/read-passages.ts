import type { ReadPassage } from '../../notebook/answer.ts';
import type { FoundPassage } from '../../notebook/passage.ts';
import { cite } from './cite.ts';
import type { PassageFinder } from './passage-finder.ts';
import { termsOf } from '../../language/words/words.ts';

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

/** The words of a question that a text holds, in any of their forms, each once. */
export function wordsHeld(question: string, text: string): string[] {
  const held = new Set(termsOf(text));
  const words = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
  return [...new Set(words)].filter((word) => termsOf(word).some((term) => held.has(term)));
}
