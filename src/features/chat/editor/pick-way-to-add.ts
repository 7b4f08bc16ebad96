import * as vscode from 'vscode';

/** Lets the user pick a way to add sources; resolves to its command, or to undefined if the user picks none. */
export async function pickWayToAdd(): Promise<string | undefined> {
  const way = (icon: string, label: string, command: string): vscode.QuickPickItem & { command: string } => ({
    label,
    iconPath: new vscode.ThemeIcon(icon),
    command,
  });
  const picked = await vscode.window.showQuickPick(
    [
      way('files', vscode.l10n.t('Files or Folders…'), 'openNotebook.addFiles'),
      way('globe', vscode.l10n.t('Web Page…'), 'openNotebook.addWebPage'),
      way('list-tree', vscode.l10n.t('Site…'), 'openNotebook.addSite'),
      way('book', vscode.l10n.t('Reference by DOI or arXiv ID…'), 'openNotebook.addWork'),
      way('text-size', vscode.l10n.t('Text…'), 'openNotebook.addText'),
      way('clippy', vscode.l10n.t('Text from the Clipboard'), 'openNotebook.addClipboard'),
    ],
    { title: vscode.l10n.t('Add Sources') },
  );
  return picked?.command;
}
