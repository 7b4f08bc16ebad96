/** Directories that hold no text of the user's, whatever a `.gitignore` says. */
const TOOL_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', 'node_modules', '.ds_store'];

/** The directory in which Open Notebook writes what a repository shares. It is not a source of anything. */
const OWN_FOLDER = '.notebook';

/** Reports whether a path is or lies in a directory that sources are never read from, however it is spelled. */
export function isInExcludedFolder(path: string): boolean {
  return isInToolFolder(path) || isInOwnFolder(path);
}

/** Reports whether a path is or lies in a directory of a version control system or of a package manager. */
export function isInToolFolder(path: string): boolean {
  return hasName(path, TOOL_FOLDERS);
}

/** Reports whether a path is or lies in a `.notebook` directory. */
export function isInOwnFolder(path: string): boolean {
  return hasName(path, [OWN_FOLDER]);
}

function hasName(path: string, names: readonly string[]): boolean {
  return path.split(/[\\/]/).some((name) => names.includes(name.toLowerCase()));
}
