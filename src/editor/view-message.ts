import * as vscode from 'vscode';
import { NotebookError } from '../notebook/errors.ts';

/** What a view says in place of its rows where the notebook did not give them. */
export function whyNothing(error: unknown): string {
  return error instanceof NotebookError
    ? error.message
    : vscode.l10n.t('The notebook could not be opened. The log tells more.');
}
