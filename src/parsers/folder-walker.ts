import { throwIfCanceled } from '../core/domain/errors.ts';
import { readExcludes, type Exclude, type ExcludeGlobs } from './exclude-globs.ts';
import {
  IGNORE_FILES,
  IgnoreRules,
  isIgnoreFile,
  type IgnoreFile,
  type ParentIgnore,
} from './ignore-rules.ts';
import { isInExcludedFolder } from '../core/domain/excluded-folders.ts';
import { pausing } from '../core/rpc/pausing.ts';

/** Kind of a directory entry. Pipes, sockets, and devices are `other` and never read. */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** Target of a link: its real path and its kind. */
export interface LinkTarget {
  readonly path: string;
  readonly kind: 'file' | 'directory';
}

/** The file system of a folder. Paths are relative to the folder, with `/` between names; '' is the folder itself. */
export interface FileSystem {
  readDirectory(path: string): Promise<readonly (readonly [name: string, kind: EntryKind])[]>;
  readText(path: string): Promise<string>;
  /**
   * Returns the absolute real path behind a path; undefined if it doesn't exist, is unknown, or must not be followed.
   */
  target?(path: string): Promise<LinkTarget | undefined>;
}

export interface WalkOptions {
  readonly excludes?: readonly ExcludeGlobs[];
  /** The folder's path within the workspace, '' for its root: exclude globs are matched from there. */
  readonly folderInWorkspace?: string;
  /** Ignore files above the folder, outermost first. */
  readonly parentIgnores?: readonly ParentIgnore[];
  /** If set, only these paths and everything below them are visited. */
  readonly only?: Iterable<string> | undefined;
  /** Real paths of files and folders to leave out because another source reads them. */
  readonly elsewhere?: ReadonlySet<string>;
  /** `true` to include lock files and other machine-generated files. */
  readonly keepsMachineFiles?: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Yields the files below a folder, depth first and by name, without files that git ignores, that the editor hides, or
 * that are machine-generated. Follows a link only if its target wasn't visited yet, so it yields no file twice. Skips
 * directories that can't be read.
 */
export async function* walkFolder(fileSystem: FileSystem, options: WalkOptions = {}): AsyncGenerator<string> {
  const root = await fileSystem.target?.('');
  const walk = new Walk(fileSystem, options, root?.path);
  yield* walk.below(
    '',
    IgnoreRules.from(options.parentIgnores ?? [], options.keepsMachineFiles ?? false),
    false,
    root?.path,
  );
}

/** Reports whether the ignore files of a folder or of the directories on the way exclude a path in it. */
export async function isLeftOut(
  fileSystem: Pick<FileSystem, 'readText'>,
  path: string,
  isDirectory: boolean,
  parentIgnores: readonly ParentIgnore[],
): Promise<boolean> {
  if (isInExcludedFolder(path)) return true;
  let rules = IgnoreRules.from(parentIgnores, true);
  for (let end = path.indexOf('/'), directory = ''; ; end = path.indexOf('/', end + 1)) {
    rules = rules.with(directory, await readTexts(fileSystem, directory, IGNORE_FILES));
    const isWhole = end < 0;
    const at = isWhole ? path : path.slice(0, end);
    if (rules.ignores(!isWhole || isDirectory ? `${at}/` : at)) return true;
    if (isWhole) return false;
    directory = at;
  }
}

class Walk {
  readonly #fileSystem: FileSystem;
  readonly #excludes: readonly Exclude[];
  readonly #signal: AbortSignal | undefined;
  readonly #only: ReadonlySet<string> | undefined;
  readonly #above: ReadonlySet<string>;
  readonly #elsewhere: ReadonlySet<string>;
  /** Real paths of the visited directories. An overlapping path was or will be visited anyway. */
  readonly #met: string[];
  readonly #pause = pausing();

  constructor(fileSystem: FileSystem, options: WalkOptions, realPath: string | undefined) {
    this.#fileSystem = fileSystem;
    this.#excludes = (options.excludes ?? []).flatMap((globs) =>
      readExcludes(globs, options.folderInWorkspace ?? ''),
    );
    this.#signal = options.signal;
    this.#only = options.only === undefined ? undefined : new Set(options.only);
    this.#above = directoriesAbove(this.#only ?? []);
    this.#elsewhere = options.elsewhere ?? new Set();
    this.#met = realPath === undefined ? [] : [realPath];
  }

  /**
   * Yields the files of a directory. `visitsAll` is `true` to visit everything below, although only some paths are
   * selected; `real` is the directory's real path.
   */
  async *below(
    directory: string,
    outerRules: IgnoreRules,
    visitsAll: boolean,
    real: string | undefined,
  ): AsyncGenerator<string> {
    throwIfCanceled(this.#signal);
    const entries = await this.#readEntries(directory);
    const ignoring = entries.flatMap(([name, kind]) => (kind === 'file' && isIgnoreFile(name) ? [name] : []));
    const rules = outerRules.with(directory, await readTexts(this.#fileSystem, directory, ignoring));
    const names = new Set(entries.map(([name]) => name));
    for (const [name, entryKind] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await this.#pause();
      throwIfCanceled(this.#signal);
      if (isInExcludedFolder(name)) continue;
      const path = directory === '' ? name : `${directory}/${name}`;
      const isIncluded = visitsAll || this.#only === undefined || this.#only.has(path);
      if (!isIncluded && !this.#above.has(path)) continue;
      if (this.#excludes.some((exclude) => exclude(path, names))) continue;
      // Git treats a link as a file, whatever its target.
      if (rules.ignores(entryKind === 'directory' ? `${path}/` : path)) continue;
      const place: { readonly kind: EntryKind; readonly path: string | undefined } | undefined =
        entryKind === 'link'
          ? await this.#follow(path, rules)
          : { kind: entryKind, path: real === undefined ? undefined : `${real}/${name}` };
      if (place === undefined || (place.path !== undefined && this.#elsewhere.has(place.path))) continue;
      if (place.kind === 'directory') yield* this.below(path, rules, isIncluded, place.path);
      else if (place.kind === 'file' && isIncluded) yield path;
    }
  }

  async #readEntries(directory: string): ReturnType<FileSystem['readDirectory']> {
    try {
      return await this.#fileSystem.readDirectory(directory);
    } catch (error) {
      // The folder itself must exist. A subfolder can disappear or be forbidden without affecting the rest.
      if (directory === '') throw error;
      return [];
    }
  }

  async #follow(path: string, rules: IgnoreRules): Promise<LinkTarget | undefined> {
    // The target of the link may not exist.
    const target = await this.#fileSystem.target?.(path).catch(() => undefined);
    if (target === undefined || isInExcludedFolder(target.path)) return undefined;
    if (target.kind === 'directory' && rules.ignores(`${path}/`)) return undefined;
    if (this.#met.some((met) => overlap(met, target.path))) return undefined;
    if ([...this.#elsewhere].some((other) => target.path.startsWith(`${other}/`))) return undefined;
    this.#met.push(target.path);
    return target;
  }
}

/** Returns the texts of a directory's ignore files; '' for one that can't be read. */
function readTexts(
  fileSystem: Pick<FileSystem, 'readText'>,
  directory: string,
  files: readonly IgnoreFile[],
): Promise<{ file: IgnoreFile; text: string }[]> {
  return Promise.all(
    files.map(async (file) => {
      const path = directory === '' ? file : `${directory}/${file}`;
      return { file, text: await fileSystem.readText(path).catch(() => '') };
    }),
  );
}

function directoriesAbove(paths: Iterable<string>): ReadonlySet<string> {
  const above = new Set<string>();
  for (const path of paths)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
      const directory = path.slice(0, at);
      if (above.has(directory)) break;
      above.add(directory);
    }
  return above;
}

/** Reports whether the paths are equal or one contains the other. */
function overlap(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}
