import * as vscode from 'vscode';
import { withShownVerdicts, type Answer } from '../../../core/domain/answer.ts';
import { NotebookError } from '../../../core/domain/errors.ts';
import { noteTitle, type NoteEntry } from '../../../core/domain/note.ts';
import { answerAsNote, firstParagraph, type NotePart } from '../../../core/domain/note-markdown.ts';
import { literalText } from '../../../platform/literal-text.ts';
import type { Conversation } from './conversation.ts';
import { noteUri } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { verdictMarkStyle } from '../../../platform/settings.ts';
import { ago } from '../../../platform/relative-time.ts';

/** Question with its answer. */
interface Answered {
  readonly question: string;
  readonly answer: Answer;
}

/**
 * Returns the answer of a turn, or the last completed answer.
 * @throws NotebookError `not-found` if there is no answer
 */
export async function answerToSave(
  conversation: Conversation,
  turnId: string | undefined,
): Promise<Answered> {
  const turns = await conversation.turns();
  const turn = turns.findLast(
    ({ id, answer, state }) =>
      answer !== undefined && state.kind !== 'answering' && (turnId === undefined || id === turnId),
  );
  if (turn?.answer === undefined)
    throw new NotebookError(
      'not-found',
      vscode.l10n.t('There’s no answer to save yet. Ask a question first.'),
    );
  return { question: turn.question, answer: withShownVerdicts(turn.answer) };
}

/**
 * Saves the answer of a turn, by default the last one, as a new note or at the end of another note, and opens it.
 * @throws NotebookError `not-found` if there is no answer
 */
export async function saveAsNote(
  notebook: NotebookClient,
  conversation: Conversation,
  turnId: string | undefined,
): Promise<void> {
  const { question, answer } = await answerToSave(conversation, turnId);
  const title = noteTitle(firstParagraph(question)) || vscode.l10n.t('Answer');
  await addToNote(notebook, { heading: vscode.l10n.t('Save as Note'), title }, (below) =>
    answerAsNote(question, answer, verdictMarkStyle(), below),
  );
}

/** Position of a part in a note: the level of its heading, and the note's text above it. */
interface Below {
  readonly level: number;
  readonly above: string;
}

/**
 * Asks for a note, writes a part at its end or as a new one, and opens it.
 * @param makePart creates the part; without an argument, that of a new note with the title
 */
export async function addToNote(
  notebook: NotebookClient,
  { heading, title }: { readonly heading: string; readonly title: string },
  makePart: (below: Below | undefined) => NotePart,
): Promise<void> {
  const notes = await notebook.call('notes', {});
  const chosen = notes.length === 0 ? 'new' : await chooseNote(heading, title, notes);
  if (chosen === undefined) return;
  if (chosen === 'new') {
    const { title: noteTitle } = await notebook.call('addNote', { title, ...makePart(undefined) });
    await showNote(notebook, noteTitle);
  } else await append(notebook, chosen.title, makePart);
}

/** Opens a note of a notebook, with the cursor at its end or its start. */
export async function showNote(
  notebook: NotebookClient,
  title: string,
  at: 'end' | 'start' = 'end',
): Promise<void> {
  const uri = noteUri(title, notebook);
  const document = await vscode.workspace.openTextDocument(uri);
  const { range } = document.lineAt(at === 'start' ? 0 : document.lineCount - 1);
  const end = range[at];
  const selection = new vscode.Range(end, end);
  // A note that is open in another group is shown there.
  const group = vscode.window.tabGroups.all.find(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
  await vscode.window.showTextDocument(document, {
    ...{ preview: false, selection },
    ...(group !== undefined && { viewColumn: group.viewColumn }),
  });
}

async function chooseNote(
  heading: string,
  title: string,
  notes: readonly NoteEntry[],
): Promise<NoteEntry | 'new' | undefined> {
  interface Item extends vscode.QuickPickItem {
    readonly note: NoteEntry | 'new';
  }
  const items: (Item | vscode.QuickPickItem)[] = [
    {
      label: vscode.l10n.t('New Note'),
      description: literalText(title),
      iconPath: new vscode.ThemeIcon('add'),
      note: 'new',
    },
    { label: vscode.l10n.t('Existing Notes'), kind: vscode.QuickPickItemKind.Separator },
    ...notes.map((note) => ({
      label: literalText(note.title),
      description: ago(note.changedAt),
      iconPath: new vscode.ThemeIcon('note'),
      note,
    })),
  ];
  const chosen = await vscode.window.showQuickPick(items, {
    title: heading,
    placeHolder: vscode.l10n.t('Create a note, or select a note to append to'),
  });
  return chosen !== undefined && 'note' in chosen ? chosen.note : undefined;
}

/** Edits the note's document, so that unsaved text in it stays. */
async function append(
  notebook: NotebookClient,
  title: string,
  makePart: (below: Below) => NotePart,
): Promise<void> {
  const document = await vscode.workspace.openTextDocument(noteUri(title, notebook));
  const wasDirty = document.isDirty;
  const above = document.getText();
  const part = makePart({ level: 2, above });
  await notebook.call('keepCitations', { title, citations: part.citations });
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, document.positionAt(above.length), gapAfter(above) + part.text);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new NotebookError('internal', vscode.l10n.t('Can’t write to the note “{0}”. Try again.', title));
  await showNote(notebook, title);
  if (!wasDirty) await document.save();
}

/** Returns the line breaks that separate the next paragraph from a text. */
function gapAfter(text: string): string {
  if (text.trim() === '' || /\n\r?\n$/.test(text)) return '';
  return text.endsWith('\n') ? '\n' : '\n\n';
}
