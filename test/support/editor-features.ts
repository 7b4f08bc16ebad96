// Hovers, completions, and links that the editor offers in a document, as the extensions provide them.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Returns the text of all hovers at a position, without the escapes of Markdown. */
export async function hoverAt({ uri }: vscode.TextDocument, position: vscode.Position): Promise<string> {
  const hovers = await vscode.commands.executeCommand<readonly vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uri,
    position,
  );
  const contents = hovers.flatMap((hover) => hover.contents as vscode.MarkdownString[]);
  return contents
    .map(({ value }) => value)
    .join('\n')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('\\', '');
}

/** Returns the labels of all completions at a position. */
export async function completionsAt(
  { uri }: vscode.TextDocument,
  position: vscode.Position,
): Promise<string[]> {
  const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
    'vscode.executeCompletionItemProvider',
    uri,
    position,
  );
  return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
}

/** Opens the link of some words in a document. */
export async function openLink(document: vscode.TextDocument, words: string): Promise<void> {
  const links = await vscode.commands.executeCommand<readonly vscode.DocumentLink[]>(
    'vscode.executeLinkProvider',
    document.uri,
  );
  const link = links.find(
    ({ range, target }) => target?.scheme === 'command' && document.getText(range) === words,
  );
  assert.ok(link?.target, words);
  const { path, query } = link.target;
  await vscode.commands.executeCommand(path, ...(JSON.parse(query) as unknown[]));
}

/** Returns the position after some words in a document. */
export function positionBehind(document: vscode.TextDocument, words: string): vscode.Position {
  const start = document.getText().indexOf(words);
  assert.notEqual(start, -1, words);
  return document.positionAt(start + words.length);
}

/** Returns the address of the active editor's document, and the line of its cursor, counted from 1. */
export function activeLine(): [uri: string, line: number] | undefined {
  const { activeTextEditor: editor } = vscode.window;
  return editor && [editor.document.uri.toString(), editor.selection.active.line + 1];
}
