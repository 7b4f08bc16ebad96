/**
 * The least index below a length at which something is so, by binary search: where it is so at one, it must be so at all
 * that follow. The length where it is so at none.
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
