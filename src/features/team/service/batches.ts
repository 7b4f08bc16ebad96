/** Maximum rows in one request, in either direction. */
export const MAX_ROWS = 200;

/** Maximum bytes of texts in one request, in either direction. */
export const MAX_BYTES = 8 * 2 ** 20;

/** Splits rows into requests, by number and, if measured, by bytes. */
export function* batches<T>(items: readonly T[], measure: (item: T) => number = () => 0): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const item of items) {
    batch.push(item);
    size += measure(item);
    if (batch.length < MAX_ROWS && size < MAX_BYTES) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
