import type { AnswerEvent } from '../notebook/answer.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { Background } from './background.ts';
import { backgroundOf, readingStatus } from './background.ts';
import type { Asked } from './follow-up.ts';
import { leansBack, withCarried, wordsToFind } from './follow-up.ts';
import type { LanguageModel } from './models/language-model.ts';
import type { PassageFinder } from './passage-finder.ts';
import type { PastTurn } from './prompt.ts';
import { quotesFrom, tellNothing, tellQuotes } from './quote-answer.ts';
import { passagesToFind, selectPassages } from './retriever.ts';
import { standaloneQuestion } from './standalone-question.ts';
import { writeAnswer } from './write-answer.ts';

/** What it takes to answer a question. */
export interface QuestionInput {
  readonly question: string;
  /** What is searched for, where it is not the whole question. */
  readonly words?: string | undefined;
  /** What was asked, in a few words: `this notebook`, a file's name. */
  readonly place?: string | undefined;
  /** Whether the model answers from what it knows where nothing was found. */
  readonly anyway?: boolean | undefined;
  /** The conversation so far, oldest first. */
  readonly history: readonly PastTurn[];
  readonly passages: PassageFinder;
  /** How many passages are read. */
  readonly limit: number;
  /** Without a model, the answer is quotes. */
  readonly model: LanguageModel | undefined;
  /** How the model is told to answer; '' for the default. */
  readonly instructions: string;
  readonly signal: AbortSignal;
  readonly emit: (event: AnswerEvent) => void;
}

const CHARACTERS_TO_READ = 24_000;

/**
 * Answers a question from a notebook and tells it by events: written by the model and checked sentence by sentence,
 * or, without a model, in quotes. The model is asked only where the passages speak of the question, or where it is
 * wanted anyway. Rejects with a `NotebookError`; what was told until then stands.
 */
export async function answerQuestion(input: QuestionInput): Promise<void> {
  const {
    question,
    words: typed = question,
    passages: finder,
    limit,
    model,
    anyway = false,
    signal,
    emit,
  } = input;
  const asked = await whatIsAsked(typed, input);
  const found = await finder.find(wordsToFind(asked), passagesToFind(limit), signal);
  throwIfCancelled(signal);
  const read = selectPassages(found, { passages: limit, characters: CHARACTERS_TO_READ });
  const background = (of: readonly FoundPassage[]): Promise<Background> =>
    backgroundOf({ asked, typed, finder }, of);
  if (model !== undefined && anyway) {
    await writeAnswer(model, read, background, input);
    return;
  }
  const quoted = quotesFrom(asked, read);
  if (!quoted.isAnswered) {
    await tellNothing(asked, quoted.quotes, await background(read), input);
  } else if (model === undefined) {
    emit(readingStatus(read));
    await tellQuotes(quoted, await background(read), input);
  } else {
    await writeAnswer(model, read, background, input);
  }
}

/** A follow-up is made a question of its own by the model, or else goes with the words of what it leans on. */
async function whatIsAsked(
  question: string,
  { history, model, signal, emit }: QuestionInput,
): Promise<Asked> {
  if (history.length === 0 || !leansBack(question)) return { question, carried: '' };
  if (model !== undefined) {
    emit({ kind: 'status', text: 'Making a question of its own of this…' });
    const own = await standaloneQuestion({ question, history, model, signal });
    if (own !== undefined) return { question: own, carried: '' };
  }
  return withCarried(question, history);
}
