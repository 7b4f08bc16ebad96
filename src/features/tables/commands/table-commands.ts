import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { ago } from '../../../platform/relative-time.ts';
import type { TableEntry } from '../model/extraction-table.ts';
import type { TableViews } from '../editor/tabs.ts';

/** Returns the commands for extraction tables, by name. */
export function tableCommands(notebook: NotebookClient, tabs: TableViews): Commands {
  return {
    openMatrix: async (clicked?: TableEntry) => {
      const entry = clicked ?? (await chooseTable(notebook));
      if (entry !== undefined) await tabs.show({ tableId: entry.id, notebook: notebook.key }, entry.title);
    },
    renameMatrix: async (clicked?: TableEntry) => {
      const { renameTable } = await import('../editor/actions.ts');
      const entry = clicked ?? (await chooseTable(notebook));
      if (entry !== undefined) await renameTable(notebook, entry);
    },
    deleteMatrix: async (clicked?: TableEntry) => {
      const { removeTable } = await import('../editor/actions.ts');
      const entry = clicked ?? (await chooseTable(notebook));
      if (entry !== undefined) await removeTable(notebook, entry);
    },
  };
}

/** Asks for an extraction table; undefined if the user cancels. @throws NotebookError `empty` */
async function chooseTable(notebook: NotebookClient): Promise<TableEntry | undefined> {
  const tables = await notebook.call('tables', {});
  if (tables.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t(
        'No extraction tables yet. Use “Generate from Sources…” in the Sources view to create one.',
      ),
    );
  const items = tables.map((entry) => ({
    label: literalText(entry.title),
    description: ago(entry.changedAt),
    entry,
  }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Open Extraction Table'),
    placeHolder: vscode.l10n.t('Select an extraction table'),
  });
  return chosen?.entry;
}
