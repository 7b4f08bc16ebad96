import * as vscode from 'vscode';
import { lastSegment, openWithSystem } from '../../../platform/workspace-files.ts';
import type { PdfDocument } from './pdf-document.ts';
import { isAgreed, offerActionOnWarning } from '../../../platform/dialogs.ts';

/**
 * Opens a PDF and its annotations in the system's PDF app to print it, because VS Code doesn't let pages print.
 * @throws NotebookError
 */
export async function printPdf(document: PdfDocument): Promise<void> {
  const name = lastSegment(document.uri);
  await document.flush();
  const open = document.isSaved ? vscode.l10n.t('Open') : vscode.l10n.t('Save and Open');
  const question = vscode.l10n.t('Open “{0}” in your default PDF app?', name);
  const detail = vscode.l10n.t('VS Code can’t print PDFs. Print the file in that app.');
  if (!(await isAgreed(question, open, detail))) return;
  if (!document.isSaved) await vscode.commands.executeCommand('workbench.action.files.save');
  // VS Code has already shown the error.
  if (!document.isSaved) return;
  if (await openWithSystem(await document.forOtherPrograms())) return;
  const message = vscode.l10n.t(
    'Can’t open {0} in another app from here. Save a copy on this machine, then print the copy.',
    name,
  );
  if (await offerActionOnWarning(message, vscode.l10n.t('Save As…')))
    await vscode.commands.executeCommand('workbench.action.files.saveAs');
}
