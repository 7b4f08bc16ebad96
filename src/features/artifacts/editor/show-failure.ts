import * as vscode from 'vscode';
import { NotebookError, type ErrorAction, type ErrorCode } from '../../../core/domain/errors.ts';
import { showError, showInformation } from '../../../platform/dialogs.ts';

type Actions = Readonly<Partial<Record<ErrorAction, () => PromiseLike<unknown>>>>;

const COMMANDS: Actions = {
  addSources: () => vscode.commands.executeCommand('openNotebook.addFiles'),
  openSettings: () => vscode.commands.executeCommand('openNotebook.openSettings'),
  pickModel: () => vscode.commands.executeCommand('openNotebook.pickModel'),
  setApiKey: () => vscode.commands.executeCommand('openNotebook.setApiKey'),
  tryAgain: () => Promise.resolve(),
};

/** Errors that can go away without a change of the model or of its settings. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'connection',
  'rate-limited',
  'server',
  'stream-cut',
  'timeout',
]);

/**
 * Shows why generating failed, with a button that helps and then retries if possible. After a temporary error, another
 * button only retries. `actions` replace the commands for the model that writes.
 * @throws errors without such a button
 */
export function showFailure(error: unknown, again: () => Promise<void>, actions: Actions = {}): void {
  if (!(error instanceof NotebookError)) throw error;
  const { action, code, message } = error;
  const handler = action && (actions[action] ?? COMMANDS[action]);
  if (action === undefined || handler === undefined) throw error;
  const label = actionLabel(action, code);
  const retry = vscode.l10n.t('Try Again');
  const show = code === 'cancelled' || code === 'empty' ? showInformation : showError;
  const buttons = TEMPORARY.has(code) && label !== retry ? [label, retry] : [label];
  void show(message, buttons).then(async (selected) => {
    if (selected === undefined) return;
    if (selected === label) {
      await handler();
      if (action === 'addSources' || action === 'openSettings') return;
    }
    await again();
  });
}

function actionLabel(action: ErrorAction, code: NotebookError['code']): string {
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
      return code === 'cancelled' ? vscode.l10n.t('Resume') : vscode.l10n.t('Try Again');
  }
}
