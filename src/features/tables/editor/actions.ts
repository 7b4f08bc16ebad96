import * as vscode from 'vscode';
import type { TableEntry, RowKind } from '../model/extraction-table.ts';
import type { Source } from '../../../core/domain/source.ts';
import { artifactLabels } from '../../artifacts/model/names.ts';
import { isConfirmed } from '../../../platform/dialogs.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Asks for a new title of an extraction table. */
export async function renameTable(
  notebook: NotebookClient,
  { id, title: before }: Pick<TableEntry, 'id' | 'title'>,
): Promise<void> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('Rename Extraction Table'),
    value: before,
    validateInput: (typed) => (typed.trim() === '' ? vscode.l10n.t('Enter a title.') : undefined),
  });
  if (title === undefined || title === before) return;
  await notebook.call('renameTable', { tableId: id, title });
}

/** Deletes an extraction table after a confirmation. */
export async function removeTable(
  notebook: NotebookClient,
  { id, title }: Pick<TableEntry, 'id' | 'title'>,
): Promise<void> {
  const isAgreed = await isConfirmed(
    vscode.l10n.t('Delete “{0}”?', title),
    vscode.l10n.t('Delete'),
    vscode.l10n.t('This deletes its answers and everything you wrote in it. Your sources aren’t affected.'),
  );
  if (isAgreed) await notebook.call('removeTable', { tableId: id });
}

/**
 * Returns whether an extraction table has a row for each source or for each document. Asks if there are several sources
 * and one has several documents; undefined if the user cancels.
 */
export async function askForRows(sources: readonly Source[]): Promise<RowKind | undefined> {
  const documents = sources.reduce((sum, source) => sum + source.documents, 0);
  if (sources.every((source) => source.documents <= 1)) return 'sources';
  if (sources.length === 1) return 'documents';
  const item = (rowKind: RowKind, label: string): vscode.QuickPickItem & { readonly rowKind: RowKind } => ({
    label,
    rowKind,
  });
  const chosen = await vscode.window.showQuickPick(
    [
      item('documents', vscode.l10n.t('One row per document ({0})', documents)),
      item('sources', vscode.l10n.t('One row per source ({0})', sources.length)),
    ],
    {
      title: artifactLabels('matrix').name,
      placeHolder: vscode.l10n.t('Select what each row represents'),
    },
  );
  return chosen?.rowKind;
}
