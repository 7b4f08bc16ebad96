import picomatch from 'picomatch';

/** The editor's `files.exclude` and `search.exclude`: globs that are on, off, or on where a sibling file exists. */
export type ExcludeGlobs = Readonly<Record<string, boolean | { readonly when?: string }>>;

/** Whether a path below a folder is hidden, by the names of all that lies beside it. */
export type Exclude = (path: string, siblings: ReadonlySet<string>) => boolean;

/**
 * What exclude globs hide below a folder that lies at `folder` within the workspace. A glob for `*.js` with
 * `{when: "$(basename).ts"}` hides a file only beside the one it was made from.
 */
export function excludesOf(globs: ExcludeGlobs, folder: string): Exclude[] {
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
