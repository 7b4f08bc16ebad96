import type { Span } from '../../language/span.ts';
import { ADDING_WORDS, TURNING_WORDS } from '../../language/words/word-lists.ts';
import { fold } from '../../language/words/word-terms.ts';
import type { Word } from '../../language/words/words.ts';

/** What stands between two parts of a sentence: a stop within it, or a word that joins clauses. */
const STOP = /[;:()]|[,，；：、（）]|\s[-–—]+\s|—/u;
const JOINING: ReadonlySet<string> = new Set([...TURNING_WORDS, ...ADDING_WORDS, 'because'].map(fold));
/** A part tells at least so much; what is shorter belongs to the part before it. */
const LEAST_WORDS = 3;

/** The parts of a sentence that each say something, in order, without gaps between their words. */
export function cutClaim(words: readonly Word[], text: string): Span[] {
  const parts: { start: number; end: number; telling: number }[] = [];
  let last: Word | undefined;
  for (const word of words) {
    const tells = word.terms.length > 0 ? 1 : 0;
    const part = parts.at(-1);
    const isCut =
      last === undefined || STOP.test(text.slice(last.end, word.start)) || JOINING.has(word.folded);
    if (part === undefined || isCut) parts.push({ start: word.start, end: word.end, telling: tells });
    else {
      part.end = word.end;
      part.telling += tells;
    }
    last = word;
  }
  const joined: typeof parts = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && (part.telling < LEAST_WORDS || before.telling < LEAST_WORDS)) {
      before.end = part.end;
      before.telling += part.telling;
    } else joined.push(part);
  }
  return joined.map(({ start, end }) => ({ start, end }));
}
