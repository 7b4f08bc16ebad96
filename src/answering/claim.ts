import type { Direction } from './directions.ts';
import { directionsIn } from './directions.ts';
import type { Negation } from './negations.ts';
import { negationsIn } from './negations.ts';
import type { Order } from './order.ts';
import { orderIn } from './order.ts';
import type { Word } from './terms.ts';
import { identifierTerms, isNumber, termsOf, termsOfWord, wordsOf } from './terms.ts';

/** A sentence of an answer, made ready to be looked for in passages. */
export interface Claim {
  /** Its words as they are compared, between spaces. */
  readonly wording: string;
  readonly wordCount: number;
  readonly terms: readonly ClaimTerm[];
  readonly termSet: ReadonlySet<string>;
  /** What it gives in quotation marks, as `wording` is written. */
  readonly quotations: readonly string[];
  readonly names: readonly ClaimName[];
  /** The term that it begins with, which mostly is what it speaks of. */
  readonly subject: string | undefined;
  readonly order: readonly Order[];
  readonly negations: readonly Negation[];
  readonly directions: readonly Direction[];
}

export interface ClaimTerm {
  readonly term: string;
  readonly kind: 'name' | 'number' | 'word';
  /** Of a number: the terms beside it, of which one has to stand in the same sentence of the source. */
  readonly near: readonly string[];
  /** Of a number: the term that follows it directly, which is what is counted or measured. */
  readonly counted: string | undefined;
}

/** A name, and the terms it is made of where it is an identifier of several. */
export interface ClaimName {
  readonly term: string;
  readonly parts: readonly string[];
}

/** Words that name what is spoken of by its kind alone. */
const GENERIC = new Set(
  'package module study function method option section document documentation system tool library project program user data file value default first setting command article paper result example author pattern option rule field parameter argument word page number name'
    .split(' ')
    .flatMap(termsOf),
);
/** Capitals tell nothing of names in German. */
const GERMAN = /\b(?:der|die|das|und|ist|sind|nicht|eine?|mit|von|zu|wird|werden)\b/g;

/** Makes a sentence of an answer, in Markdown, ready to be looked for. */
export function prepareClaim(sentence: string): Claim {
  const text = sentence.replace(/\]\([^)\s]*\)/g, ' ').replace(/^\s*(?:[-*+•]|\d{1,3}[.)])\s+/, '');
  const words = wordsOf(text);
  const telling = words.filter((word) => termsOfWord(word).length > 0);
  const isName = nameTest(text);
  const terms = new Map<string, ClaimTerm>();
  const names = new Map<string, ClaimName>();
  for (const [index, word] of telling.entries()) {
    const [whole, ...parts] = termsOfWord(word);
    if (whole === undefined) continue;
    const near = [telling[index - 1], telling[index + 1]].flatMap((each) =>
      each === undefined ? [] : termsOfWord(each),
    );
    const following = words[words.indexOf(word) + 1];
    const counted = following === undefined ? undefined : termsOfWord(following)[0];
    const named = isName(word, word === words[0]);
    if (named && !isNumber(whole))
      names.set(whole, { term: whole, parts: named === 'code' ? [] : identifierTerms(word) });
    for (const term of [whole, ...parts]) {
      const kind = isNumber(term)
        ? term === '1' && !/^\d/.test(word.raw)
          ? 'word'
          : 'number'
        : named
          ? 'name'
          : 'word';
      if (!terms.has(term)) terms.set(term, { term, kind, near, counted });
    }
  }
  const quotations = [...text.matchAll(/["“„«]([^"“”„«»]{8,})["”“»]/g)]
    .map((match) => wordsOf(match[1] ?? ''))
    .filter((quoted) => quoted.length >= 3)
    .map(wordingOf);
  return {
    wording: wordingOf(words),
    wordCount: words.length,
    terms: [...terms.values()],
    termSet: new Set(terms.keys()),
    quotations,
    names: [...names.values()],
    subject: subjectOf(telling),
    order: orderIn(words),
    negations: negationsIn(words, text),
    directions: directionsIn(words),
  };
}

function subjectOf(telling: readonly Word[]): string | undefined {
  return telling
    .flatMap((word) => termsOfWord(word).slice(0, 1))
    .find((term) => !isNumber(term) && !GENERIC.has(term));
}

function wordingOf(words: readonly Word[]): string {
  return ` ${words.map((word) => word.folded).join(' ')} `;
}

/** Tells which words of a text are names: code, identifiers, and what is written with a capital within a sentence. */
function nameTest(text: string): (word: Word, isFirst: boolean) => 'code' | boolean {
  const code = [...text.matchAll(/`[^`]+`/g)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const capitalsTell = (text.match(GERMAN)?.length ?? 0) < 2;
  return ({ raw, start }, isFirst) => {
    if (code.some(([from, to]) => from <= start && start < to)) return 'code';
    if (/[\p{Ll}\d_]\p{Lu}|_|\p{Lu}{2}/u.test(raw)) return true;
    return (
      capitalsTell &&
      !isFirst &&
      /^\p{Lu}/u.test(raw) &&
      !/[.!?:]["'”’»)*_]*\s+["'“„*_(]*$/.test(text.slice(0, start))
    );
  };
}
