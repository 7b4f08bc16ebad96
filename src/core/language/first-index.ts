/**
 * Returns the first index below a length that satisfies a condition, or the length if none does. Binary search, so
 * all indexes after the first one must satisfy it, too.
 */
export function firstIndex(length: number, isSo: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
