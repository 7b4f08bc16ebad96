import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import { plainBeginning, sectionsOf, type Section } from '../../researching/report/headings.ts';
import type { ReportNote, Revision } from '../../researching/report/revise.ts';
import { noteUri } from '../notes/note-files.ts';
import type { NotebookClient } from '../notebook-client.ts';
import { signalOf } from '../signal-of.ts';

/** The scheme of revised notes that nobody has kept yet. */
const REVISED_SCHEME = 'open-notebook-revised-note';

/** A section is shown with its first words, as far as this, in UTF-16 code units. */
const LONGEST_BEGINNING = 80;

/** What is to be revised in a note, by the place of the section among those of `sectionsOf`. */
export interface RevisionWish {
  readonly note: ReportNote;
  readonly section: number;
  readonly comment: string;
}

/**
 * Has a section of a report that the user chooses revised by a comment, shows what that changes, and keeps it where the
 * user says so: as one edit of the note, which its editor can undo.
 * @throws NotebookError `conflict` where the note was changed meanwhile, and what `revise` throws
 */
export async function reviseNote(
  notebook: NotebookClient,
  title: string,
  revise: (wish: RevisionWish, signal: AbortSignal) => Promise<Revision>,
): Promise<void> {
  const uri = noteUri(title, notebook);
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  const chosen = await chooseSection(text);
  if (chosen === undefined) return;
  const comment = await vscode.window.showInputBox({
    title: vscode.l10n.t('Revise “{0}”', titleInWords(chosen)),
    prompt: vscode.l10n.t('What is to be different in this section?'),
    ignoreFocusOut: true,
  });
  if (comment === undefined || comment.trim() === '') return;
  const { citations } = await notebook.call('note', { title });
  const wish = { note: { text, citations }, section: chosen.place, comment: comment.trim() };
  const revision = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Revising “{0}”', titleInWords(chosen)),
      cancellable: true,
    },
    async (_progress, token) => {
      const signal = signalOf(token);
      try {
        return await revise(wish, signal);
      } catch (error) {
        if (signal.aborted) return undefined;
        throw error;
      }
    },
  );
  if (revision === undefined) return;
  if (revision.after === revision.before) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The section “{0}” came back as it was.', titleInWords(chosen)),
    );
    return;
  }
  if (!(await isKept(uri, title, revision))) return;
  if (document.isClosed || document.getText() !== text) {
    const now = await vscode.workspace.openTextDocument(uri);
    if (now.getText() !== text)
      throw new NotebookError(
        'conflict',
        vscode.l10n.t('The note was changed meanwhile, so it was left as it is. Revise the section again.'),
      );
  }
  await keep(notebook, title, chosen, revision);
}

interface Chosen extends Section {
  readonly place: number;
}

async function chooseSection(text: string): Promise<Chosen | undefined> {
  const items = sectionsOf(text).map((section, place) => ({
    label: '\u2003'.repeat(section.level - 1) + titleInWords(section),
    description: plainBeginning(text.slice(section.body, section.end), LONGEST_BEGINNING),
    section: { ...section, place },
  }));
  if (items.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t('This note has no headings. Give it some, then revise one of its sections.'),
    );
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Revise a Section'),
    placeHolder: vscode.l10n.t('Choose the section to revise'),
    matchOnDescription: true,
  });
  return chosen?.section;
}

function titleInWords({ title }: Section): string {
  return plainBeginning(title, title.length);
}

/** Revisions that are shown and not decided on, by the addresses of what the notes would be. */
const pending = new Map<string, (isKept: boolean) => void>();

/**
 * Decides on the revision whose change is shown, in the editor that is in front unless another one is named.
 * @throws NotebookError `not-found` where none is
 */
export function decideRevision(isKept: boolean, revised?: vscode.Uri): void {
  const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const uri = revised ?? (shown instanceof vscode.TabInputTextDiff ? shown.modified : undefined);
  const decide = pending.get(uri?.toString() ?? '');
  if (decide === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('This revision is no longer to be had. Close it, and revise the section again.'),
    );
  decide(isKept);
}

/**
 * Shows the note beside what it would be; whether the user wants that, as said by the buttons in the title of the editor
 * that shows it. Who closes that does not.
 */
async function isKept(uri: vscode.Uri, title: string, { text, cut }: Revision): Promise<boolean> {
  const revised = uri.with({ scheme: REVISED_SCHEME, query: String(Date.now()) });
  const isShown = ({ input }: vscode.Tab): boolean =>
    input instanceof vscode.TabInputTextDiff && input.modified.toString() === revised.toString();
  const registration = vscode.workspace.registerTextDocumentContentProvider(REVISED_SCHEME, {
    provideTextDocumentContent: (asked) => (asked.toString() === revised.toString() ? text : undefined),
  });
  const decided = new Promise<boolean>((resolve) => pending.set(revised.toString(), resolve));
  const following = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (closed.some(isShown)) pending.get(revised.toString())?.(false);
  });
  try {
    await vscode.commands.executeCommand(
      'vscode.diff',
      uri,
      revised,
      vscode.l10n.t('{0} (Keep the Revision?)', title),
      { preview: false },
    );
    if (cut.length > 0)
      void vscode.window.showInformationMessage(
        vscode.l10n.t('No source bears this out: {0}', cut.join(' ')),
      );
    const answer = await decided;
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.filter(isShown));
    await vscode.window.tabGroups.close(tabs);
    return answer;
  } finally {
    pending.delete(revised.toString());
    following.dispose();
    registration.dispose();
  }
}

/** Through the note's document, so that its editor can undo it. */
async function keep(
  notebook: NotebookClient,
  title: string,
  { body, end }: Section,
  { after, citations }: Revision,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  const wasDirty = document.isDirty;
  await notebook.call('keepCitations', { title, citations });
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(body), document.positionAt(end));
  edit.replace(document.uri, range, after);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new NotebookError('internal', vscode.l10n.t('The note “{0}” could not be written to.', title));
  const at = new vscode.Range(range.start, range.start);
  await vscode.window.showTextDocument(document, { preview: false, selection: at });
  if (!wasDirty) await document.save();
}
