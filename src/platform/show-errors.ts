import * as vscode from 'vscode';
import { isCanceled, NotebookError } from '../core/domain/errors.ts';
import { inform, showError } from './dialogs.ts';

/**
 * Runs the action of a click. VS Code shows a failure in one sentence, because the clicked page may be hidden by then.
 * @throws unexpected errors
 */
export async function showErrors(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (!(error instanceof NotebookError)) throw error;
    void showError(error.message);
  }
}

/** Shows an error in one sentence. Unexpected errors go to the log. */
export function reportError(error: unknown, log: vscode.LogOutputChannel): void {
  if (isCanceled(error)) return;
  if (error instanceof NotebookError) {
    // An action without a target isn't a failure.
    if (error.code === 'empty') inform(error.message);
    else void showError(error.message);
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  const message = vscode.l10n.t('The operation failed. See the log for details.');
  void showError(message, [show]).then((chosen) => {
    if (chosen === show) log.show();
  });
}
