import { throwIfCanceled } from '../../core/domain/errors.ts';

/**
 * Yields the pieces of a reply until a signal aborts, even if the model ignores the signal.
 * @throws NotebookError `cancelled`
 */
export async function* untilAborted(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncIterable<string> {
  throwIfCanceled(signal);
  const iterator = pieces[Symbol.asyncIterator]();
  let abort = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => {
      resolve(undefined);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    for (;;) {
      const waited = iterator.next();
      // After a cancellation, nothing waits for this promise, so its failure must not count as unhandled.
      waited.catch(() => undefined);
      const next = await Promise.race([waited, aborted]);
      throwIfCanceled(signal);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited, since it would wait for a piece that may never arrive.
    void iterator.return?.().catch(() => undefined);
  }
}

/** Yields the pieces of a reply up to a length, in UTF-16 code units, without waiting for the rest. */
export async function* limitPieces(pieces: AsyncIterable<string>, length: number): AsyncIterable<string> {
  let remainingLength = length;
  for await (const piece of pieces) {
    yield piece.slice(0, remainingLength);
    remainingLength -= piece.length;
    if (remainingLength <= 0) return;
  }
}
