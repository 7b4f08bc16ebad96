import { t } from '@vscode/l10n';
import type { AnswerEvent } from '../notebook/answer.ts';
import { throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import type { Background } from './background.ts';
import { backgroundOf, readingStatus } from './background.ts';
import type { Asked } from './follow-up.ts';
import { leansBack, withCarried, wordsToFind } from './follow-up.ts';
import { searchableQuestion } from './long-question.ts';
import type { LanguageModel } from './models/language-model.ts';
import { withOpenings } from './openings.ts';
import type { PassageFinder } from './passage-finder.ts';
import type { PastTurn } from './prompt.ts';
import { quotesFrom, tellNothing, tellQuotes } from './quote-answer.ts';
import { joinNeighbours, passagesToFind, selectPassages } from './retriever.ts';
import { standaloneQuestion } from './standalone-question.ts';
import { summaryRequestIn } from './summary-request.ts';
import { summarize } from './summary.ts';
import { writeAnswer } from './write-answer.ts';

/** What it takes to answer a question. */
export interface QuestionInput {
  readonly question: string;
  /** What is searched for, where it is not the whole question. */
  readonly words?: string | undefined;
  /** What was asked, in a few words such as a file's name, where it was not the whole notebook. */
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

/** The passages that are read have so many UTF-16 code units each, on average, at most. */
const CHARACTERS_OF_ONE = 3000;
/** Without a model, so many times more is looked through for quotes: no window bounds it. */
const MORE = 2;

/**
 * Answers a question from a notebook and tells it by events: written by the model and checked sentence by sentence,
 * or, without a model, in quotes. The model is asked only where the passages speak of the question, or where it is
 * wanted anyway. Rejects with a `NotebookError`; what was told until then stands.
 */
export async function answerQuestion(input: QuestionInput): Promise<void> {
  const { question, words: typed = question, passages: finder, limit, model, anyway = false, emit } = input;
  const summary = summaryRequestIn(typed, input.history.length > 0);
  if (summary !== undefined && (await summarize(summary, input))) return;
  const subject = summary === undefined || summary.subject === '' ? typed : summary.subject;
  const asked = await whatIsAsked(searchableQuestion(subject), input);
  const read = await passagesFor(asked, limit, input);
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
    const more = await widened(await passagesFor(asked, MORE * limit, input), finder);
    emit(readingStatus(more));
    await tellQuotes(quotesFrom(asked, more), await background(more), input);
  } else {
    // A sentence alone is often not understood, and a model that guesses at what stands around it is not borne out.
    await writeAnswer(model, await widened(read, finder), background, input);
  }
}

/** What is read of the notebook for a question. */
async function passagesFor(
  asked: Asked,
  limit: number,
  { passages: finder, signal }: QuestionInput,
): Promise<readonly FoundPassage[]> {
  const found = await finder.find(wordsToFind(asked), passagesToFind(limit), signal);
  const complete = await withOpenings(asked.question, found, finder);
  throwIfCancelled(signal);
  return selectPassages(complete, { passages: limit, characters: CHARACTERS_OF_ONE * limit });
}

/** What was found, with all of the passages that it stands in. */
async function widened(
  read: readonly FoundPassage[],
  finder: PassageFinder,
): Promise<readonly FoundPassage[]> {
  const places = read.map(({ documentId, start, end }) => ({
    documentId,
    span: { start, end },
    whole: true,
  }));
  const whole = await finder.at(places);
  return joinNeighbours(
    read.map((passage) => {
      const around = whole.find(
        ({ documentId, start, end }) =>
          documentId === passage.documentId && start <= passage.start && passage.end <= end,
      );
      if (around === undefined) return passage;
      const { start, end, text, headings } = around;
      return { ...passage, start, end, text, headings };
    }),
  );
}

/** A follow-up is made a question of its own by the model, or else goes with the words of what it leans on. */
async function whatIsAsked(
  question: string,
  { history, model, signal, emit }: QuestionInput,
): Promise<Asked> {
  if (history.length === 0 || !leansBack(question)) return { question, carried: '' };
  if (model !== undefined) {
    emit({ kind: 'status', text: t('Making a question of its own of this…') });
    const own = await standaloneQuestion({ question, history, model, signal });
    if (own !== undefined) return { question: own, carried: '' };
  }
  const searchable = history.map((turn) => ({ ...turn, question: searchableQuestion(turn.question) }));
  return withCarried(question, searchable);
}
