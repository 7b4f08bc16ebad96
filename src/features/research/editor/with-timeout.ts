import { NotebookError, throwIfCanceled } from '../../../core/domain/errors.ts';

/**
 * Returns the result of a promise within a time limit in milliseconds. Doesn't wait for a promise that ignores the
 * signal.
 * @throws NotebookError `cancelled`, or `timeout` with the sentence
 */
export async function withTimeout<T>(
  promise: PromiseLike<T>,
  signal: AbortSignal,
  { milliseconds, sentence }: { readonly milliseconds: number; readonly sentence: string },
): Promise<T> {
  throwIfCanceled(signal);
  const over = AbortSignal.any([signal, AbortSignal.timeout(milliseconds)]);
  const aborted = new Promise<never>((_, reject) => {
    over.addEventListener('abort', () => reject(new NotebookError('timeout', sentence)));
  });
  // The race below may end before the timeout.
  aborted.catch(() => undefined);
  try {
    return await Promise.race([promise, aborted]);
  } catch (error) {
    throwIfCanceled(signal);
    throw error;
  }
}
