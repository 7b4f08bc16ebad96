import { t } from '@vscode/l10n';
import { parseChoiceLetters } from '../../../core/language/parse-choice-answer.ts';
import { errorMessage } from '../../../core/domain/errors.ts';
import { limitPieces } from '../../../answers/models/bounded-pieces.ts';
import type { ChatMessage, LanguageModel } from '../../../answers/models/language-model.ts';
import { withoutThinking } from '../../../answers/models/without-thinking.ts';
import { choiceLetter, choiceLines, type ChoiceQuestion } from './pairs.ts';
import { normalizeText } from './answer-candidates.ts';

/** First sentence of the prompt. */
const QUIZ_PROMPT = 'Answer a multiple-choice question.';

const INSTRUCTIONS = `${QUIZ_PROMPT} Reply with the letter of the one right answer and nothing else.`;

/** Maximum length of a reply without the reasoning, in UTF-16 code units, and of the reasoning. */
const MAX_REPLY_LENGTH = 4_000;
const MAX_REASONING_LENGTH = 200_000;
/** Maximum number of consecutive failures before a model's quiz ends. */
const MAX_FAILURES = 3;

interface QuizModel {
  readonly name: string;
  readonly model: LanguageModel;
}

/** Reply of a model to a question. `chosen` is the index of the choice; undefined if it chose none. */
export interface QuizReply {
  readonly chosen: number | undefined;
  /** Start of its reply. */
  readonly said: string;
}

export interface QuizResult {
  readonly name: string;
  /** Replies in the order of the questions; fewer if the quiz ended early. */
  readonly replies: readonly QuizReply[];
  /** Milliseconds of waiting for it. */
  readonly time: number;
  /** Reason for a failure, in one sentence. */
  readonly error: string | undefined;
}

interface QuizInput {
  readonly questions: readonly ChoiceQuestion[];
  readonly models: readonly QuizModel[];
  /** Seed for the order of the choices, which is the same for every model. */
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly now: () => number;
  /** Called with the number of questions that all models together have answered. */
  readonly onProgress: (answered: number) => void;
}

/**
 * Asks several models the same questions: one after another per model, and all models in parallel. If canceled, returns
 * the replies so far.
 */
export async function quiz(input: QuizInput): Promise<QuizResult[]> {
  const random = seededRandom(input.seed);
  const orders = input.questions.map(({ choices }) => shuffle([...choices.keys()], random));
  let answered = 0;
  const results = input.models.map((model) =>
    quizOne(model, orders, input, () => {
      input.onProgress(++answered);
    }),
  );
  return await Promise.all(results);
}

async function quizOne(
  { name, model }: QuizModel,
  orders: readonly (readonly number[])[],
  { questions, signal, now }: QuizInput,
  onAnswered: () => void,
): Promise<QuizResult> {
  const replies: QuizReply[] = [];
  let time = 0;
  let failures = 0;
  let error: string | undefined;
  const isStopped = (): boolean => signal.aborted;
  for (const [index, question] of questions.entries()) {
    if (isStopped()) break;
    const order = orders[index] ?? [];
    const shown = order.map((at) => question.choices[at] ?? '');
    const started = now();
    try {
      const reply = await askChoice(model, question.question, shown, signal);
      const chosen = choiceIn(reply, shown);
      replies.push({
        chosen: chosen === undefined ? undefined : order[chosen],
        said: reply.slice(0, 200).trim(),
      });
      failures = 0;
    } catch (cause) {
      if (isStopped()) break;
      error = errorMessage(cause);
      replies.push({ chosen: undefined, said: '' });
      failures++;
    }
    time += now() - started;
    onAnswered();
    if (failures === MAX_FAILURES) break;
  }
  if (isStopped() && replies.length < questions.length) error = t('Stopped.');
  return { name, replies, time, error };
}

async function askChoice(
  model: LanguageModel,
  question: string,
  choices: readonly string[],
  signal: AbortSignal,
): Promise<string> {
  const messages: ChatMessage[] = [
    { role: 'system', content: INSTRUCTIONS },
    { role: 'user', content: `${question}\n\n${choiceLines(choices)}` },
  ];
  const stop = new AbortController();
  let reply = '';
  const restart = (): void => {
    reply = '';
  };
  const pieces = model.stream(messages, {
    signal: AbortSignal.any([signal, stop.signal]),
    temperature: 0,
    acceptsPartial: true,
  });
  try {
    for await (const piece of withoutThinking(limitPieces(pieces, MAX_REASONING_LENGTH), restart)) {
      reply += piece;
      if (reply.length > MAX_REPLY_LENGTH) break;
    }
  } finally {
    stop.abort();
  }
  return reply.slice(0, MAX_REPLY_LENGTH);
}

/**
 * Returns the index of the choice in a reply: `B`, `b)`, `(B)`, `**B**`, `The answer is B.`, `B) 12 days`, or the words
 * of one choice. Undefined if it names none, or several.
 */
export function choiceIn(reply: string, choices: readonly string[]): number | undefined {
  const text = reply.trim();
  const last = choiceLetter(choices.length - 1);
  const place = (letter: string | undefined): number | undefined => {
    const upper = letter?.toUpperCase() ?? '';
    return upper >= 'A' && upper <= last ? upper.charCodeAt(0) - 65 : undefined;
  };
  // Some models state the letter at the end of their reasoning. The last one counts.
  const letterIndex = place(parseChoiceLetters(text).at(-1));
  if (letterIndex !== undefined) return letterIndex;
  const [first = ''] = text.split('\n', 1);
  const opening = /^[\s*_("'`[>]{0,6}([A-Za-z])[\s*_"'`]{0,4}(?:[).:\]、，,]|-\s|$)/u.exec(first)?.[1];
  if (opening !== undefined) return place(opening);
  const alone = new Set(
    Array.from(text.matchAll(/(?<![\p{L}\p{N}])([A-Z])(?:\)|\*\*|\.?$)/gmu), ([, letter]) => place(letter)),
  );
  alone.delete(undefined);
  if (alone.size === 1) return [...alone][0];
  const words = ` ${normalizeText(text)} `;
  const named = choices.flatMap((choice, index) =>
    words.includes(` ${normalizeText(choice)} `) ? [index] : [],
  );
  return named.length === 1 ? named[0] : undefined;
}

function shuffle<T>(list: T[], random: () => number): T[] {
  for (let last = list.length - 1; last > 0; last--) {
    const at = Math.floor(random() * (last + 1));
    const [a, b] = [list[at], list[last]];
    if (a !== undefined && b !== undefined) [list[at], list[last]] = [b, a];
  }
  return list;
}

/** Yields numbers from 0 to 1, the same for equal seeds (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
