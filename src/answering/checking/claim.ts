import type { Span } from '../../language/span.ts';
import { directionsIn, type Direction } from '../../language/opposites.ts';
import { linesIn, LineScanner, withoutItemMark } from '../../language/markdown-lines.ts';
import { mayBeginSentence } from '../../language/sentences.ts';
import { negationsIn, type Negation } from '../../language/negations.ts';
import type { Evidence } from './evidence.ts';
import { languages } from '../../language/words/languages.ts';
import { isAboutWriter, isTransition } from '../../language/self-talk.ts';
import { withoutLacks } from '../../language/stated-lacks.ts';
import { ADDING_WORDS, TURNING_WORDS } from '../../language/words/word-lists.ts';
import { isNumber, isOfParts, languageOfText, splitWords, type Word } from '../../language/words/words.ts';
import { fold } from '../../language/words/folding.ts';

/** A sentence of an answer, made ready to be looked for in passages. */
export interface Claim {
  /** The language that its terms are taken in, by its place in the list of languages. */
  readonly language: number;
  /** Its words as they are compared, between spaces. */
  readonly wording: string;
  readonly wordCount: number;
  readonly terms: readonly ClaimTerm[];
  /** The terms of its words in their order, as indexes into `terms`. */
  readonly sequence: readonly number[];
  readonly parts: readonly ClaimPart[];
  readonly termSet: ReadonlySet<string>;
  readonly names: readonly ClaimName[];
  readonly negations: readonly Negation[];
  readonly directions: readonly Direction[];
}

/** A part of the sentence that says something of its own, with the indexes of its terms. */
export interface ClaimPart extends Span {
  readonly terms: readonly number[];
}

export interface ClaimTerm {
  readonly term: string;
  readonly kind: 'name' | 'number' | 'word';
  /** Whether it is a short word without a capital, which in most languages carries little. */
  readonly isSmall: boolean;
  /** Where it stands in the sentence. */
  readonly places: readonly Span[];
  /** Of a number: the terms beside it, of which one has to stand in the same sentence of the source. */
  readonly near: readonly string[];
  /** Of a number: the term that follows it directly, which is what is counted or measured. */
  readonly counted: string | undefined;
}

/** A name, and the terms it is made of where it is an identifier of several. */
interface ClaimName {
  readonly term: string;
  readonly parts: readonly string[];
}

/** Only this many UTF-16 code units of a statement are looked at: every word is compared with every other. */
const MAX_STATEMENT_LENGTH = 4_000;

/** In scripts with capitals; what has code's marks around it is no word of the language. */
const SMALL = /^\p{Ll}{1,3}$/u;

/** What leads on or takes leave in more words than these says something, too: "In summary, the channel was dug in 1910 by…". */
const MAX_TRANSITION_WORDS = 12;
/** Fewer terms say nothing that a source could support, unless one is a name, a number, or denied: "They differ." */
const MIN_TERMS = 2;

/** Reports whether a sentence of an answer says something that a source could support. */
export function isClaim(sentence: string): boolean {
  return claimIn(sentence) !== undefined;
}

/** Returns what of a sentence a source could support: all but what it says of the sources themselves; undefined if it claims nothing. */
export function claimIn(statement: string, evidence?: Evidence): Claim | undefined {
  const sentence = statement.slice(0, MAX_STATEMENT_LENGTH);
  const whole = sentence.trim();
  const [line] = linesIn(whole);
  const kind = new LineScanner().take(whole.slice(0, line?.end));
  if (kind === 'heading' || kind === 'opening' || /[?？]["'”’)*_]*$/.test(whole) || /[:：][*_]*$/.test(whole))
    return undefined;
  const stated = withoutLacks(sentence);
  const text = stated.trim();
  if (text === '' || isAboutWriter(text)) return undefined;
  const claim = prepareClaim(stated, evidence);
  const { terms, names, negations, wordCount } = claim;
  if (wordCount <= MAX_TRANSITION_WORDS && names.length === 0 && isTransition(text)) return undefined;
  return terms.length >= MIN_TERMS || negations.length > 0 || terms.some(({ kind: of }) => of !== 'word')
    ? claim
    : undefined;
}

/**
 * Makes a sentence of an answer, in Markdown, ready to be looked for: in its own language where passages of the evidence
 * are of it, else in that of most of them, so that names and numbers are still the same.
 */
export function prepareClaim(
  statement: string,
  evidence?: Pick<Evidence, 'languages' | 'usualLanguage'>,
): Claim {
  const sentence = statement.slice(0, MAX_STATEMENT_LENGTH);
  // What is left out leaves room, so that offsets stay those of the sentence.
  const blank = (match: string): string => ' '.repeat(match.length);
  const unlinked = sentence.replace(/\]\((?:[^)\s\]]|\](?!\())*\)/g, blank);
  const text = withoutItemMark(unlinked).padStart(sentence.length);
  const own = languageOfText(text, evidence?.usualLanguage);
  const language = evidence?.languages.has(own) === false ? evidence.usualLanguage : own;
  const words = splitWords(text, language, own);
  const telling = words.filter((word) => word.terms.length > 0);
  const isName = nameTest(text, own);
  const terms = new Map<string, ClaimTerm & { readonly places: Span[] }>();
  const sequence: string[] = [];
  const names = new Map<string, ClaimName>();
  for (const [index, word] of telling.entries()) {
    const [whole, ...parts] = word.terms;
    if (whole === undefined) continue;
    const near = [telling[index - 1], telling[index + 1]].flatMap((each) => each?.terms ?? []);
    const counted = words[words.indexOf(word) + 1]?.terms[0];
    const named = isName(word, word === words[0]);
    if (named && !isNumber(whole))
      names.set(whole, { term: whole, parts: named === 'code' || !isOfParts(word) ? [] : parts });
    for (const term of [whole, ...parts]) {
      const kind = isNumber(term)
        ? term === '1' && !/^\d/.test(word.raw)
          ? 'word'
          : 'number'
        : named
          ? 'name'
          : 'word';
      const known = terms.get(term);
      const place = { start: word.start, end: word.end };
      if (known === undefined)
        terms.set(term, { term, kind, isSmall: SMALL.test(word.raw), places: [place], near, counted });
      else known.places.push(place);
    }
    sequence.push(whole);
  }
  const all = [...terms.values()];
  const isIn = (part: Span, { places }: ClaimTerm): boolean =>
    places.some(({ start, end }) => part.start <= start && end <= part.end);
  return {
    language,
    wording: joinWords(words),
    wordCount: words.length,
    terms: all,
    sequence: sequence.map((term) => all.findIndex((each) => each.term === term)),
    parts: cutClaim(words, text).map((part) => ({
      ...part,
      terms: all.flatMap((term, index) => (isIn(part, term) ? [index] : [])),
    })),
    termSet: new Set(terms.keys()),
    names: [...names.values()],
    negations: negationsIn(words, text, own),
    directions: directionsIn(words, own),
  };
}

function joinWords(words: readonly Word[]): string {
  return ` ${words.map((word) => word.folded).join(' ')} `;
}

/** Tells which words of a text are names: code, identifiers, and what is written with a capital within a sentence. */
function nameTest(text: string, language: number): (word: Word, isFirst: boolean) => 'code' | boolean {
  const code = [...text.matchAll(/`[^`]+`/g)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const capitalsTell = languages[language]?.capitalNouns !== true;
  return ({ raw, start }, isFirst) => {
    if (code.some(([from, to]) => from <= start && start < to)) return 'code';
    if (/[\p{Ll}\d_]\p{Lu}|_|\p{Lu}{2}/u.test(raw)) return true;
    return capitalsTell && !isFirst && /^\p{Lu}/u.test(raw) && !mayBeginSentence(text.slice(0, start));
  };
}

/** What stands between two parts of a sentence: a stop within it, or a word that joins clauses. */
const STOP = /[;:()]|[,，；：、（）]|\s[-–—]+\s|—/u;
const JOINING: ReadonlySet<string> = new Set([...TURNING_WORDS, ...ADDING_WORDS, 'because'].map(fold));
/** Reports whether a word, as it is compared, only joins a sentence to the one before it: "however", "and". */
export function isJoiningWord(folded: string): boolean {
  return JOINING.has(folded);
}

/** A part tells at least so much; what is shorter belongs to the part before it. */
const LEAST_WORDS = 3;

/** The parts of a sentence that each say something, in order, without gaps between their words. */
function cutClaim(words: readonly Word[], text: string): Span[] {
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
