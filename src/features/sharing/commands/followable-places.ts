import { fileURLToPath } from 'node:url';
import type { ExportedPlace, FollowedPlace } from '../../../index/library/library-api.ts';
import { isWithin, uriBelow } from '../../../index/library/portable-places.ts';
import { resolveInsideRoot } from '../../../core/domain/resolve-inside-root.ts';

/** Reports whether ignore files exclude a file or folder, by its URI. */
type LeavesOut = (uri: string, isFolder: boolean) => Promise<boolean>;

/**
 * Returns the files and folders named by an exported notebook that exist here, in the first folder that contains them.
 * They must have the same type, really be in the folder, and not be ignored. Folders are URIs of files on this machine.
 */
export async function followablePlaces(
  places: readonly ExportedPlace[],
  roots: readonly string[],
  leavesOut: LeavesOut,
): Promise<FollowedPlace[]> {
  const followedPlaces: FollowedPlace[] = [];
  for (const { kind, path } of places) {
    const uri = await findUri(kind, path, roots, leavesOut);
    if (uri !== undefined) followedPlaces.push({ kind, path, ...uri });
  }
  return followedPlaces;
}

async function findUri(
  kind: ExportedPlace['kind'],
  path: string,
  roots: readonly string[],
  leavesOut: LeavesOut,
): Promise<Pick<FollowedPlace, 'uri' | 'within'> | undefined> {
  if (!isWithin(path)) return undefined;
  for (const within of roots) {
    const real = await resolveInsideRoot(fileURLToPath(within), path);
    if (real?.kind !== (kind === 'folder' ? 'folder' : 'file')) continue;
    const uri = uriBelow(within, real.below);
    if (!(await leavesOut(uri, kind === 'folder'))) return { uri, within };
  }
  return undefined;
}
