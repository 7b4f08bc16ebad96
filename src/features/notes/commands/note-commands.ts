import * as vscode from 'vscode';
import { answerAsMarkdown } from '../../../core/domain/answer-markdown.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { noteTitle, type NoteEntry } from '../../../core/domain/note.ts';
import { withoutNoteLinks } from '../../../core/domain/note-links.ts';
import { firstParagraph, noteAsMarkdown } from '../../../core/domain/note-markdown.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { Services } from '../../../services/services.ts';
import { noteUri, titleOfUri } from '../editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { offerAction } from '../../../platform/dialogs.ts';
import type { NotesView } from '../editor/notes-view.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { answerToSave, saveAsNote, showNote } from '../../chat/editor/save-as-note.ts';

/** Argument of a command: a row of the Notes view, its selected row, or a note's URI. */
type Clicked = NoteEntry | vscode.Uri | 'selected';

/** Note and its notebook. */
interface NoteAt {
  readonly title: string;
  readonly notebook: NotebookClient;
}

/** Functions that revise the reports of research projects, which are notes. */
export interface ReportActions {
  /** Revises a section of the report with this title. */
  readonly reviseReport: (title: string) => Promise<void>;
}

/** Returns the commands for notes, by name. */
export function noteCommands(parts: Services & ReportActions): Commands {
  const { notebook, adder, conversation, exporter, reviseReport } = parts;
  /** Returns the note that a command is about. @throws NotebookError `not-found` */
  const findNote = (clicked?: Clicked): NoteAt => {
    const note = noteOfClicked(clicked, parts);
    if (note === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('Open a note first, or select a note in the Notes view.'),
      );
    return note;
  };
  return {
    newNote: async () => {
      const title = await askForTitle(vscode.l10n.t('New Note'), '', notebook);
      if (title === undefined) return;
      const text = `# ${title}\n\n`;
      const note = await notebook.call('addNote', { title, text, citations: [] });
      await showNote(notebook, note.title);
    },
    saveAsNote: async (turnId?: unknown) => {
      await saveAsNote(notebook, conversation, typeof turnId === 'string' ? turnId : undefined);
    },
    addAnswer: async (turnId?: unknown) => {
      const id = typeof turnId === 'string' ? turnId : undefined;
      const { question, answer } = await answerToSave(conversation, id);
      await adder.addText(noteTitle(firstParagraph(question)), answerAsMarkdown(answer, verdictMarkStyle()));
    },
    todaysNote: async () => {
      const now = new Date();
      const title = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
        .map((part) => String(part).padStart(2, '0'))
        .join('-');
      const isThere = (await notebook.call('notes', {})).some((note) => note.title === title);
      if (!isThere) await notebook.call('addNote', { title, text: `# ${title}\n\n`, citations: [] });
      await showNote(notebook, title);
    },
    filterNotes: () => filterNotes(notebook, parts.notesView),
    renameNote: async (clicked?: Clicked) => {
      const { title: before, notebook: holder } = findNote(clicked);
      const title = await askForTitle(vscode.l10n.t('Rename Note'), before, holder);
      if (title === undefined || title === before) return;
      const edit = new vscode.WorkspaceEdit();
      edit.renameFile(noteUri(before, holder), noteUri(title, holder));
      await applyEdit(edit, vscode.l10n.t('Can’t rename the note “{0}”.', before));
    },
    deleteNote: (clicked?: Clicked) => deleteNote(findNote(clicked)),
    addNote: async (clicked?: Clicked) => {
      const { title, notebook: holder } = findNote(clicked);
      const uri = noteUri(title, holder);
      await saveNote(uri);
      await adder.addAll({ uris: [uri], isNamed: true });
    },
    reviseSection: async (clicked?: Clicked) => {
      const { title, notebook: holder } = findNote(clicked);
      if (holder.key !== notebook.key)
        throw new NotebookError(
          'not-found',
          vscode.l10n.t('This note belongs to another notebook. Switch to that notebook to revise the note.'),
        );
      await reviseReport(title);
    },
    keepChange: (changed?: unknown) => decideOnChange(true, changed),
    leaveChange: (changed?: unknown) => decideOnChange(false, changed),
    exportNote: async (clicked?: Clicked) => {
      const { title, notebook: holder } = findNote(clicked);
      await saveNote(noteUri(title, holder));
      const { text: written, citations } = await holder.call('note', { title });
      const text = withoutNoteLinks(await exporter.formatCitations(written, holder));
      await exporter.export({ title, text, citations, asMarkdown: () => noteAsMarkdown(text, citations) });
    },
    exportBibliography: () => exporter.exportBibliography(notebook),
  };
}

async function decideOnChange(isAccepted: boolean, changed: unknown): Promise<void> {
  const { decideChange } = await import('../editor/shown-change.ts');
  decideChange(isAccepted, changed instanceof vscode.Uri ? changed : undefined);
}

/** Asks for a tag, and shows only the notes with it. */
async function filterNotes(notebook: NotebookClient, notesView: NotesView): Promise<void> {
  const { tags } = await notebook.call('noteMarks', {});
  if (tags.length === 0)
    throw new NotebookError(
      'empty',
      vscode.l10n.t('No notes have tags yet. Add a tag to a note, such as #garden.'),
    );
  const allNotes = { label: vscode.l10n.t('All notes'), name: undefined };
  const items = tags.map(({ name, count }) => ({ label: `#${name}`, description: String(count), name }));
  const chosen = await vscode.window.showQuickPick<
    vscode.QuickPickItem & { readonly name: string | undefined }
  >([allNotes, ...items], {
    title: vscode.l10n.t('Filter Notes'),
    placeHolder: vscode.l10n.t('Select a tag'),
  });
  if (chosen !== undefined) notesView.filter(chosen.name);
}

function noteOfClicked(
  clicked: Clicked | undefined,
  { notebook, notebooks, notesView }: Services,
): NoteAt | undefined {
  const noteAt = (uri: vscode.Uri): NoteAt | undefined => {
    const title = titleOfUri(uri);
    return title === undefined ? undefined : { title, notebook: notebooks.client(uri.authority) };
  };
  if (clicked instanceof vscode.Uri) return noteAt(clicked);
  const row = clicked === 'selected' ? notesView.selected : clicked;
  if (row !== undefined) return { title: row.title, notebook };
  if (clicked === 'selected') return undefined;
  const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const isFile = active instanceof vscode.TabInputText || active instanceof vscode.TabInputCustom;
  return isFile ? noteAt(active.uri) : undefined;
}

/** Asks for a title that no other note has; undefined if the user cancels. */
async function askForTitle(
  heading: string,
  before: string,
  notebook: NotebookClient,
): Promise<string | undefined> {
  const usedTitles = new Set((await notebook.call('notes', {})).map(({ title }) => title));
  usedTitles.delete(before);
  const typed = await vscode.window.showInputBox({
    title: heading,
    prompt: vscode.l10n.t('Enter a title. The note’s file has the same name.'),
    value: before,
    validateInput: (value) => {
      const title = noteTitle(value);
      if (title === '') return vscode.l10n.t('A note needs a title.');
      return usedTitles.has(title) ? vscode.l10n.t('A note named “{0}” already exists.', title) : undefined;
    },
  });
  return typed === undefined ? undefined : noteTitle(typed);
}

/** Deletes a note, and offers to undo it. */
async function deleteNote({ title, notebook }: NoteAt): Promise<void> {
  await saveNote(noteUri(title, notebook));
  const note = await notebook.call('note', { title });
  // Deleting a note also deletes the record of its sources.
  const generated = await notebook.call('generatedNote', { title });
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(noteUri(title, notebook));
  await applyEdit(edit, vscode.l10n.t('Can’t delete the note “{0}”.', title));
  const message = vscode.l10n.t('Deleted the note “{0}”.', title);
  if (!(await offerAction(message, vscode.l10n.t('Undo')))) return;
  const added = await notebook.call('addNote', note);
  if (generated !== undefined) await notebook.call('saveGeneratedNote', { title: added.title, generated });
}

/** Saves unsaved text of a note. */
async function saveNote(uri: vscode.Uri): Promise<void> {
  const document = vscode.workspace.textDocuments.find(
    (candidate) => candidate.uri.toString() === uri.toString(),
  );
  if (document?.isDirty === true && !(await document.save()))
    throw new NotebookError(
      'internal',
      vscode.l10n.t('Can’t save the note. Save it yourself, then try again.'),
    );
}

/** Applies an edit through VS Code, so that open editors of the file follow. */
async function applyEdit(edit: vscode.WorkspaceEdit, failure: string): Promise<void> {
  if (!(await vscode.workspace.applyEdit(edit))) throw new NotebookError('internal', failure);
}
