/** Maximum rows in one request, in either direction. */
export const MAX_ROWS = 200;

/** Maximum bytes of texts in one request, in either direction. */
export const MAX_BYTES = 8 * 2 ** 20;

/** Splits rows into requests, by number and, if measured, by bytes. */
export function* batches<T>(all: readonly T[], measure: (one: T) => number = () => 0): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const one of all) {
    batch.push(one);
    size += measure(one);
    if (batch.length < MAX_ROWS && size < MAX_BYTES) continue;
    yield batch;
    [batch, size] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
