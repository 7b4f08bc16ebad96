import * as vscode from 'vscode';

/** Context keys of menus, the Command Palette, and the walkthrough; see the `when` clauses in package.json. */
type MenuContext =
  /** Adding the last sources can be undone. */
  | 'canUndoAdding'
  /** Files that were excluded from a folder can be included again. */
  | 'canUndoExcluding'
  /** Sources that were removed can be brought back. */
  | 'canUndoRemoving'
  /** The user opened a citation in this window. */
  | 'followedCitation'
  /** The conversation that is shown has questions. */
  | 'hasTurns'
  /** There is a token for a GitLab, or a project that may be read with one. */
  | 'hasGitLab'
  /** There are sources that can't be read. */
  | 'hasFailedSources'
  /** The guides of the sample are among the sources. */
  | 'hasSample'
  /** There are cards or a quiz. */
  | 'hasCards'
  | 'hasResearches'
  | 'hasSources'
  /** Text is being recognised. */
  | 'recognises';

/** Sets what `when` clauses of the manifest ask for, `openNotebook.` before its name. */
export async function tellMenus(context: MenuContext, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', `openNotebook.${context}`, value);
}
