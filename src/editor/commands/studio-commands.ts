import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import type { NoteEntry } from '../../notebook/note.ts';
import { titleOfUri, type NotesOf } from '../notes/note-files.ts';
import type { NotesView } from '../notes/notes-view.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { ScopeChoice } from '../sources/scope-choice.ts';
import type { SourcesNode } from '../sources/source-items.ts';
import type { SourcesView } from '../sources/sources-view.ts';
import type { LearningParts } from '../studio/make-cards.ts';
import type { MapViews } from '../studio/map-view.ts';

/** What commands of the studio act on. */
export interface StudioCommandParts {
  readonly notebook: NotebookClient;
  readonly notebooks: NotesOf;
  readonly notesView: NotesView;
  readonly sourcesView: SourcesView;
  readonly scopes: ScopeChoice;
  readonly maps: MapViews;
  readonly learning: LearningParts;
}

/** The commands that make something of sources, by name. */
export function studioCommands({
  notebook,
  notebooks,
  notesView,
  sourcesView,
  scopes,
  maps,
  learning,
}: StudioCommandParts): Record<string, (...args: never[]) => Promise<void>> {
  return {
    make: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const all = await notebook.call('sources', {});
      if (all.length === 0)
        throw new NotebookError(
          'empty',
          vscode.l10n.t('There is nothing in the notebook to make something of. Add sources first.'),
        );
      const { askWhatToMake, isLearning, isMap, makeNote } = await import('../studio/make-thing.ts');
      const chosen = clicked === undefined ? [] : sourcesView.chosen(clicked, selected);
      const wish = await askWhatToMake(chosen, all, scopes);
      if (wish === undefined) return;
      const { thing } = wish;
      if (isMap(thing)) await maps.show(notebook, { ...wish, thing });
      else if (isLearning(thing)) {
        const { makeLearning } = await import('../studio/make-cards.ts');
        await makeLearning(learning, { ...wish, thing });
      } else await makeNote(notebook, { ...wish, thing });
    },
    bringUpToDate: async (clicked?: NoteEntry | vscode.Uri) => {
      const uri = clicked instanceof vscode.Uri ? clicked : vscode.window.activeTextEditor?.document.uri;
      const row = clicked instanceof vscode.Uri ? undefined : clicked;
      const shown = uri && titleOfUri(uri);
      const title = row?.title ?? shown ?? notesView.selected?.title;
      if (title === undefined)
        throw new NotebookError('not-found', vscode.l10n.t('Open a note first, or choose one under Notes.'));
      const holder = row === undefined && uri && shown ? notebooks.clientOf(uri.authority) : notebook;
      const { bringNoteUpToDate } = await import('../studio/bring-up-to-date.ts');
      await bringNoteUpToDate(holder, title);
    },
  };
}
