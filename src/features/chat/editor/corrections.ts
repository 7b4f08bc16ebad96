import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { FoundPassage } from '../../../core/domain/passage.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { ProposedCorrection } from '../protocol.ts';
import type { Answer, UncorrectedAnswer } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { FactChecker } from './answer-model.ts';

export type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

/** Models that correct a statement. */
export interface CorrectionModels {
  /** Writes the correction. */
  readonly model: LanguageModel;
  /** Checks the correction. */
  readonly checker: LanguageModel;
}

/** Returns the models that correct statements for a fact checker; undefined if none is picked. */
export async function correctionModels(
  checker: Pick<FactChecker, 'model' | 'openWriter'> | undefined,
): Promise<CorrectionModels | undefined> {
  if (checker === undefined) return undefined;
  const model = checker.openWriter === undefined ? checker.model : await checker.openWriter();
  return model && { model, checker: checker.model };
}

/** Statement to correct. */
interface CorrectionRequest {
  /** Question that the text answers, if any. */
  readonly question?: string | undefined;
  /** Text of the statement; undefined if it no longer exists. */
  readonly answer: WrittenAnswer | undefined;
  /** Index of the statement. */
  readonly index: number;
  /** Undefined if no model is picked. */
  readonly models: CorrectionModels | undefined;
  readonly passages: PassageFinder;
  /** Passages to correct from, if they aren't those that the text cites or was written from. */
  readonly read?: readonly FoundPassage[] | undefined;
  /** Returns the corrected text in the form in which it's stored. */
  readonly finish?: (answer: WrittenAnswer) => Answer;
  readonly signal: AbortSignal;
}

/** Last proposed correction of each text, for the lifetime of the window. */
export class Corrections {
  readonly #proposed = new Map<string, { readonly before: WrittenAnswer; readonly after: Answer }>();

  /**
   * Corrects a statement of a text with a model, and checks the correction. Nothing changes until it's applied.
   * @throws NotebookError if the model can't be reached or gives no usable correction
   */
  async propose(
    textId: string,
    {
      question,
      answer,
      index,
      models,
      passages,
      read,
      signal,
      finish = (written) => written,
    }: CorrectionRequest,
  ): Promise<ProposedCorrection> {
    const statement = answer?.statements[index];
    if (answer === undefined || statement === undefined) throw textChanged();
    const { correctStatement } = await import('../../../answers/writing/correct-statement.ts');
    const corrected = await correctStatement({
      ...{ question, answer, index, ...requireModels(models), passages, read, signal },
    });
    this.#proposed.set(textId, { before: answer, after: finish(corrected.answer) });
    return {
      before: answer.text.slice(statement.start, statement.end).trim(),
      after: corrected.text,
      verdict: corrected.statement?.verdict,
      deciding: corrected.statement?.deciding,
    };
  }

  /**
   * Returns a text after its last proposed correction, together with the text before it.
   * @throws NotebookError `conflict` if the text changed since
   */
  apply(textId: string, current: Answer | undefined): Answer {
    const proposed = this.#proposed.get(textId);
    if (proposed === undefined || !isDeepStrictEqual(plain(current), plain(proposed.before)))
      throw textChanged();
    return { ...proposed.after, beforeCorrection: toUncorrected(proposed.before) };
  }
}

/**
 * Returns an answer as it was before its last correction.
 * @throws NotebookError `conflict` if it has none, for example because another answer replaced it
 */
export function undoneCorrection(corrected: Answer | undefined): Answer {
  if (corrected?.beforeCorrection === undefined)
    throw new NotebookError('conflict', t('Can’t undo the correction because the text changed since.'));
  const { beforeCorrection, ...answer } = corrected;
  return { ...answer, ...beforeCorrection, kind: 'written' };
}

/** Returns the parts of an answer that a correction changes, and those that some corrections remove. */
function toUncorrected({ citations, isCut, model, statements, text }: WrittenAnswer): UncorrectedAnswer {
  return { citations, ...(isCut !== undefined && { isCut }), model, statements, text };
}

/** Returns the models that correct a statement. @throws NotebookError `model-missing` */
export function requireModels(models: CorrectionModels | undefined): CorrectionModels {
  if (models !== undefined) return models;
  throw new NotebookError(
    'model-missing',
    t('Correcting a statement requires a language model. Pick a model first.'),
    { action: 'pickModel' },
  );
}

/** Returns the error about a text that changed after its correction was written. */
export function textChanged(): NotebookError {
  return new NotebookError(
    'conflict',
    t('The text changed in the meantime, so the correction wasn’t applied. Correct the statement again.'),
  );
}

/** Returns a text as it's stored: without fields that are undefined. */
function plain(answer: Answer | undefined): unknown {
  return answer && JSON.parse(JSON.stringify(answer));
}
