import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isInToolFolder } from './excluded-folders.ts';

/** What really lies at a place. */
interface RealPlace {
  readonly kind: 'file' | 'folder';
  /** Its path on this machine. */
  readonly path: string;
  /** Its path below the folder as the disk spells it, with `/` between names; '' is the folder itself. */
  readonly below: string;
}

/**
 * What lies at a path below a folder, for paths that somebody else than the user wrote: undefined where nothing is there,
 * where a link is on the way, whatever it leads to, where the path leads out of the folder or to what is never read, and
 * for what is neither a file nor a folder.
 */
export async function realPlace(folder: string, path: string): Promise<RealPlace | undefined> {
  // To Windows what follows a colon is a stream of the same file.
  if (/[\\\0]/.test(path) || (sep === '\\' && path.includes(':'))) return undefined;
  try {
    const root = await realpath(folder);
    const named = join(root, path);
    const real = await realpath(named);
    const below = relative(root, real);
    if (below.split(sep)[0] === '..' || isAbsolute(below)) return undefined;
    if (spelled(real) !== spelled(named) || isInToolFolder(below)) return undefined;
    const found = await stat(real);
    if (!found.isFile() && !found.isDirectory()) return undefined;
    const kind = found.isFile() ? 'file' : 'folder';
    return { kind, path: real, below: below.split(sep).join('/') };
  } catch {
    return undefined;
  }
}

/** Some file systems know a name in any case and any composition of its letters. */
function spelled(path: string): string {
  return path
    .replace(/(?<![\\/])[\\/]+$/, '')
    .normalize('NFC')
    .toLowerCase();
}
