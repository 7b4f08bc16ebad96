import { gaussian, randomNumbers } from './made-vectors.ts';

/** Relation of a question to the passage with the answer. */
export type QuestionKind = 'other words' | 'an identifier' | 'some of each';

interface MeaningQuestion {
  readonly kind: QuestionKind;
  readonly text: string;
  readonly vector: Float32Array;
  /** Number of the passage with the answer. */
  readonly answer: number;
}

interface GeneratedMeanings {
  readonly texts: readonly string[];
  /** Vectors in rows of `DIMENSION`. */
  readonly vectors: Float32Array;
  readonly questions: readonly MeaningQuestion[];
}

export const DIMENSION = 128;
const TOPICS = 60;
const MEANINGS = 3_000;
const MEANINGS_OF_TOPIC = 80;
/** Number of words with the same meaning; a passage uses only one of them. */
const FORMS = 3;
const QUESTIONS_OF_KIND = 150;
/** Length of the noise in a vector, relative to the vector without it. */
const NOISE = 1;

/**
 * Returns passages on topics, and questions that only keywords find (an identifier that the vectors don't know), only
 * meaning (words that the passage doesn't have), or either. The vectors are sums of the words' meanings with the same
 * amount of noise. Deterministic for the same seed.
 */
export function makeMeanings(count: number, seed: number): GeneratedMeanings {
  const random = randomNumbers(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const draw = (length: number): Float64Array => Float64Array.from({ length }, () => gaussian(random));
  const meanings = Array.from({ length: MEANINGS }, () => draw(DIMENSION));
  const words = Array.from({ length: MEANINGS * FORMS }, () => makeWord(random));
  const wordOf = (meaning: number, form: number): string => words[meaning * FORMS + form] ?? '';
  const topics = Array.from({ length: TOPICS }, () =>
    Array.from({ length: MEANINGS_OF_TOPIC }, () => below(MEANINGS)),
  );
  const makeVector = (meant: readonly number[]): Float32Array => {
    const sum = new Float64Array(DIMENSION);
    for (const meaning of meant)
      for (const [i, value] of (meanings[meaning] ?? sum).entries()) sum[i] = (sum[i] ?? 0) + value;
    const noise = draw(DIMENSION);
    const [length, noiseLength] = [Math.hypot(...sum) || 1, Math.hypot(...noise)];
    return Float32Array.from(sum, (value, i) => value / length + (NOISE * (noise[i] ?? 0)) / noiseLength);
  };

  const passages = Array.from({ length: count }, (_, number) => {
    const topic = topics[below(TOPICS)] ?? [];
    const meant = Array.from({ length: 12 }, () => topic[Math.floor(random() ** 2 * topic.length)] ?? 0);
    const forms = new Map(meant.map((meaning) => [meaning, below(FORMS)]));
    const identifier = `${makeWord(random)}_${String(number)}`;
    const words = meant.flatMap((meaning) => {
      const word = wordOf(meaning, forms.get(meaning) ?? 0);
      return Array.from({ length: 1 + below(3) }, () => word);
    });
    // Words of other topics, as every text has them.
    const aside = Array.from({ length: 40 }, () =>
      wordOf(Math.floor(random() ** 3 * MEANINGS), below(FORMS)),
    );
    return { meant, forms, identifier, text: [...words, identifier, ...aside].join(' ') };
  });

  const ask = (kind: QuestionKind): MeaningQuestion => {
    const answer = below(count);
    const { meant, forms, identifier } = passages[answer] ?? {
      meant: [],
      forms: new Map<number, number>(),
      identifier: '',
    };
    const different = [...new Set(meant)];
    const start = below(Math.max(1, different.length - 4));
    const meanings = different.slice(start, start + (kind === 'an identifier' ? below(3) : 4));
    const text = meanings.map((meaning, i) => {
      const form = forms.get(meaning) ?? 0;
      const otherForm = kind === 'other words' || (kind === 'some of each' && i % 2 === 0);
      return wordOf(meaning, otherForm ? (form + 1) % FORMS : form);
    });
    if (kind === 'an identifier') text.push(identifier);
    return { kind, text: text.join(' '), vector: makeVector(meanings), answer };
  };
  const kinds: readonly QuestionKind[] = ['other words', 'an identifier', 'some of each'];
  const vectors = new Float32Array(count * DIMENSION);
  for (const [i, { meant }] of passages.entries()) vectors.set(makeVector(meant), i * DIMENSION);
  return {
    texts: passages.map(({ text }) => text),
    vectors,
    questions: kinds.flatMap((kind) => Array.from({ length: QUESTIONS_OF_KIND }, () => ask(kind))),
  };
}

function makeWord(random: () => number): string {
  const letter = (letters: string): string => letters[Math.floor(random() * letters.length)] ?? '';
  return Array.from({ length: 3 }, () => letter('bdfgklmnprtvz') + letter('aou')).join('') + letter('kmpt');
}
