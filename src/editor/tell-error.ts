import * as vscode from 'vscode';
import { isCancelled, NotebookError } from '../notebook/errors.ts';

/** Tells what went wrong in one sentence; what nobody foresaw goes to the log. */
export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  if (isCancelled(error)) return;
  if (error instanceof NotebookError) {
    // That there is nothing to act on is no failure.
    if (error.code === 'empty') void vscode.window.showInformationMessage(error.message);
    else void vscode.window.showErrorMessage(error.message);
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  void vscode.window
    .showErrorMessage(vscode.l10n.t('Something did not work. The log tells more.'), show)
    .then((chosen) => {
      if (chosen === show) log.show();
    });
}
