import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import { plainBeginning, cutSections, type Section } from '../service/report/headings.ts';
import type { ReportNote, Revision } from '../service/report/revise.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import { changeShownNote } from '../../notes/editor/shown-change.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { withNotification, inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';

/** Maximum length of a section's beginning that is shown, in UTF-16 code units. */
const MAX_OPENING_LENGTH = 80;

/** Section of a note to revise, by its index among those of `cutSections`, and the comment. */
export interface RevisionRequest {
  readonly note: ReportNote;
  readonly section: number;
  readonly comment: string;
}

/**
 * Revises a section of a report that the user chooses, by a comment. Shows the changes and, if the user agrees, applies
 * them as one edit of the note, which its editor can undo.
 * @throws NotebookError `conflict` if the note was changed meanwhile, and errors of `revise`
 */
export async function reviseNote(
  notebook: NotebookClient,
  title: string,
  revise: (wish: RevisionRequest, signal: AbortSignal) => Promise<Revision>,
): Promise<void> {
  const uri = noteUri(title, notebook);
  const text = (await vscode.workspace.openTextDocument(uri)).getText();
  const chosen = await chooseSection(text);
  if (chosen === undefined) return;
  const comment = await vscode.window.showInputBox({
    title: vscode.l10n.t('Revise “{0}”', titleInWords(chosen)),
    prompt: vscode.l10n.t('Describe what to change in this section'),
    ignoreFocusOut: true,
  });
  if (comment === undefined || comment.trim() === '') return;
  const { citations } = await notebook.call('note', { title });
  const wish = { note: { text, citations }, section: chosen.place, comment: comment.trim() };
  const progress = vscode.l10n.t('Revising “{0}”', titleInWords(chosen));
  const revision = await withNotification(progress, async (signal) => {
    try {
      return await revise(wish, signal);
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (revision === undefined) return;
  if (revision.after === revision.before) {
    inform(vscode.l10n.t('The model didn’t change the section “{0}”.', titleInWords(chosen)));
    return;
  }
  if (revision.cut.length > 0) inform(vscode.l10n.t('No source supports this: {0}', revision.cut.join(' ')));
  await changeShownNote(notebook, title, {
    ...{ before: text, after: revision.text, citations: revision.citations },
    heading: vscode.l10n.t('{0} (Keep Revision?)', title),
  });
}

interface SelectedSection extends Section {
  readonly place: number;
}

async function chooseSection(text: string): Promise<SelectedSection | undefined> {
  const items = cutSections(text).map((section, place) => ({
    label: '\u2003'.repeat(section.level - 1) + literalText(titleInWords(section)),
    description: literalText(plainBeginning(text.slice(section.body, section.end), MAX_OPENING_LENGTH)),
    section: { ...section, place },
  }));
  if (items.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t('This note has no headings. Add headings, then revise a section.'),
    );
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Revise Section'),
    placeHolder: vscode.l10n.t('Select a section to revise'),
    matchOnDescription: true,
  });
  return chosen?.section;
}

function titleInWords({ title }: Section): string {
  return plainBeginning(title, title.length);
}
