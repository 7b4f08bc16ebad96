import * as vscode from 'vscode';

/** Type of the chat's tabs. */
export const CHAT_TAB_TYPE = 'openNotebook.chatTab';

/** Location of an editor: a column, which gets the focus, or options of VS Code. */
export type EditorPlace =
  | vscode.ViewColumn
  | {
      readonly viewColumn: vscode.ViewColumn;
      /** `true` to leave the focus unchanged. */
      readonly preserveFocus: boolean;
      /** `true` if the next preview replaces the tab, unless the user starts to work in it. */
      readonly preview: boolean;
    };

/** Returns a place as VS Code's options. */
export function showOptions(place: EditorPlace): vscode.TextDocumentShowOptions {
  return typeof place === 'number' ? { viewColumn: place } : place;
}

/** Returns the file of the active tab, or of a tab beside the chat's tab; undefined if there is none. */
export function openFileUri(): vscode.Uri | undefined {
  const { activeTabGroup, all } = vscode.window.tabGroups;
  if (!isChat(activeTabGroup.activeTab)) return findFile(activeTabGroup.activeTab);
  return all.map(({ activeTab }) => findFile(activeTab)).find((uri) => uri !== undefined);
}

/** Reports whether a tab is the chat. VS Code adds a prefix to its type. */
function isChat(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith(CHAT_TAB_TYPE);
}

/** Returns the files of all tabs, each once; for a comparison, the file that can be edited. */
export function openFileUris(): vscode.Uri[] {
  const uris = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .map((tab) => (tab.input instanceof vscode.TabInputTextDiff ? tab.input.modified : findFile(tab)))
    .filter((uri) => uri !== undefined);
  return [...new Map(uris.map((uri) => [uri.toString(), uri])).values()];
}

function findFile(tab: vscode.Tab | undefined): vscode.Uri | undefined {
  const input: unknown = tab?.input;
  if (
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputCustom ||
    input instanceof vscode.TabInputNotebook
  )
    return input.uri;
  return undefined;
}
