import * as vscode from 'vscode';
import { NotebookError, type ErrorAction } from '../../notebook/errors.ts';

const COMMANDS: Readonly<Partial<Record<ErrorAction, string>>> = {
  addSources: 'openNotebook.addFiles',
  openSettings: 'openNotebook.openSettings',
  pickModel: 'openNotebook.pickModel',
  setApiKey: 'openNotebook.setApiKey',
};

/** Tells why something was not made, with a button for what helps; afterwards it goes on where that can be. @throws what has no such button */
export function tellFailure(error: unknown, again: () => Promise<void>): void {
  if (!(error instanceof NotebookError)) throw error;
  const { action, code, message } = error;
  const command = action && COMMANDS[action];
  if (action === undefined || (command === undefined && action !== 'tryAgain')) throw error;
  const label = labelOf(action);
  const tell = code === 'cancelled' || code === 'empty' ? 'showInformationMessage' : 'showErrorMessage';
  void vscode.window[tell](message, label).then(async (chosen) => {
    if (chosen !== label) return;
    if (command !== undefined) await vscode.commands.executeCommand(command);
    if (action !== 'addSources' && action !== 'openSettings') await again();
  });
}

function labelOf(action: ErrorAction): string {
  switch (action) {
    case 'pickModel':
      return vscode.l10n.t('Pick Model');
    case 'setApiKey':
      return vscode.l10n.t('Set API Key');
    case 'addSources':
      return vscode.l10n.t('Add Sources');
    case 'openSettings':
      return vscode.l10n.t('Open Settings');
    default:
      return vscode.l10n.t('Go On');
  }
}
