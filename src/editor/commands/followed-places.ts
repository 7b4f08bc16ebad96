import * as vscode from 'vscode';
import type { ExportedPlace, FollowedPlace } from '../../indexing/library/library-api.ts';
import type { Source } from '../../notebook/source.ts';
import type { Library } from '../library.ts';
import { isLeftOutAt } from '../sources/folder-files.ts';
import { lastSegment, plainly } from '../workspace-files.ts';
import { followablePlaces } from './followable-places.ts';
import { roots } from './notebook-places.ts';

/**
 * The places in the workspace that an exported notebook names and that are read from disk from its import on: those that
 * the user ticks, none by default, and those that the notebook it is added to has already. Undefined where the user
 * leaves the import. @throws NotebookError
 */
export async function askForFollowed(
  library: Library,
  path: string,
  sources: readonly Source[],
): Promise<readonly FollowedPlace[] | undefined> {
  const title = vscode.l10n.t('Looking through the notebook to import');
  const places = await library.work(title, 'exportedPlaces', { path });
  const found = await followablePlaces(places, roots(), (uri, isFolder) =>
    isLeftOutAt(vscode.Uri.parse(uri), isFolder),
  );
  // The file of a selection is not read, but opened on a click.
  const isAsked = ({ kind, uri }: FollowedPlace): boolean =>
    kind !== 'selection' &&
    !sources.some(({ origin }) => origin.kind === kind && 'uri' in origin && origin.uri === uri);
  const asked = found.filter(isAsked);
  if (asked.length === 0) return found;
  const titles = new Map(places.map(({ kind, path: named, title: called }) => [`${kind} ${named}`, called]));
  const picked = await vscode.window.showQuickPick(
    asked.map((place) => itemOf(place, titles.get(`${place.kind} ${place.path}`))),
    {
      canPickMany: true,
      title: vscode.l10n.t('Import Notebook'),
      placeHolder: vscode.l10n.t('Tick what to read from this workspace; the rest stays a copy'),
      matchOnDescription: true,
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return undefined;
  return [...found.filter((place) => !isAsked(place)), ...picked.map(({ place }) => place)];
}

/** The place first, as it is on disk: what the notebook calls it may be anything. */
function itemOf(
  place: FollowedPlace,
  called: ExportedPlace['title'] | undefined,
): vscode.QuickPickItem & { readonly place: FollowedPlace } {
  const uri = vscode.Uri.parse(place.uri);
  const label = place.uri === place.within ? lastSegment(uri) : vscode.workspace.asRelativePath(uri);
  const isFolder = place.kind === 'folder';
  return {
    label: plainly(label),
    ...(called !== undefined &&
      called !== lastSegment(uri) &&
      called !== label && { description: plainly(called) }),
    iconPath: new vscode.ThemeIcon(isFolder ? 'folder' : 'file'),
    place,
  };
}
