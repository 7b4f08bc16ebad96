import type { Span } from '../../core/language/span.ts';
import { directionsIn, type Direction } from '../../core/language/opposites.ts';
import { linesIn, LineScanner, withoutItemMark } from '../../core/language/markdown-lines.ts';
import { mayBeginSentence } from '../../core/language/sentences.ts';
import { negationsIn, type Negation } from '../../core/language/negations.ts';
import type { Evidence } from './evidence.ts';
import { LANGUAGES } from '../../core/language/words/languages.ts';
import { isModelBoilerplate, isTransition } from '../../core/language/model-boilerplate.ts';
import { stripNoEvidenceStatements } from '../../core/language/no-evidence-statements.ts';
import { partsOfPacks } from '../../core/language/words/pack-words.ts';
import { wordsInRole } from '../../core/language/words/role-words.ts';
import {
  isNumber,
  isOfParts,
  languageOfSentence,
  languageOfText,
  splitWords,
  type Word,
} from '../../core/language/words/words.ts';
import { fold } from '../../core/language/words/folding.ts';

/** Sentence of an answer, prepared for matching with passages. */
export interface Claim {
  /** Language of its terms, as an index into the list of languages. */
  readonly language: number;
  /** Folded words for comparisons, with spaces around each. */
  readonly wording: string;
  readonly wordCount: number;
  /** Folded words without a term: articles, prepositions, auxiliaries. */
  readonly functionWords: readonly string[];
  /** Signs at the figures of the text, in order: `-`, `%`, `€`; '' for a figure without any. */
  readonly signs: readonly string[];
  readonly terms: readonly ClaimTerm[];
  /** Terms of its words in order, as indexes into `terms`. */
  readonly sequence: readonly number[];
  readonly parts: readonly ClaimPart[];
  readonly termSet: ReadonlySet<string>;
  readonly names: readonly ClaimName[];
  readonly negations: readonly Negation[];
  readonly directions: readonly Direction[];
}

/** Part of the sentence with a claim of its own, and the indexes of its terms. */
export interface ClaimPart extends Span {
  readonly terms: readonly number[];
}

export interface ClaimTerm {
  readonly term: string;
  readonly kind: 'name' | 'number' | 'word';
  /** `true` for a short word in lower case, which carries little meaning in most languages. */
  readonly isSmall: boolean;
  /** Positions in the sentence. */
  readonly places: readonly Span[];
  /** For a number: the adjacent terms. The sentence of the source has to contain one of them. */
  readonly near: readonly string[];
  /** For a number: the next term, which is the counted or measured item. */
  readonly counted: string | undefined;
}

/** Name, and its terms if it's an identifier with several parts. */
interface ClaimName {
  readonly term: string;
  readonly parts: readonly string[];
}

/** Maximum checked length of a statement, in UTF-16 code units: every word is compared with every other. */
const MAX_STATEMENT_LENGTH = 4_000;

/** Matches short words in scripts with capitals. Text in code marks isn't a word of the language. */
const SMALL = /^\p{Ll}{1,3}$/u;

/**
 * Maximum number of words in a mere transition or closing; a longer sentence also claims something: "In summary, the
 * channel was dug in 1910 by…".
 */
const MAX_TRANSITION_WORDS = 12;
/**
 * Minimum number of terms in a claim without a citation, unless it is a list item, has an end mark, or one term is a
 * name, a number, or negated. "Overview" on its own line is a title.
 */
const MIN_TERMS = 2;
const END_MARK = /[.!。！…]["'”’)*_]*$/u;
/** Complete answers whose words have no terms. */
export const YES_OR_NO = new RegExp(`^(?:${partsOfPacks(({ yesOrNo }) => yesOrNo)})[.!。！]?$`, 'iu');

/** Reports whether a sentence of an answer, without a citation, says something that a source could support. */
export function isClaim(sentence: string, isItem = false): boolean {
  return claimIn(sentence, undefined, { isItem }) !== undefined;
}

/**
 * Returns the part of a sentence that a source could support, without remarks about the sources themselves; undefined
 * if it claims nothing. With a citation, in a table, as a list item, or with an end mark, a single word also claims
 * something: "Yes [1]", "They differ."
 */
export function claimIn(
  statement: string,
  evidence?: Evidence,
  { isCited = false, isItem = false }: { readonly isCited?: boolean; readonly isItem?: boolean } = {},
): Claim | undefined {
  const sentence = statement.slice(0, MAX_STATEMENT_LENGTH);
  const whole = sentence.trim();
  const [line] = linesIn(whole);
  const kind = new LineScanner().take(whole.slice(0, line?.end));
  if (kind === 'heading' || kind === 'opening' || /[?？]["'”’)*_]*$/.test(whole)) return undefined;
  if (/[:：][*_]*$/.test(whole) && (!isCited || isTransition(whole))) return undefined;
  const stated = stripNoEvidenceStatements(sentence);
  const text = stated.trim();
  if (text === '' || isModelBoilerplate(text, isCited)) return undefined;
  const claim = prepareClaim(stated, evidence);
  const { terms, names, negations, wordCount } = claim;
  if (wordCount <= MAX_TRANSITION_WORDS && names.length === 0 && isTransition(text)) return undefined;
  if (isCited) return wordCount > 0 ? claim : undefined;
  const minTerms = isItem || END_MARK.test(text) ? 1 : MIN_TERMS;
  const hasContent =
    terms.length >= minTerms || negations.length > 0 || terms.some(({ kind: of }) => of !== 'word');
  return hasContent || YES_OR_NO.test(text) ? claim : undefined;
}

/**
 * Prepares a sentence of an answer, in Markdown, for matching. If the evidence has no passages in the sentence's
 * language, uses the language of most passages, so that at least names and numbers match.
 */
export function prepareClaim(
  statement: string,
  evidence?: Pick<Evidence, 'languages' | 'usualLanguage'>,
): Claim {
  const sentence = statement.slice(0, MAX_STATEMENT_LENGTH);
  // Replace omitted text with spaces, so that offsets still refer to the sentence.
  const blank = (match: string): string => ' '.repeat(match.length);
  const unlinked = sentence.replace(/\]\((?:[^)\s\]]|\](?!\())*\)/g, blank);
  const text = withoutItemMark(unlinked).padStart(sentence.length);
  const own = languageOfText(text, evidence?.usualLanguage);
  const language = evidence?.languages.has(own) === false ? evidence.usualLanguage : own;
  const words = splitWords(text, language, own);
  const contentWords = words.filter((word) => word.terms.length > 0);
  const isName = nameTest(text, languageOfSentence(text, own));
  const terms = new Map<string, ClaimTerm & { readonly places: Span[] }>();
  const sequence: string[] = [];
  const names = new Map<string, ClaimName>();
  for (const [index, word] of contentWords.entries()) {
    const [whole, ...parts] = word.terms;
    if (whole === undefined) continue;
    const near = [contentWords[index - 1], contentWords[index + 1]].flatMap((each) => each?.terms ?? []);
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
  const claimTerms = [...terms.values()];
  const isIn = (part: Span, { places }: ClaimTerm): boolean =>
    places.some(({ start, end }) => part.start <= start && end <= part.end);
  return {
    language,
    wording: joinWords(words),
    wordCount: words.length,
    functionWords: words.filter((word) => word.terms.length === 0).map(({ folded }) => folded),
    signs: figureSigns(text, words),
    terms: claimTerms,
    sequence: sequence.map((term) => claimTerms.findIndex((each) => each.term === term)),
    parts: cutClaim(words, text).map((part) => ({
      ...part,
      terms: claimTerms.flatMap((term, index) => (isIn(part, term) ? [index] : [])),
    })),
    termSet: new Set(terms.keys()),
    names: [...names.values()],
    negations: negationsIn(words, text, own),
    directions: directionsIn(words, own),
  };
}

const SIGNS_BEFORE = /(?:^|[\s(])([-−–+<>≤≥~≈±$€£¥]+) ?$/u;
const SIGNS_BEHIND = /^ ?([%‰°€$£¥²³]+)/u;

/** Returns the signs before and behind each figure among the words of a text, in order. */
export function figureSigns(text: string, words: readonly Word[]): readonly string[] {
  return words
    .filter(({ folded }) => /^\d/.test(folded))
    .map(({ start, end }) => {
      const before = SIGNS_BEFORE.exec(text.slice(Math.max(0, start - 4), start))?.[1] ?? '';
      const behind = SIGNS_BEHIND.exec(text.slice(end, end + 4))?.[1] ?? '';
      return `${before.replace(/[−–]/gu, '-')}${behind}`;
    });
}

function joinWords(words: readonly Word[]): string {
  return ` ${words.map((word) => word.folded).join(' ')} `;
}

/**
 * Returns a function that reports whether a word of a text is a name: code, identifiers, and capitalized words within a
 * sentence.
 */
function nameTest(text: string, language: number): (word: Word, isFirst: boolean) => 'code' | boolean {
  const code = [...text.matchAll(/`[^`]+`/g)].map(
    (match) => [match.index, match.index + match[0].length] as const,
  );
  const capitalsTell = LANGUAGES[language]?.hasCapitalNouns !== true;
  return ({ raw, start }, isFirst) => {
    if (code.some(([from, to]) => from <= start && start < to)) return 'code';
    if (/[\p{Ll}\d_]\p{Lu}|_|\p{Lu}{2}/u.test(raw)) return true;
    return capitalsTell && !isFirst && /^\p{Lu}/u.test(raw) && !mayBeginSentence(text.slice(0, start));
  };
}

/** Separators of a sentence's parts: punctuation within it, or words that join clauses. */
const STOP = /[;:()]|[,，；：、（）]|\s[-–—]+\s|—/u;
const JOINING: ReadonlySet<string> = new Set(
  [...wordsInRole('contrasts'), ...wordsInRole('additions'), 'because'].map(fold),
);
/** Minimum number of meaningful words in a part; a shorter part belongs to the one before it. */
const MIN_WORDS = 3;

/** Returns the parts of a sentence that each claim something, in order, without gaps between their words. */
function cutClaim(words: readonly Word[], text: string): Span[] {
  const parts: { start: number; end: number; count: number }[] = [];
  let last: Word | undefined;
  for (const word of words) {
    const contentCount = word.terms.length > 0 ? 1 : 0;
    const part = parts.at(-1);
    const isCut =
      last === undefined || STOP.test(text.slice(last.end, word.start)) || JOINING.has(word.folded);
    if (part === undefined || isCut) parts.push({ start: word.start, end: word.end, count: contentCount });
    else {
      part.end = word.end;
      part.count += contentCount;
    }
    last = word;
  }
  const joined: typeof parts = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (before !== undefined && (part.count < MIN_WORDS || before.count < MIN_WORDS)) {
      before.end = part.end;
      before.count += part.count;
    } else joined.push(part);
  }
  return joined.map(({ start, end }) => ({ start, end }));
}
