import { firstIndex } from './first-index.ts';

/** Returns the longest sequence of pairs in which both numbers ascend. */
export function longestAscending(
  pairs: readonly (readonly [number, number])[],
): (readonly [number, number])[] {
  const ends: number[] = [];
  const before = new Array<number>(pairs.length).fill(-1);
  for (const [index, [, other]] of pairs.entries()) {
    const next = firstIndex(ends.length, (end) => (pairs[ends[end] ?? 0]?.[1] ?? 0) >= other);
    before[index] = ends[next - 1] ?? -1;
    ends[next] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}
