import * as vscode from 'vscode';

/** The file of the tab that is in front, or undefined where there is none. */
export function openFileUri(): vscode.Uri | undefined {
  const input: unknown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  )
    return input.uri;
  return undefined;
}
