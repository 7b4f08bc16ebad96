import * as vscode from 'vscode';
import { isConfirmed } from '../../../platform/dialogs.ts';

/** Asks in a dialog whether to delete a research project. */
export async function confirmedRemoval(): Promise<boolean> {
  return await isConfirmed(
    vscode.l10n.t('Delete this research project?'),
    vscode.l10n.t('Delete'),
    vscode.l10n.t(
      'This deletes its plan, steps, results, and activity log. A report saved as a note is kept.',
    ),
  );
}
