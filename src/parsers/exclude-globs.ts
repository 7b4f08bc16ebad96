import { globMatcher } from './globs.ts';

/** Editor's `files.exclude` and `search.exclude`: globs that are on, off, or on if a sibling file exists. */
export type ExcludeGlobs = Readonly<Record<string, boolean | { readonly when?: string }>>;

/** Function that reports whether a path below a folder is hidden, given the names of all entries beside it. */
export type Exclude = (path: string, siblings: ReadonlySet<string>) => boolean;

/**
 * Maximum number of characters of all globs with braces expanded: more than users write, few enough to match every
 * path.
 */
const MAX_CHARACTERS = 8_000;

/**
 * Returns the matchers of exclude globs for a folder at path `folder` within the workspace. A glob for `*.js` with
 * `{when: "$(basename).ts"}` hides a file only beside the file that it was generated from.
 */
export function readExcludes(globs: ExcludeGlobs, folder: string): Exclude[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const always: string[] = [];
  const excludes: Exclude[] = [];
  let remainingCharacters = MAX_CHARACTERS;
  for (const [glob, setting] of Object.entries(globs)) {
    if (setting === false) continue;
    const when = setting === true ? undefined : setting.when;
    if (when === undefined) always.push(glob);
    else if (glob.length <= remainingCharacters) {
      remainingCharacters -= glob.length;
      const matches = globMatcher([glob], MAX_CHARACTERS);
      excludes.push((path, siblings) => siblings.has(siblingPath(path, when)) && matches(prefix + path));
    }
  }
  const matches = globMatcher(always, MAX_CHARACTERS);
  return [(path) => matches(prefix + path), ...excludes];
}

function siblingPath(path: string, when: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return when.replaceAll('$(basename)', () => name.replace(/\.[^.]*$/, ''));
}
