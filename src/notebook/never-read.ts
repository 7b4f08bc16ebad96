/** Directories that hold no text of the user's, whatever a `.gitignore` says. */
const alwaysSkipped = new Set(['.git', '.hg', '.svn', 'node_modules', '.DS_Store']);

/** Whether a path is or lies in a directory that is never read. */
export function isNeverRead(path: string): boolean {
  return path.split('/').some((name) => alwaysSkipped.has(name));
}
