import { isDeepStrictEqual } from 'node:util';
import { t } from '@vscode/l10n';
import type { LanguageModel } from '../../../answers/models/language-model.ts';
import type { PassageFinder } from '../../../answers/retrieving/passage-finder.ts';
import type { ProposedCorrection } from '../protocol.ts';
import type { Answer } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';

export type WrittenAnswer = Extract<Answer, { kind: 'written' }>;

/** Statement to correct. */
interface CorrectionRequest {
  /** Question that the text answers, if any. */
  readonly question?: string | undefined;
  /** Text of the statement; undefined if it no longer exists. */
  readonly answer: WrittenAnswer | undefined;
  /** Index of the statement. */
  readonly index: number;
  /** Model that corrects the statement and checks the correction; undefined if none is picked. */
  readonly model: LanguageModel | undefined;
  readonly passages: PassageFinder;
  readonly signal: AbortSignal;
}

/** Last correction of each text, for the lifetime of the window. */
export class Corrections {
  readonly #proposed = new Map<string, { readonly before: WrittenAnswer; readonly after: WrittenAnswer }>();

  /**
   * Corrects a statement of a text with a model, and checks the correction. Nothing changes until it's applied.
   * @throws NotebookError if the model can't be reached or gives no usable correction
   */
  async propose(
    textId: string,
    { question, answer, index, model, passages, signal }: CorrectionRequest,
  ): Promise<ProposedCorrection> {
    const statement = answer?.statements[index];
    if (answer === undefined || statement === undefined) throw changed();
    const { correctStatement } = await import('../../../answers/writing/correct-statement.ts');
    const corrected = await correctStatement({
      ...{ question, answer, index, model: required(model), passages, signal },
    });
    this.#proposed.set(textId, { before: answer, after: corrected.answer });
    return {
      before: answer.text.slice(statement.start, statement.end).trim(),
      after: corrected.text,
      verdict: corrected.statement?.verdict,
      deciding: corrected.statement?.deciding,
    };
  }

  /**
   * Returns a text after its last correction, or the one before it.
   * @throws NotebookError `conflict` if the current text is neither of them, because it changed since
   */
  exchanged(textId: string, current: WrittenAnswer | undefined, to: 'after' | 'before'): WrittenAnswer {
    const proposed = this.#proposed.get(textId);
    const from = to === 'after' ? proposed?.before : proposed?.after;
    if (proposed === undefined || !isDeepStrictEqual(plain(current), plain(from))) throw changed();
    return proposed[to];
  }
}

/** Returns the model that corrects a statement. @throws NotebookError `model-missing` */
export function required(model: LanguageModel | undefined): LanguageModel {
  if (model !== undefined) return model;
  throw new NotebookError(
    'model-missing',
    t('Correcting a statement requires a language model. Pick a model first.'),
    { action: 'pickModel' },
  );
}

function changed(): NotebookError {
  return new NotebookError(
    'conflict',
    t('The text changed in the meantime, so the correction wasn’t applied. Correct the statement again.'),
  );
}

/** Returns a text as it's stored: without fields that are undefined. */
function plain(answer: WrittenAnswer | undefined): unknown {
  return answer && JSON.parse(JSON.stringify(answer));
}
