import { LANGUAGES } from './languages.ts';
import { words } from './known-words.ts';
import { MAX_WORDS } from './word-cache.ts';
import { STOP_MARK, usedTerms } from './word-terms.ts';

const HASH_BITS = 15;
/** Sign of a word without or with several terms, whose terms must be read. Unlike those of other words, it is even. */
const SEVERAL = 2;

/**
 * For each language and word number, its sign: twice a hash of its only term plus one; 0 before the first use. Most
 * words of a text aren't in a question, and their sign shows that.
 */
const signs = LANGUAGES.map((): Uint16Array | undefined => undefined);
let signsEdition = words.edition;

/** Counter of a question's terms among the words of texts. */
export class WordCounter {
  #question: ReadonlyMap<string, unknown> | undefined;
  /** For each sign, whether a term of the question has it. */
  readonly #isInQuestion = new Uint8Array(2 ** (HASH_BITS + 1));
  #held: string[] = [];
  #length = 0;

  /** Terms of the question in the words counted since `begin`, in order, with repetitions. */
  get held(): readonly string[] {
    return this.#held;
  }

  /** Number of terms in the words counted since `begin`, without stop words that the question doesn't have. */
  get length(): number {
    return this.#length;
  }

  /** Begins a text. The keys of `question` are its terms. */
  begin(question: ReadonlyMap<string, unknown>): void {
    this.#held = [];
    this.#length = 0;
    if (signsEdition !== words.edition) {
      for (const known of signs) known?.fill(0);
      signsEdition = words.edition;
    }
    if (question === this.#question) return;
    this.#question = question;
    this.#isInQuestion.fill(0);
    for (const term of question.keys()) this.#isInQuestion[signOf(term)] = 1;
    this.#isInQuestion[SEVERAL] = 1;
  }

  /** Counts a word by its number, as often as it is repeated. */
  count(number: number, language: number, isStop: boolean, times: number): void {
    const known = (signs[language] ??= new Uint16Array(MAX_WORDS));
    const sign = known[number] ?? SEVERAL;
    if (sign === 0 || this.#isInQuestion[sign] === 1) this.#countTerms(number, language, isStop, times);
    else if (!isStop) this.#length += times;
  }

  #countTerms(number: number, language: number, isStop: boolean, times: number): void {
    const question = this.#question;
    const terms = usedTerms(words.word(number), isStop, language);
    const [only = ''] = terms;
    // Words that aren't cached have numbers beyond the array.
    if (number < MAX_WORDS && signs[language] !== undefined)
      signs[language][number] = terms.length === 1 ? signOf(only) : SEVERAL;
    for (let i = 0; i < times; i++)
      for (const term of terms) {
        if (question?.has(term) === true) this.#held.push(term);
        else if (term.startsWith(STOP_MARK)) continue;
        this.#length++;
      }
  }
}

function signOf(term: string): number {
  let hash = 0;
  for (let i = 0; i < term.length; i++) hash = (Math.imul(hash, 31) + term.charCodeAt(i)) | 0;
  return 2 * (Math.imul(hash, 0x9e3779b1) >>> (32 - HASH_BITS)) + 1;
}
