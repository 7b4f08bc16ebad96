// These functions accept more values than a function call accepts arguments.

/** Returns the median of the values; 0 if there are none. */
export function median(values: readonly number[]): number {
  return new Float64Array(values).sort()[values.length >> 1] ?? 0;
}

/** Returns the least of the values; infinity if there are none. */
export function least(values: readonly number[]): number {
  let result = Infinity;
  for (const value of values) result = Math.min(result, value);
  return result;
}

/** Returns the greatest of the values; negative infinity if there are none. */
export function greatest(values: readonly number[]): number {
  let result = -Infinity;
  for (const value of values) result = Math.max(result, value);
  return result;
}
