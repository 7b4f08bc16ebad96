import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { unfinishedAt } from '../indexing/library/notebook-file.ts';
import { NotebookError } from '../notebook/errors.ts';
import { freeTitle, noteTitle } from '../notebook/note.ts';
import { showNotebook } from './notebook-commands.ts';
import { askForName, ownName } from './notebook-picker.ts';
import type { Notebooks } from './notebooks.ts';
import { passageSettings } from './settings.ts';
import type { SharedFollower } from './shared-follower.ts';
import type { SourcesNode } from './source-items.ts';
import type { SourcesView } from './sources-view.ts';
import type { TransferParts } from './transfer-sources.ts';
import { transferSources } from './transfer-sources.ts';

/** What an exported notebook's file ends in. */
const ENDING = 'opennotebook';

/** What commands on whole notebooks act on. */
export interface LibraryCommandParts extends TransferParts {
  readonly sharing: SharedFollower;
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
      transferSources(parts, sourcesView.chosen(clicked, selected), false),
    moveSources: (clicked?: SourcesNode, selected?: readonly SourcesNode[]) =>
      transferSources(parts, sourcesView.chosen(clicked, selected), true),
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

function nameOf(notebooks: Notebooks): string {
  return notebooks.name ?? vscode.workspace.name ?? ownName();
}

/** The folder of the notebook that is shown, which is made where it was never opened. */
async function directoryOfShown(notebooks: Notebooks): Promise<string> {
  await notebooks.shown.call('sources', {});
  return notebooks.directoryOf(notebooks.shown.key);
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
