import * as vscode from 'vscode';
import { NotebookError } from '../core/domain/errors.ts';

/**
 * Returns the rows of a view and clears its message. If the notebook fails to provide them, the view shows why.
 * @throws whatever `rows` throws
 */
export async function rowsOrWhy<T>(view: vscode.TreeView<unknown>, rows: () => Promise<T>): Promise<T> {
  try {
    const result = await rows();
    view.message = '';
    return result;
  } catch (error) {
    view.message = whyNothing(error);
    throw error;
  }
}

/** Returns the message that a view shows in place of its rows if the notebook failed to provide them. */
export function whyNothing(error: unknown): string {
  return error instanceof NotebookError
    ? error.message
    : vscode.l10n.t('Can’t open the notebook. See the log for details.');
}
