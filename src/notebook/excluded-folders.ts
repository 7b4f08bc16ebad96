/** Directories that hold no text of the user's, whatever a `.gitignore` says. */
const ALWAYS_SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '.ds_store']);

/** Whether a path is or lies in a directory that is never read, however it is spelled. */
export function isInExcludedFolder(path: string): boolean {
  return path.split(/[\\/]/).some((name) => ALWAYS_SKIPPED.has(name.toLowerCase()));
}
