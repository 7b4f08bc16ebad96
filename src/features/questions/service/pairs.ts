import * as v from 'valibot';
import { parseBounded } from '../../../core/domain/bounded-json.ts';

/** Kinds of questions, in the order of the UI. */
export const QUESTION_KINDS = ['short', 'long', 'yes-no', 'choice'] as const;

export type QuestionKind = (typeof QUESTION_KINDS)[number];

/** Location of the answer to a question. */
export interface PairSource {
  /** Title of the source. */
  readonly source: string;
  /** Page, lines, or heading, in a few words. */
  readonly place: string;
  /** Headings above it, outermost first. */
  readonly headings: readonly string[];
  /** URL of a web page. File paths are private, so they are omitted. */
  readonly address?: string | undefined;
  /** Text that supports the answer. */
  readonly quote: string;
}

/** Question with an answer that a passage of the notebook supports. */
export interface QuestionPair extends PairSource {
  readonly kind: QuestionKind;
  readonly question: string;
  /** Answer; for a multiple-choice question, the text of the correct choice. */
  readonly answer: string;
  /** All choices of a multiple-choice question, including the correct one. */
  readonly choices?: readonly string[] | undefined;
  /** Type of the answer of a multiple-choice question: a number, a name, and so on. */
  readonly about?: string | undefined;
  /** Set if no model checked that the passage supports the answer. */
  readonly verdict?: 'unchecked' | undefined;
}

/** Multiple-choice question. */
export type ChoiceQuestion = QuestionPair & { readonly choices: readonly string[] };

/** Returns the letter of a choice, starting with `A`. */
export function choiceLetter(index: number): string {
  return String.fromCharCode(65 + index);
}

/** Formats the letter and the words of each choice, one per line. */
export function choiceLines(choices: readonly string[]): string {
  return choices.map((choice, index) => `${choiceLetter(index)}) ${choice}`).join('\n');
}

/** Formats a pair as a line of a file for training and tests: a chat of one turn, with its origin. */
export function pairAsLine({ kind, question, answer, choices, ...rest }: QuestionPair): string {
  const right = choices?.indexOf(answer) ?? -1;
  const questionText = choices === undefined ? question : `${question}\n\n${choiceLines(choices)}`;
  const answerText = right < 0 ? answer : `${choiceLetter(right)}) ${answer}`;
  return JSON.stringify({
    messages: [
      { role: 'user', content: questionText },
      { role: 'assistant', content: answerText },
    ],
    metadata: { kind, question, answer, ...(choices && { choices }), ...rest },
  });
}

/** Maximum number of lines to read from a file, and maximum length of each in UTF-16 code units. */
const MAX_LINES = 100_000;
const MAX_LINE_LENGTH = 200_000;
const JSON_BOUNDS = { depth: 8, values: 2_000 };

const text = v.pipe(v.string(), v.nonEmpty());
const line = v.object({
  metadata: v.object({
    kind: v.picklist(QUESTION_KINDS),
    question: text,
    answer: text,
    choices: v.optional(v.pipe(v.array(text), v.minLength(2), v.maxLength(26))),
    about: v.optional(v.string()),
    verdict: v.optional(v.literal('unchecked')),
    source: v.optional(v.string(), ''),
    place: v.optional(v.string(), ''),
    headings: v.optional(v.array(v.string()), []),
    address: v.optional(v.string()),
    quote: v.optional(v.string(), ''),
  }),
});

/**
 * Returns a file with some of its pairs replaced, or removed if their replacement is undefined. Pairs are the same if
 * their questions and answers are. Other lines stay.
 */
export function replacePairs(
  file: string,
  replacements: readonly (readonly [before: QuestionPair, after: QuestionPair | undefined])[],
): string {
  const keyOf = ({ question, answer }: QuestionPair): string => JSON.stringify([question, answer]);
  const byKey = new Map(replacements.map(([before, after]) => [keyOf(before), after]));
  const lines = file.split(/(?<=\n)/).flatMap((line) => {
    const pair = parsePair(line);
    if (pair === undefined || !byKey.has(keyOf(pair))) return [line];
    const after = byKey.get(keyOf(pair));
    return after === undefined ? [] : [`${pairAsLine(after)}\n`];
  });
  return lines.join('');
}

/** Parses the pairs of a file and counts the invalid lines. */
export function pairsIn(file: string): { readonly pairs: readonly QuestionPair[]; readonly others: number } {
  const lines = file.replace(/^\uFEFF/, '').split('\n', MAX_LINES);
  const pairs: QuestionPair[] = [];
  let others = 0;
  for (const each of lines) {
    if (each.trim() === '') continue;
    const pair = parsePair(each);
    if (pair === undefined) others++;
    else pairs.push(pair);
  }
  return { pairs, others };
}

function parsePair(written: string): QuestionPair | undefined {
  if (written.length > MAX_LINE_LENGTH) return undefined;
  try {
    const read = v.safeParse(line, parseBounded(written, JSON_BOUNDS));
    if (!read.success) return undefined;
    const { metadata } = read.output;
    // A question whose choices don't include the correct answer can't be graded.
    const isWhole = metadata.kind !== 'choice' || metadata.choices?.includes(metadata.answer) === true;
    return isWhole ? metadata : undefined;
  } catch {
    // The line isn't JSON.
    return undefined;
  }
}

/** Reports whether a question has choices. */
export function isChoice(pair: QuestionPair): pair is ChoiceQuestion {
  return pair.choices !== undefined;
}
