import { t } from '@vscode/l10n';
import { NotebookError } from '../notebook/errors.ts';

/** A file of a model says something else than its format has it; `why` goes to the log. */
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

/** A model cuts texts in a way that is not known here. */
export function unknownStep(name: string): NotebookError {
  return new NotebookError(
    'unsupported',
    t(
      'This model splits text with “{0}”, which Open Notebook doesn’t support. Choose another model.',
      name.slice(0, 80),
    ),
  );
}
