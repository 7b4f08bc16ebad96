import type { SpokenText } from '../../../answers/models/openai-transcription.ts';
import { cutSentences } from '../../../core/language/sentences.ts';
import type { Chapter } from './script.ts';

/**
 * Returns a spoken script as captions, one for each sentence. `ends` has the time at which each segment ends, in
 * seconds; its sentences share the time by their length.
 */
export function scriptCaptions(chapters: readonly Chapter[], ends: readonly number[]): SpokenText[] {
  const captions: SpokenText[] = [];
  let start = 0;
  for (const [i, { speaker, text }] of chapters.flatMap(({ segments }) => segments).entries()) {
    const end = ends[i] ?? start;
    for (const sentence of cutSentences(text)) {
      const timeAt = (offset: number): number => start + ((end - start) * offset) / text.length;
      const words = text.slice(sentence.start, sentence.end).trim();
      if (words !== '')
        captions.push({ text: words, speaker, from: timeAt(sentence.start), to: timeAt(sentence.end) });
    }
    start = end;
  }
  return captions;
}
