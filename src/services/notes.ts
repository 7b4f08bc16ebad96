import * as vscode from 'vscode';
import { NoteCorrections } from '../features/chat/editor/note-corrections.ts';
import { CitationChips } from '../features/citations/editor/citation-chips.ts';
import { NoteCitations } from '../features/citations/editor/note-citations.ts';
import { WorkCitations } from '../features/citations/editor/work-citations.ts';
import { NOTE_SCHEME, NoteFiles } from '../features/notes/editor/note-files.ts';
import { NoteLinks } from '../features/notes/editor/note-links.ts';
import { NotesView } from '../features/notes/editor/notes-view.ts';
import { SideBySideVersions } from '../features/notes/editor/side-by-side.ts';
import { GeneratedNoteCodeLens } from '../features/artifacts/editor/generated-notes.ts';
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
