/**
 * The rows of a list that show something else than before, by their keys; `all` where some came, went or moved. Both tell in
 * the list's order what each row shows.
 */
export function changedRows(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] | 'all' {
  const keys = [...after.keys()];
  const isSameList = before.size === after.size && [...before.keys()].every((key, i) => key === keys[i]);
  return isSameList ? keys.filter((key) => before.get(key) !== after.get(key)) : 'all';
}
