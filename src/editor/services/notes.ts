import * as vscode from 'vscode';
import { NoteCorrections } from '../chat/note-corrections.ts';
import { CitationChips } from '../citations/citation-chips.ts';
import { NoteCitations } from '../citations/note-citations.ts';
import { WorkCitations } from '../citations/work-citations.ts';
import { NOTE_SCHEME, NoteFiles } from '../notes/note-files.ts';
import { NoteLinks } from '../notes/note-links.ts';
import { NotesView } from '../notes/notes-view.ts';
import { SideBySideVersions } from '../notes/side-by-side.ts';
import { GeneratedNoteCodeLens } from '../studio/generated-notes.ts';
import type { ModelServices } from './models.ts';
import type { Platform } from './platform.ts';
import type { ViewerServices } from './viewers.ts';

/** Notes as files, and the Notes view. */
export interface NoteServices {
  readonly notesView: NotesView;
}

/** Creates the Notes view, and registers everything that editors show in notes. */
export function createNoteServices(
  { extensionUri, notebooks, notebook, subscriptions }: Platform,
  { embedder, answerModels }: ModelServices,
  { opener }: ViewerServices,
): NoteServices {
  const noteFiles = new NoteFiles(notebooks);
  const notesView = new NotesView(notebook, noteFiles);
  subscriptions.push(
    notesView,
    noteFiles,
    vscode.workspace.registerFileSystemProvider(NOTE_SCHEME, noteFiles, { isCaseSensitive: true }),
    new NoteCitations(notebooks, opener),
    new CitationChips(),
    new WorkCitations(notebooks, opener),
    new SideBySideVersions(),
    new NoteLinks(notebooks, async (source) => {
      await vscode.commands.executeCommand('openNotebook.openSource', { kind: 'source', source });
    }),
    new GeneratedNoteCodeLens(notebooks, extensionUri),
    new NoteCorrections({ notebooks, embedder, answerModels }),
  );
  return { notesView };
}
