import * as vscode from 'vscode';
import { NotebookError } from '../../../core/domain/errors.ts';
import type { NoteEntry } from '../../../core/domain/note.ts';
import { partId } from '../../../core/domain/artifact.ts';
import { titleOfUri } from '../../notes/editor/note-files.ts';
import type { NotebookClient } from '../../../platform/notebook-client.ts';
import { pathOf, type SourcesNode } from '../../sources/editor/source-items.ts';
import type { Services } from '../../../services/services.ts';
import type { Commands } from '../../../platform/register-commands.ts';
import type { GenerateStudyArtifact, GenerateTable } from '../editor/generate-artifact.ts';
import type { MapViews } from '../editor/map-view.ts';

/** Functions that generate artifacts and show them. */
export interface GeneratingActions {
  readonly maps: MapViews;
  readonly generateStudyArtifact: GenerateStudyArtifact;
  readonly generateTable: GenerateTable;
}

/** Converts a row of Sources to a part of an artifact's sources. */
function toPart(node: SourcesNode): { readonly id: string; readonly title: string } {
  const path = pathOf(node);
  const { id, title } = node.source;
  return { id: partId(id, path), title: path === '' ? title : (path.split('/').at(-1) ?? path) };
}

/** Returns the commands that generate artifacts from sources, by name. */
export function artifactCommands({
  notebook,
  notebooks,
  notesView,
  sourcesView,
  scopes,
  maps,
  generateStudyArtifact,
  generateTable,
  answerModels,
  embedder,
  extensionUri,
  player,
  readers,
  storageUri,
  transcripts,
  models,
  providers,
}: Services & GeneratingActions): Commands {
  const writing = { answerModels, embedder, extensionUri };
  /** Returns the note that a command is about, and its notebook. @throws NotebookError `not-found` */
  const chosenNote = (
    clicked: NoteEntry | vscode.Uri | undefined,
  ): { readonly holder: NotebookClient; readonly title: string } => {
    const uri = clicked instanceof vscode.Uri ? clicked : vscode.window.activeTextEditor?.document.uri;
    const row = clicked instanceof vscode.Uri ? undefined : clicked;
    const shown = uri && titleOfUri(uri);
    const title = row?.title ?? shown ?? notesView.selected?.title;
    if (title === undefined)
      throw new NotebookError(
        'not-found',
        vscode.l10n.t('Open a note first, or select a note in the Notes view.'),
      );
    return {
      holder: row === undefined && uri && shown ? notebooks.client(uri.authority) : notebook,
      title,
    };
  };
  return {
    make: async (clicked?: SourcesNode, selected?: readonly SourcesNode[]) => {
      const sources = await notebook.call('sources', {});
      if (sources.length === 0)
        throw new NotebookError(
          'empty',
          vscode.l10n.t('There are no sources to generate from. Add sources first.'),
        );
      const [
        { pickArtifact, isLearning, isMap, isTable, makeNote },
        { templates, makeTemplate },
        unfinished,
        { model },
      ] = await Promise.all([
        import('../editor/generate-artifact.ts'),
        import('../editor/templates.ts'),
        notebook.call('unfinishedWritings', {}),
        // A missing model is reported when an artifact is generated.
        answerModels.of('', () => undefined).catch(() => ({ model: undefined })),
      ]);
      // Ignore selected rows in a hidden view, because the user doesn't see them.
      const isRowMeant = clicked !== undefined || sourcesView.visible;
      const chosen = isRowMeant ? sourcesView.chosenNodes(clicked, selected).map(toPart) : [];
      const writable = { templates: await templates(extensionUri), unfinished, model: model?.name };
      const choice = await pickArtifact(chosen, sources, scopes, writable);
      switch (choice?.kind) {
        case undefined:
          return;
        case 'artifact': {
          const { artifact } = choice.wish;
          if (isMap(artifact)) await maps.show(notebook, { ...choice.wish, artifact });
          else if (isLearning(artifact)) await generateStudyArtifact({ ...choice.wish, artifact });
          else if (isTable(artifact)) await generateTable(choice.wish, sources);
          else {
            const template = writable.templates.find(({ name }) => name === artifact);
            const writeInstead = async (): Promise<void> => {
              if (template === undefined) return;
              const { generateFromTemplate } = await import('../editor/generate-from-template.ts');
              await generateFromTemplate(notebook, writing, { ...choice.wish, template, since: undefined });
            };
            await makeNote(
              notebook,
              { ...choice.wish, artifact },
              template === undefined ? undefined : writeInstead,
            );
          }
          return;
        }
        case 'newTemplate':
          await makeTemplate();
          return;
        case 'goOn': {
          const { generateFromTemplate } = await import('../editor/generate-from-template.ts');
          await generateFromTemplate(notebook, writing, choice.unfinished);
          return;
        }
        case 'template': {
          const { template, title, sourceIds } = choice;
          const { askSince } = await import('../editor/ask-since.ts');
          const since = template.asksSince ? await askSince(notebook) : undefined;
          if (template.asksSince && since === undefined) return;
          const { generateFromTemplate } = await import('../editor/generate-from-template.ts');
          await generateFromTemplate(notebook, writing, { template, title, sourceIds, since });
        }
      }
    },
    newTemplate: async () => {
      const { makeTemplate } = await import('../editor/templates.ts');
      await makeTemplate();
    },
    bringUpToDate: async (clicked?: NoteEntry | vscode.Uri) => {
      const { holder, title } = chosenNote(clicked);
      const { updateNoteFromSources } = await import('../editor/update-from-sources.ts');
      await updateNoteFromSources(holder, writing, title);
    },
    makeAudio: async (clicked?: NoteEntry | vscode.Uri) => {
      const { holder, title } = chosenNote(clicked);
      const { makeAudio } = await import('../../audio/editor/make-audio.ts');
      const folder = vscode.Uri.joinPath(storageUri, 'speech').fsPath;
      const play = (uri: vscode.Uri): Promise<void> => player.showFile(uri);
      await makeAudio(holder, { models, providers, readers, folder, transcripts, play }, title);
    },
  };
}
