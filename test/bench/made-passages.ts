import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cutSentences } from '../../src/core/language/sentences.ts';
import { congruentialRandom } from '../support/durability-random.ts';

/** Passages of about 1,200 characters, and questions of some of their words, the same in every run. */
export interface Passages {
  readonly texts: string[];
  readonly questions: (words: number, count?: number) => string[];
}

const LENGTH = 1_200;

/** Maximum number of passages that questions are drawn from. */
const ASKED_OF = 20_000;

/** Returns questions of random words from one passage each. */
function questionsOver(texts: readonly string[], random: () => number): Passages['questions'] {
  return (words, questionCount = 60) =>
    Array.from({ length: questionCount }, () => {
      const drawn = (texts[Math.floor(random() * texts.length)] ?? '').match(/[\p{L}\p{N}_]+/gu) ?? [];
      return Array.from({ length: words }, () => drawn[Math.floor(random() * drawn.length)]).join(' ');
    });
}

/**
 * Returns passages of real sentences from all Markdown files of a folder: first in order, then drawn at random until
 * there are enough. Undefined if there are none.
 */
export function realPassages(count: number, folder: string): Passages | undefined {
  const random = congruentialRandom(42);
  const next = sentenceMaker(folder, random);
  if (next === undefined) return undefined;
  const texts = Array.from({ length: count }, next);
  return { texts, questions: questionsOver(texts, random) };
}

/** Returns passages of generated words with frequencies as in natural language. */
export function makePassages(count: number): Passages {
  const random = congruentialRandom(42);
  const next = passageMaker(random);
  const texts = Array.from({ length: count }, next);
  return { texts, questions: questionsOver(texts, random) };
}

/** Passages one batch after another, for more than fits into memory, and questions about some of them. */
export interface PassageStream {
  readonly next: (limit: number) => string[];
  readonly questions: Passages['questions'];
}

/** Streams passages of generated words. */
export function streamPassages(count: number): PassageStream {
  const random = congruentialRandom(42);
  return streamOf(count, passageMaker(random), random);
}

/** Streams passages of real sentences, like `realPassages`. */
export function streamRealPassages(count: number, folder: string): PassageStream | undefined {
  const random = congruentialRandom(42);
  const next = sentenceMaker(folder, random);
  return next && streamOf(count, next, random);
}

function streamOf(count: number, next: () => string, random: () => number): PassageStream {
  const some: string[] = [];
  const step = Math.ceil(count / ASKED_OF);
  let generatedCount = 0;
  return {
    next: (limit) =>
      Array.from({ length: Math.min(limit, count - generatedCount) }, () => {
        const text = next();
        if (generatedCount++ % step === 0) some.push(text);
        return text;
      }),
    questions: questionsOver(some, random),
  };
}

/** Returns a function that puts real sentences together to one passage at a time; undefined if there are none. */
function sentenceMaker(folder: string, random: () => number): (() => string) | undefined {
  let files: string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.md'));
  } catch {
    return undefined;
  }
  const sentences = files.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return cutSentences(text).map(({ start, end }) => text.slice(start, Math.min(end, start + LENGTH)));
  });
  if (sentences.length === 0) return undefined;
  let next = 0;
  return () => {
    const used: string[] = [];
    for (let length = 0; length < LENGTH; length += (used.at(-1)?.length ?? 0) + 1) {
      used.push(sentences[next] ?? sentences[Math.floor(random() * sentences.length)] ?? '');
      next++;
    }
    return used.join(' ');
  };
}

/** Returns a function that generates one passage at a time. */
function passageMaker(random: () => number): () => string {
  const syllables = 'ba co di fu ge ha jo ki lu me na po ri su te vo'.split(' ');
  const word = (rank: number): string => {
    let name = '';
    for (let rest = rank + 16; rest > 0; rest = Math.floor(rest / 16)) name += syllables[rest % 16] ?? '';
    return name;
  };
  const vocabulary = 40_000;
  const named = new Map<number, string>();
  // The inverse of the harmonic sum, so that the word of rank r comes up about 1 / r as often as the first.
  const draw = (): string => {
    const rank = Math.floor(vocabulary ** random()) - 1;
    let name = named.get(rank);
    if (name === undefined) named.set(rank, (name = word(rank)));
    return name;
  };
  return () => {
    const words: string[] = [];
    for (let length = 0; length < LENGTH; length += (words.at(-1)?.length ?? 0) + 1) words.push(draw());
    return words.join(' ');
  };
}
