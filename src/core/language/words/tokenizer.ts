import type { Tokenizer } from '@orama/orama';
import { withoutAskingWords } from './word-lists.ts';
import { LANGUAGES } from './languages.ts';
import { DEFINES, findTraits, guessLanguage, isFigure, stopsIn, words } from './known-words.ts';
import { addSpellings, joinedTerms, mayHaveSpellings } from './spellings.ts';
import type { Vocabulary } from './vocabulary.ts';
import { MAX_WORDS } from './word-cache.ts';
import { WordCounter } from './word-counter.ts';
import { isDayOfYear } from './number-terms.ts';
import { PAIRED } from './word-pattern.ts';
import {
  BROKEN,
  ENGLISH,
  foldedWord,
  HAN,
  pairTerms,
  STOP_MARK,
  termsOfWord,
  UNSPACED,
  usedTerms,
  type KnownWord,
} from './word-terms.ts';

/** Matches a method without a keyword before its name. */
const METHOD = /^[ \t]*(?:\w+ ){0,3}([\w$]+) ?\([^()\n]*\)[^\n;()]{0,40}\{$/;
const NO_METHOD: ReadonlySet<string> = new Set(['catch', 'for', 'function', 'if', 'switch', 'while', 'with']);
const MAX_LINE_LENGTH = 300;
const DEFINED = /\b(?:function|func|fn) /;
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;
/** Additional weight of the name of a definition, because questions name what code does, as names do. */
const NAMED_AGAIN = 2;
/**
 * Additional weight of the words that document a definition, because they say what it does as questions do. With 0, 1,
 * and 2, 247 questions of CoSQA's development set find their function with an MRR of .528, .549, and .542.
 */
const DOCUMENTED_AGAIN = 1;
/** Quotation marks around the documentation of a definition in Python, and what precedes it. */
const DOCUMENTATION_MARKS = ['"""', "'''"];
const BEFORE_DOCUMENTATION = /:\s*[A-Za-z]?$/;
const MAX_GAP = 40;

const LETTERS = /^[\p{L}\p{M}]{2,40}$/u;

/** Words that are often joined with the next one or the one before: "on board" is also "onboard", "log in" "login". */
const PARTICLES: ReadonlySet<string> = new Set('after down in off on out over under up'.split(' '));

/** Words of a question, for which an index can find other forms. */
export interface QuestionWords {
  readonly terms: readonly string[];
  /** Terms of other spellings, which are searched in addition if passages contain them. */
  readonly spellings: readonly string[];
  /** Two words of the question that follow each other, in lower case and written as one word. */
  readonly joined: readonly string[];
  /** Words in letters that aren't stop words, folded, with their terms. */
  readonly words: readonly QuestionWord[];
  /** The languages of the passages, as a set of bits. */
  readonly languages: number;
  /** The language of the question, if its stop words show it. */
  readonly language: number | undefined;
}

/** Word of a question in letters. */
export interface QuestionWord {
  /** As entered. */
  readonly raw: string;
  readonly letters: string;
  readonly terms: readonly string[];
}

/** Terms of a question, and those of each of its words. */
interface QuestionTerms {
  readonly terms: ReadonlySet<string>;
  readonly used: ReadonlyMap<KnownWord, ReadonlySet<string>>;
  readonly language: number | undefined;
}

/** Word that a passage must contain: any of these terms, at least this number of times. */
export interface NeededTerm {
  readonly anyOf: readonly string[];
  readonly times: number;
}

/**
 * Counts of a question's terms in a text, and the text's number of terms. Stop words only count if the question has no
 * other words.
 */
export interface CountedTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Numbers of a passage's terms, with repetitions, and the number of terms other than stop words and numbers. */
export interface PassageTerms {
  readonly numbers: Uint32Array;
  readonly length: number;
}

/**
 * Called with each word of a passage: its number, the passage's language, whether it is a stop word in that language,
 * and its frequency.
 */
type Use = (number: number, language: number, isStop: boolean, times: number) => void;

/**
 * Turns words into terms for Orama. A passage has the language of its stop words, else that of its document. A question
 * too short to detect its language is searched in all languages of the passages.
 */
export class WordTokenizer implements Tokenizer {
  readonly language = 'english';
  /** Required by Orama's interface, but unused. */
  readonly normalizationCache = new Map<string, string>();
  /** Languages of the indexed passages, as a bit set. */
  seen = 1 << ENGLISH;
  /** For each language and word number: the number of its only term plus one, while the numbers are valid. */
  #known: (Int32Array | undefined)[] = [];
  #knownFor: readonly unknown[] = [];
  #numbers = new Uint32Array(1 << 10);
  readonly #counter = new WordCounter();

  /**
   * Returns the terms of a passage if a property is given, as Orama does on insertion, or else those of a question.
   */
  tokenize(raw: string, _language?: string, property?: string): string[] {
    return property === undefined ? this.termsOfQuestion(raw) : this.termsOfPassage(raw);
  }

  /**
   * Returns all terms of a passage in order, with repetitions. Stop words have a mark, and names of definitions are
   * repeated.
   * `addSpelling` gets the terms of other spellings instead of the result.
   */
  termsOfPassage(text: string, addSpelling?: (term: string) => void): string[] {
    words.makeRoom();
    const terms: string[] = [];
    this.#eachWord(
      text,
      ENGLISH,
      (number, language, isStop, times) => {
        for (let i = 0; i < times; i++)
          for (const term of usedTerms(words.word(number), isStop, language)) terms.push(term);
      },
      addSpelling ?? ((term) => terms.push(term)),
    );
    return terms;
  }

  /**
   * Counts the terms of a question, the keys of `question`, in a text. Fast for many texts with the same question: most
   * words are compared by a number, without their terms.
   */
  countTerms(text: string, question: ReadonlyMap<string, unknown>): CountedTerms {
    words.makeRoom();
    const counter = this.#counter;
    counter.begin(question);
    const counts = new Map<string, number>();
    this.#eachWord(
      text,
      ENGLISH,
      (number, language, isStop, times) => counter.count(number, language, isStop, times),
      // Other spellings of words don't make a text longer.
      (term) => {
        if (question.has(term)) addOne(counts, term);
      },
    );
    for (const term of counter.held) addOne(counts, term);
    return { counts, length: counter.length };
  }

  /**
   * Returns the terms by their numbers in a vocabulary. The array is valid until the next call. `usual` is the language
   * of a text that doesn't show its own.
   */
  numbersOfPassage(text: string, vocabulary: Vocabulary, usual = ENGLISH): PassageTerms {
    words.makeRoom();
    const isKnown = [vocabulary, vocabulary.edition, words.edition];
    if (isKnown.some((part, i) => part !== this.#knownFor[i])) {
      this.#known = [];
      this.#knownFor = isKnown;
    }
    let count = 0;
    let length = 0;
    const take = (number: number): void => {
      if (count === this.#numbers.length) {
        const longer = new Uint32Array(2 * count);
        longer.set(this.#numbers);
        this.#numbers = longer;
      }
      this.#numbers[count++] = number;
    };
    this.#eachWord(
      text,
      usual,
      (number, language, isStop, times) => {
        const known = (this.#known[language] ??= new Int32Array(MAX_WORDS));
        const only = known[number] ?? 0;
        const before = count;
        for (let i = 0; i < times; i++)
          if (only > 0) take(only - 1);
          else
            for (const term of usedTerms(words.word(number), isStop, language))
              take(vocabulary.assignNumber(term));
        if (!isStop && !isFigure(number)) length += count - before;
        if (only === 0 && count === before + times) known[number] = (this.#numbers[before] ?? 0) + 1;
      },
      (term) => take(vocabulary.assignNumber(term)),
    );
    return { numbers: this.#numbers.subarray(0, count), length };
  }

  /**
   * Calls back for all words in order, for the terms of other spellings, and for names of methods and the documentation
   * of definitions, which count more than once.
   */
  #eachWord(text: string, usual: number, use: Use, add: (term: string) => void): void {
    const numbers = words.wordNumbers(text);
    const language = guessLanguage(numbers, 5, usual);
    const bit = 1 << language;
    this.seen |= bit;
    let isName = false;
    for (const number of numbers) {
      const traits = findTraits(number);
      const isStop = (traits & bit) !== 0;
      use(number, language, isStop, isName && !isStop ? 1 + NAMED_AGAIN : 1);
      isName = (traits & DEFINES) !== 0;
    }
    addSpellings({ text, numbers, ...words.lastWords() }, [language], add);
    for (const name of methodsIn(text))
      for (const number of words.wordNumbers(name))
        if ((stopsIn(number) & bit) === 0) use(number, language, false, NAMED_AGAIN);
    for (const documentation of documentationIn(text))
      for (const number of words.wordNumbers(documentation))
        if ((stopsIn(number) & bit) === 0) use(number, language, false, DOCUMENTED_AGAIN);
  }

  /** Returns the distinct terms of a question, without stop words and asking words, unless it has no other words. */
  termsOfQuestion(question: string): string[] {
    return [...this.#termsOf(question).terms];
  }

  /** Returns a question's terms, the terms of its other spellings, and its words. */
  questionWords(question: string): QuestionWords {
    const { terms, used, language } = this.#termsOf(question);
    const spellings = new Set<string>();
    if (mayHaveSpellings(question)) {
      const numbers = words.wordNumbers(question);
      addSpellings({ text: question, numbers, ...words.lastWords() }, this.#seenLanguages(), (term) => {
        if (!terms.has(term)) spellings.add(term);
      });
      // The same day of another year isn't asked for.
      if ([...spellings].some((term) => ISO_DAY.test(term)))
        for (const term of spellings) if (isDayOfYear(term)) spellings.delete(term);
    }
    const joined: string[] = [];
    const questionWords = words.words(question);
    const bit = 1 << guessLanguage(words.wordNumbers(question), 2);
    for (const [i, word] of questionWords.entries()) {
      const next = questionWords[i + 1];
      if (next !== undefined && isJoinable(word, bit) && isJoinable(next, bit) && isContent(word, next, bit))
        joined.push((word.raw + next.raw).toLowerCase());
    }
    const searchedWords = Array.from(used)
      .filter(([word, own]) => word.stopIn === 0 && own.size > 0 && LETTERS.test(word.raw))
      .map(([word, own]) => ({ raw: word.raw, letters: foldedWord(word), terms: [...own] }));
    return {
      terms: [...terms],
      spellings: [...spellings],
      joined,
      words: searchedWords,
      languages: this.seen,
      language,
    };
  }

  /** Returns the terms of a word that was joined from two of a question. */
  termsOfJoined(letters: string): string[] {
    return this.#seenLanguages().flatMap((language) => joinedTerms(letters, language));
  }

  #seenLanguages(): number[] {
    return [...LANGUAGES.keys()].filter((language) => (this.seen & (1 << language)) !== 0);
  }

  #termsOf(question: string): QuestionTerms {
    const language = guessLanguage(words.wordNumbers(question), 2);
    const withoutAsking =
      language === ENGLISH ? this.#termsInLanguage(withoutAskingWords(question), language) : undefined;
    return withoutAsking !== undefined && [...withoutAsking.terms].some((term) => !term.startsWith(STOP_MARK))
      ? withoutAsking
      : this.#termsInLanguage(question, language);
  }

  #termsInLanguage(question: string, assumedLanguage: number): QuestionTerms {
    const guessed = 1 << assumedLanguage;
    const questionWords = words.words(question);
    // If the question's language is certain, stems of other languages would only add noise.
    const isPlain = questionWords.filter(({ stopIn }) => (stopIn & guessed) !== 0).length >= 2;
    const languageBits = isPlain ? guessed | (1 << ENGLISH) : this.seen;
    const terms = new Set<string>();
    const used = new Map(questionWords.map((word) => [word, new Set<string>()]));
    for (let language = 0; language < LANGUAGES.length; language++) {
      const bit = 1 << language;
      if ((this.seen & languageBits & bit) === 0) continue;
      for (const [word, own] of used)
        if ((word.stopIn & (bit | guessed)) === 0)
          for (const term of termsOfWord(word, language)) {
            terms.add(term);
            own.add(term);
          }
    }
    if (terms.size === 0)
      for (const { stopTerm, stopIn } of questionWords) if (stopIn !== 0) terms.add(stopTerm);
    return { terms, used, language: isPlain ? assumedLanguage : undefined };
  }

  /**
   * Returns the terms that a passage with these words contains: for each word its possible terms, by the passage's
   * language, and its frequency. Leaves out words that context can split differently.
   */
  termsOfPhrase(phrase: string): NeededTerm[] {
    const needed = new Map<string, { readonly anyOf: readonly string[]; times: number }>();
    for (const word of words.words(phrase))
      for (const anyOf of this.#findForms(word)) {
        const key = anyOf.join('\n');
        const known = needed.get(key);
        if (known === undefined) needed.set(key, { anyOf, times: 1 });
        else known.times++;
      }
    return [...needed.values()];
  }

  /** Returns a word's terms by language. Chinese, Japanese, and Korean ones are separate. */
  #findForms(word: KnownWord): string[][] {
    if (BROKEN.test(word.raw) || UNSPACED.test(word.raw)) return [];
    if (PAIRED.test(word.raw))
      return pairTerms(word.raw, ENGLISH)
        .filter((term) => HAN.test(term) || (PAIRED.test(term) && term.length > 1))
        .map((term) => [term]);
    const forms = new Set(word.stopIn === 0 ? [] : [word.stopTerm]);
    for (let language = 0; language < LANGUAGES.length; language++) {
      const [whole] = (this.seen & (1 << language)) === 0 ? [] : termsOfWord(word, language);
      if (whole !== undefined) forms.add(whole);
    }
    return forms.size === 0 ? [] : [[...forms]];
  }
}

function addOne(counts: Map<string, number>, term: string): void {
  counts.set(term, (counts.get(term) ?? 0) + 1);
}

function isJoinable({ raw, stopIn }: KnownWord, language: number): boolean {
  return LETTERS.test(raw) && ((stopIn & language) === 0 || PARTICLES.has(raw.toLowerCase()));
}

function isContent(a: KnownWord, b: KnownWord, language: number): boolean {
  return (a.stopIn & b.stopIn & language) === 0;
}

/** Returns the documentation of definitions in Python: the text in three quotation marks after their first line. */
function documentationIn(text: string): string[] {
  return DOCUMENTATION_MARKS.flatMap((mark) => {
    const texts: string[] = [];
    for (let start = text.indexOf(mark); start >= 0;) {
      const end = text.indexOf(mark, start + mark.length);
      if (end < 0) break;
      if (BEFORE_DOCUMENTATION.test(text.slice(Math.max(0, start - MAX_GAP), start)))
        texts.push(text.slice(start + mark.length, end));
      start = text.indexOf(mark, end + mark.length);
    }
    return texts;
  });
}

/** Returns the names of methods that are defined without a keyword. */
function methodsIn(text: string): string[] {
  const names: string[] = [];
  for (let end = text.indexOf('{\n'); end >= 0; end = text.indexOf('{\n', end + 1)) {
    const line = text.slice(text.lastIndexOf('\n', end) + 1, end + 1);
    const name = line.length > MAX_LINE_LENGTH || DEFINED.test(line) ? undefined : METHOD.exec(line)?.[1];
    if (name !== undefined && !NO_METHOD.has(name)) names.push(name);
  }
  return names;
}
