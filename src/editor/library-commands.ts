import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { unfinishedAt } from '../indexing/library/notebook-file.ts';
import { NotebookError } from '../notebook/errors.ts';
import { freeTitle, noteTitle } from '../notebook/note.ts';
import type { Source } from '../notebook/source.ts';
import type { Library } from './library.ts';
import { showNotebook } from './notebook-commands.ts';
import { askForName, ownName, pickNotebook } from './notebook-picker.ts';
import type { Notebooks } from './notebooks.ts';
import { passageSettings } from './settings.ts';
import type { SharedFollower } from './shared-follower.ts';
import type { SourceReader } from './source-reader.ts';
import type { SourcesNode } from './source-items.ts';
import type { SourcesView } from './sources-view.ts';

/** What an exported notebook's file ends in. */
const ENDING = 'opennotebook';

/** What commands on whole notebooks act on. */
export interface LibraryCommandParts {
  readonly notebooks: Notebooks;
  readonly library: Library;
  readonly sharing: SharedFollower;
  readonly reader: SourceReader;
  readonly sourcesView: SourcesView;
}

/** The commands that copy, move, export and import, by name. */
export function libraryCommands(
  parts: LibraryCommandParts,
): Record<string, (...args: never[]) => Promise<void>> {
  const { notebooks, library, sourcesView } = parts;
  return {
    duplicateNotebook: () => duplicateNotebook(parts),
    copySources: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      transfer(parts, sourcesView.chosen(clicked, selected), false),
    moveSources: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      transfer(parts, sourcesView.chosen(clicked, selected), true),
    exportNotebook: async () => {
      const name = nameOf(notebooks);
      const filters = { [vscode.l10n.t('Open Notebook')]: [ENDING] };
      const defaultUri = beside(`${noteTitle(name)}.${ENDING}`);
      const uri = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Export Notebook'),
        filters,
        ...(defaultUri && { defaultUri }),
      });
      if (uri === undefined) return;
      const path = pathOf(uri);
      const from = await directoryOfShown(notebooks);
      const title = vscode.l10n.t('Exporting “{0}”', name);
      await orNothing(path, () =>
        library.work(title, 'exportNotebook', { from, path, name, roots: roots() }),
      );
      void vscode.window.showInformationMessage(
        vscode.l10n.t('The notebook “{0}” was exported to {1}.', name, basename(path)),
      );
    },
    exportMarkdown: async () => {
      const name = nameOf(notebooks);
      const defaultUri = beside('');
      const [folder] =
        (await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Export Notebook as Markdown'),
          openLabel: vscode.l10n.t('Export Here'),
          canSelectFiles: false,
          canSelectFolders: true,
          ...(defaultUri && { defaultUri }),
        })) ?? [];
      if (folder === undefined) return;
      const from = await directoryOfShown(notebooks);
      const parent = pathOf(folder);
      const path = join(
        parent,
        freeTitle(noteTitle(name), (one) => existsSync(join(parent, one))),
      );
      const title = vscode.l10n.t('Exporting “{0}”', name);
      await orNothing(path, () => library.work(title, 'exportMarkdown', { from, to: path }));
      const open = vscode.l10n.t('Open Folder');
      const answer = await vscode.window.showInformationMessage(
        vscode.l10n.t('The notebook “{0}” was exported as Markdown.', name),
        open,
      );
      if (answer === open)
        await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(path), true);
    },
    shareNotebook: () => parts.sharing.share(),
    addSharedSources: () => parts.sharing.add(),
    importNotebook: (clicked?: unknown) =>
      importNotebook(parts, clicked instanceof vscode.Uri ? clicked : undefined),
  };
}

async function duplicateNotebook({ notebooks, library }: LibraryCommandParts): Promise<void> {
  const before = nameOf(notebooks);
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Duplicate Notebook'),
    value: vscode.l10n.t('{0} copy', before),
  });
  if (name === undefined) return;
  const from = await directoryOfShown(notebooks);
  const title = vscode.l10n.t('Duplicating “{0}”', before);
  await showFilled(notebooks, name, (to) => library.work(title, 'duplicate', { from, to }));
}

async function transfer(
  { notebooks, library, reader }: LibraryCommandParts,
  sources: readonly Source[],
  move: boolean,
): Promise<void> {
  const [first] = sources;
  if (first === undefined)
    throw new NotebookError('empty', vscode.l10n.t('Choose the sources in the Sources view first.'));
  const from = notebooks.shown.key;
  const picked = await pickNotebook(notebooks, {
    title: move ? vscode.l10n.t('Move to Notebook') : vscode.l10n.t('Copy to Notebook'),
    placeHolder:
      sources.length === 1
        ? vscode.l10n.t('Choose the notebook for {0}', first.title)
        : vscode.l10n.t('Choose the notebook for {0} sources', sources.length),
    without: from,
  });
  if (picked === undefined) return;
  const to = picked === 'new' ? await makeNotebook(notebooks) : picked.key;
  if (to === undefined) return;
  for (const { id } of sources) {
    reader.stop(id);
    await reader.idle(id);
  }
  const title = move ? vscode.l10n.t('Moving sources') : vscode.l10n.t('Copying sources');
  const { copied, there } = await library.work(title, 'copySources', {
    from: notebooks.shelf.directoryOf(notebooks.idOf(from)),
    to: notebooks.shelf.directoryOf(notebooks.idOf(to)),
    sourceIds: sources.map(({ id }) => id),
    move,
  });
  const entry = await notebooks.shelf.entry(notebooks.idOf(to));
  const done = move
    ? vscode.l10n.t('Moved to “{0}”: {1} of {2} sources.', entry?.name ?? ownName(), copied, sources.length)
    : vscode.l10n.t('Copied to “{0}”: {1} of {2} sources.', entry?.name ?? ownName(), copied, sources.length);
  const rest = there === 0 ? '' : ` ${vscode.l10n.t('The others are there already.')}`;
  const show = vscode.l10n.t('Show');
  if ((await vscode.window.showInformationMessage(done + rest, show)) === show)
    await showNotebook(notebooks, to);
}

async function importNotebook(
  { notebooks, library }: LibraryCommandParts,
  clicked: vscode.Uri | undefined,
): Promise<void> {
  const defaultUri = beside('');
  const [uri] =
    clicked === undefined
      ? ((await vscode.window.showOpenDialog({
          title: vscode.l10n.t('Import Notebook'),
          openLabel: vscode.l10n.t('Import'),
          filters: { [vscode.l10n.t('Open Notebook')]: [ENDING] },
          ...(defaultUri && { defaultUri }),
        })) ?? [])
      : [clicked];
  if (uri === undefined) return;
  const path = pathOf(uri);
  const name = await askForName(notebooks, {
    title: vscode.l10n.t('Import Notebook'),
    value: await library.exportedName(path),
    isNew: true,
  });
  if (name === undefined) return;
  const title = vscode.l10n.t('Importing “{0}”', name);
  const how = { path, roots: roots(), passages: passageSettings() };
  await showFilled(notebooks, name, (to) => library.work(title, 'importNotebook', { ...how, to }));
}

/** Makes a notebook, fills its folder, and shows it; nothing of it stays where that is cancelled or fails. */
async function showFilled(
  notebooks: Notebooks,
  name: string,
  fill: (directory: string) => Promise<unknown>,
): Promise<void> {
  const made = await notebooks.shelf.begin();
  try {
    await fill(made.directory);
  } catch (error) {
    await made.discard();
    throw error;
  }
  const { id } = await made.keep(name);
  await showNotebook(notebooks, id);
}

/** Where what is written to a path is cancelled or fails, nothing of it stays. */
async function orNothing(path: string, write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    await rm(unfinishedAt(path), { recursive: true, force: true });
    throw error;
  }
}

/** The key of a notebook that the user names; undefined where they changed their mind. */
async function makeNotebook(notebooks: Notebooks): Promise<string | undefined> {
  const name = await askForName(notebooks, { title: vscode.l10n.t('New Notebook') });
  return name === undefined ? undefined : (await notebooks.shelf.create(name)).id;
}

function nameOf(notebooks: Notebooks): string {
  return notebooks.name ?? vscode.workspace.name ?? ownName();
}

/** The folder of the notebook that is shown, which is made where it was never opened. */
async function directoryOfShown(notebooks: Notebooks): Promise<string> {
  await notebooks.shown.call('sources', {});
  return notebooks.shelf.directoryOf(notebooks.idOf(notebooks.shown.key));
}

/** The folders of the workspace that are files of this machine, as URIs. */
function roots(): string[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders
    .map(({ uri }) => uri)
    .filter(({ scheme }) => scheme === 'file')
    .map(String);
}

/** A place in the workspace's first folder. */
function beside(name: string): vscode.Uri | undefined {
  const folder = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file');
  return folder && vscode.Uri.joinPath(folder.uri, name);
}

function pathOf(uri: vscode.Uri): string {
  if (uri.scheme !== 'file')
    throw new NotebookError(
      'unsupported',
      vscode.l10n.t('Notebooks are exported to and imported from files of this machine. Choose one.'),
    );
  return uri.fsPath;
}
