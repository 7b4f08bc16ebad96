import * as vscode from 'vscode';
import { lastSegment, openWithSystem } from '../workspace-files.ts';
import type { PdfDocument } from './pdf-document.ts';
import { isAgreed, isTakenOnWarning } from '../dialogs.ts';

/** Has the system's program for PDFs print one with what is marked in it, as the editor lets no page print. @throws NotebookError */
export async function printPdf(document: PdfDocument): Promise<void> {
  const name = lastSegment(document.uri);
  await document.flush();
  const open = document.isSaved ? vscode.l10n.t('Open') : vscode.l10n.t('Save and Open');
  const question = vscode.l10n.t(
    'The editor lets no page print. Open {0} with the system’s program for PDFs to print it?',
    name,
  );
  if (!(await isAgreed(question, open))) return;
  if (!document.isSaved) await vscode.commands.executeCommand('workbench.action.files.save');
  // The editor has said why.
  if (!document.isSaved) return;
  if (await openWithSystem(await document.forOtherPrograms())) return;
  const told = vscode.l10n.t(
    '{0} cannot be opened with a program of this machine from here. Save a copy on this machine, and print that.',
    name,
  );
  if (await isTakenOnWarning(told, vscode.l10n.t('Save As…')))
    await vscode.commands.executeCommand('workbench.action.files.saveAs');
}
