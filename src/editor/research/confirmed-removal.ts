import * as vscode from 'vscode';

/** Asks in a dialog whether a research shall go. */
export async function confirmedRemoval(): Promise<boolean> {
  const remove = vscode.l10n.t('Remove');
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t('Remove this research?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'Its plan, its steps with what they made, and its records go. A note that its report was written to stays.',
      ),
    },
    remove,
  );
  return chosen === remove;
}
