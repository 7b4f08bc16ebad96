import { fold, plainWords } from '../../core/language/words/folding.ts';
import { pausing } from '../../core/rpc/pausing.ts';
import { cutPassage, type FoundPassage } from '../../core/domain/passage.ts';
import type { Span } from '../../core/language/span.ts';
import { oppositeFamily } from '../../core/language/opposites.ts';
import { stripInjectedInstructions } from '../../core/language/prompt-injection.ts';
import { pointsBack, tellsPurpose } from '../../core/language/statement-words.ts';
import { similarTerms, type SimilarTerms } from '../../core/language/words/similar-terms.ts';
import {
  isNumber,
  languageOfText,
  termsIn,
  weighTerms,
  splitWords,
  type Word,
} from '../../core/language/words/words.ts';
import type { UnitKind } from '../../core/language/units.ts';

/** Sentence, item, row, block, or line of a passage, prepared for comparison with a claim. */
export interface EvidenceUnit extends Span {
  readonly kind: UnitKind;
  readonly text: string;
  /** Passage that contains the unit. */
  readonly source: EvidencePassage;
  /** Index among the units of the passage. */
  readonly place: number;
  /** Index among all units of the evidence. */
  readonly index: number;
  readonly terms: ReadonlySet<string>;
  /** Terms of the long forms of its abbreviations, or of the abbreviations of its long forms. */
  readonly implied: ReadonlySet<string>;
  readonly numbers: readonly UnitNumber[];
  readonly words: readonly Word[];
  /** `true` if it states the purpose of a study instead of a result. */
  readonly tellsPurpose: boolean;
  /** `true` if it begins with a word such as "it", and so refers to the unit before it. */
  readonly pointsBack: boolean;
  /** Number of meaningful words. */
  readonly wordCount: number;
}

/** Number in a unit with the adjacent terms. */
interface UnitNumber {
  readonly term: string;
  readonly near: readonly string[];
  /** Next term, which is the counted or measured item. */
  readonly counted: string | undefined;
}

/** Passage, prepared for the search for support of a claim. */
export interface EvidencePassage {
  readonly passage: FoundPassage;
  /** Language of its terms, as an index into the list of languages. */
  readonly language: number;
  readonly units: readonly EvidenceUnit[];
  /** Terms of the titles and headings above the passage. */
  readonly context: ReadonlySet<string>;
  readonly terms: ReadonlySet<string>;
}

/** Passages that an answer was written from. */
export interface Evidence {
  readonly passages: readonly EvidencePassage[];
  readonly units: readonly EvidenceUnit[];
  /** Languages of the passages, and the language of most of their text. */
  readonly languages: ReadonlySet<number>;
  readonly usualLanguage: number;
  /** Indexes of the units that contain a term, imply it, or contain a related one. */
  readonly holding: ReadonlyMap<string, readonly number[]>;
  readonly implying: ReadonlyMap<string, readonly number[]>;
  readonly kin: ReadonlyMap<string, readonly number[]>;
  /** Numbers in any unit. */
  readonly numbers: ReadonlySet<string>;
  readonly weight: (term: string) => number;
  readonly similar: SimilarTerms;
  /** Average number of meaningful words in a unit. */
  readonly usualLength: number;
}

/** Number of words on each side of a number that count as adjacent. */
const BESIDE = 2;

/** Prepares passages for the search. */
export function prepareEvidence(passages: readonly FoundPassage[]): Evidence {
  const steps = preparing(passages);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Prepares many passages, with pauses for other work in between. */
export async function prepareEvidenceInSteps(passages: readonly FoundPassage[]): Promise<Evidence> {
  const steps = preparing(passages);
  const pause = pausing();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await pause();
  }
}

function* preparing(passages: readonly FoundPassage[]): Generator<undefined, Evidence> {
  const usualLanguage = languageOfText(passages.map(({ text }) => text).join('\n'));
  yield;
  const languages = passages.map(({ text }) => languageOfText(text, usualLanguage));
  const abbreviations: Abbreviation[] = [];
  for (const [index, { text, format }] of passages.entries()) {
    if (format !== 'code') abbreviations.push(...abbreviationsIn(text, languages[index] ?? usualLanguage));
    yield;
  }
  const prepared: EvidencePassage[] = [];
  let count = 0;
  for (const [index, passage] of passages.entries()) {
    const source = preparePassage(passage, languages[index] ?? usualLanguage, count, abbreviations);
    prepared.push(source);
    count += source.units.length;
    yield;
  }
  const units = prepared.flatMap((passage) => passage.units);
  const context = new Set(prepared.flatMap((passage) => [...passage.context]));
  const holding = indexBy(units, ({ terms }) => terms);
  yield;
  const implying = indexBy(units, ({ implied }) => implied);
  const kin = indexBy(
    units,
    ({ terms, source }) => new Set([...terms].flatMap((term) => oppositeFamily(term, source.language) ?? [])),
  );
  yield;
  const similar = similarTerms(new Set([...holding.keys(), ...context]));
  yield;
  return {
    passages: prepared,
    units,
    languages: new Set(languages),
    usualLanguage,
    holding,
    implying,
    kin,
    numbers: new Set([...holding.keys()].filter(isNumber)),
    weight: weighTerms(units.map(({ terms }) => terms)),
    similar,
    usualLength: units.reduce((sum, { wordCount }) => sum + wordCount, 0) / Math.max(1, units.length),
  };
}

function indexBy(
  units: readonly EvidenceUnit[],
  termsIn: (unit: EvidenceUnit) => ReadonlySet<string>,
): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [index, unit] of units.entries()) {
    for (const term of termsIn(unit)) {
      const own = places.get(term);
      if (own === undefined) places.set(term, [index]);
      else own.push(index);
    }
  }
  return places;
}

function preparePassage(
  passage: FoundPassage,
  language: number,
  before: number,
  abbreviations: readonly Abbreviation[],
): EvidencePassage {
  // Instructions in a source aren't statements of that source.
  const cleanText = stripInjectedInstructions(passage.text);
  const words = splitWords(cleanText, language);
  const titles = [passage.documentTitle, passage.documentKey, ...passage.headings].join('\n');
  const units: EvidenceUnit[] = [];
  const terms = new Set<string>();
  const prepared: EvidencePassage = {
    passage,
    language,
    units,
    context: new Set(termsIn(titles, language)),
    terms,
  };
  let next = 0;
  for (const { start, end, kind } of cutPassage({ ...passage, text: cleanText })) {
    while ((words[next]?.start ?? Infinity) < start) next++;
    const first = next;
    while ((words[next]?.start ?? Infinity) < end) next++;
    const own = words.slice(first, next);
    const said = isSaidBy(own, abbreviations);
    for (const term of said.terms) terms.add(term);
    const text = cleanText.slice(start, end);
    const place = units.length;
    units.push({
      start,
      end,
      kind,
      text,
      source: prepared,
      place,
      index: before + place,
      words: own,
      tellsPurpose: tellsPurpose(text, language),
      pointsBack: pointsBack(text, language),
      ...said,
    });
  }
  return prepared;
}

function isSaidBy(
  words: readonly Word[],
  abbreviations: readonly Abbreviation[],
): Pick<EvidenceUnit, 'implied' | 'numbers' | 'terms' | 'wordCount'> {
  const contentTerms = words.map((word) => word.terms).filter((terms) => terms.length > 0);
  const terms = new Set(contentTerms.flat());
  const implied = new Set<string>();
  for (const { short, long } of abbreviations) {
    if (terms.has(short)) for (const term of long) implied.add(term);
    else if (long.every((term) => terms.has(term))) implied.add(short);
  }
  const numbers = contentTerms.flatMap((own, index) =>
    own.filter(isNumber).map((term) => ({
      term,
      near: contentTerms.slice(Math.max(0, index - BESIDE), index + BESIDE + 1).flat(),
      counted: contentTerms[index + 1]?.[0],
    })),
  );
  return { terms, implied, numbers, wordCount: contentTerms.length };
}

/** Abbreviation and its long form, as terms. */
interface Abbreviation {
  readonly short: string;
  readonly long: readonly string[];
}

const IN_BRACKETS = /\(([\p{Lu}\d][\p{L}\d]*(?:-[\p{L}\d]+)?s?)\)/gu;
/**
 * Maximum number of letters and digits, including hyphens: "UNESCO-IOC". Longer text is a capitalized word:
 * "(RECOMMENDATIONS)".
 */
const MAX_ABBREVIATION_LENGTH = 10;
/** Maximum length of the abbreviated words before it, in UTF-16 code units: ten words of twelve letters. */
const MAX_LONG_FORM_LENGTH = 120;

/** Returns the abbreviations that a text explains in brackets after their long forms, as terms in a language. */
function abbreviationsIn(text: string, language: number): Abbreviation[] {
  return [...text.matchAll(IN_BRACKETS)].flatMap((match) => {
    const letters = (match[1] ?? '').replace(/s$/, '');
    if (letters.length < 2 || letters.length > MAX_ABBREVIATION_LENGTH || !/\p{Lu}.*\p{Lu}/u.test(letters))
      return [];
    const before = plainWords(text.slice(Math.max(0, match.index - MAX_LONG_FORM_LENGTH), match.index));
    const long = longForm(before, fold(letters.toLowerCase()).replace(/[^\p{L}]/gu, ''));
    const [short] = termsIn(letters, language);
    const terms = long === undefined ? [] : termsIn(long.join(' '), language);
    return short === undefined || terms.length < 2 ? [] : [{ short, long: terms }];
  });
}

/** Maximum number of small words without a letter in the abbreviation: "Department of the Interior (DI)". */
const MAX_SMALL_WORDS = 2;

/** Returns the last words whose initials are the letters, ignoring small words between them. */
function longForm(words: readonly string[], letters: string): readonly string[] | undefined {
  let at = words.length;
  for (let i = letters.length - 1; i >= 0; i--) {
    let skipped = 0;
    do at--;
    while (at >= 0 && !words[at]?.startsWith(letters.charAt(i)) && skipped++ < MAX_SMALL_WORDS);
    if (at < 0 || !words[at]?.startsWith(letters.charAt(i))) return undefined;
  }
  return words.slice(at);
}
