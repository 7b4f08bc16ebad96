import * as vscode from 'vscode';

/** The file of the tab that is in front, or undefined where there is none. */
export function openFileUri(): vscode.Uri | undefined {
  return fileOf(vscode.window.tabGroups.activeTabGroup.activeTab);
}

/** The files of all tabs, each once; of a comparison the file that can be changed. */
export function openFileUris(): vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map((tab) => (tab.input instanceof vscode.TabInputTextDiff ? tab.input.modified : fileOf(tab)))
    .filter((uri) => uri !== undefined);
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function fileOf(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  )
    return input.uri;
  return undefined;
}
