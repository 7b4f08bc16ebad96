import * as vscode from 'vscode';

/** Context keys of menus, the Command Palette, and the walkthrough; see the `when` clauses in package.json. */
type MenuContext =
  /** Adding the last sources can be undone. */
  | 'canUndoAdding'
  /** Files that were excluded from a folder can be included again. */
  | 'canUndoExcluding'
  /** Removed sources can be restored. */
  | 'canUndoRemoving'
  /** The user opened a citation in this window. */
  | 'followedCitation'
  /** The current conversation has questions. */
  | 'hasTurns'
  /** There is a token for a GitLab host, or a project that may be read with one. */
  | 'hasGitLab'
  /** There are sources that can't be read. */
  | 'hasFailedSources'
  /** The sources include the sample guides. */
  | 'hasSample'
  /** The Study view has an item. */
  | 'hasStudyItems'
  | 'hasResearches'
  | 'hasSources'
  /** Recordings are to be transcribed, or were paused. */
  | 'hasTranscriptions'
  /** Text recognition is running. */
  | 'recognises'
  /** Recordings are being transcribed. */
  | 'transcribes';

/** Sets a context key for `when` clauses of the manifest, with the prefix `openNotebook.`. */
export async function setContextKey(context: MenuContext, value: boolean): Promise<void> {
  await vscode.commands.executeCommand('setContext', `openNotebook.${context}`, value);
}
