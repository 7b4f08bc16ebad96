// Finds abbreviations beside their long forms, and names that a text defines for its parties and subjects.
import type { Span } from './span.ts';
import { partsOfPacks } from './words/pack-words.ts';

/** An abbreviation and its explanation, as spans of the text. */
interface ShortForm {
  readonly term: Span;
  readonly words: Span;
}

/** Maximum distance between an abbreviation and the start of its long form, in UTF-16 code units. */
const MAX_LONG_FORM_LENGTH = 120;
/** Abbreviation in brackets: at least two capitals, or a capital and a digit. */
const IN_BRACKETS = /(?<=\s)\(["“]?(\p{Lu}[\p{L}\p{N}&-]{1,9})["”]?\)/gu;
const BEFORE_BRACKETS = /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{N}&-]{1,9}) \(([^()\n]{6,120})\)/gu;
/** "(the “Company”)", "(collectively, the “Notes”)". */
export const NAMED = new RegExp(
  String.raw`(?<=\s)\((?:[\p{L}]{2,15},? ){0,3}?(?:${partsOfPacks(({ definedNames }) => definedNames?.articles)}),? ["“„«]([^"“”„«»\n()]{2,40})["”“»](?:,? (?:${partsOfPacks(({ definedNames }) => definedNames?.joins)}) (?:the )?["“„«][^"“”„«»\n()]{2,40}["”“»])?\)`,
  'gu',
);
/** Signs that end a long form. */
const SENTENCE_SIGNS = '.;:!?()|\n';
const CONTAINS_NO_WORDS = /^[\p{N}&-]*$/u;

/**
 * Returns the abbreviations of a text with their long forms, as in "row access control (RAC)" and "RAC (row access
 * control)", in order. The letters of the abbreviation occur in the long form, and the first one begins a word
 * (Schwartz and Hearst 2003).
 */
export function findShortForms(text: string): ShortForm[] {
  const shortForms: ShortForm[] = [];
  for (const { 0: all, 1: short = '', index } of text.matchAll(IN_BRACKETS)) {
    if (!isAbbreviation(short)) continue;
    const from = Math.max(0, index - MAX_LONG_FORM_LENGTH);
    const near = text.slice(from, index);
    const before = near.slice(1 + Math.max(...Array.from(SENTENCE_SIGNS, (sign) => near.lastIndexOf(sign))));
    const long = longForm(before.trimEnd(), short);
    if (long === undefined) continue;
    const at = index + all.indexOf(short);
    const start = index - (before.length - before.trimEnd().length) - long.length;
    shortForms.push({
      term: { start: at, end: at + short.length },
      words: { start, end: index + all.length },
    });
  }
  for (const { 0: all, 1: short = '', 2: long = '', index } of text.matchAll(BEFORE_BRACKETS))
    if (isAbbreviation(short) && !/[,;\d]/.test(long) && longForm(long, short) === long)
      shortForms.push({
        term: { start: index, end: index + short.length },
        words: { start: index, end: index + all.length },
      });
  return shortForms.sort((a, b) => a.words.start - b.words.start);
}

/** Returns the names that a contract or a report gives to something in brackets and quotation marks: "(the “Company”)". */
export function findDefinedNames(text: string, { start, end }: Span): Span[] {
  return Array.from(text.slice(start, end).matchAll(NAMED), ({ 0: all, 1: name = '', index }) => {
    const at = start + index + all.indexOf(name);
    return { start: at, end: at + name.length };
  }).filter(({ start: from, end: to }) => /^\p{Lu}/u.test(text.slice(from, to)));
}

function isAbbreviation(short: string): boolean {
  const capitals = short.match(/\p{Lu}/gu)?.length ?? 0;
  const others = short.match(/\p{Ll}/gu)?.length ?? 0;
  return (capitals >= 2 || /\d/.test(short)) && others <= capitals && !CONTAINS_NO_WORDS.test(short);
}

/** Returns the last words whose letters form an abbreviation; undefined if there are none. */
function longForm(before: string, short: string): string | undefined {
  const letters = Array.from(short.toLowerCase()).filter((letter) => /[\p{L}\p{N}]/u.test(letter));
  const lower = before.toLowerCase();
  // Offsets differ if lower-casing changes the length.
  if (lower.length !== before.length) return undefined;
  let at = lower.length;
  for (const [index, letter] of letters.toReversed().entries()) {
    const isFirst = index === letters.length - 1;
    do at--;
    while (
      at >= 0 &&
      (lower.charAt(at) !== letter || (isFirst && /[\p{L}\p{N}]/u.test(lower.charAt(at - 1))))
    );
    if (at < 0) return undefined;
  }
  const long = before.slice(at);
  const words = long.split(/[\s-]+/);
  const longest = Math.min(letters.length + 5, letters.length * 2);
  const isLonger = words.length >= 2 && words.length <= longest && long.length > short.length + 2;
  return isLonger && !long.split(/\s+/).includes(short) ? long : undefined;
}
