import * as vscode from 'vscode';
import { NotebookError } from '../../notebook/errors.ts';
import type { NoteEntry } from '../../notebook/note.ts';
import type { AnswerModels } from '../chat/answer-model.ts';
import type { Embedder } from '../models/embedder.ts';
import { titleOfUri, type NotesOf } from '../notes/note-files.ts';
import type { NotesView } from '../notes/notes-view.ts';
import type { NotebookClient } from '../notebook-client.ts';
import type { ScopeChoice } from '../sources/scope-choice.ts';
import type { SourcesNode } from '../sources/source-items.ts';
import type { SourcesView } from '../sources/sources-view.ts';
import type { MapViews } from '../studio/map-view.ts';

/** What commands of the studio act on. */
export interface StudioCommandParts {
  readonly notebook: NotebookClient;
  readonly notebooks: NotesOf;
  readonly notesView: NotesView;
  readonly sourcesView: SourcesView;
  readonly scopes: ScopeChoice;
  readonly maps: MapViews;
  readonly answerModels: Pick<AnswerModels, 'of'>;
  readonly embedder: Pick<Embedder, 'embedQuestion'>;
  readonly extensionUri: vscode.Uri;
}

/** The commands that make something of sources, by name. */
export function studioCommands({
  notebook,
  notebooks,
  notesView,
  sourcesView,
  scopes,
  maps,
  answerModels,
  embedder,
  extensionUri,
}: StudioCommandParts): Record<string, (...args: never[]) => Promise<void>> {
  const writing = { answerModels, embedder };
  return {
    make: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const all = await notebook.call('sources', {});
      if (all.length === 0)
        throw new NotebookError(
          'empty',
          vscode.l10n.t('There is nothing in the notebook to make something of. Add sources first.'),
        );
      const [{ askWhatToMake, isMap, makeNote }, { templates, makeTemplate }, unfinished, { model }] =
        await Promise.all([
          import('../studio/make-thing.ts'),
          import('../studio/templates.ts'),
          notebook.call('unfinishedWritings', {}),
          // A model that is gone is told of when something is to be written.
          answerModels.of('', () => undefined).catch(() => ({ model: undefined })),
        ]);
      const chosen = clicked === undefined ? [] : sourcesView.chosen(clicked, selected);
      const writable = { templates: await templates(extensionUri), unfinished, model: model?.name };
      const wished = await askWhatToMake(chosen, all, scopes, writable);
      switch (wished?.kind) {
        case undefined:
          return;
        case 'thing': {
          const { thing } = wished.wish;
          if (isMap(thing)) await maps.show(notebook, { ...wished.wish, thing });
          else await makeNote(notebook, { ...wished.wish, thing });
          return;
        }
        case 'newTemplate':
          await makeTemplate();
          return;
        case 'goOn': {
          const { writeThing } = await import('../studio/write-thing.ts');
          await writeThing(notebook, writing, wished.unfinished);
          return;
        }
        case 'template': {
          const { template, title, sourceIds } = wished;
          const { askSince } = await import('../studio/ask-since.ts');
          const since = template.asksSince ? await askSince(notebook) : undefined;
          if (template.asksSince && since === undefined) return;
          const { writeThing } = await import('../studio/write-thing.ts');
          await writeThing(notebook, writing, { template, title, sourceIds, since });
        }
      }
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
      await bringNoteUpToDate(holder, writing, title);
    },
  };
}
