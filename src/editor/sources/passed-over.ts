import * as vscode from 'vscode';
import type { Source } from '../../notebook/source.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** Lists the files of a folder that were passed over with the reason of each; the chosen one is shown in the Explorer. */
export async function showPassedOver(notebook: NotebookClient, source: Source): Promise<void> {
  const files = await notebook.call('passedOver', { sourceId: source.id });
  const items = files.map(({ path, reason }) => ({ label: path, detail: withoutName(path, reason) }));
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Passed over in {0}', source.title),
    placeHolder: vscode.l10n.t('Choose a file to show it in the Explorer'),
    matchOnDetail: true,
  });
  if (chosen === undefined || source.origin.kind !== 'folder') return;
  const file = vscode.Uri.joinPath(vscode.Uri.parse(source.origin.uri), chosen.label);
  await vscode.commands.executeCommand('revealInExplorer', file);
}

/** The file's name stands above its reason already. */
function withoutName(path: string, reason: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return reason.startsWith(`${name} `) ? reason.slice(name.length + 1) : reason;
}
