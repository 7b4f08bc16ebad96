/** Maximum number of simultaneous requests to a model or an endpoint. */
export const REQUESTS_AT_ONCE = 4;

/**
 * Returns the result of each item, in order, with several at a time. After a failure, no further item starts, but
 * running ones finish first, so that their results can be saved.
 * @throws the first error
 */
export async function askAll<T, R>(
  items: readonly T[],
  action: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waitingItems = items.entries();
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of waitingItems) {
      try {
        results[index] = await action(item, index);
      } catch (error) {
        failures.push(error);
      }
      if (failures.length > 0) return;
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, workThrough));
  if (failures.length > 0) throw failures[0];
  return results;
}
