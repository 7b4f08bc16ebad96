import { t } from '@vscode/l10n';
import { NotebookError } from '../../../core/domain/errors.ts';

/** Returns the error for a model file that doesn't match its format; `why` goes to the log. */
export function notAModel(file: string, why: string): NotebookError {
  return new NotebookError(
    'damaged',
    t(
      '{0} isn’t part of a Model2Vec model, or it’s damaged. Download the model again, or choose another model.',
      file,
    ),
    { cause: new Error(why) },
  );
}

/** Returns the error for an unsupported step of a tokenizer. */
export function unknownStep(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'This model splits text with “{0}”, which Open Notebook doesn’t support. Choose another model.',
      name.slice(0, 80),
    ),
  );
}
