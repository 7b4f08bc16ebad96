import {
  isNounPhrase,
  readRuns,
  withoutMarkup,
  type WordRun,
  type WordUse,
} from '../../../core/language/noun-phrases.ts';
import { cutUnits } from '../../../core/language/units.ts';
import { specificityOf } from '../../../core/language/words/general-words.ts';
import { ENGLISH } from '../../../core/language/words/word-terms.ts';
import { isNumber, languageOfText, splitWords, type Word } from '../../../core/language/words/words.ts';
import type { DocumentPlace } from '../../../core/domain/artifact.ts';
import { sliceDocument } from './slices.ts';
import { placeIn, type GeneratorDocument } from './generator-document.ts';
import { findSubjectMatter } from './subject-matter.ts';

/** Position of a term: the sentence, and the index of its section in the document. */
interface TermPlace {
  readonly section: number;
  /** Index of the sentence in the document. */
  readonly sentence: number;
  /** Index of its first word in the sentence. */
  readonly at: number;
}

/** Sequence of words of a document that may be a term, with statistics on its use. */
interface CandidateTerm {
  /** Counts of its spellings, each with its words as they are counted in `uses`. */
  readonly written: Map<string, { count: number; readonly words: readonly string[] }>;
  readonly places: TermPlace[];
  count: number;
  openBefore: number;
  openBehind: number;
  afterSubject: number;
  afterDeterminer: number;
  afterAnd: number;
}

/** Candidates and statistics for choosing the terms of a document. */
export interface DocumentTerms {
  readonly language: number;
  /** Words of the document that may belong to terms. */
  readonly wordCount: number;
  readonly sentences: readonly DocumentPlace[];
  readonly uses: ReadonlyMap<string, WordUse>;
  /** Candidates by their stems. */
  readonly terms: ReadonlyMap<string, CandidateTerm>;
}

/** Term of several documents, with the sentences that contain it. */
export interface Term {
  readonly title: string;
  /** The stems of its words. */
  readonly stems: readonly string[];
  readonly weight: number;
  /** Positions, with the index of the document among the parts. */
  readonly places: readonly (TermPlace & { readonly part: number })[];
}

/** Minimum count of a term in a document. */
const MIN_TERM_COUNT = 2;
/** Minimum count of a single word, and of the sentences with it, because it is less specific than two words. */
const MIN_SINGLE_WORD_COUNT = 3;
/** Minimum number of sections in which a text has to have terms so that a word of a single section isn't a term. */
const MIN_SECTIONS = 8;
const MAX_SENTENCES = 20_000;
const MAX_PLACES = 200;
/** Minimum share of a general word in its text to be a term. */
const MIN_COMMON_RATIO = 0.004;
const MIN_GENERAL_RATIO = 0.008;
/** Number of words of a text per term. The index of a book has two or three entries per page. */
const WORDS_PER_TERM = 140;
const MIN_TERMS = 10;
/** Maximum number of words of a short text. In a longer one, pairs of words repeat by chance. */
const MAX_WORDS_OF_SHORT_TEXT = 2_000;

/**
 * Finds recurring sequences of words in a document that may be terms, and how its words are used. Yields empty lists
 * slice by slice, and the result at the end, because only then it is known which sequences recur.
 */
export function* termsOfDocument(document: GeneratorDocument): Generator<DocumentTerms[]> {
  const { format, headings } = document;
  const sentences: DocumentPlace[] = [];
  const terms = new Map<string, CandidateTerm>();
  const uses = new Map<string, WordUse>();
  const isSubject = findSubjectMatter(document);
  let section = 0;
  let language = ENGLISH;
  let wordCount = 0;
  for (const { text, from, beginning } of format === 'code' ? [] : sliceDocument(document)) {
    if (sentences.length >= MAX_SENTENCES) break;
    language = languageOfText(beginning);
    for (const { start, end, kind } of cutUnits(text, format, [])) {
      if (kind === 'fence' || sentences.length >= MAX_SENTENCES) continue;
      while ((headings[section]?.offset ?? Infinity) <= from + start) section++;
      const place = { section, sentence: sentences.length };
      sentences.push(placeIn(document, { start: from + start, end: from + end }));
      if (kind === 'row' || !isSubject(from + start)) continue;
      const sentence = withoutMarkup(text.slice(start, end));
      const words = splitWords(sentence, language);
      wordCount += words.length;
      for (const run of readRuns(sentence, words, language, uses))
        addTerm(terms, { sentence, words: words.slice(run.from, run.to) }, run, { ...place, at: run.from });
    }
    yield [];
  }
  for (const [stem, { count }] of terms) if (count < MIN_TERM_COUNT) terms.delete(stem);
  yield [{ language, wordCount, sentences, uses, terms }];
}

function emptyCounts(): Omit<CandidateTerm, 'places'> {
  return {
    written: new Map(),
    ...{ count: 0, openBefore: 0, openBehind: 0, afterSubject: 0, afterDeterminer: 0, afterAnd: 0 },
  };
}

function addTerm(
  terms: Map<string, CandidateTerm>,
  { sentence, words }: { readonly sentence: string; readonly words: readonly Word[] },
  run: WordRun,
  place: TermPlace,
): void {
  const stems = words.map((word) => word.terms[0] ?? '');
  if (stems.some(isNumber)) return;
  const key = stems.join(' ');
  let term = terms.get(key);
  if (term === undefined) terms.set(key, (term = { ...emptyCounts(), places: [] }));
  const written = words
    .map((word, index) => {
      const next = words[index + 1];
      // A single character separates the words of a term, and only a hyphen is preserved.
      const isHyphenated = next?.start === word.end + 1 && /[-‑]/.test(sentence.charAt(word.end));
      return writtenForm(word) + (next === undefined ? '' : isHyphenated ? '-' : ' ');
    })
    .join('');
  const form = term.written.get(written);
  if (form === undefined) term.written.set(written, { count: 1, words: words.map(({ folded }) => folded) });
  else form.count++;
  term.count++;
  if (run.isOpenBefore) term.openBefore++;
  if (run.isOpenBehind) term.openBehind++;
  if (run.isAfterSubject) term.afterSubject++;
  if (run.isAfterDeterminer) term.afterDeterminer++;
  if (run.isAfterAnd) term.afterAnd++;
  if (term.places.length < MAX_PLACES && term.places.at(-1)?.sentence !== place.sentence)
    term.places.push(place);
}

/** Returns the spelling of a word in the text, without a line break inside it. */
function writtenForm({ raw }: Word): string {
  return raw.replaceAll('\u00ad', '').replaceAll(/[-‐]\r?\n[ \t]*/g, '');
}

/** All uses of a candidate in several documents. */
interface Candidate extends Omit<CandidateTerm, 'places'> {
  readonly stems: readonly string[];
  readonly places: (TermPlace & { readonly part: number })[];
}

/**
 * Returns the most informative terms of some documents, best first, and the number of further ones. Terms are recurring
 * noun phrases, weighted by their C-value (Frantzi et al. 2000) and the specificity of their words. A phrase that
 * occurs only within longer terms isn't a term.
 */
export function keyTerms(
  parts: readonly DocumentTerms[],
  limit: number,
): { readonly terms: readonly Term[]; readonly omitted: number } {
  const candidates = mergeTerms(parts);
  const uses = mergeUses(parts);
  const wordCount = parts.reduce((sum, part) => sum + part.wordCount, 0);
  const language = parts[0]?.language ?? ENGLISH;
  const phrases = candidates.filter((candidate) =>
    isNounPhrase({ ...candidate, words: usualForm(candidate.written).words }, uses, language),
  );
  const nested = countNested(phrases);
  const sectionCount = countSections(phrases.flatMap(({ places }) => places));
  const weighed = phrases
    .flatMap((candidate) => {
      const key = candidate.stems.join(' ');
      const { within, longer } = nested.get(key) ?? { within: 0, longer: 1 };
      const size = candidate.stems.length;
      const alone = candidate.count - within / longer;
      const isRare = candidate.count < MIN_SINGLE_WORD_COUNT;
      // Two capitals alone are as often an address or a unit as a name.
      if (size === 1 && /^\p{Lu}{2}$/u.test(usualForm(candidate.written).title)) return [];
      if (isRare && (size === 1 || wordCount > MAX_WORDS_OF_SHORT_TEXT)) return [];
      // A word that one list repeats, and the name of one example, are easier to find by the heading.
      if (size === 1 && candidate.places.length < MIN_SINGLE_WORD_COUNT) return [];
      if (size === 1 && sectionCount >= MIN_SECTIONS && countSections(candidate.places) === 1) return [];
      // A phrase that occurs almost only within one longer term adds nothing to it.
      if (within > 0 && candidate.count - within < Math.max(MIN_TERM_COUNT, 0.25 * candidate.count))
        return [];
      const specificity = specificityOfTerm(candidate, wordCount, language);
      return specificity === 0 ? [] : [{ ...candidate, weight: Math.log2(size + 1) * alone * specificity }];
    })
    .sort((a, b) => b.weight - a.weight || (a.stems.join(' ') < b.stems.join(' ') ? -1 : 1));
  const fitting = Math.min(limit, Math.max(MIN_TERMS, Math.ceil(wordCount / WORDS_PER_TERM)));
  const terms = weighed.slice(0, fitting).map(({ written, stems, weight, places }) => ({
    title: usualForm(written).title,
    ...{ stems, weight, places },
  }));
  return { terms, omitted: weighed.length - terms.length };
}

/** Counts the different sections of places in several documents. */
function countSections(places: Candidate['places']): number {
  return new Set(places.map(({ part, section }) => `${String(part)} ${String(section)}`)).size;
}

/** Returns the specificity of a term, from 0 to 1. General word frequencies are known only for English. */
function specificityOfTerm(
  { stems, count, written }: Candidate,
  wordCount: number,
  language: number,
): number {
  if (language !== ENGLISH) return stems.length > 1 ? 1 : 0.7;
  const specificities = stems.map(specificityOf);
  const maxSpecificity = Math.max(...specificities);
  const last = specificities.at(-1) ?? 0;
  if (stems.length === 1) {
    const least = maxSpecificity === 1 ? 0 : maxSpecificity >= 0.7 ? MIN_COMMON_RATIO : MIN_GENERAL_RATIO;
    return count >= least * wordCount ? maxSpecificity : 0;
  }
  // "Stored data", "updated template": the participles of common verbs qualify anything.
  if (
    stems.length === 2 &&
    specificities[0] === 0 &&
    /^\p{L}{2,30}ed$/u.test(usualForm(written).words[0] ?? '')
  )
    return 0;
  return maxSpecificity === 0 ? 0 : (maxSpecificity + last) / 2;
}

function mergeTerms(parts: readonly DocumentTerms[]): Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const [part, { terms }] of parts.entries())
    for (const [stem, term] of terms) {
      let known = candidates.get(stem);
      if (known === undefined)
        candidates.set(stem, (known = { ...emptyCounts(), stems: stem.split(' '), places: [] }));
      for (const [raw, { count, words }] of term.written)
        known.written.set(raw, { words, count: count + (known.written.get(raw)?.count ?? 0) });
      for (const place of term.places) known.places.push({ ...place, part });
      known.count += term.count;
      known.openBefore += term.openBefore;
      known.openBehind += term.openBehind;
      known.afterSubject += term.afterSubject;
      known.afterDeterminer += term.afterDeterminer;
      known.afterAnd += term.afterAnd;
    }
  return [...candidates.values()];
}

function mergeUses(parts: readonly DocumentTerms[]): Map<string, WordUse> {
  const usesByWord = new Map<string, WordUse>();
  for (const { uses } of parts)
    for (const [word, use] of uses) {
      const known = usesByWord.get(word);
      if (known === undefined) usesByWord.set(word, { ...use });
      else for (const key of Object.keys(use) as (keyof WordUse)[]) known[key] += use[key];
    }
  return usesByWord;
}

/** Counts the occurrences of each term within longer ones, and the number of these. */
function countNested(phrases: readonly Candidate[]): Map<string, { within: number; longer: number }> {
  const nested = new Map<string, { within: number; longer: number }>();
  for (const { stems, count } of phrases)
    for (let size = 1; size < stems.length; size++)
      for (let from = 0; from + size <= stems.length; from++) {
        const key = stems.slice(from, from + size).join(' ');
        const known = nested.get(key);
        if (known === undefined) nested.set(key, { within: count, longer: 1 });
        else {
          known.within += count;
          known.longer++;
        }
      }
  return nested;
}

/** Minimum share of lowercase spellings. A smaller share may come from code or an address. */
const MIN_LOWER_RATIO = 0.25;

/** Returns the most frequent spelling of a term, and its words. Prefers lowercase if it is frequent. */
function usualForm(written: CandidateTerm['written']): {
  readonly title: string;
  readonly words: readonly string[];
} {
  const forms = [...written].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? 1 : -1));
  const [title = '', { words } = { words: [] }] = forms[0] ?? [];
  const lower = title.toLowerCase();
  const count = forms.reduce((sum, [, form]) => sum + form.count, 0);
  return { words, title: (written.get(lower)?.count ?? 0) >= MIN_LOWER_RATIO * count ? lower : title };
}
