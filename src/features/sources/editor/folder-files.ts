import { realpath, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ExcludeGlobs } from '../../../parsers/exclude-globs.ts';
import type { EntryKind, FileSystem, LinkTarget } from '../../../parsers/folder-walker.ts';
import { IGNORE_FILES, type ParentIgnore } from '../../../parsers/ignore-rules.ts';
import { readRegularFile } from '../../../core/domain/regular-file.ts';
import { lastSegment, statFile } from '../../../platform/workspace-files.ts';

/** Number of bytes at the start of an ignore file whose rules apply. */
const MAX_RULES_SIZE = 1_000_000;

interface WalkChoice {
  readonly signal?: AbortSignal;
  /** Paths to walk, with everything below them, and nothing else. */
  readonly only?: Iterable<string> | undefined;
  /** Real paths of files that other sources read. */
  readonly elsewhere?: ReadonlySet<string>;
}

/** Returns the readable files of a folder, as paths below it, without ignored files and files that VS Code hides. */
export async function* walkFiles(folder: vscode.Uri, choice: WalkChoice = {}): AsyncGenerator<string> {
  const root = vscode.workspace.getWorkspaceFolder(folder)?.uri;
  const within = root === undefined ? '' : folder.path.slice(root.path.length + 1);
  const { walkFolder } = await import('../../../parsers/folder-walker.ts');
  yield* walkFolder(openFileSystem(folder), {
    excludes: ['files', 'search'].map((section) =>
      vscode.workspace.getConfiguration(section, folder).get<ExcludeGlobs>('exclude', {}),
    ),
    folderInWorkspace: within,
    parentIgnores: await ignoreFilesAbove(folder),
    ...choice,
  });
}

/** Reports whether reading a folder reads a file in it, or something in a folder in it. */
export async function isReadIn(folder: vscode.Uri, path: string): Promise<boolean> {
  for await (const _ of walkFiles(folder, { only: [path] })) return true;
  return false;
}

/** Reports whether an ignore file of its repository or workspace folder excludes a file or folder. */
export async function isIgnored(uri: vscode.Uri, isFolder: boolean): Promise<boolean> {
  const root = (await findRepository(uri)) ?? vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (root === undefined || root.path === uri.path) return false;
  const path = uri.path.slice(root.path.replace(/\/$/, '').length + 1);
  const files = openFileSystem(root);
  const withoutLinks: FileSystem = {
    ...files,
    // Treat a link as the file or folder that it points to.
    readDirectory: async (directory) => {
      const entries = await files.readDirectory(directory);
      return entries.map(([name, kind]) => {
        const at = directory === '' ? name : `${directory}/${name}`;
        if (kind !== 'link') return [name, kind];
        if (at === path) return [name, isFolder ? 'directory' : 'file'];
        // Treat other links as neither, so that cycles aren't followed.
        return [name, path.startsWith(`${at}/`) ? 'directory' : 'other'];
      });
    },
  };
  const options = {
    parentIgnores: await ignoreFilesAbove(root),
    only: [path],
    keepsMachineFiles: true,
  };
  const { walkFolder } = await import('../../../parsers/folder-walker.ts');
  for await (const _ of walkFolder(withoutLinks, options)) return false;
  if (!isFolder) return true;
  // An empty folder isn't an ignored one.
  for await (const _ of walkFiles(uri)) return true;
  return false;
}

/** Reports whether reading a workspace folder excludes a real path in it: ignored, or never read. */
export async function isLeftOutAt(uri: vscode.Uri, isFolder: boolean): Promise<boolean> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  if (root === undefined || root.path === uri.path) return false;
  const path = uri.path.slice(root.path.replace(/\/$/, '').length + 1);
  const { isLeftOut } = await import('../../../parsers/folder-walker.ts');
  return isLeftOut(openFileSystem(root), path, isFolder, await ignoreFilesAbove(root));
}

function openFileSystem(folder: vscode.Uri): FileSystem {
  const at = (path: string): vscode.Uri => (path === '' ? folder : vscode.Uri.joinPath(folder, path));
  return {
    readDirectory: async (path) => {
      const entries = await vscode.workspace.fs.readDirectory(at(path));
      return entries.map(([name, type]) => [name, toKind(type)]);
    },
    readText: (path) => readRules(at(path)),
    target: (path) => followLink(at(path), path === ''),
  };
}

function toKind(type: vscode.FileType): EntryKind {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if ((type & vscode.FileType.Directory) !== 0) return 'directory';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}

/**
 * Follows a link only within the workspace and only to files that its ignore files include. So a repository can't bring
 * in files from elsewhere on the disk or files that are excluded from it.
 */
async function followLink(uri: vscode.Uri, isRoot: boolean): Promise<LinkTarget | undefined> {
  if (uri.scheme !== 'file') return isRoot ? { path: uri.path, kind: 'directory' } : undefined;
  try {
    const path = await realpath(uri.fsPath);
    const stats = await stat(path);
    if (!stats.isDirectory() && !stats.isFile()) return undefined;
    const kind = stats.isDirectory() ? 'directory' : 'file';
    const real = vscode.Uri.file(path);
    if (isRoot) return { path: real.path, kind };
    const target = await inWorkspace(real);
    const isFollowed = target !== undefined && !(await isLeftOutAt(target, kind === 'directory'));
    return isFollowed ? { path: real.path, kind } : undefined;
  } catch {
    // The target of the link may not exist.
    return undefined;
  }
}

/** Returns the workspace's URI of a real path; undefined if it isn't in a workspace folder. */
async function inWorkspace(real: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const root = vscode.Uri.file(await realpath(uri.fsPath)).path;
    const folder = `${root.replace(/\/$/, '')}/`;
    if (real.path.startsWith(folder)) return vscode.Uri.joinPath(uri, real.path.slice(folder.length));
  }
  return undefined;
}

/** Location of an ignore file that applies to a folder, even if the file doesn't exist. */
interface IgnorePlace extends Omit<ParentIgnore, 'text'> {
  readonly directory: vscode.Uri;
  readonly name: string;
}

/**
 * Returns the ignore files above a folder that apply to it, outermost first: those of its repository, or else those of
 * the workspace folder except Git's.
 */
export async function ignorePlacesAbove(folder: vscode.Uri): Promise<IgnorePlace[]> {
  const repository = await findRepository(folder);
  const top = repository ?? vscode.workspace.getWorkspaceFolder(folder)?.uri;
  if (top === undefined) return [];
  const below = (directory: vscode.Uri): string =>
    folder.path.slice(directory.path.length).replace(/^\//, '');
  const places: IgnorePlace[] = [];
  for (let directory = folder; directory.path !== top.path;) {
    directory = vscode.Uri.joinPath(directory, '..');
    for (const file of IGNORE_FILES.toReversed())
      if (file !== '.gitignore' || repository !== undefined)
        places.unshift({ directory, name: file, file, folder: below(directory) });
  }
  if (repository === undefined) return places;
  const info = vscode.Uri.joinPath(repository, '.git', 'info');
  if ((await statFile(info)) !== undefined)
    places.unshift({ directory: info, name: 'exclude', folder: below(repository) });
  return places;
}

async function ignoreFilesAbove(folder: vscode.Uri): Promise<ParentIgnore[]> {
  const ignoreFiles: ParentIgnore[] = [];
  for (const { directory, name, ...place } of await ignorePlacesAbove(folder)) {
    // Most folders have no such file.
    const text = await readRules(vscode.Uri.joinPath(directory, name)).catch(() => undefined);
    if (text !== undefined) ignoreFiles.push({ ...place, text });
  }
  return ignoreFiles;
}

/** Returns the root of the Git repository that contains a file or folder. */
export async function findRepository(uri: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (let directory = uri; ; directory = vscode.Uri.joinPath(directory, '..')) {
    if ((await statFile(vscode.Uri.joinPath(directory, '.git'))) !== undefined) return directory;
    if (directory.path === '/' || lastSegment(directory) === '') return undefined;
  }
}

async function readRules(uri: vscode.Uri): Promise<string> {
  const bytes =
    uri.scheme === 'file'
      ? await readRegularFile(uri.fsPath, { maxBytes: MAX_RULES_SIZE })
      : await vscode.workspace.fs.readFile(uri);
  return new TextDecoder().decode(bytes);
}
