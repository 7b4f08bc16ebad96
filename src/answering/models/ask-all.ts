/** So many requests are under way at once where much is asked of a model or an endpoint. */
export const REQUESTS_AT_ONCE = 4;

/**
 * What comes of each item, in their order, worked at so many at once. Where one fails no other is begun; those that are
 * under way come to their end first, so that what they have is kept. @throws whatever failed first
 */
export async function askAll<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const left = items.entries();
  const workThrough = async (): Promise<void> => {
    for (const [index, item] of left) {
      try {
        results[index] = await work(item, index);
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
