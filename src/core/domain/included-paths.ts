import * as v from 'valibot';

/** JSON schema of a rule. */
export const pathRule = v.object({ sourceId: v.string(), path: v.string(), isIncluded: v.boolean() });

/**
 * Checkbox below a source, which includes a file or folder in questions. `path` is a document's key or a folder of such
 * keys, with `/` between names; '' is the whole source.
 */
export type PathRule = Readonly<v.InferOutput<typeof pathRule>>;

/**
 * Checkboxes of one source by path. A path without one follows the folder above it, and the source is included by
 * default.
 */
export type PathRules = ReadonlyMap<string, boolean>;

/** Reports whether questions include a file or folder of a source. The time is proportional to its depth. */
export function isPathIncluded(rules: PathRules | undefined, path: string): boolean {
  if (rules === undefined) return true;
  for (let at = path; at !== ''; at = folderAbove(at)) {
    const isIncluded = rules.get(at);
    if (isIncluded !== undefined) return isIncluded;
  }
  return rules.get('') ?? true;
}

/** Returns the rules after a checkbox was selected or cleared, which applies to everything below it. */
export function withPath(rules: PathRules | undefined, path: string, isIncluded: boolean): PathRules {
  const below = path === '' ? '' : `${path}/`;
  const changed = new Map([...(rules ?? [])].filter(([other]) => other !== path && !other.startsWith(below)));
  const isInherited = path === '' || isPathIncluded(changed, folderAbove(path));
  if (isInherited !== isIncluded) changed.set(path, isIncluded);
  return changed;
}

/** Groups rules by their sources. */
export function rulesBySource(rules: readonly PathRule[]): ReadonlyMap<string, PathRules> {
  const grouped = new Map<string, Map<string, boolean>>();
  for (const { sourceId, path, isIncluded } of rules) {
    const ofSource = grouped.get(sourceId) ?? new Map<string, boolean>();
    grouped.set(sourceId, ofSource.set(path, isIncluded));
  }
  return grouped;
}

function folderAbove(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
