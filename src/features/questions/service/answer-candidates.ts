import { NAME_PARTICLES, SMALL_TITLE_WORDS } from '../../../core/language/words/word-lists.ts';
import { splitWords } from '../../../core/language/words/words.ts';

/** Type of an answer: a name, a year, a number… */
export type AnswerType = 'code' | 'name' | 'number' | 'term' | 'year';

/** Part of a source that could be an answer, with its type. Units distinguish numbers. */
export interface AnswerCandidate {
  readonly kind: AnswerType;
  /** Unit of a number: `%`, `days`; else ''. */
  readonly unit: string;
  readonly words: string;
}

/** Maximum length of a passage that is searched, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 20_000;
/** Maximum number of words in an answer. A longer one is a statement. */
const MAX_WORDS = 8;

const NUMBER =
  /(?<![\p{L}\p{N}.,])(?:[$€£¥]\s?)?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,6})?(?:\s?%|\s(?:percent|per cent)\b|\s?°\s?[CF]?|\s\p{Ll}{1,14})?(?![\p{L}\p{N}])/gu;
const CODE = /`([^`\n]{1,60})`/g;
const NAME = /(?<![.!?:]\s)(?<=\s)\p{Lu}[\p{L}\p{N}'’-]{1,30}(?:\s\p{Lu}[\p{L}\p{N}'’-]{1,30}){0,3}/gu;

/** Returns the type of an answer; undefined if it is a statement. */
export function classifyAnswer(answer: string): AnswerCandidate | undefined {
  const words = answer.trim().replace(/[.。]$/, '');
  if (words === '' || words.length > 120 || words.split(/\s+/).length > MAX_WORDS) return undefined;
  if (/^(?:1[5-9]|20)\d{2}$/.test(words)) return { kind: 'year', unit: '', words };
  const [, before = '', after = ''] = /^([$€£¥]?)\s?\d[\d.,]*\s?(.{0,40})$/u.exec(words) ?? [];
  if (/^[$€£¥]?\s?\d/.test(words)) return { kind: 'number', unit: before || after.toLowerCase(), words };
  if (/^`.+`$/.test(words) || (/^[\w.()/-]+$/.test(words) && /\w[_.(/-]/.test(words)))
    return { kind: 'code', unit: '', words };
  const isOfName = (word: string): boolean =>
    /^\p{Lu}/u.test(word) || NAME_PARTICLES.has(word) || SMALL_TITLE_WORDS.has(word);
  if (/^\p{Lu}/u.test(words) && words.split(/\s+/).every(isOfName)) return { kind: 'name', unit: '', words };
  return { kind: 'term', unit: '', words };
}

/** Returns the possible answers in a text: numbers with units, names, code. */
export function answerCandidates(text: string): AnswerCandidate[] {
  const part = text.slice(0, MAX_TEXT_LENGTH);
  const phrases = [
    ...Array.from(part.matchAll(NUMBER), ([words]) => words),
    ...Array.from(part.matchAll(CODE), ([, words = '']) => words),
    ...Array.from(part.matchAll(NAME), ([words]) => words),
  ];
  return phrases.flatMap((words) => classifyAnswer(words) ?? []);
}

/** Number of wrong choices next to the right one. */
const WRONG_CHOICES = 3;

/**
 * Returns wrong choices for an answer, most similar first: candidates of the same type from elsewhere in the notebook
 * that don't occur in the passage, which is `folded`. Undefined if there are too few.
 */
export function distractorsFor(
  answer: string,
  passage: string,
  pool: readonly AnswerCandidate[],
): string[] | undefined {
  const own = classifyAnswer(answer);
  if (own === undefined) return undefined;
  const words = ` ${passage} `;
  const usedTexts = new Set([normalizeText(answer)]);
  const chosen: string[] = [];
  const alike = pool
    .filter(({ kind, unit }) => kind === own.kind && unit === own.unit)
    .toSorted((a, b) => distance(a.words, own.words) - distance(b.words, own.words));
  for (const { words: choice } of alike) {
    const key = normalizeText(choice);
    const overlaps = [...usedTexts].some(
      (other) => ` ${other} `.includes(` ${key} `) || ` ${key} `.includes(` ${other} `),
    );
    if (key === '' || overlaps || words.includes(` ${key} `)) continue;
    usedTexts.add(key);
    chosen.push(choice);
    if (chosen.length === WRONG_CHOICES) return chosen;
  }
  return undefined;
}

function distance(a: string, b: string): number {
  return Math.abs(a.length - b.length);
}

/** Normalizes text to its words for comparison. */
export function normalizeText(text: string): string {
  return splitWords(text)
    .map((word) => word.folded)
    .join(' ');
}
