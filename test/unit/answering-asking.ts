// Helpers that ask questions of a small notebook in memory, with scripted models.
import { answerQuestion } from '../../src/answers/answer-question.ts';
import type { QuestionInput } from '../../src/answers/question/question-input.ts';
import type { ChatMessage, LanguageModel } from '../../src/answers/models/language-model.ts';
import { applyAnswerEvents, type Answer, type AnswerEvent } from '../../src/core/domain/answer.ts';
import { makeNotebook, type TestDocument } from './answering-fixtures.ts';

export const documents: readonly TestDocument[] = [
  { id: 1, title: 'rain.txt', text: 'Rain falls in spring. The record is 305 mm in one hour.' },
  { id: 2, title: 'snow.txt', text: 'Snow falls in winter. It melts above 0 degrees.' },
  { id: 3, title: 'fog.txt', text: 'Fog is a cloud that touches the ground.' },
];

interface ScriptedModel extends LanguageModel {
  readonly requests: (readonly ChatMessage[])[];
}

export function scripted(...pieces: (string | Error)[]): ScriptedModel {
  const requests: (readonly ChatMessage[])[] = [];
  return {
    name: 'scripted-1',
    requests,
    async *stream(messages) {
      requests.push(messages);
      for (const piece of pieces) {
        await Promise.resolve();
        if (piece instanceof Error) throw piece;
        yield piece;
      }
    },
  };
}

interface Outcome {
  readonly events: readonly AnswerEvent[];
  readonly answer: Answer | undefined;
  readonly error: unknown;
}

export async function ask(question: string, options: Partial<QuestionInput> = {}): Promise<Outcome> {
  const { events, error } = await collectEvents(question, options);
  return { events, answer: finalAnswer(events), error };
}

export function finalAnswer(events: readonly AnswerEvent[]): Answer | undefined {
  return applyAnswerEvents(undefined, events);
}

export async function collectEvents(
  question: string,
  options: Partial<QuestionInput> = {},
): Promise<Omit<Outcome, 'answer'>> {
  const events: AnswerEvent[] = [];
  let error: unknown;
  await answerQuestion({
    question,
    history: [],
    passages: makeNotebook(documents),
    titles: documents.map(({ title }) => title),
    model: undefined,
    writesSearches: false,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => events.push(event),
    ...options,
  }).catch((reason: unknown) => {
    error = reason;
  });
  return { events, error };
}

export function statuses({ events }: Outcome): string[] {
  return events.flatMap((event) => (event.kind === 'status' ? [event.text] : []));
}
