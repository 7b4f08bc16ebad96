import * as vscode from 'vscode';
import { isConfirmed } from '../dialogs.ts';

/** Asks in a dialog whether a research shall go. */
export async function confirmedRemoval(): Promise<boolean> {
  return await isConfirmed(
    vscode.l10n.t('Remove this research?'),
    vscode.l10n.t('Remove'),
    vscode.l10n.t(
      'Its plan, its steps with what they made, and its records go. A note that its report was written to stays.',
    ),
  );
}
