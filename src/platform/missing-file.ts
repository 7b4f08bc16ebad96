import { t } from '@vscode/l10n';
import { NotebookError } from '../core/domain/errors.ts';

/** Returns the error that a file can't be opened, by its name. */
export function missingFile(name: string, cause?: unknown): NotebookError {
  return new NotebookError('not-found', t('Can’t open {0}. It may have been moved or deleted.', name), {
    cause,
  });
}
