// Of values that may be more than a call takes arguments.

/** The middle of some values; 0 where there are none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The least of some values; infinite where there are none. */
export function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

/** The greatest of some values; negatively infinite where there are none. */
export function greatest(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}
