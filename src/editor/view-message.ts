import * as vscode from 'vscode';
import { NotebookError } from '../notebook/errors.ts';

/**
 * The rows of a view, which says nothing then; where the notebook does not give them, it says why in their place.
 * @throws whatever `rows` throws
 */
export async function rowsOrWhy<T>(view: vscode.TreeView<unknown>, rows: () => Promise<T>): Promise<T> {
  try {
    const given = await rows();
    view.message = '';
    return given;
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
