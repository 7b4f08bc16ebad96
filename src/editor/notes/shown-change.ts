import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import type { KeptCitation } from '../../notebook/note.ts';
import { noteUri } from './note-files.ts';
import type { NotebookClient } from '../notebook-client.ts';

/** The scheme of changed notes that nobody has kept yet. */
const CHANGED_SCHEME = 'open-notebook-changed-note';

/** What a note would become. */
interface ShownChange {
  readonly text: string;
  /** The title of what is shown. */
  readonly title: string;
  readonly question: string;
}

/** Shows a note beside what it would become; whether the user wants that. Who closes that does not. */
export async function isChangeKept(
  uri: vscode.Uri,
  { text, title, question }: ShownChange,
): Promise<boolean> {
  const changed = uri.with({ scheme: CHANGED_SCHEME });
  const isShown = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === changed.toString();
  const registration = vscode.workspace.registerTextDocumentContentProvider(CHANGED_SCHEME, {
    provideTextDocumentContent: () => text,
  });
  try {
    await vscode.commands.executeCommand('vscode.diff', uri, changed, title, { preview: false });
    const keepIt = vscode.l10n.t('Keep');
    const closed = new Promise<undefined>((resolve) => {
      const following = vscode.window.tabGroups.onDidChangeTabs((change) => {
        if (!change.closed.some(isShown)) return;
        following.dispose();
        resolve(undefined);
      });
    });
    const answer = await Promise.race([
      vscode.window.showInformationMessage(question, keepIt, vscode.l10n.t('Leave It')),
      closed,
    ]);
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isShown));
    await vscode.window.tabGroups.close(tabs);
    return answer === keepIt;
  } finally {
    registration.dispose();
  }
}

/**
 * Replaces a stretch of a note, in UTF-16 code units, through its document, so that its editor can undo it.
 * @throws NotebookError `internal`
 */
export async function replaceInNote(
  notebook: NotebookClient,
  title: string,
  change: {
    readonly start: number;
    readonly end: number;
    readonly text: string;
    readonly citations: readonly KeptCitation[];
  },
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  const wasDirty = document.isDirty;
  await notebook.call('keepCitations', { title, citations: change.citations });
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
  edit.replace(document.uri, range, change.text);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new NotebookError('internal', vscode.l10n.t('The note “{0}” could not be written to.', title));
  const at = new vscode.Range(range.start, range.start);
  await vscode.window.showTextDocument(document, { preview: false, selection: at });
  if (!wasDirty) await document.save();
}
