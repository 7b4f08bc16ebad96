import type { Answer, AnswerEvent } from '../notebook/answer.ts';
import { NotebookError, throwIfCancelled } from '../notebook/errors.ts';
import type { FoundPassage } from '../notebook/passage.ts';
import { checkSentence } from './checker.ts';
import { readCitationMarks } from './citation-marks.ts';
import type { Cited } from './citations.ts';
import { cite, startCitations } from './citations.ts';
import { prepareEvidence } from './evidence.ts';
import { searchWords } from './follow-up.ts';
import type { LanguageModel } from './models/language-model.ts';
import { withoutThinking } from './models/without-thinking.ts';
import type { PassageFinder } from './passage-finder.ts';
import type { PastTurn } from './prompt.ts';
import { buildPrompt } from './prompt.ts';
import { selectQuotes } from './quotes.ts';
import { nearestQuotes } from './nearest-quotes.ts';
import { listRead } from './read-passages.ts';
import { passagesToFind, selectPassages } from './retriever.ts';

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
/** Quotes that speak of less than this share of the question do not answer it. */
const ENOUGH = 0.26;
const NO_PASSAGES =
  'No passage of the notebook was found for this. Answer from what you know, and say first that you do.';

/**
 * Answers a question from a notebook and tells it by events: written by the model and checked sentence by sentence,
 * or, without a model, in quotes. Rejects with a `NotebookError`; what was told until then stands.
 */
export async function answerQuestion(input: QuestionInput): Promise<void> {
  const { question, history, passages, limit, model, signal } = input;
  const words = searchWords(input.words ?? question, history);
  const found = await passages.find(words, passagesToFind(limit), signal);
  throwIfCancelled(signal);
  const read = selectPassages(found, { passages: limit, characters: CHARACTERS_TO_READ });
  if (read.length === 0 && (model === undefined || input.anyway !== true)) {
    await sayNothing(words, input);
    return;
  }
  if (model === undefined) await quote(words, read, input);
  else await write(model, words, read, input);
}

/** An answer does without the list where a document was removed meanwhile. */
async function listed(
  words: string,
  read: readonly FoundPassage[],
  { passages }: QuestionInput,
): Promise<Pick<Answer, 'read'>> {
  const list = await listRead(words, read, passages).catch(() => []);
  return list.length > 0 ? { read: list } : {};
}

/** Where a part of the notebook does not answer, the nearest in all of it is named. */
async function sayNothing(words: string, input: QuestionInput): Promise<void> {
  const { passages, signal, emit } = input;
  const elsewhere = (await passages.findElsewhere?.(words, passagesToFind(1), signal)) ?? [];
  const citations = await cite(passages, selectQuotes(words, elsewhere).quotes.slice(0, 1));
  throwIfCancelled(signal);
  const [nearest] = citations;
  const text =
    nearest === undefined
      ? nothingIn(input)
      : `${nothingIn(input)} In the rest of the notebook, the nearest is in ${nearest.title}.`;
  emit({ kind: 'started', answer: { kind: 'nothing', text, citations } });
}

function nothingIn({ place = 'this notebook' }: QuestionInput): string {
  return `Nothing in ${place} answers that.`;
}

function readingStatus(passages: readonly FoundPassage[]): AnswerEvent {
  const sources = new Set(passages.map(({ sourceId }) => sourceId)).size;
  return {
    kind: 'status',
    text: `Reading ${count(passages.length, 'passage')} from ${count(sources, 'source')}…`,
  };
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}

async function quote(words: string, read: readonly FoundPassage[], input: QuestionInput): Promise<void> {
  const { passages, signal, emit } = input;
  emit(readingStatus(read));
  const list = await listed(words, read, input);
  const { quotes, coverage } = selectQuotes(words, read);
  const enough = quotes.length > 0 && coverage >= ENOUGH;
  const near = enough ? [] : nearestQuotes(read);
  if (enough || near.length > 0) {
    await emitQuotes(
      enough ? quotes : near,
      enough ? INTRODUCTIONS.words : INTRODUCTIONS.meaning,
      list,
      input,
    );
  } else {
    const citations = await cite(passages, quotes.slice(0, 1));
    throwIfCancelled(signal);
    const [nearest] = citations;
    const nothing = nothingIn(input);
    const text = nearest === undefined ? nothing : `${nothing} The nearest is in ${nearest.title}.`;
    emit({ kind: 'started', answer: { kind: 'nothing', text, citations, ...list } });
  }
}

const INTRODUCTIONS = {
  words: (sources: number): string =>
    `From ${count(sources, 'source')}, in ${sources === 1 ? 'its' : 'their'} own words:`,
  meaning: (sources: number): string =>
    `Nothing says that in these words. The nearest in meaning, from ${count(sources, 'source')}:`,
};

async function emitQuotes(
  quotes: readonly Cited[],
  introduce: (sources: number) => string,
  list: Pick<Answer, 'read'>,
  { passages, signal, emit }: QuestionInput,
): Promise<void> {
  const citations = await cite(passages, quotes);
  throwIfCancelled(signal);
  emit({
    kind: 'started',
    answer: {
      kind: 'quotes',
      text: introduce(new Set(quotes.map(({ passage }) => passage.sourceId)).size),
      quotes: quotes.map(({ passage }, citation) => ({
        citation,
        format: passage.format,
        languageId: passage.languageId,
      })),
      citations,
      ...list,
    },
  });
}

async function write(
  model: LanguageModel,
  words: string,
  read: readonly FoundPassage[],
  input: QuestionInput,
): Promise<void> {
  const { question, history, instructions, signal, emit } = input;
  const prompt = buildPrompt({
    question: read.length === 0 ? `${question}\n\n${NO_PASSAGES}` : question,
    history,
    passages: read,
    instructions,
    windowTokens: model.windowTokens,
  });
  if (read.length > 0) emit(readingStatus(prompt.passages));
  const list = await listed(words, prompt.passages, input);
  const evidence = prepareEvidence(prompt.passages);
  const citations = startCitations(input.passages);
  const marks = readCitationMarks(prompt.passages.length);
  let text = '';
  // Sentences are checked and told one after the other while more text streams in.
  let told = Promise.resolve();

  const tell = (more: ReturnType<typeof marks.push>): void => {
    if (text === '' && more.text !== '') {
      emit({
        kind: 'started',
        answer: { kind: 'written', model: model.name, text: '', statements: [], citations: [], ...list },
      });
      emit({ kind: 'status', text: 'Writing…' });
    }
    if (more.text !== '') emit({ kind: 'text', delta: more.text });
    text += more.text;
    for (const sentence of more.sentences) {
      const cited = sentence.numbers.map((number) => number - 1);
      const check = checkSentence(text.slice(sentence.start, sentence.end), cited, evidence);
      told = told.then(async () => {
        if (!signal.aborted) emit(await citations.state(sentence, check));
      });
      // A failure is thrown below, once the stream has ended.
      told.catch(() => undefined);
    }
  };

  emit({ kind: 'status', text: `Waiting for ${model.name}…` });
  try {
    for await (const delta of withoutThinking(model.stream(prompt.messages, { signal }))) {
      throwIfCancelled(signal);
      tell(marks.push(delta));
    }
  } finally {
    // What had arrived is kept, and its sentences checked, however the stream ended.
    tell(marks.end());
    await told.catch(() => undefined);
  }
  throwIfCancelled(signal);
  await told;
  if (text === '') {
    throw new NotebookError(
      'empty',
      `${model.name} sent an empty answer. Try again or choose another model.`,
      {
        action: 'tryAgain',
      },
    );
  }
}
