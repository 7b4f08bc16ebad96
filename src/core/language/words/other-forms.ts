import { abbreviationsOf } from './code-words.ts';
import { fold } from './folding.ts';
import { LANGUAGES } from './languages.ts';
import type { QuestionWord, QuestionWords } from './tokenizer.ts';
import { LOOKUP_LETTERS } from './vocabulary.ts';
import { ENGLISH, STOP_MARK } from './word-terms.ts';

/** Lookups in the terms of an index. */
export interface IndexedTerms {
  readonly isThere: (term: string) => boolean;
  /** Returns the terms that start, or end, with at least `LOOKUP_LETTERS` letters. */
  readonly startingWith: (letters: string) => readonly string[];
  readonly endingWith: (letters: string) => readonly string[];
  /** Returns the inverse document frequency of a term. */
  readonly rarity: (term: string) => number;
  /** Reports whether a passage has one term of each list. */
  readonly isTogether: (a: readonly string[], b: readonly string[]) => boolean;
  /** Reports whether a term may be another form of a word, rather than a name in code that contains it by chance. */
  readonly isEvident: (term: string) => boolean;
  /** Reports whether the answer may be in code. */
  readonly mayBeCode: () => boolean;
  /** Reports whether all passages with a term also have one of the others. */
  readonly isOnlyWith: (term: string, others: readonly string[]) => boolean;
}

/** Other forms of a question's words: their shares of the weight, and the terms of the words that they replace. */
interface OtherForms {
  readonly terms: ReadonlyMap<string, number>;
  readonly replaced: ReadonlySet<string>;
}

/**
 * Shares of the weight of a word for other inflections and prefixes, for its parts, for compounds of it, and for its
 * abbreviations in code. With 0, .2, .3, .4, and .5 for abbreviations, 247 questions of CoSQA's development set find
 * their function among 6,333 with an MRR (`npm run bench -- code`) of .531, .538, .543, .549, and .542.
 */
const SHARES = { form: 0.9, part: 0.7, compound: 0.5, abbreviation: 0.4 };

const MAX_WORDS = 8;
/** Maximum number of other forms of a word. */
const MAX_FORMS = 16;
/** Maximum number of compounds of a word that are compared with it; with all of them, `everyday` has the same figures. */
const MAX_COMPARED = 64;
/** Minimum share of the longer form's letters that two forms of a word begin with. */
const SAME_LETTERS_RATIO = 0.7;
/** Minimum lengths of the other part of a compound, before or after a word. */
const MIN_PART_BEFORE = 3;
/** Minimum length of the part before a word that no text contains, so that prefixes such as `ver` aren't parts. */
const MIN_PART_BEFORE_LACKING = 4;
const MIN_PART_AFTER = 4;
/** Without a passage in a language of compounds, only longer words, and capitalized ones, are looked for in them. */
const MIN_COMPOUNDED_ELSEWHERE = 6;
const VOWEL = /[aeiouy]/;
/** Words that have other forms than those with prefixes. */
const LETTERS = /^[\p{L}\p{M}]{4,64}$/u;
const LETTERS_ONLY = /^\p{L}{1,64}$/u;
/** Prefix that shows how a stemmer treats the end of a long word: most endings count only after several letters. */
const LONG_WORD = 'wasser';
/** Endings of a compound's last word, for texts that are too short to show their language. */
const ENDINGS = ['e', 'en', 'er', 'es', 'n', 's', 'et', 'ene', 'erna', 'na', 'ne', 't'];
/** Letters between the parts of compounds. */
const LINKS = ['', 's', 'es', 'n', 'en', 'er', 'e'];

const COMPOUNDING = LANGUAGES.reduce(
  (bits, { hasCompounds }, i) => (hasCompounds ? bits | (1 << i) : bits),
  0,
);

/** Conjunctions, prepositions, and articles that are written together with the next word. */
const PREFIXES: readonly { readonly script: RegExp; readonly prefixes: readonly string[] }[] = [
  {
    script: /^\p{sc=Hebrew}{2,}$/u,
    prefixes: 'ה ב ל מ ש ו כ וה וב ול ומ וש וכ שה כש מה לה בה שב של שמ מש כשה ושה ומה ולה ובה'.split(' '),
  },
  { script: /^\p{sc=Arabic}{2,}$/u, prefixes: 'ال و ب ل ك ف وال بال كال فال لل ول وب ولل'.split(' ') },
];

/**
 * Returns the share of the weight of another spelling of a question's words. A word such as `cherrypick` is a compound
 * of "cherry" and "pick", which a question for "cherry-pick" has, too. With .001, .25, .5, and 1 instead, 504 claims of
 * SciFact, 151 of which have such words, reach an nDCG@10 of .955, .954, .955, and .951.
 */
export function shareOfSpelling(term: string): number {
  return LETTERS_ONLY.test(term) ? SHARES.compound : 1;
}

/**
 * Returns terms of an index that are other forms of a question's words: another inflection where a short text didn't
 * show its language, the word with a prefix, its abbreviations in code, compounds with it, and the parts of a word that
 * no passage has.
 */
export function expandWords(question: QuestionWords, index: IndexedTerms): OtherForms {
  const terms = new Map<string, number>();
  const replaced = new Set<string>();
  const searched = question.words.slice(0, MAX_WORDS).map((word) => ({
    word,
    isLacking: !word.terms.some((term) => index.isThere(term)),
    forms: 0,
  }));
  const take = (searchedWord: (typeof searched)[number], term: string, share: number): void => {
    if (searchedWord.forms++ >= MAX_FORMS || question.terms.includes(term)) return;
    const [source = term] = searchedWord.word.terms.filter((own) => index.isThere(own));
    // A rare compound must not weigh more than the word itself.
    const weight = share * Math.min(1, index.rarity(source) / index.rarity(term));
    terms.set(term, Math.max(weight, terms.get(term) ?? 0));
    if (searchedWord.isLacking) for (const own of searchedWord.word.terms) replaced.add(own);
  };
  for (const searchedWord of searched)
    for (const term of prefixedForms(searchedWord.word, index.isThere)) take(searchedWord, term, SHARES.form);
  for (const searchedWord of searched)
    for (const term of searchedWord.word.terms.flatMap(abbreviationsOf))
      if (index.isThere(term) && index.mayBeCode()) take(searchedWord, term, SHARES.abbreviation);
  // A whole question has other words; its answer is rarely in a passage that has only compounds with one of them.
  const isQuestion = question.language !== undefined;
  const isCompounding = !isQuestion && (question.languages & COMPOUNDING) !== 0;
  for (const searchedWord of searched) {
    if ((!searchedWord.isLacking && !isCompounding) || !LETTERS.test(searchedWord.word.letters)) continue;
    if (searchedWord.isLacking)
      for (const term of inflections(searchedWord.word, question.language, index))
        take(searchedWord, term, SHARES.form);
    if (isQuestion) continue;
    const candidates = compounds(searchedWord.word, searchedWord.isLacking, isCompounding, index);
    for (const term of candidates.slice(0, MAX_COMPARED)) {
      if (searchedWord.forms >= MAX_FORMS) break;
      if (!index.isEvident(term)) continue;
      // Names in code are indexed with their parts, so the word finds `keepEmpty` by itself.
      if (searchedWord.isLacking || !index.isOnlyWith(term, searchedWord.word.terms))
        take(searchedWord, term, SHARES.compound);
    }
  }
  for (const searchedWord of searched) {
    if (!searchedWord.isLacking || searchedWord.forms > 0) continue;
    for (const term of partsOf(searchedWord.word.letters, question, index))
      take(searchedWord, term, SHARES.part);
  }
  return { terms, replaced };
}

/** Returns the existing terms that are a word with a prefix, or without the prefix that it has. */
export function prefixedForms(
  { letters }: Pick<QuestionWord, 'letters'>,
  isThere: (term: string) => boolean,
): string[] {
  const { prefixes = [] } = PREFIXES.find(({ script }) => script.test(letters)) ?? {};
  const forms = prefixes.flatMap((prefix) => [
    prefix + letters,
    ...(letters.startsWith(prefix) && letters.length - prefix.length >= 2
      ? [letters.slice(prefix.length)]
      : []),
  ]);
  return [...new Set(forms)].filter((form) => form !== letters && isThere(form));
}

/** Returns the existing terms that have the stem of a word in the question's language, or if unknown, in any language. */
function inflections(
  { raw, letters }: QuestionWord,
  questionLanguage: number | undefined,
  { isThere, startingWith }: IndexedTerms,
): string[] {
  // English stems are in the question's terms.
  if (questionLanguage === ENGLISH) return [];
  const similar = startingWith(letters.slice(0, LOOKUP_LETTERS)).filter((term) => {
    const same = Math.min(
      Math.ceil(SAME_LETTERS_RATIO * Math.max(term.length, letters.length)),
      Math.max(LOOKUP_LETTERS, letters.length),
    );
    return term.length >= same && letters.startsWith(term.slice(0, same)) && isThere(term);
  });
  if (similar.length === 0) return [];
  const lower = raw.toLowerCase();
  return similar.filter((term) =>
    LANGUAGES.some(({ stem }, language) => {
      if (language === ENGLISH || language !== (questionLanguage ?? language)) return false;
      const stemmed = fold(stem(lower));
      return (
        term.startsWith(stemmed.slice(0, Math.max(LOOKUP_LETTERS, stemmed.length - 1))) &&
        fold(stem(term)) === stemmed
      );
    }),
  );
}

/** Returns the existing terms that are compounds with a word. */
function compounds(
  { raw, letters, terms }: QuestionWord,
  isLacking: boolean,
  isCompounding: boolean,
  { isThere, startingWith, endingWith }: IndexedTerms,
): string[] {
  const mayBeCompounded =
    isCompounding || letters.length >= MIN_COMPOUNDED_ELSEWHERE || /^\p{Lu}\p{Ll}/u.test(raw);
  if (!mayBeCompounded) return [];
  const parts = new Set([letters, ...terms].filter(({ length }) => length >= LOOKUP_LETTERS));
  const compoundTerms = new Set<string>();
  const lastParts = new Set([...parts, ...lastPartsOf(raw, letters)]);
  if (isLacking && letters.length >= LOOKUP_LETTERS)
    for (const ending of ENDINGS) lastParts.add(letters + ending);
  for (const part of lastParts)
    for (const term of endingWith(part)) {
      const other = term.slice(0, term.length - part.length);
      if (
        other.length >= (isLacking ? MIN_PART_BEFORE_LACKING : MIN_PART_BEFORE) &&
        isPart(other) &&
        isThere(term) &&
        (isLacking ||
          LINKS.some((link) => other.endsWith(link) && isThere(other.slice(0, other.length - link.length))))
      )
        compoundTerms.add(term);
    }
  for (const part of parts)
    for (const term of startingWith(part)) {
      const other = term.slice(part.length);
      if (
        other.length >= MIN_PART_AFTER &&
        isPart(other) &&
        isThere(term) &&
        (isLacking || LINKS.some((link) => other.startsWith(link) && isThere(other.slice(link.length))))
      )
        compoundTerms.add(term);
    }
  return [...compoundTerms];
}

/** Returns the stems of a word as the last part of a compound, in the languages of compounds: `pruf` for "Prüfung". */
function lastPartsOf(raw: string, letters: string): string[] {
  const lower = raw.toLowerCase();
  return LANGUAGES.filter((language) => language.hasCompounds)
    .map(({ stem }) => fold(stem(LONG_WORD + lower)).slice(LONG_WORD.length))
    .filter((part) => part.length >= LOOKUP_LETTERS && letters.startsWith(part.slice(0, LOOKUP_LETTERS)));
}

/** Reports whether letters can be a part of a compound: part of `rathaus` is `rat`, but not `r` or `3`. */
function isPart(letters: string): boolean {
  return VOWEL.test(letters) && LETTERS_ONLY.test(letters);
}

/** Returns the terms of the two parts of a word that passages have together; none if it has no such parts. */
function partsOf(
  letters: string,
  { languages: seen, language = ENGLISH }: QuestionWords,
  index: IndexedTerms,
): string[] {
  // English writes "on board" as "onboard", but a German "Aufzug" is no "Zug".
  const hasStops = language === ENGLISH;
  let best: string[] = [];
  let shortest = 1;
  for (let at = 2; at <= letters.length - 2; at++) {
    const length = Math.min(at, letters.length - at);
    if (length <= shortest) continue;
    const second = termsOfPart(letters.slice(at), seen, hasStops, index);
    if (second.length === 0) continue;
    const before = letters.slice(0, at);
    const first = LINKS.filter((link) => before.endsWith(link) && at - link.length >= 2).flatMap((link) =>
      termsOfPart(before.slice(0, at - link.length), seen, hasStops, index),
    );
    if (first.length === 0 || !index.isTogether(first, second)) continue;
    best = [...first, ...second].filter((term) => !term.startsWith(STOP_MARK));
    shortest = length;
  }
  return best;
}

function termsOfPart(
  part: string,
  comparedTerms: number,
  hasStops: boolean,
  { isThere, startingWith }: IndexedTerms,
): string[] {
  // Stems keep the first letters, and stemming takes longer than a lookup.
  const hasStems = part.length >= LOOKUP_LETTERS && startingWith(part.slice(0, LOOKUP_LETTERS)).length > 0;
  const stems = LANGUAGES.flatMap(({ stem }, language) =>
    hasStems && (comparedTerms & (1 << language)) !== 0 ? [fold(stem(part))] : [],
  );
  return [...new Set([part, ...(hasStops ? [STOP_MARK + part] : []), ...stems])].filter((term) =>
    isThere(term),
  );
}
