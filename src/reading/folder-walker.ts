import ignore from 'ignore';
import picomatch from 'picomatch';
import { throwIfCancelled } from '../notebook/errors.ts';

export type EntryKind = 'file' | 'directory' | 'link';

/** The file system of a folder. Paths are relative to the folder, with `/` between names; '' is the folder itself. */
export interface FileSystem {
  readDirectory(path: string): Promise<readonly (readonly [name: string, kind: EntryKind])[]>;
  readText(path: string): Promise<string>;
}

/** The editor's `files.exclude` and `search.exclude`: globs that are on, off, or on where a sibling file exists. */
export type ExcludeGlobs = Readonly<Record<string, boolean | { readonly when?: string }>>;

/** A `.gitignore` above the folder: its text, and the folder's path relative to its directory, such as `packages/core`. */
export interface ParentIgnore {
  readonly text: string;
  readonly folder: string;
}

export interface WalkOptions {
  readonly excludes?: readonly ExcludeGlobs[];
  /** The folder's path within the workspace, '' for its root: exclude globs are matched from there. */
  readonly folderInWorkspace?: string;
  /** Outermost first. */
  readonly parentIgnores?: readonly ParentIgnore[];
  readonly signal?: AbortSignal | undefined;
}

/** Rules of one `.gitignore`, asked with paths relative to its directory. */
interface IgnoreRules {
  readonly rules: ignore.Ignore;
  readonly pathWithin: (path: string) => string;
}

type Exclude = (path: string, siblings: ReadonlySet<string>) => boolean;

/** Directories that hold no text of the user's, whatever a `.gitignore` says. */
const alwaysSkipped = new Set(['.git', '.hg', '.svn', 'node_modules', '.DS_Store']);

/**
 * The files below a folder, depth first and by name, without what git ignores and what the editor hides. Links are not
 * followed, so nothing is met twice; directories that cannot be read are passed over.
 */
export async function* walkFolder(fileSystem: FileSystem, options: WalkOptions = {}): AsyncGenerator<string> {
  const excludes = (options.excludes ?? []).flatMap((globs) =>
    excludesOf(globs, options.folderInWorkspace ?? ''),
  );
  const parents = (options.parentIgnores ?? []).flatMap(({ text, folder }): IgnoreRules[] => {
    const rules = ignore().add(text);
    // Who adds a folder that git ignores wants what is in it.
    return rules.ignores(`${folder}/`) ? [] : [{ rules, pathWithin: (path) => `${folder}/${path}` }];
  });
  yield* walk(fileSystem, '', parents, excludes, options.signal);
}

async function* walk(
  fileSystem: FileSystem,
  directory: string,
  outerRules: readonly IgnoreRules[],
  excludes: readonly Exclude[],
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  throwIfCancelled(signal);
  const entries = await entriesOf(fileSystem, directory);
  const rules = entries.some(([name, kind]) => name === '.gitignore' && kind === 'file')
    ? [...outerRules, await rulesOf(fileSystem, directory)]
    : outerRules;
  const names = new Set(entries.map(([name]) => name));
  for (const [name, kind] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    throwIfCancelled(signal);
    if (kind === 'link' || alwaysSkipped.has(name)) continue;
    const path = directory === '' ? name : `${directory}/${name}`;
    if (excludes.some((exclude) => exclude(path, names))) continue;
    if (isIgnored(kind === 'directory' ? `${path}/` : path, rules)) continue;
    if (kind === 'directory') yield* walk(fileSystem, path, rules, excludes, signal);
    else yield path;
  }
}

async function entriesOf(fileSystem: FileSystem, directory: string): ReturnType<FileSystem['readDirectory']> {
  try {
    return await fileSystem.readDirectory(directory);
  } catch (error) {
    // The folder itself must be there; one below it may vanish or be forbidden without the rest being lost.
    if (directory === '') throw error;
    return [];
  }
}

async function rulesOf(fileSystem: FileSystem, directory: string): Promise<IgnoreRules> {
  const text = await fileSystem
    .readText(directory === '' ? '.gitignore' : `${directory}/.gitignore`)
    .catch(() => '');
  const prefix = directory === '' ? 0 : directory.length + 1;
  return { rules: ignore().add(text), pathWithin: (path) => path.slice(prefix) };
}

/** As in git the innermost `.gitignore` that says anything about a path decides. */
function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  for (const { rules: own, pathWithin } of rules.toReversed()) {
    const { ignored, unignored } = own.test(pathWithin(path));
    if (ignored) return true;
    if (unignored) return false;
  }
  return false;
}

// A glob for *.js with {when: "$(basename).ts"} hides a file only beside the one it was made from.
function excludesOf(globs: ExcludeGlobs, folder: string): Exclude[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  return Object.entries(globs).flatMap(([glob, setting]): Exclude[] => {
    if (setting === false) return [];
    const matches = picomatch(glob, { dot: true });
    const when = setting === true ? undefined : setting.when;
    if (when === undefined) return [(path) => matches(prefix + path)];
    return [(path, siblings) => matches(prefix + path) && siblings.has(siblingOf(path, when))];
  });
}

function siblingOf(path: string, when: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return when.replaceAll('$(basename)', name.replace(/\.[^.]*$/, ''));
}
