import { checkWithModel, type CheckInput } from '../../answering/checking/check-with-model.ts';
import type { CitedText } from '../../answering/writing/cited-text.ts';
import {
  applyAnswerEvents,
  doubtfulStatements,
  type Answer,
  type AnswerEvent,
} from '../../notebook/answer.ts';
import { isCancelled, NotebookError } from '../../notebook/errors.ts';

/** A text as the model that was asked about its sentences has it. */
interface CheckedText {
  readonly text: CitedText;
  /** One sentence where the model gave none or not all of its verdicts. */
  readonly problem: string | undefined;
}

/**
 * Asks a model about the doubtful sentences of a text, in one request, as about those of an answer. Verdicts that came
 * before it failed stand. @throws NotebookError `cancelled`
 */
export async function checkedByModel(
  text: CitedText,
  {
    model,
    finder,
    signal,
  }: Pick<CheckInput, 'model' | 'signal'> & { readonly finder: CheckInput['passages'] },
): Promise<CheckedText> {
  const answer: Answer = { kind: 'written', model: model.name, ...text };
  const events: AnswerEvent[] = [];
  let problem: string | undefined;
  try {
    if (doubtfulStatements(answer, model.name).length > 0)
      await checkWithModel({
        ...{ answer, model, passages: finder, signal },
        emit: (event) => events.push(event),
      });
  } catch (error) {
    if (isCancelled(error) || !(error instanceof NotebookError)) throw error;
    problem = error.message;
  }
  const checked = applyAnswerEvents(answer, events);
  const { statements, citations } = checked?.kind === 'written' ? checked : text;
  return { text: { text: text.text, statements, citations }, problem };
}
