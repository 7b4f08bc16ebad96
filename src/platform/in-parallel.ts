/**
 * Processes items in their order, several at once. The first failure, or the signal, stops it; it rejects with the
 * reason after running items have ended.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  signal: AbortSignal,
  action: (item: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const failure = new AbortController();
  const going = AbortSignal.any([signal, failure.signal]);
  const waiting = items[Symbol.iterator]();
  const workOn = async (): Promise<void> => {
    try {
      for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
        going.throwIfAborted();
        await action(next.value, going);
      }
    } catch (error) {
      if (!failure.signal.aborted) failure.abort(error);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOn));
  failure.signal.throwIfAborted();
}
