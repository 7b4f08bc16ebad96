import type { Tokenizer } from '@orama/orama';
import { languages } from './languages.ts';
import { detached, WordCache } from './word-cache.ts';

const BROKEN = /[-‐]\r?\n[ \t]*/u;
const CONTRACTED = /'(?:s|re|ve|ll|d|m|t)$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const ASCII = /^[\x20-\x7e]*$/;
/** Around a private name, or emphasis in Markdown. */
const UNDERSCORES = /^_+|_+$/g;
const PLAIN = /^[a-z]+$/;

/** Scripts written without spaces that are indexed by their characters and pairs of characters. */
const PAIRED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]/u;
const PAIRED_RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]+/gu;
const HAN = /\p{sc=Han}/u;
/** Scripts written without spaces that only a dictionary can divide. */
const UNSPACED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Accents of Latin, Greek and Cyrillic; points of Hebrew; vowels of Arabic; spaces within taken-apart signs. Other scripts' marks are letters. */
const ACCENTS = /[\u00ad\u0640\s]|[\u0300-\u036f]|[\u0591-\u05c7]|[\u064b-\u0655]|\u0670/g;
const LIGATURES: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['ı', 'i'],
  ['þ', 'th'],
]);

/** Before the name of what is defined, in most languages of code. */
const DEFINERS: ReadonlySet<string> = new Set([
  'class',
  'def',
  'enum',
  'fn',
  'func',
  'function',
  'interface',
  'struct',
]);
/** A method where no such word stands before its name; what is no definition is told by the name. */
const METHOD = /^[ \t]*(?:\w+ ){0,3}([\w$]+) ?\([^()\n]*\)[^\n;()]{0,40}\{$/;
const NO_METHOD: ReadonlySet<string> = new Set(['catch', 'for', 'function', 'if', 'switch', 'while', 'with']);
const LONGEST_LINE = 300;
const DEFINED = /\b(?:function|func|fn) /;
/** How often more the name of a definition counts: questions name what code does, and so do names. */
const NAMED_AGAIN = 2;

/** Longer words are cut: what is longer is data. */
const LONGEST_WORD = 64;
const ENGLISH = 0;

/** Before a stop word: it is kept for questions of nothing else and does not count to a passage's length. */
export const STOP_MARK = '~';

/** Greek stop words are listed without accents and with one sigma. */
const GREEK = /\p{sc=Greek}/u;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });

/** The languages whose stop word a word is, as a set of bits. */
const stopWords = new Map<string, number>();
for (const [language, { stopWords: words }] of languages.entries())
  for (const word of words) stopWords.set(word, (stopWords.get(word) ?? 0) | (1 << language));

/** What is known of a word as it stands in a text: the languages in which it is a stop word, and its terms by language. */
interface Word {
  readonly raw: string;
  readonly stopIn: number;
  /** What stands for it where it is one. */
  readonly stopTerm: string;
  /** Whether the word behind it is a definition's name. */
  readonly defines: boolean;
  /** Its terms in English, which is what most texts are or are taken for. */
  readonly english: readonly string[];
  readonly others: (readonly string[] | undefined)[];
}

/** A word that a passage has to hold: any of these terms, at least so many times. */
export interface NeededTerm {
  readonly anyOf: readonly string[];
  readonly times: number;
}

/**
 * Words to terms, for Orama. Passages are taken in the language that their stop words tell, and questions too; a
 * question too short to tell is taken in all languages that passages have had.
 */
export class WordTokenizer implements Tokenizer {
  readonly language = 'english';
  /** Orama's; its own tokenizer would use it. */
  readonly normalizationCache = new Map<string, string>();
  /** The languages that passages were taken in, as a set of bits. */
  seen = 1 << ENGLISH;
  readonly #words = new WordCache(makeWord);

  /** A passage's terms where a property is named, as Orama does when it inserts; else a question's. */
  tokenize(raw: string, _language?: string, property?: string): string[] {
    return property === undefined ? this.termsOfQuestion(raw) : this.termsOfPassage(raw);
  }

  /** Every term in its order, with repetitions; stop words carry the mark, names of definitions are repeated. */
  termsOfPassage(text: string): string[] {
    const words = this.#words.wordsOf(text);
    const language = guessLanguage(words, 5);
    const bit = 1 << language;
    this.seen |= bit;
    const terms: string[] = [];
    let isName = false;
    for (const word of words) {
      if ((word.stopIn & bit) !== 0) terms.push(word.stopTerm);
      else {
        const times = isName ? 1 + NAMED_AGAIN : 1;
        for (let i = 0; i < times; i++) for (const term of termsOfWord(word, language)) terms.push(term);
      }
      isName = word.defines;
    }
    for (const name of methodsIn(text))
      for (const word of this.#words.wordsOf(name))
        for (let i = 0; i < NAMED_AGAIN; i++)
          for (const term of termsOfWord(word, language)) terms.push(term);
    return terms;
  }

  /** Each term once; without stop words, but for a question that has no other words. */
  termsOfQuestion(question: string): string[] {
    const words = this.#words.wordsOf(question);
    const guessed = 1 << guessLanguage(words, 2);
    // A question whose language is plain would only be blurred by what other languages make of its words.
    const isPlain = words.filter(({ stopIn }) => (stopIn & guessed) !== 0).length >= 2;
    const taken = isPlain ? guessed | (1 << ENGLISH) : this.seen;
    const terms = new Set<string>();
    for (let language = 0; language < languages.length; language++) {
      const bit = 1 << language;
      if ((this.seen & taken & bit) === 0) continue;
      for (const word of words)
        if ((word.stopIn & (bit | guessed)) === 0)
          for (const term of termsOfWord(word, language)) terms.add(term);
    }
    if (terms.size === 0) for (const { stopTerm, stopIn } of words) if (stopIn !== 0) terms.add(stopTerm);
    return [...terms];
  }

  /**
   * What a passage holds if these words stand in it: for each word the terms that it may have become, by the
   * passage's language, and how often it comes up. Words that context can divide otherwise are left out.
   */
  termsOfPhrase(phrase: string): NeededTerm[] {
    const needed = new Map<string, { readonly anyOf: readonly string[]; times: number }>();
    for (const word of this.#words.wordsOf(phrase))
      for (const anyOf of this.#formsOf(word)) {
        const key = anyOf.join('\n');
        const known = needed.get(key);
        if (known === undefined) needed.set(key, { anyOf, times: 1 });
        else known.times++;
      }
    return [...needed.values()];
  }

  /** A word's terms by language; those of Chinese, Japanese and Korean one by one. */
  #formsOf(word: Word): string[][] {
    if (BROKEN.test(word.raw) || UNSPACED.test(word.raw)) return [];
    if (PAIRED.test(word.raw))
      return pairTerms(word.raw, ENGLISH)
        .filter((term) => HAN.test(term) || (PAIRED.test(term) && term.length > 1))
        .map((term) => [term]);
    const forms = new Set(word.stopIn === 0 ? [] : [word.stopTerm]);
    for (let language = 0; language < languages.length; language++) {
      const [whole] = (this.seen & (1 << language)) === 0 ? [] : termsOfWord(word, language);
      if (whole !== undefined) forms.add(whole);
    }
    return forms.size === 0 ? [] : [[...forms]];
  }
}

/** The language with most stop words, at least `least` of them and clearly more than English has; else English. */
function guessLanguage(words: readonly Word[], least: number): number {
  const counts = new Uint32Array(languages.length);
  for (const { stopIn } of words)
    for (let rest = stopIn; rest !== 0; rest &= rest - 1) {
      const language = 31 - Math.clz32(rest & -rest);
      counts[language] = (counts[language] ?? 0) + 1;
    }
  let best = ENGLISH;
  for (const [language, count] of counts.entries()) if (count > (counts[best] ?? 0)) best = language;
  const most = counts[best] ?? 0;
  return most >= least && most > 1.3 * (counts[ENGLISH] ?? 0) ? best : ENGLISH;
}

function makeWord(raw: string): Word {
  const lower = raw.toLowerCase().replaceAll('’', "'");
  return {
    raw,
    stopIn: stopWords.get(GREEK.test(lower) ? fold(lower).replace(/ς$/, 'σ') : lower) ?? 0,
    stopTerm: detached(STOP_MARK + fold(lower)),
    defines: DEFINERS.has(raw),
    english: makeTerms(raw, ENGLISH).filter((term) => term !== ''),
    others: [],
  };
}

/** The names of methods that are defined here without a word that says so. */
function methodsIn(text: string): string[] {
  const names: string[] = [];
  for (let end = text.indexOf('{\n'); end >= 0; end = text.indexOf('{\n', end + 1)) {
    const line = text.slice(text.lastIndexOf('\n', end) + 1, end + 1);
    const name = line.length > LONGEST_LINE || DEFINED.test(line) ? undefined : METHOD.exec(line)?.[1];
    if (name !== undefined && !NO_METHOD.has(name)) names.push(name);
  }
  return names;
}

function termsOfWord(word: Word, language: number): readonly string[] {
  if (language === ENGLISH) return word.english;
  return (word.others[language] ??= makeTerms(word.raw, language).filter((term) => term !== ''));
}

function makeTerms(raw: string, language: number): readonly string[] {
  if (/^[CcFf][+#]/.test(raw)) return [raw.toLowerCase()];
  if (/^[\d.,]+$/.test(raw)) return numberTerms(raw);
  if (BROKEN.test(raw))
    return [
      stem(raw.replace(BROKEN, ''), language),
      ...raw.split(BROKEN).map((part) => stem(part, language)),
    ];
  if (PAIRED.test(raw)) return pairTerms(raw, language);
  if (UNSPACED.test(raw))
    return [...segmenter.segment(raw)]
      .filter(({ isWordLike }) => isWordLike)
      .map(({ segment }) => fold(segment));
  const word = /['’]/.test(raw) ? withoutContraction(raw) : raw;
  const whole = stem(word.replace(UNDERSCORES, '').slice(0, LONGEST_WORD).toWellFormed(), language);
  if (whole === '') return [];
  const terms = [whole];
  if (word.length > LONGEST_WORD) return terms;
  for (const part of identifierParts(word)) {
    const isStopWord = ((stopWords.get(part.toLowerCase()) ?? 0) & (1 << language)) !== 0;
    const term = stem(part, language);
    if (part.length > 1 && !isStopWord && term !== whole) terms.push(term);
  }
  return terms;
}

/** `1,500` is 1500; `3.1.18` is itself and its parts. */
function numberTerms(raw: string): string[] {
  if (THOUSANDS.test(raw)) return [raw.replaceAll(',', '')];
  const parts = raw.split(/[.,]/);
  return parts.length < 2 ? parts : [raw, ...parts];
}

/** Characters of Chinese alone and in pairs, of Japanese and Korean syllables in pairs; other letters as words. */
function pairTerms(raw: string, language: number): string[] {
  const terms: string[] = [];
  for (const run of raw.normalize('NFKC').match(PAIRED_RUNS) ?? []) {
    if (!PAIRED.test(run)) {
      terms.push(...makeTerms(run, language));
      continue;
    }
    const characters = Array.from(run);
    for (const [i, character] of characters.entries()) {
      if (characters.length === 1 || HAN.test(character)) terms.push(character);
      const next = characters[i + 1];
      if (next !== undefined) terms.push(character + next);
    }
  }
  return terms;
}

/** `Ada's` is Ada, `l'homme` is homme. */
function withoutContraction(raw: string): string {
  const word = raw.replaceAll('’', "'").replace(CONTRACTED, '');
  return word.split("'").reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}

/** `readFileSync` is read, File, Sync; `HTTP_port2` is HTTP, port, 2. */
function identifierParts(word: string): string[] {
  if (/^\p{Lu}?[\p{Ll}\p{M}]+$/u.test(word)) return [word];
  return word.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu) ?? [];
}

function stem(word: string, language: number): string {
  const lower = word.toLowerCase();
  if (PLAIN.test(lower)) {
    const stemmer = languages[language]?.stem;
    return stemmer === undefined || lower.length < 4 ? lower : fold(stemmer(lower));
  }
  if (/[\p{N}_$]/u.test(lower)) return fold(lower);
  if (language !== ENGLISH) return fold(languages[language]?.stem(lower.normalize('NFC')) ?? lower);
  const folded = fold(lower);
  return PLAIN.test(folded) && folded.length > 3 ? languages[ENGLISH].stem(folded) : folded;
}

function fold(lower: string): string {
  if (ASCII.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .replace(/[ßæœøđłıþ]/g, (letter) => LIGATURES.get(letter) ?? letter)
    .normalize('NFC');
}
