import * as vscode from 'vscode';

/** Opens the walkthrough. */
export async function openWalkthrough(): Promise<void> {
  const walkthrough = 'open-notebook.open-notebook#firstSteps';
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}
