// Finds the words that relate two terms of a sentence: "uses", "is a part of".
import { ADVERB, isVerb, withoutMarkup, type WordUse } from '../../../core/language/noun-phrases.ts';
import {
  CONJUNCTIONS,
  DETERMINERS,
  isEnglishVerb,
  PREPOSITIONS,
  PRONOUNS,
} from '../../../core/language/relating-words.ts';
import { LANGUAGES } from '../../../core/language/words/languages.ts';
import { splitWords, type Word } from '../../../core/language/words/words.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { plainTerm } from './sheet.ts';
import type { GeneratorDocument } from './generator-document.ts';
import { keyTerms, type DocumentTerms } from './terms.ts';

/** Maximum number of terms of a document whose relations are found. */
const MAX_TERMS = 60;
/** Maximum number of words between the terms, and of those that are shown. */
const MAX_WORDS_BETWEEN = 9;
const MAX_WORDS = 5;
/** Maximum number of words without a verb. */
const MAX_WORDS_WITHOUT_VERB = 2;
const MAX_LENGTH = 36;
/** Parentheses, and marks of emphasis or quotation. */
const REMARK = /\([^()]{0,60}\)|[*_"“”]{1,3}/gu;
/** Letters, digits, apostrophes, and hyphens. Other characters separate clauses or items of a list. */
const PLAIN = /^[\s\p{L}\p{M}\p{N}'’-]+$/u;

const COPULA = /^(?:is|are|was|were|be|not)$/;

/** Relation of two terms in a sentence. */
export interface Relation {
  /** Words that relate the terms; empty if no sentence has any. */
  readonly words: string;
  /** The sentence from the first term to the second. */
  readonly quote: string;
  /** The sentence. */
  readonly place: DocumentPlace;
  readonly hasVerb: boolean;
  /** Lower ranks are better. */
  readonly rank: number;
}

/** Relations of a document by `relationKey`. */
export type Relations = ReadonlyMap<string, Relation>;

/** Returns the key of the relation between two terms, by their stems, in the order of the sentence. */
export function relationKey(first: readonly string[], second: readonly string[]): string {
  return `${first.join(' ')}\n${second.join(' ')}`;
}

/** Position of a term in a sentence, as indices of its words. */
interface Mention {
  readonly stems: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** Finds the best relation between the key terms of a document, in the direction of each sentence. */
export function findRelations(document: GeneratorDocument, part: DocumentTerms): Relations {
  const mentions = new Map<number, Mention[]>();
  for (const { stems, places } of keyTerms([part], MAX_TERMS).terms)
    for (const { sentence, at } of places) {
      const mention = { stems, from: at, to: at + stems.length };
      const others = mentions.get(sentence);
      if (others === undefined) mentions.set(sentence, [mention]);
      else others.push(mention);
    }
  const best = new Map<string, Relation>();
  for (const [index, all] of mentions) {
    const place = part.sentences[index];
    if (all.length < 2 || place === undefined) continue;
    const sentence = withoutMarkup(document.text.slice(place.start, place.end));
    const words = splitWords(sentence, part.language);
    for (const first of all)
      for (const second of all) {
        const gap = second.from - first.to;
        if (gap < 1 || gap > MAX_WORDS_BETWEEN) continue;
        const relation = relationIn(sentence, words, [first, second], part);
        const rank = relation?.rank ?? 2 * MAX_WORDS + gap;
        const key = relationKey(first.stems, second.stems);
        if (rank >= (best.get(key)?.rank ?? Infinity)) continue;
        const [start, end] = [words[first.from]?.start ?? 0, words[second.to - 1]?.end ?? 0];
        const quote = plainTerm(document.text.slice(place.start + start, place.start + end));
        best.set(key, { ...{ words: '', hasVerb: false }, ...relation, rank, quote, place });
      }
  }
  return best;
}

/** Returns the relation between two terms of a sentence; undefined if the words between them don't relate them. */
function relationIn(
  sentence: string,
  sentenceWords: readonly Word[],
  [first, second]: readonly [Mention, Mention],
  { uses, language }: Pick<DocumentTerms, 'language' | 'uses'>,
): Pick<Relation, 'hasVerb' | 'rank' | 'words'> | undefined {
  const code = LANGUAGES[language]?.code ?? '';
  const begin = sentenceWords[first.to - 1]?.end ?? 0;
  const raw = sentence.slice(begin, sentenceWords[second.from]?.start ?? 0);
  const shown = raw.replaceAll(REMARK, (remark) => ' '.repeat(remark.length));
  // "Frames are matrix-like": the second term is part of a longer word.
  const isWithinWord = sentence.charAt(sentenceWords[second.to - 1]?.end ?? 0) === '-';
  if (!PLAIN.test(shown) || /^-|-$/.test(raw) || isWithinWord) return undefined;
  const between = sentenceWords
    .slice(first.to, second.from)
    .filter(({ start }) => /\S/.test(shown.charAt(start - begin)));
  const isOutside = ({ folded, raw: written }: Word): boolean =>
    CONJUNCTIONS.get(code)?.has(folded) === true ||
    PRONOUNS.has(folded) ||
    /\d/.test(written) ||
    (code === 'en' && /^\p{Lu}/u.test(written));
  if (between.some(isOutside)) return undefined;
  const isVerbal = (word: Word): boolean => isRelating(word, uses, code);
  const isNominal = (word: Word | undefined): boolean =>
    word?.terms[0] !== undefined && !isVerbal(word) && !(code !== 'en' && isRarelyNoun(word, uses));
  // "A uses the B generator" isn't a relation to B.
  if (isNominal(sentenceWords[second.to]) && isDirectlyAfter(sentence, sentenceWords, second.to))
    return undefined;
  let [from, to] = [0, between.length];
  if (between.length > 1 && /^(?:that|which|who)$/.test(between[0]?.folded ?? '')) from++;
  if (code === 'en' && ADVERB.test(between[from]?.folded ?? '') && between.length - from > 1) from++;
  if (isNominal(between[from])) return undefined;
  const isDeterminer = (word: Word | undefined): boolean =>
    word !== undefined && DETERMINERS.get(code)?.has(word.folded) === true;
  // "Is stored in the local": the adjective and the article belong to the second term.
  const hasAdjective = to - from > 1 && isNominal(between[to - 1]);
  if (hasAdjective) to--;
  while (to > from && isDeterminer(between[to - 1])) to--;
  const words = between.slice(from, to);
  if (words.length === 0 || words.length > MAX_WORDS || isDeterminer(words[0])) return undefined;
  const hasVerb = words.some(isVerbal);
  if (code === 'en') {
    const isPreposition = PREPOSITIONS.has(words[0]?.folded ?? '');
    if (hasVerb === isPreposition || (!hasVerb && words.length > MAX_WORDS_WITHOUT_VERB)) return undefined;
    // In "the state of A is stored in B", A isn't stored.
    if (hasVerb && isAfterPreposition(sentenceWords, first.from)) return undefined;
    // In "axes are low-level parameters", the adjective matters.
    if (hasAdjective && words.every(({ folded }) => COPULA.test(folded))) return undefined;
  }
  const label = shown
    .slice((words[0]?.start ?? 0) - begin, (words.at(-1)?.end ?? 0) - begin)
    .replaceAll(/\s+/g, ' ');
  if (label.length > MAX_LENGTH) return undefined;
  return { words: label, hasVerb, rank: (hasVerb ? 0 : MAX_WORDS) + words.length };
}

/** Reports whether a word is a verb, also an auxiliary one. */
function isRelating({ folded }: Word, uses: ReadonlyMap<string, WordUse>, code: string): boolean {
  return code === 'en' && (isEnglishVerb(folded) || isVerb(folded, uses));
}

/** Reports whether a word of a language without known verbs never has an article or a capital. */
function isRarelyNoun({ folded }: Word, uses: ReadonlyMap<string, WordUse>): boolean {
  const use = uses.get(folded);
  return use === undefined || (use.afterDeterminer === 0 && use.capital === 0);
}

/** Reports whether only blanks separate a word from the one before. */
function isDirectlyAfter(sentence: string, sentenceWords: readonly Word[], index: number): boolean {
  return /^[ \u00a0-]{1,2}$/.test(
    sentence.slice(sentenceWords[index - 1]?.end ?? 0, sentenceWords[index]?.start ?? 0),
  );
}

/** Reports whether a preposition is before a term, its adjectives, and its article. */
function isAfterPreposition(sentenceWords: readonly Word[], index: number): boolean {
  let at = index - 1;
  while (at >= 0 && index - at <= 3 && sentenceWords[at]?.terms[0] !== undefined) at--;
  if (DETERMINERS.get('en')?.has(sentenceWords[at]?.folded ?? '') === true) at--;
  return PREPOSITIONS.has(sentenceWords[at]?.folded ?? '');
}
