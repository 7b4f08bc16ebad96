import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { prepareEvidenceInSteps } from '../checking/evidence.ts';
import { checkByRules, type Check } from '../checking/rules.ts';
import type { PassageFinder } from '../retrieving/passage-finder.ts';
import { readCitationMarks } from './citation-marks.ts';
import { checkKey, keepCited, startCitations } from './cited-statements.ts';
import { withOuterBars } from '../../core/language/markdown-lines.ts';
import { isCanceled, NotebookError, throwIfCanceled } from '../../core/domain/errors.ts';
import {
  applyAnswerEvents,
  statementsToCheck,
  type Answer,
  type AnswerEvent,
  type Citation,
  type Statement,
} from '../../core/domain/answer.ts';
import { checkWithModel, type CheckInput } from '../checking/check-with-model.ts';
import type { FoundPassage } from '../../core/domain/passage.ts';
import { renumberCitations, type CitedText } from './cited-text.ts';

/** Maximum length of text to read without a pause, in UTF-16 code units. */
const AT_ONCE = 4_000;

/**
 * Reads a text whose sentences cite passages by number, and checks it by rules. Number `n` is the passage at `n - 1`.
 */
export async function checkText(
  written: string,
  passages: readonly FoundPassage[],
  finder: Pick<PassageFinder, 'cite'>,
  signal: AbortSignal,
): Promise<CitedText> {
  const marked = withOuterBars(written);
  const marks = readCitationMarks(passages.length);
  const parts: ReturnType<typeof marks.end>[] = [];
  for (let from = 0; from < marked.length; from += AT_ONCE) {
    parts.push(marks.push(marked.slice(from, from + AT_ONCE)));
    await yieldToOthers();
  }
  parts.push(marks.end());
  const text = parts.map((part) => part.text).join('');
  const evidence = await prepareEvidenceInSteps(passages);
  const makeStatement = startCitations(finder);
  const statements: Statement[] = [];
  const citations: Citation[] = [];
  // A model in a loop repeats the same sentence thousands of times.
  const checks = new Map<string, Check>();
  for (const sentence of parts.flatMap((part) => part.sentences)) {
    throwIfCanceled(signal);
    const words = text.slice(sentence.start, sentence.end);
    const key = checkKey(words, sentence);
    let check = checks.get(key);
    if (check === undefined) {
      await yieldToOthers();
      const cited = sentence.numbers.map((number) => number - 1);
      check = checkByRules(words, cited, evidence, sentence);
      if (sentence.isInTable === true) check = keepCited(words, check, cited, evidence);
      checks.set(key, check);
    }
    const { statement, newCitations } = await makeStatement(sentence, check);
    statements.push(statement);
    citations.push(...newCitations);
  }
  return renumberCitations({ text, statements, citations });
}

/** Text with the verdicts of a model. */
export interface CheckedText {
  readonly text: CitedText;
  /** One sentence if the model returned none or not all of its verdicts. */
  readonly problem: string | undefined;
}

interface TextCheck extends Pick<CheckInput, 'model' | 'read' | 'signal'> {
  readonly finder: CheckInput['passages'];
}

/**
 * Lets a model check the statements of a text, like those of an answer. If it fails, earlier verdicts stay valid.
 * @throws NotebookError `cancelled`; errors that aren't the model's
 */
export async function checkedByModel(
  text: CitedText,
  { model, finder, read, signal }: TextCheck,
): Promise<CheckedText> {
  const answer: Answer = { kind: 'written', model: model.name, ...text };
  const events: AnswerEvent[] = [];
  let problem: string | undefined;
  try {
    if (statementsToCheck(answer).length > 0)
      await checkWithModel({
        ...{ answer, model, passages: finder, read, signal },
        emit: (event) => events.push(event),
      });
  } catch (error) {
    if (isCanceled(error) || !(error instanceof NotebookError)) throw error;
    problem = error.message;
  }
  const checked = applyAnswerEvents(answer, events);
  const { statements, citations } = checked?.kind === 'written' ? checked : text;
  return { text: { text: text.text, statements, citations }, problem };
}
