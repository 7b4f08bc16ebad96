import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isInToolFolder } from './excluded-folders.ts';

/** File or folder at a checked path. */
interface ResolvedPath {
  readonly kind: 'file' | 'folder';
  /** Path on this machine. */
  readonly path: string;
  /** Path below the folder in the disk's spelling, with `/` between names; '' for the folder itself. */
  readonly below: string;
}

/**
 * Resolves a path below a folder that somebody other than the user wrote. Undefined if nothing is there, if a link is
 * on the way, if the path leads out of the folder or into an excluded one, or if its end is neither a file nor a
 * folder.
 */
export async function resolveInsideRoot(folder: string, path: string): Promise<ResolvedPath | undefined> {
  // On Windows, the text after a colon names a stream of the same file.
  if (/[\\\0]/.test(path) || (sep === '\\' && path.includes(':'))) return undefined;
  try {
    const root = await realpath(folder);
    const named = join(root, path);
    const real = await realpath(named);
    const below = relative(root, real);
    if (below.split(sep)[0] === '..' || isAbsolute(below)) return undefined;
    if (normalizeSpelling(real) !== normalizeSpelling(named) || isInToolFolder(below)) return undefined;
    const stats = await stat(real);
    if (!stats.isFile() && !stats.isDirectory()) return undefined;
    const kind = stats.isFile() ? 'file' : 'folder';
    return { kind, path: real, below: below.split(sep).join('/') };
  } catch {
    // The path doesn't exist.
    return undefined;
  }
}

/** Returns a path for comparisons, since some file systems accept a name in any case and any Unicode composition. */
function normalizeSpelling(path: string): string {
  return path
    .replace(/(?<![\\/])[\\/]+$/, '')
    .normalize('NFC')
    .toLowerCase();
}
