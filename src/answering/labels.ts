import type { TextFormat } from '../notebook/document.ts';
import type { Unit } from './units.ts';

const MOST_WORDS = 10;
const STYLED = /^(?:\*\*|__|`)[^\n]*(?:\*\*|__|`)$/;
const ENDS_SENTENCE = /[.!?:;,…。！？]["'”’)*_]*$/;

/**
 * Whether a unit is a line of its own that names what follows, as a heading does: a term in bold or as code, or, in text
 * without marks, a short line that ends as no sentence does.
 */
export function isLabel(text: string, { start, end, kind }: Unit, format: TextFormat): boolean {
  if (kind !== 'sentence' || !isAlone(text, start, end)) return false;
  const words = text.slice(start, end);
  if (words.split(/\s+/).length > MOST_WORDS || ENDS_SENTENCE.test(words)) return false;
  if (format === 'markdown') return STYLED.test(words);
  return !words.includes('\n') && /^(?:[\p{Lu}\p{Lo}\d]|--?[\p{L}\d])/u.test(words);
}

function isAlone(text: string, start: number, end: number): boolean {
  return (
    /(?:^|\n)[ \t]*\r?\n?[ \t]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^[ \t]*\r?\n[ \t]*\r?\n/.test(text.slice(end, end + 20))
  );
}
