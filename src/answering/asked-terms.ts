import { askingWordsFor } from './question-languages.ts';
import type { Word } from './terms.ts';
import { termsOf, termsOfWord, wordsOf } from './terms.ts';

const PAIRED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
const KANA = /^[\p{sc=Hiragana}ー]+$/u;
/** What Korean words end with that says how they stand in the sentence. */
const PARTICLE = /^(\p{sc=Hangul}{2,})(?:은|는|이|가|을|를|의|에|도|로|와|과|만)$/u;
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * The terms that a question asks for, in whatever language it is: without the words that only ask. Of scripts without
 * spaces the pairs of characters within its words. A question of nothing but such words keeps all its terms.
 */
export function askedTerms(question: string): string[] {
  const words = wordsOf(question).flatMap(parts);
  const isAsking = askingWordsFor(words.map(({ raw }) => raw.toLowerCase()));
  const terms = words.flatMap((word) => (isAsking(word.raw.toLowerCase()) ? [] : termsOfWord(word)));
  return terms.length > 0 ? terms : termsOf(question);
}

/** A stretch of characters without spaces as its words of several characters; other words as they are. */
function parts(word: Word): Word[] {
  const { raw, start } = word;
  if (!PAIRED.test(raw)) {
    const stem = PARTICLE.exec(raw)?.[1];
    return stem === undefined ? [word] : [{ raw: stem, folded: stem, start, end: start + stem.length }];
  }
  return Array.from(segmenter.segment(raw))
    .filter(({ segment, isWordLike = false }) => isWordLike && segment.length > 1 && !KANA.test(segment))
    .map(({ segment, index }) => ({
      raw: segment,
      folded: segment.toLowerCase(),
      start: start + index,
      end: start + index + segment.length,
    }));
}
