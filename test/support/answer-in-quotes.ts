import { answerQuestion } from '../../src/answering/answer-question.ts';
import type { PassageFinder } from '../../src/answering/retrieving/passage-finder.ts';
import type { Answer } from '../../src/notebook/answer.ts';
import { applyAnswerEvent } from '../../src/notebook/answer.ts';

/** The whole answer to a first question, without a model; undefined where there was none. */
export async function answerInQuotes(question: string, passages: PassageFinder): Promise<Answer | undefined> {
  let answer: Answer | undefined;
  await answerQuestion({
    question,
    history: [],
    titles: [],
    passages,
    model: undefined,
    writesSearches: false,
    instructions: '',
    signal: new AbortController().signal,
    emit: (event) => {
      answer = applyAnswerEvent(answer, event);
    },
  });
  return answer;
}
