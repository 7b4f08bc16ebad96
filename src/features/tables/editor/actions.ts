import * as vscode from 'vscode';
import type { MatrixEntry } from '../model/matrix.ts';
import { isConfirmed } from '../../../editor/dialogs.ts';
import type { NotebookClient } from '../../../editor/notebook-client.ts';

/** Asks for a new title of an extraction table. */
export async function renameMatrix(
  notebook: NotebookClient,
  { id, title: before }: Pick<MatrixEntry, 'id' | 'title'>,
): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Extraction Table'),
    value: before,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a title.') : undefined),
  });
  if (title === undefined || title === before) return;
  await notebook.call('renameMatrix', { matrixId: id, title });
}

/** Deletes an extraction table after a confirmation. */
export async function removeMatrix(
  notebook: NotebookClient,
  { id, title }: Pick<MatrixEntry, 'id' | 'title'>,
): Promise<void> {
  const isAgreed = await isConfirmed(
    vscode.l10n.t('Delete “{0}”?', title),
    vscode.l10n.t('Delete'),
    vscode.l10n.t('This deletes its answers and everything you wrote in it. Your sources aren’t affected.'),
  );
  if (isAgreed) await notebook.call('removeMatrix', { matrixId: id });
}
