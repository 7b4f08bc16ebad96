import * as vscode from 'vscode';
import type {
  AddedToNotebook,
  FollowedPlace,
  ImportParams,
  ExportedPlace,
} from '../../../index/library/library-api.ts';
import type { Services } from '../../../services/services.ts';
import type { Library } from '../../../platform/library.ts';
import { askForName } from '../editor/notebook-picker.ts';
import { directoryOfShown, ENDING, shownPath, showFilled } from './notebook-places.ts';
import type { Notebooks } from '../editor/notebooks.ts';
import { passageSettings, researchLimits } from '../../../platform/settings.ts';
import type { Source } from '../../../core/domain/source.ts';
import { isLeftOutAt } from '../../sources/editor/folder-files.ts';
import { roots, lastSegment, plainly, inWorkspace } from '../../../platform/workspace-files.ts';
import { offerAction, inform } from '../../../platform/dialogs.ts';
import { literalText } from '../../../platform/literal-text.ts';
import { followablePlaces } from '../../sharing/commands/followable-places.ts';

/** Services for the import. */
type ImportParts = Pick<Services, 'library' | 'notebooks'>;

/**
 * Imports an exported notebook, from the clicked file or one that the user picks: as a new notebook or into the current
 * one.
 */
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
  const defaultUri = inWorkspace('');
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
      description: literalText(name),
      iconPath: new vscode.ThemeIcon('add'),
      target: 'new' as const,
    },
    {
      label: vscode.l10n.t('Add to “{0}”', notebooks.name),
      description: vscode.l10n.t('keeps its existing content'),
      iconPath: new vscode.ThemeIcon('notebook'),
      target: 'shown' as const,
    },
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Import Notebook'),
    placeHolder: vscode.l10n.t(
      'Select where to import the sources, notes, and conversations from “{0}”',
      name,
    ),
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
  const name = notebooks.name;
  const to = await directoryOfShown(notebooks);
  const followed = await askForFollowed(library, path, await notebooks.shown.call('sources', {}));
  if (followed === undefined) return;
  const unfinished = await notebooks.folders.begin();
  let added: AddedToNotebook;
  try {
    const how = { ...howToRead(path, followed), by: unfinished.directory, to };
    added = await library.work(vscode.l10n.t('Importing into “{0}”', name), 'mergeNotebook', how);
  } finally {
    await unfinished.discard();
  }
  const { sources, entities } = added;
  const { notes = [], turns = [], researches = [] } = entities;
  const addedLists = [sources, ...Object.values(entities)];
  if (addedLists.every(({ length }) => length === 0)) {
    inform(vscode.l10n.t('“{0}” already contains everything in this file.', name));
    return;
  }
  const message = vscode.l10n.t(
    'Imported into “{0}”. Sources: {1}, notes: {2}, questions with answers: {3}, research projects: {4}.',
    name,
    sources.length,
    notes.length,
    turns.length,
    researches.length,
  );
  if (!(await offerAction(message, vscode.l10n.t('Undo')))) return;
  await library.work(vscode.l10n.t('Undoing the import'), 'unmergeNotebook', { from: to, added });
}

function howToRead(path: string, followed: readonly FollowedPlace[]): ImportParams {
  return { path, roots: roots(), followed, passages: passageSettings(), limits: researchLimits() };
}

/**
 * Returns the workspace files and folders named by an exported notebook that are read from disk after the import: those
 * that the user checks, none by default, and those that the target notebook already contains. Undefined if the user
 * cancels the import.
 * @throws NotebookError
 */
async function askForFollowed(
  library: Library,
  path: string,
  sources: readonly Source[],
): Promise<readonly FollowedPlace[] | undefined> {
  const title = vscode.l10n.t('Checking the notebook to import');
  const places = await library.work(title, 'exportedPlaces', { path });
  const followedPlaces = await followablePlaces(places, roots(), (uri, isFolder) =>
    isLeftOutAt(vscode.Uri.parse(uri), isFolder),
  );
  // The file of a selection isn't read, only opened when the user selects it.
  const isChoice = ({ kind, uri }: FollowedPlace): boolean =>
    kind !== 'selection' &&
    !sources.some(({ origin }) => origin.kind === kind && 'uri' in origin && origin.uri === uri);
  const choices = followedPlaces.filter(isChoice);
  if (choices.length === 0) return followedPlaces;
  const titles = new Map(places.map(({ kind, path: named, title: called }) => [`${kind} ${named}`, called]));
  const picked = await vscode.window.showQuickPick(
    choices.map((place) => makeItem(place, titles.get(`${place.kind} ${place.path}`))),
    {
      canPickMany: true,
      title: vscode.l10n.t('Import Notebook'),
      placeHolder: vscode.l10n.t(
        'Select the sources to link to the files in this workspace. The others stay copies of the text.',
      ),
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return undefined;
  return [...followedPlaces.filter((place) => !isChoice(place)), ...picked.map(({ place }) => place)];
}

/** Shows the path on disk first, because its title in the notebook may be anything. */
function makeItem(
  place: FollowedPlace,
  called: ExportedPlace['title'] | undefined,
): vscode.QuickPickItem & { readonly place: FollowedPlace } {
  const uri = vscode.Uri.parse(place.uri);
  const label = place.uri === place.within ? lastSegment(uri) : vscode.workspace.asRelativePath(uri);
  const isFolder = place.kind === 'folder';
  return {
    label: literalText(plainly(label)),
    ...(called !== undefined &&
      called !== lastSegment(uri) &&
      called !== label && { description: literalText(plainly(called)) }),
    iconPath: new vscode.ThemeIcon(isFolder ? 'folder' : 'file'),
    place,
  };
}
