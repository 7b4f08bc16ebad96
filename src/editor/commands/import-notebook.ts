import * as vscode from 'vscode';
import type { AddedToNotebook, FollowedPlace, ImportParams } from '../../indexing/library/library-api.ts';
import type { Library } from '../library.ts';
import { askForFollowed } from './followed-places.ts';
import { askForName } from '../notebooks/notebook-picker.ts';
import {
  beside,
  directoryOfShown,
  ENDING,
  proposedName,
  shownPath,
  roots,
  showFilled,
} from './notebook-places.ts';
import type { Notebooks } from '../notebooks/notebooks.ts';
import { passageSettings } from '../settings.ts';

/** What importing acts on. */
export interface ImportParts {
  readonly notebooks: Notebooks;
  readonly library: Library;
}

/** Imports an exported notebook, the file that was clicked or one that is asked for: as a new one, or into the one that is shown. */
export async function importNotebook(parts: ImportParts, clicked: vscode.Uri | undefined): Promise<void> {
  const uri = clicked ?? (await askForFile());
  if (uri === undefined) return;
  const path = shownPath(uri);
  const name = await parts.library.ask('exportedName', { path });
  const target = await askForTarget(parts.notebooks, name);
  if (target === 'new') await importAsNew(parts, path, name);
  else if (target === 'shown') await importIntoShown(parts, path);
}

async function askForFile(): Promise<vscode.Uri | undefined> {
  const defaultUri = beside('');
  const chosen = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Notebook'),
    openLabel: vscode.l10n.t('Import'),
    filters: { [vscode.l10n.t('Open Notebook')]: [ENDING] },
    ...(defaultUri && { defaultUri }),
  });
  return chosen?.[0];
}

async function askForTarget(notebooks: Notebooks, name: string): Promise<'new' | 'shown' | undefined> {
  const items = [
    {
      label: vscode.l10n.t('New Notebook…'),
      description: name,
      iconPath: new vscode.ThemeIcon('add'),
      target: 'new' as const,
    },
    {
      label: vscode.l10n.t('Add to “{0}”', proposedName(notebooks)),
      description: vscode.l10n.t('what it has already stays as it is'),
      iconPath: new vscode.ThemeIcon('notebook'),
      target: 'shown' as const,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import Notebook'),
    placeHolder: vscode.l10n.t('Choose where the sources, notes and conversations of “{0}” go', name),
  });
  return picked?.target;
}

async function importAsNew({ notebooks, library }: ImportParts, path: string, value: string): Promise<void> {
  const title = vscode.l10n.t('Import Notebook');
  const name = await askForName(notebooks, { title, value, isNew: true });
  if (name === undefined) return;
  const followed = await askForFollowed(library, path, []);
  if (followed === undefined) return;
  await showFilled(notebooks, name, (to) =>
    library.work(vscode.l10n.t('Importing “{0}”', name), 'importNotebook', {
      ...howToRead(path, followed),
      to,
    }),
  );
}

async function importIntoShown({ notebooks, library }: ImportParts, path: string): Promise<void> {
  const name = proposedName(notebooks);
  const to = await directoryOfShown(notebooks);
  const followed = await askForFollowed(library, path, await notebooks.shown.call('sources', {}));
  if (followed === undefined) return;
  const made = await notebooks.folders.begin();
  let added: AddedToNotebook;
  try {
    const how = { ...howToRead(path, followed), by: made.directory, to };
    added = await library.work(vscode.l10n.t('Importing into “{0}”', name), 'mergeNotebook', how);
  } finally {
    await made.discard();
  }
  const { sources, notes, turns } = added;
  if (sources.length + notes.length + turns.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('“{0}” has all of it already.', name));
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const told = vscode.l10n.t(
    'Imported into “{0}”. Sources: {1}, notes: {2}, questions with their answers: {3}.',
    name,
    sources.length,
    notes.length,
    turns.length,
  );
  if ((await vscode.window.showInformationMessage(told, undo)) !== undo) return;
  await library.work(vscode.l10n.t('Undoing the import'), 'unmergeNotebook', { from: to, added });
}

function howToRead(path: string, followed: readonly FollowedPlace[]): ImportParams {
  return { path, roots: roots(), followed, passages: passageSettings() };
}
