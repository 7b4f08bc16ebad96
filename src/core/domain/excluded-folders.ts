/** Directories without the user's own text. They are skipped even if no `.gitignore` lists them. */
const TOOL_FOLDERS: readonly string[] = ['.git', '.hg', '.svn', 'node_modules', '.ds_store'];

/** Directory of the files that Open Notebook shares through a repository. It's never a source. */
const OWN_FOLDER = '.notebook';

/** Reports whether a path is, or is in, a directory that sources never include, in any case of letters. */
export function isInExcludedFolder(path: string): boolean {
  return isInToolFolder(path) || isInOwnFolder(path);
}

/** Reports whether a path is, or is in, a directory of a version control system or a package manager. */
export function isInToolFolder(path: string): boolean {
  return hasName(path, TOOL_FOLDERS);
}

/** Reports whether a path is, or is in, a `.notebook` directory. */
export function isInOwnFolder(path: string): boolean {
  return hasName(path, [OWN_FOLDER]);
}

function hasName(path: string, names: readonly string[]): boolean {
  return path.split(/[\\/]/).some((name) => names.includes(name.toLowerCase()));
}
