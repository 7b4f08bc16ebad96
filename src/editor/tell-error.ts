import * as vscode from 'vscode';
import { isCancelled, NotebookError } from '../notebook/errors.ts';
import { inform, showError } from './dialogs.ts';

/**
 * Does what a click asked for. Why it can't be done is told by the editor, in one sentence: the page that was clicked may
 * be hidden by then. @throws what nobody foresaw
 */
export async function orTell(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof NotebookError)) throw error;
    void showError(error.message);
  }
}

/** Tells what went wrong in one sentence; what nobody foresaw goes to the log. */
export function tellError(error: unknown, log: vscode.LogOutputChannel): void {
  if (isCancelled(error)) return;
  if (error instanceof NotebookError) {
    // That there is nothing to act on is no failure.
    if (error.code === 'empty') inform(error.message);
    else void showError(error.message);
    return;
  }
  log.error(error instanceof Error ? error : String(error));
  const show = vscode.l10n.t('Show Log');
  const told = vscode.l10n.t('The operation failed. See the log for details.');
  void showError(told, [show]).then((chosen) => {
    if (chosen === show) log.show();
  });
}
