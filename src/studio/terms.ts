import {
  isNounPhrase,
  readRuns,
  withoutMarkup,
  type WordRun,
  type WordUse,
} from '../language/noun-phrases.ts';
import { cutUnits } from '../language/units.ts';
import { specificityOf } from '../language/words/general-words.ts';
import { ENGLISH } from '../language/words/word-terms.ts';
import { isNumber, languageOfText, splitWords, type Word } from '../language/words/words.ts';
import type { DocumentPlace } from '../notebook/studio.ts';
import { sliceDocument } from './slices.ts';
import { placeIn, type StudioDocument } from './studio-document.ts';
import { findSubjectMatter } from './subject-matter.ts';

/** Where a term stands: the sentence, and the number of its section in the document. */
interface TermPlace {
  readonly section: number;
  /** Of the sentence among those of the document. */
  readonly sentence: number;
  /** Of its first word among those of the sentence. */
  readonly at: number;
}

/** A run of words of a document that may be a term, and how often it is used in which way. */
interface CandidateTerm {
  /** How often each way to write it comes up, with its words as they are counted in `uses`. */
  readonly written: Map<string, { count: number; readonly words: readonly string[] }>;
  readonly places: TermPlace[];
  count: number;
  openBefore: number;
  openBehind: number;
  afterSubject: number;
  afterDeterminer: number;
  afterAnd: number;
}

/** What a document's terms are chosen from. */
interface DocumentTerms {
  readonly language: number;
  /** Words of the document that may belong to terms. */
  readonly wordCount: number;
  readonly sentences: readonly DocumentPlace[];
  readonly uses: ReadonlyMap<string, WordUse>;
  /** By their stems. */
  readonly terms: ReadonlyMap<string, CandidateTerm>;
}

/** A term of several documents, with the sentences that it stands in. */
export interface Term {
  readonly title: string;
  /** The stems of its words. */
  readonly stems: readonly string[];
  readonly weight: number;
  /** By the place of the document among the parts. */
  readonly places: readonly (TermPlace & { readonly part: number })[];
}

/** A term comes up at least so often in a document. */
const MIN_COUNT = 2;
/** A word alone names less than two do, so it has to come up more often. */
const MIN_COUNT_ALONE = 3;
const MAX_SENTENCES = 20_000;
const MAX_PLACES = 200;
/** A general word is a term only if it is so much of its text. */
const MIN_COMMON_RATIO = 0.004;
const MIN_GENERAL_RATIO = 0.008;
/** Words of a text for each of its terms: an index of a book has two or three entries a page. */
const WORDS_PER_TERM = 140;
const MIN_TERMS = 10;
/** In a longer text chance makes pairs of words come up twice. */
const MAX_WORDS_OF_SHORT_TEXT = 2_000;

/**
 * The runs of words that come up again in a document and may be terms, and how its words are used. Returns empty lists
 * slice by slice, and all at the end: only then is it known what comes up again.
 */
export function* termsOfDocument(document: StudioDocument): Generator<DocumentTerms[]> {
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
  for (const [stem, { count }] of terms) if (count < MIN_COUNT) terms.delete(stem);
  yield [{ language, wordCount, sentences, uses, terms }];
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
  if (term === undefined)
    terms.set(
      key,
      (term = {
        ...{
          written: new Map(),
          places: [],
          count: 0,
          openBefore: 0,
          openBehind: 0,
          afterSubject: 0,
          afterDeterminer: 0,
          afterAnd: 0,
        },
      }),
    );
  const written = words
    .map((word, index) => {
      const next = words[index + 1];
      // One character parts the words of a term, and only a hyphen is kept.
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

/** A word as it stands in the text, whole if a line breaks it. */
function writtenForm({ raw }: Word): string {
  return raw.replaceAll('\u00ad', '').replaceAll(/[-‐]\r?\n[ \t]*/g, '');
}

/** All uses of a candidate in several documents. */
interface Candidate extends Omit<CandidateTerm, 'places'> {
  readonly stems: readonly string[];
  readonly places: (TermPlace & { readonly part: number })[];
}

/**
 * The terms that tell most of some documents, the weightiest first: noun phrases that come up again, by their C-value
 * (Frantzi et al. 2000) and by how special their words are; and how many there are beside them. What stands in longer terms
 * alone is no term of its own.
 */
export function keyTerms(
  parts: readonly DocumentTerms[],
  most: number,
): { readonly terms: readonly Term[]; readonly omitted: number } {
  const candidates = mergeTerms(parts);
  const uses = mergeUses(parts);
  const wordCount = parts.reduce((sum, part) => sum + part.wordCount, 0);
  const language = parts[0]?.language ?? ENGLISH;
  const phrases = candidates.filter((candidate) =>
    isNounPhrase({ ...candidate, words: usualForm(candidate.written).words }, uses, language),
  );
  const nested = countNested(phrases);
  const weighed = phrases
    .flatMap((candidate) => {
      const key = candidate.stems.join(' ');
      const { within, longer } = nested.get(key) ?? { within: 0, longer: 1 };
      const size = candidate.stems.length;
      const alone = candidate.count - within / longer;
      const isRare = candidate.count < MIN_COUNT_ALONE;
      // Two capitals alone are an address or a unit as often as a name.
      if (size === 1 && /^\p{Lu}{2}$/u.test(usualForm(candidate.written).title)) return [];
      if (isRare && (size === 1 || wordCount > MAX_WORDS_OF_SHORT_TEXT)) return [];
      // What stands in one longer term alone says nothing beside it.
      if (within > 0 && candidate.count - within < Math.max(MIN_COUNT, 0.25 * candidate.count)) return [];
      const specificity = specificityOfTerm(candidate, wordCount, language);
      return specificity === 0 ? [] : [{ ...candidate, weight: Math.log2(size + 1) * alone * specificity }];
    })
    .sort((a, b) => b.weight - a.weight || (a.stems.join(' ') < b.stems.join(' ') ? -1 : 1));
  const fitting = Math.min(most, Math.max(MIN_TERMS, Math.ceil(wordCount / WORDS_PER_TERM)));
  const terms = weighed.slice(0, fitting).map(({ written, stems, weight, places }) => ({
    title: usualForm(written).title,
    ...{ stems, weight, places },
  }));
  return { terms, omitted: weighed.length - terms.length };
}

/** How special a term is, from 0 to 1. Only of English is it known which words texts of all kinds are full of. */
function specificityOfTerm({ stems, count }: Candidate, wordCount: number, language: number): number {
  if (language !== ENGLISH) return stems.length > 1 ? 1 : 0.7;
  const all = stems.map(specificityOf);
  const most = Math.max(...all);
  const last = all.at(-1) ?? 0;
  if (stems.length === 1) {
    const least = most === 1 ? 0 : most >= 0.7 ? MIN_COMMON_RATIO : MIN_GENERAL_RATIO;
    return count >= least * wordCount ? most : 0;
  }
  return most === 0 ? 0 : (most + last) / 2;
}

function mergeTerms(parts: readonly DocumentTerms[]): Candidate[] {
  const all = new Map<string, Candidate>();
  for (const [part, { terms }] of parts.entries())
    for (const [stem, term] of terms) {
      let known = all.get(stem);
      if (known === undefined)
        all.set(
          stem,
          (known = {
            stems: stem.split(' '),
            ...{
              written: new Map(),
              places: [],
              count: 0,
              openBefore: 0,
              openBehind: 0,
              afterSubject: 0,
              afterDeterminer: 0,
              afterAnd: 0,
            },
          }),
        );
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
  return [...all.values()];
}

function mergeUses(parts: readonly DocumentTerms[]): Map<string, WordUse> {
  const all = new Map<string, WordUse>();
  for (const { uses } of parts)
    for (const [word, use] of uses) {
      const known = all.get(word);
      if (known === undefined) all.set(word, { ...use });
      else for (const key of Object.keys(use) as (keyof WordUse)[]) known[key] += use[key];
    }
  return all;
}

/** How often each term stands within longer ones, and in how many of these. */
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

/** A small share of small letters may come from code or from an address. */
const MIN_LOWER_RATIO = 0.25;

/** How a term is written most often, and its words; in small letters if it is often written so. */
function usualForm(written: CandidateTerm['written']): {
  readonly title: string;
  readonly words: readonly string[];
} {
  const all = [...written].sort(([a, one], [b, other]) => other.count - one.count || (a < b ? 1 : -1));
  const [title = '', { words } = { words: [] }] = all[0] ?? [];
  const lower = title.toLowerCase();
  const count = all.reduce((sum, [, form]) => sum + form.count, 0);
  return { words, title: (written.get(lower)?.count ?? 0) >= MIN_LOWER_RATIO * count ? lower : title };
}
