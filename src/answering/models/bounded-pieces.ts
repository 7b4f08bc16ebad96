import { throwIfCancelled } from '../../notebook/errors.ts';

/** The pieces of a reply until a signal aborts: a model that does not heed it is not waited for. @throws NotebookError `cancelled` */
export async function* untilAborted(
  pieces: AsyncIterable<string>,
  signal: AbortSignal,
): AsyncIterable<string> {
  throwIfCancelled(signal);
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
      // What comes of it once nobody waits is nobody's failure.
      waited.catch(() => undefined);
      const next = await Promise.race([waited, aborted]);
      throwIfCancelled(signal);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: it would wait for a piece that may never come.
    void iterator.return?.().catch(() => undefined);
  }
}

/** The pieces of a reply up to a length, in UTF-16 code units; what would go on behind it is not waited for. */
export async function* bounded(pieces: AsyncIterable<string>, length: number): AsyncIterable<string> {
  let left = length;
  for await (const piece of pieces) {
    yield piece.slice(0, left);
    left -= piece.length;
    if (left <= 0) return;
  }
}
