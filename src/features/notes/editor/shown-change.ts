import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { StoredCitation } from '../../../core/domain/note.ts';
import { noteUri } from './note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';

/** Scheme of changed notes that the user hasn't accepted yet. */
const CHANGED_SCHEME = 'open-notebook-changed-note';

/** Shown changes without a decision, by the URIs of the changed notes. */
const pending = new Map<string, (isAccepted: boolean) => void>();

/**
 * Decides on the change in the active editor, or in the given one.
 * @throws NotebookError `not-found` if there is none
 */
export function decideChange(isAccepted: boolean, changed?: vscode.Uri): void {
  const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = changed ?? (shown instanceof vscode.TabInputTextDiff ? shown.modified : undefined);
  const decide = pending.get(uri?.toString() ?? '');
  if (decide === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This change is no longer available. Close the comparison and run the update again.'),
    );
  decide(isAccepted);
}

/** Change of a note. */
interface NoteChange {
  readonly before: string;
  readonly after: string;
  /** Citations that the change adds. */
  readonly citations: readonly StoredCitation[];
  /** Title of the editor that shows the change. */
  readonly heading: string;
}

/**
 * Shows a change of a note. If the user accepts it, applies it as one edit, which the note's editor can undo.
 * @throws NotebookError `conflict` if the note changed meanwhile
 */
export async function changeShownNote(
  notebook: NotebookClient,
  title: string,
  { before, after, citations, heading }: NoteChange,
): Promise<void> {
  const uri = noteUri(title, notebook);
  if (!(await isChangeAccepted(uri, after, heading))) return;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() !== before)
    throw new NotebookError(
      'conflict',
      vscode.l10n.t('The note changed in the meantime, so the change wasn’t applied. Try again.'),
    );
  await replaceInNote(notebook, title, { ...changedSpan(before, after), citations });
}

/** Returns the span of a text that a change replaces, and the new text of the span. */
function changedSpan(
  before: string,
  after: string,
): { readonly start: number; readonly end: number; readonly text: string } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { start, end: before.length - same, text: after.slice(start, after.length - same) };
}

/**
 * Shows a note beside its changed text. Returns whether the user accepts the change with the buttons in the title of
 * the editor. Closing the editor rejects it.
 */
export async function isChangeAccepted(uri: vscode.Uri, text: string, title: string): Promise<boolean> {
  const changed = uri.with({ scheme: CHANGED_SCHEME, query: String(Date.now()) });
  const key = changed.toString();
  const isShown = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === key;
  const registration = vscode.workspace.registerTextDocumentContentProvider(CHANGED_SCHEME, {
    provideTextDocumentContent: (uri) => (uri.toString() === key ? text : undefined),
  });
  const decided = new Promise<boolean>((resolve) => pending.set(key, resolve));
  const following = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (closed.some(isShown)) pending.get(key)?.(false);
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', uri, changed, title, { preview: false });
    const answer = await decided;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isShown));
    await vscode.window.tabGroups.close(tabs);
    return answer;
  } finally {
    pending.delete(key);
    following.dispose();
    registration.dispose();
  }
}

/**
 * Replaces a range of a note, in UTF-16 code units, through its document, so that its editor can undo it.
 * @throws NotebookError `internal`
 */
export async function replaceInNote(
  notebook: NotebookClient,
  title: string,
  change: {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly citations: readonly StoredCitation[];
  },
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  const wasDirty = document.isDirty;
  await notebook.call('keepCitations', { title, citations: change.citations });
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new NotebookError('internal', vscode.l10n.t('Can’t write to the note “{0}”. Try again.', title));
  const at = new vscode.Range(range.start, range.start);
  await vscode.window.showTextDocument(document, { preview: false, selection: at });
  if (!wasDirty) await document.save();
}
