/**
 * Returns the keys of the rows in a list that changed, or `all` if rows were added, removed, or moved. Both maps
 * contain the content of each row, in the list's order.
 */
export function changedRows(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] | 'all' {
  const keys = [...after.keys()];
  const isSameList = before.size === after.size && [...before.keys()].every((key, i) => key === keys[i]);
  return isSameList ? keys.filter((key) => before.get(key) !== after.get(key)) : 'all';
}
